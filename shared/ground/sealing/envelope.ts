// Vault values and private keys at rest. Each value is sealed with AES-256-GCM and a data key of its own, and the data
// key with a key-encryption key outside the database: rotating that key opens no value. Format, vault, entry and field
// are authenticated with both, so that a value moved to another row can't be opened there.
//
// An attacker who can write to the database can still restore an older sealed state of the same entry (an old password
// is as genuine as the new one, while the file has its key), and change its user name and where it is sent. URIs and
// user name are deliberately not bound: an edit of them would have to open the value, and such an attacker can
// impersonate an actor anyway. The audit chain shows what the service itself did.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';
import { type Box, open, seal } from './box.ts';

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

/**
 * A value can't be opened: wrong key, damaged, or of another row. The error does not show which of these, nor the
 * value.
 */
export class VaultFault extends Error {
  constructor() {
    super('A vault value can’t be opened: it is damaged or was moved, or its key is another one.');
    this.name = 'VaultFault';
  }
}

const KEY_BYTES = 32;
/** Names of the format, to distinguish it from a later one. */
const KEY_FORMAT = 'vk1.';
const VALUE_FORMAT = 'vv1.';

/** Seals a value under a new data key; another text at each call. */
export function sealEntry(kek: KeyEncryptionKey, place: SealedPlace, value: string, entropy: Entropy): Sealed {
  const data = entropy.bytes(KEY_BYTES);
  try {
    return {
      kek_id: kek.id,
      sealed_key: wrapped(kek, place, data, entropy),
      sealed_value: seal(valueBox(data, place), Buffer.from(value, 'utf8'), entropy),
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
    return opened(valueBox(data, place), sealed.sealed_value).toString('utf8');
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
  return seal(keyBox(kek, place), data, entropy);
}

function dataKey(kek: KeyEncryptionKey, place: SealedPlace, sealed_key: string): Buffer {
  const data = opened(keyBox(kek, place), sealed_key);
  if (data.length !== KEY_BYTES) throw new VaultFault();
  return data;
}

/** A list as JSON has one reading only: no two places have the same text. */
const binding = (...parts: string[]): Buffer => Buffer.from(JSON.stringify(parts), 'utf8');
const within = (place: SealedPlace): string[] =>
  'table' in place ? [place.table, place.row, place.field] : [place.vault_id, place.entry_id, place.field];
const valueBox = (data: Buffer, place: SealedPlace): Box => ({
  format: VALUE_FORMAT,
  key: createSecretKey(data),
  associated: binding(VALUE_FORMAT, ...within(place)),
});
const keyBox = (kek: KeyEncryptionKey, place: SealedPlace): Box => ({
  format: KEY_FORMAT,
  key: kek.key,
  associated: binding(KEY_FORMAT, kek.id, ...within(place)),
});

/** @throws VaultFault, whatever was wrong */
function opened(box: Box, text: string): Buffer {
  const plain = open(box, text);
  if (!plain) throw new VaultFault();
  return plain;
}
