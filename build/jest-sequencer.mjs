// The order of the files of a suite: those that take longest first, so that no worker is left alone with one at the end.
// Jest itself goes by size, where it has not run before.
import Sequencer from '@jest/test-sequencer';

/** By what they took on two workers, longest first. */
const LONGEST = [
  'test/browser/service-pages.test.ts',
  'test/browser/pages.test.ts',
  'test/appliance/appliance.test.ts',
  'test/system/network-boot.test.ts',
  'test/fuzz/dependents.test.ts',
  'test/fuzz/dependents-second.test.ts',
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
