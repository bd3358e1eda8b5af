// What people read of the OpenID Connect provider's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { OidcFacts } from './facts.ts';

export const WORDS: WordsOf<OidcFacts> = {
  enabled: (_name, on) => ['OpenID Connect', onOff(on)],
  listen: (name, at) => [`listens on ${name}`, at.join(', ') || 'no address'],
  hostname: (_name, hostname) => ['host name', hostname || 'none'],
  issuer: (_name, issuer) => ['issuer', issuer || 'none'],
  lifetimes: (_name, [access, id, code]) => [
    'valid for',
    `access token ${access} s, ID token ${id} s, authorization code ${code} s`,
  ],
  authority: (_name, sha256) => ['certificate authority', sha256 ?? 'none'],
  certificate: (_name, { sha256, not_after }) => ['certificate', `${sha256}, until ${not_after}`],
};
export const words = viewOf(WORDS);
