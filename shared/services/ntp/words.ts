// What people read of the time service's facts.
import { onOff, orNone, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { NtpFacts } from './facts.ts';

export const WORDS: WordsOf<NtpFacts> = {
  enabled: (_name, on) => ['time service', onOff(on)],
  clients: (_name, networks) => ['clients', networks.join(', ') || 'everybody'],
  stratum: (_name, stratum) => ['local stratum', stratum === 0 ? 'off' : `${stratum}`],
  nts: (_name, on) => ['NTS', onOff(on)],
  nts_certificate: (_name, { sha256, not_after }) => ['certificate of NTS', `${sha256}, until ${not_after}`],
  listen: (name, { addresses, dynamic }) => [
    `listens on ${name}`,
    orNone(dynamic ? ['address from the network', ...addresses] : addresses),
  ],
  refused: (_name, networks) => ['listening refuses', networks.join(', ')],
  agree: (_name, least) => ['sources that must agree', `${least}`],
  source: (name, { kind, nts, prefer }) => [
    `source ${name}`,
    [kind, ...(nts ? ['NTS'] : []), ...(prefer ? ['preferred'] : [])].join(', '),
  ],
};
export const words = viewOf(WORDS);
