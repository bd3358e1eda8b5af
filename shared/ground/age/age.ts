// Files of age, version 1 (https://age-encryption.org/v1), which the stock program `age` reads and writes. As streams, with
// no more than two chunks in memory.
import { ByteSource, type Bytes } from '../byte-source.ts';
import type { Entropy } from '../clock.ts';
import { AgeFault } from './fault.ts';
import { type Header, headerText, macHolds, readHeader } from './header.ts';
import { SCRYPT, unwrapWithPassphrase, wrapForPassphrase } from './passphrase.ts';
import { openPayload, sealPayload } from './payload.ts';
import { derive } from './primitives.ts';
import { FILE_KEY_BYTES, type Stanza } from './stanza.ts';
import { readIdentity, readRecipient, unwrapWithIdentity, wrapForRecipient, X25519 } from './x25519.ts';

/** Who shall open the file. `log_n`: log₂ of the work of the passphrase, for tests that open many. */
export type AgeRecipients = { passphrase: string; log_n?: number } | { recipients: readonly string[] };
export type AgeIdentity = { passphrase: string } | { identity: string };

const NONCE_BYTES = 16;
const payloadKey = (fileKey: Buffer, nonce: Buffer): Buffer => derive(fileKey, nonce, 'payload');

/** @throws AgeFault recipient_malformed, before the first byte; RangeError for nobody who could open it */
export async function* encryptAge(plain: Bytes, to: AgeRecipients, entropy: Entropy): AsyncGenerator<Buffer> {
  const fileKey = entropy.bytes(FILE_KEY_BYTES);
  const stanzas = await wrap(fileKey, to, entropy);
  const nonce = entropy.bytes(NONCE_BYTES);
  yield Buffer.concat([Buffer.from(headerText(stanzas, fileKey)), nonce]);
  yield* sealPayload(plain, payloadKey(fileKey, nonce));
}

async function wrap(fileKey: Buffer, to: AgeRecipients, entropy: Entropy): Promise<Stanza[]> {
  if ('recipients' in to) {
    if (to.recipients.length === 0) throw new RangeError('An age file needs a recipient.');
    return to.recipients.map((recipient) => wrapForRecipient(fileKey, recipient, entropy));
  }
  if (to.passphrase === '') throw new RangeError('An age file needs a passphrase.');
  return [await wrapForPassphrase(fileKey, to.passphrase, entropy, to.log_n)];
}

/**
 * The content, in pieces. Each piece is as it was encrypted, but that the file is whole is known at its end only: nothing may
 * be kept of it before.
 * @throws AgeFault
 */
export async function* decryptAge(bytes: Bytes, by: AgeIdentity): AsyncGenerator<Buffer> {
  const source = new ByteSource(bytes);
  try {
    const header = await readHeader(source);
    const fileKey = await unwrap(header, by);
    if (fileKey.length !== FILE_KEY_BYTES || !macHolds(header, fileKey)) throw new AgeFault('damaged');
    const nonce = await source.take(NONCE_BYTES);
    if (nonce.length < NONCE_BYTES) throw new AgeFault('cut_off');
    yield* openPayload(source, payloadKey(fileKey, nonce));
  } finally {
    await source.close();
  }
}

async function unwrap({ stanzas }: Header, by: AgeIdentity): Promise<Buffer> {
  const first = stanzas.find(({ kind }) => kind === SCRYPT);
  if (first && stanzas.length > 1) throw new AgeFault('passphrase_not_alone');
  if ('passphrase' in by) {
    if (!first) throw new AgeFault('needs_identity');
    return unwrapWithPassphrase(first, by.passphrase);
  }
  const identity = readIdentity(by.identity);
  if (first) throw new AgeFault('needs_passphrase');
  for (const stanza of stanzas) {
    const fileKey = stanza.kind === X25519 ? unwrapWithIdentity(stanza, identity) : null;
    if (fileKey) return fileKey;
  }
  throw new AgeFault('wrong_identity');
}

/** Whether it is a recipient that a file can be encrypted for. */
export function isRecipient(text: string): boolean {
  try {
    readRecipient(text);
    return true;
  } catch {
    return false;
  }
}
