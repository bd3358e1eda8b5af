// Values of vault entries at rest, and private keys. Each value is sealed with AES-256-GCM under a key of its own, and that data key under a
// key-encryption key that lies outside the database: to rotate that one, no value has to be opened. Format, vault, entry
// and field are authenticated with both, so that what is moved to another place can't be opened there.
//
// What that does not keep from somebody who can write to the database: to bring back an older sealed state of the same
// entry (an old password is as genuine as the new one, while its key is in the file), to exchange its user name, and to
// change where it is sent. URIs and user name are deliberately not bound: an edit of them would have to open the value, and
// whoever can write there can take the actor's place as well. The audit chain shows what the service itself did.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';

export interface KeyEncryptionKey {
  /** `kek_…` */
  id: string;
  key: KeyObject;
}

/** Where the value of an entry belongs. */
export interface VaultPlace {
  vault_id: string;
  entry_id: string;
  field: 'value';
}

/** Where a secret of another table belongs. No table is named like the id of a vault. */
export interface RowPlace {
  table: string;
  row: string;
  field: string;
}

export type SealedPlace = VaultPlace | RowPlace;

/** Columns of a row that holds a value. */
export interface Sealed {
  /** Key that the data key is sealed under. */
  kek_id: string;
  sealed_key: string;
  sealed_value: string;
}

/** A value can't be opened: wrong key, damaged, or of another place. It says nothing of the value, nor which of them. */
export class VaultFault extends Error {
  constructor() {
    super('A vault value can’t be opened: it is damaged or was moved, or its key is another one.');
    this.name = 'VaultFault';
  }
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** They name the format, so that a later one can be told from it. */
const KEY_FORMAT = 'vk1.';
const VALUE_FORMAT = 'vv1.';

/** Seals a value under a new data key; another text at each call. */
export function sealEntry(kek: KeyEncryptionKey, place: SealedPlace, value: string, entropy: Entropy): Sealed {
  const data = entropy.bytes(KEY_BYTES);
  try {
    return {
      kek_id: kek.id,
      sealed_key: wrapped(kek, place, data, entropy),
      sealed_value: seal(VALUE_FORMAT, createSecretKey(data), valueBinding(place), Buffer.from(value, 'utf8'), entropy),
    };
  } finally {
    data.fill(0);
  }
}

/** @throws VaultFault */
export function openEntry(kek: KeyEncryptionKey, place: SealedPlace, sealed: Sealed): string {
  if (sealed.kek_id !== kek.id) throw new VaultFault();
  const data = dataKey(kek, place, sealed.sealed_key);
  try {
    return open(VALUE_FORMAT, createSecretKey(data), valueBinding(place), sealed.sealed_value).toString('utf8');
  } finally {
    data.fill(0);
  }
}

/** The data key sealed under another key; the value's own text stays as it is. @throws VaultFault */
export function rewrap(
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
  place: SealedPlace,
  sealed_key: string,
  entropy: Entropy,
): string {
  const data = dataKey(from, place, sealed_key);
  try {
    return wrapped(to, place, data, entropy);
  } finally {
    data.fill(0);
  }
}

function wrapped(kek: KeyEncryptionKey, place: SealedPlace, data: Buffer, entropy: Entropy): string {
  return seal(KEY_FORMAT, kek.key, keyBinding(kek, place), data, entropy);
}

function dataKey(kek: KeyEncryptionKey, place: SealedPlace, sealed_key: string): Buffer {
  const data = open(KEY_FORMAT, kek.key, keyBinding(kek, place), sealed_key);
  if (data.length !== KEY_BYTES) throw new VaultFault();
  return data;
}

/** A list as JSON has one reading only: no two places have the same text. */
const binding = (...parts: string[]): Buffer => Buffer.from(JSON.stringify(parts), 'utf8');
const within = (place: SealedPlace): string[] =>
  'table' in place ? [place.table, place.row, place.field] : [place.vault_id, place.entry_id, place.field];
const valueBinding = (place: SealedPlace): Buffer => binding(VALUE_FORMAT, ...within(place));
const keyBinding = (kek: KeyEncryptionKey, place: SealedPlace): Buffer => binding(KEY_FORMAT, kek.id, ...within(place));

/** Format, and base64url of initialization vector, tag and ciphertext. */
function seal(format: string, key: KeyObject, associated: Buffer, plain: Buffer, entropy: Entropy): string {
  const iv = entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(associated);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return format + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws VaultFault, whatever was wrong: no cause is passed on. */
function open(format: string, key: KeyObject, associated: Buffer, text: string): Buffer {
  const bytes = Buffer.from(text.slice(format.length), 'base64url');
  // One spelling only: the decoder skips what it does not know.
  if (text !== format + bytes.toString('base64url') || bytes.length < IV_BYTES + TAG_BYTES) throw new VaultFault();
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(associated).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new VaultFault();
  }
}
