// What people read of key management's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { KmsFacts } from './facts.ts';

export const WORDS: WordsOf<KmsFacts> = {
  enabled: (_name, on) => ['key management', onOff(on)],
  listen: (name, at) => [`listens on ${name}`, at.join(', ') || 'no address'],
  hostname: (_name, hostname) => ['host name', hostname || 'none'],
  authority: (_name, sha256) => ['certificate authority', sha256 ?? 'none'],
  certificate: (_name, { sha256, not_after }) => ['certificate', `${sha256}, until ${not_after}`],
};
export const words = viewOf(WORDS);
