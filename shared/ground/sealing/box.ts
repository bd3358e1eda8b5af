// The one way in which secrets are sealed at rest: AES-256-GCM, and a text of the format's name and base64url of
// initialization vector, tag and ciphertext. Which key, and what is authenticated with it, is up to who seals: values of
// vaults and private keys (envelope.ts), texts of the desired state (sealed-text.ts), answers that are replayed.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Box {
  /** `vv1.`: names the format, so that a later one can be told from it. */
  format: string;
  key: KeyObject | Buffer;
  /** What it belongs to: what is moved elsewhere can't be opened there. */
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
  // One spelling only: the decoder skips what it does not know.
  if (text !== format + bytes.toString('base64url') || bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(associated).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
