// What people read of the offline depot's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { DepotFacts } from './facts.ts';

function accessWords(access: DepotFacts['access']): string {
  if ('everybody' in access) return 'everybody, without a login';
  return access.user === '' ? 'nobody: no user is chosen' : `user ${access.user}`;
}

export const WORDS: WordsOf<DepotFacts> = {
  enabled: (_name, on) => ['offline depot', onOff(on)],
  listen: (name, at) => [`listens on ${name}`, at.join(', ') || 'no address'],
  hostname: (_name, hostname) => ['host name', hostname || 'none'],
  access: (_name, access) => ['access', accessWords(access)],
  authority: (_name, sha256) => ['certificate authority', sha256 ?? 'none'],
  certificate: (_name, { sha256, not_after }) => ['certificate', `${sha256}, until ${not_after}`],
};
export const words = viewOf(WORDS);
