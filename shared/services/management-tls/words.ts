// What people read of the facts of the management UI's certificate.
import { viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { Described } from './desired.ts';
import type { ManagementTlsFacts } from './facts.ts';

export const SOURCE_WORDS: Record<ManagementTlsFacts['source'], string> = {
  self_signed: 'the service’s own, self-signed',
  issued: 'issued by the certificate authority',
  uploaded: 'uploaded',
};

/** `CN=gc01 for gc01.lab.example, 192.0.2.1, SHA-256 AA:…, until …` */
export const certificateWords = ({ subject, names, sha256, not_after }: Described): string =>
  `${subject || 'no subject'} for ${names.join(', ') || 'no name'}, SHA-256 ${sha256}, until ${not_after}`;

export const WORDS: WordsOf<ManagementTlsFacts> = {
  replaced: (_name, on) => ['the service’s own certificate', on ? 'replaced' : 'in use'],
  source: (_name, source) => ['certificate of the management UI', SOURCE_WORDS[source]],
  certificate: (_name, certificate) => ['certificate', `${certificateWords(certificate)}, from ${certificate.issuer}`],
};
export const words = viewOf(WORDS);
