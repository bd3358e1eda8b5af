// What people read of network boot's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { BootFacts } from './facts.ts';
import type { Unpointed } from './listening.ts';

const WHY: Record<Unpointed['why'], (listener: string) => string> = {
  'chosen-silent': (chosen) => `its boot listener is ${chosen}, where network boot does not answer over IPv4`,
  nowhere: () => 'network boot answers nowhere over IPv4',
  several: () => 'network boot answers on several interfaces, but not on the scope’s own: choose a boot listener',
  'no-gateway': (only) => `it has no gateway that leads to ${only}`,
  'own-gateway': (only) => `its gateway is the appliance, which answers boot requests on ${only} only`,
};
/** Why machines of a scope get no boot listener, as the end of a sentence. */
export const whyWords = ({ why, listener }: Unpointed): string => WHY[why](listener);

function uefiWords(uefi: BootFacts['uefi']): string {
  if (uefi === null) return 'not offered';
  return 'url' in uefi ? uefi.url : `follows the appliance: ${uefi.programs.join(', ') || 'no address'}`;
}

/** The vault values of a Kickstart; empty for none. */
export const takenWords = ({ vault_values }: BootFacts['kickstart']): string =>
  vault_values.length > 0 ? `values of vaults: ${vault_values.join(', ')}` : '';

export const WORDS: WordsOf<BootFacts> = {
  enabled: (_name, on) => ['network boot', onOff(on)],
  listen: (name, origins) => [`listens on ${name}`, origins.join(', ') || 'no address'],
  tftp: (_name, on) => ['TFTP', onOff(on)],
  uefi: (_name, uefi) => ['UEFI HTTP boot', uefiWords(uefi)],
  scope: (name, scope) => [
    `machines of the scope ${name}`,
    'why' in scope ? `get no boot listener: ${whyWords(scope)}` : `boot from ${scope.listener}`,
  ],
  kickstart: (name, kickstart) => [
    `Kickstart ${name}`,
    [`revision ${kickstart.revision}`, takenWords(kickstart)].filter(Boolean).join(', '),
  ],
  medium: (name, content) => [`medium ${name}`, `content ${content}`],
  host: (name, { mac, address, kickstart, medium, variables }) => [
    `host ${name}`,
    [
      mac,
      address || 'address of a range',
      kickstart === null ? 'no Kickstart' : `Kickstart ${kickstart}`,
      medium === null ? 'no medium' : `medium ${medium}`,
      ...(variables === '' ? [] : [`variables ${variables}`]),
    ].join(', '),
  ],
};
export const words = viewOf(WORDS);
