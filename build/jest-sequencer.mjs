// The order of the files of a suite: those that take longest first, so that no worker is left alone with one at the end.
// Jest itself goes by size, where it has not run before.
import Sequencer from '@jest/test-sequencer';

/** By what they took on two workers, longest first. */
const LONGEST = [
  'test/appliance/appliance.test.ts',
  'test/browser/pages.test.ts',
  'test/browser/service-pages.test.ts',
  'test/faults/apply-kill.test.ts',
  'test/faults/deploy-kill.test.ts',
  'test/system/network-boot.test.ts',
  'test/contract/audit.test.ts',
  'test/contract/budgets.test.ts',
  'test/shared/services/ntp/daemon.test.ts',
  'test/shared/services/dns-dhcp/dhcp/daemon.test.ts',
  'test/system/drift.test.ts',
  'test/faults/mutation-kill.test.ts',
  'test/browser/remote-wizard.test.ts',
  'test/browser/remote-depot.test.ts',
  'test/browser/vcf-helper.test.ts',
  'test/faults/deploy-trouble.test.ts',
  'test/browser/depot-uploads.test.ts',
  'test/faults/boot-kill.test.ts',
  'test/faults/remote-depot-kill.test.ts',
  'test/faults/confirm-window.test.ts',
  'test/fuzz/dependents-second.test.ts',
  'test/system/lockout.test.ts',
  'test/system/listeners.test.ts',
  'test/fuzz/dependents.test.ts',
  'test/faults/full-disk.test.ts',
  'test/browser/islands.test.ts',
  'test/contract/clients.test.ts',
];

const place = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return at === -1 ? LONGEST.length : at;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => place(one) - place(other));
  }
}
