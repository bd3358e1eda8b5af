// Secret texts at rest: AES-256-GCM under a key that lies outside the database. What a text belongs to is authenticated
// with it, so that one moved to another row or field can't be opened there.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Entropy } from '../clock.ts';
import type { Keys } from './keys.ts';

/** Where a text lies: `network_boot_kickstart`, `ks_…`, `text`. */
export interface Place {
  table: string;
  row: string;
  field: string;
}

export type SealShell = { keys: Keys; entropy: Entropy };

const CIPHER = 'aes-256-gcm';
/** Names the format, so that a later one can be told from it. */
const PREFIX = 's1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `s1.` and base64url of initialization vector, tag and ciphertext; another one at each call. */
export function sealText({ keys, entropy }: SealShell, place: Place, text: string): string {
  const iv = entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(keys), iv).setAAD(associated(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws Error, which says nothing of the text, when it was sealed for another place, under another key, or damaged. */
export function openText(keys: Keys, place: Place, sealed: string): string {
  try {
    if (!sealed.startsWith(PREFIX)) throw new Error('another format');
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, sealingKey(keys), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associated(place)).setAuthTag(tag);
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    throw new Error(`A sealed text of ${place.table} can't be opened: it is damaged, or the keys file is another one.`);
  }
}

/** Tells whether two texts are the same without telling anything about them. Hexadecimal. */
export function sealedDigest(keys: Keys, place: Place, text: string): string {
  return keys.hmac('sealed-digest', `${associated(place).toString('utf8')}\0${text}`).toString('hex');
}

const associated = ({ table, row, field }: Place): Buffer => Buffer.from(`${table}\0${row}\0${field}`, 'utf8');
const sealingKey = (keys: Keys): Buffer => keys.hmac('sealed-text', 'key');
