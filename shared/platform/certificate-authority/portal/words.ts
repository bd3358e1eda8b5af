// What people read of the portal's facts.
import { onOff, viewOf, type WordsOf } from '../../units/facts.ts';
import type { PortalFacts } from './facts.ts';

const STANDINGS: Record<PortalFacts['authority'], string> = {
  signing: 'signs',
  next: 'comes next',
  former: 'signed before',
};

export const WORDS: WordsOf<PortalFacts> = {
  enabled: (_name, on) => ['certificate portal', onOff(on)],
  listen: (name, at) => [`listens on ${name}`, at.join(', ') || 'no address'],
  hostname: (_name, hostname) => ['host name', hostname || 'none'],
  revocation: (_name, on) => ['tells what was revoked', onOff(on)],
  authority: (sha256, standing) => [`root certificate ${sha256}`, STANDINGS[standing]],
};
export const words = viewOf(WORDS);
