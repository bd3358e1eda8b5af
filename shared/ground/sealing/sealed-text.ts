// Secret texts of the desired state at rest, under a key that lies outside the database. Files of the host's state hold
// the same sealed texts, so this key is not one of the keyring, which forgets keys that no row uses.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Entropy } from '../clock.ts';
import { type Box, open, seal } from './box.ts';
import type { RowPlace } from './envelope.ts';
import type { Keys } from './keys.ts';

export type SealShell = { keys: Keys; entropy: Entropy };

/** Another text at each call. */
export const sealText = ({ keys, entropy }: SealShell, place: RowPlace, text: string): string =>
  seal(boxOf(keys, place), Buffer.from(text, 'utf8'), entropy);

/**
 * @throws Error when the text was sealed for another row or with another key, or is damaged. The error shows nothing of
 * it.
 */
export function openText(keys: Keys, place: RowPlace, sealed: string): string {
  const text = open(boxOf(keys, place), sealed);
  if (text) return text.toString('utf8');
  throw new Error(`A sealed text of ${place.table} can't be opened: it is damaged, or the keys file is another one.`);
}

/** A digest to compare texts by, which shows nothing of them. Hexadecimal. */
export function sealedDigest(keys: Keys, place: RowPlace, text: string): string {
  return keys.hmac('sealed-digest', `${associated(place).toString('utf8')}\0${text}`).toString('hex');
}

const associated = ({ table, row, field }: RowPlace): Buffer => Buffer.from(`${table}\0${row}\0${field}`, 'utf8');
/** Deriving it costs as much as sealing a text. */
const derived = new WeakMap<Keys, KeyObject>();

function keyOf(keys: Keys): KeyObject {
  const key = derived.get(keys) ?? createSecretKey(keys.hmac('sealed-text', 'key'));
  derived.set(keys, key);
  return key;
}

const boxOf = (keys: Keys, place: RowPlace): Box => ({
  format: 's1.',
  key: keyOf(keys),
  associated: associated(place),
});
