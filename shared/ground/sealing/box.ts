// How all secrets are sealed at rest: AES-256-GCM, as a text of the format's name and base64url of initialization
// vector, tag and ciphertext. The caller chooses the key and the authenticated data: for vault values and private keys
// (envelope.ts), texts of the desired state (sealed-text.ts), and stored answers.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Box {
  /** `vv1.`: names the format, to distinguish it from a later one. */
  format: string;
  key: KeyObject | Buffer;
  /** The row that the secret belongs to: moved to another row it can't be opened. */
  associated: Buffer;
}

/** Another text at each call. */
export function seal({ format, key, associated }: Box, plain: Buffer, entropy: Entropy): string {
  const iv = entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(associated);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return format + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null, whatever was wrong: damaged, moved, another key, another format. */
export function open({ format, key, associated }: Box, text: string): Buffer | null {
  const bytes = Buffer.from(text.slice(format.length), 'base64url');
  // Only this spelling is accepted: the decoder skips unknown characters.
  if (text !== format + bytes.toString('base64url') || bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(associated).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
