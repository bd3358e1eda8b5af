// The three primitives that age is made of: HKDF-SHA-256, ChaCha20-Poly1305 and base64 without padding.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

export const TAG_BYTES = 16;
const CIPHER = 'chacha20-poly1305';
const OPTIONS = { authTagLength: TAG_BYTES } as const;
/** A key that wraps one file key is used once, so that its nonce may be this one. */
export const ONCE = Buffer.alloc(12);

export const derive = (key: Buffer, salt: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32));

export function sealBox(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, OPTIONS);
  const sealed = cipher.update(plain);
  cipher.final();
  return Buffer.concat([sealed, cipher.getAuthTag()]);
}

/** Null when it isn't what was sealed. */
export function openBox(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, OPTIONS);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return plain;
  } catch {
    return null;
  }
}

export const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Null unless it is the one spelling of its bytes. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return base64(bytes) === text ? bytes : null;
}
