// Get (OASIS KMIP Specification 1.4, section 4.11), GetAttributes (4.12), GetAttributeList (4.13) and Locate (4.9).
import { keysOf, sealedOf } from '../keys/key-rows.ts';
import { openMaterial } from '../keys/material.ts';
import { attributesOf, matches, readAttribute } from '../protocol/attributes.ts';
import { child, enumeration, integer, KmipFailure, numberIn, structure, text } from '../protocol/message.ts';
import { AES, RAW, REASON, SYMMETRIC_KEY, TAG } from '../protocol/tags.ts';
import { type Item, TYPE } from '../protocol/ttlv.ts';
import { type Done, idItem, noSuchKey, type Operating, wantedKey } from './operating.ts';

/** Ids of one answer to Locate, where the client asks for no fewer. */
const LOCATED_MOST = 1_000;

/** In every state but destroyed: a machine whose key was revoked has to start all the same. */
export async function get(operating: Operating): Promise<Done> {
  const { services, provider, payload } = operating;
  if (child(payload, TAG.keyWrappingWanted))
    throw new KmipFailure(REASON.operationNotSupported, 'Keys are not wrapped.');
  if (child(payload, TAG.keyCompression))
    throw new KmipFailure(REASON.keyCompressionNotSupported, 'A symmetric key is not compressed.');
  if ((numberIn(payload, TAG.keyFormat) ?? RAW) !== RAW)
    throw new KmipFailure(REASON.keyFormatNotSupported, 'Keys are given in the format Raw.');
  const key = await wantedKey(operating);
  const sealed = await sealedOf(services.store, provider.id, key.id);
  if (!sealed) throw noSuchKey();
  const material = await openMaterial(services, key.id, sealed);
  if (material === null)
    throw new KmipFailure(REASON.cryptographicFailure, 'The key can’t be opened: the keys of the vaults are others.');
  const block = structure(TAG.keyBlock, [
    enumeration(TAG.keyFormat, RAW),
    structure(TAG.keyValue, [{ tag: TAG.keyMaterial, type: TYPE.bytes, value: material }]),
    enumeration(TAG.algorithm, AES),
    integer(TAG.length, key.length_bits),
  ]);
  const answer = [enumeration(TAG.objectType, SYMMETRIC_KEY), idItem(key.id), structure(TAG.symmetricKey, [block])];
  return { payload: answer, key_id: key.id, got: true };
}

const namesIn = (payload: readonly Item[]): string[] =>
  payload.flatMap((item) => (item.tag === TAG.attributeName && item.type === TYPE.text ? [item.value] : []));

export async function getAttributes(operating: Operating): Promise<Done> {
  const key = await wantedKey(operating);
  const names = namesIn(operating.payload);
  const found = attributesOf(key, operating.now, names);
  return { payload: [idItem(key.id), ...found.map(({ item }) => item)], key_id: key.id, attributes: names };
}

export async function getAttributeList(operating: Operating): Promise<Done> {
  const key = await wantedKey(operating);
  const names = new Set(attributesOf(key, operating.now, []).map(({ name }) => name));
  return { payload: [idItem(key.id), ...[...names].map((name) => text(TAG.attributeName, name))], key_id: key.id };
}

/** The provider's own keys that have all that is asked for, newest first. */
export async function locate({ services, provider, payload, now, version }: Operating): Promise<Done> {
  const asked = payload.filter(({ tag }) => tag === TAG.attribute).map(readAttribute);
  const keys = await keysOf(services.store, provider.id);
  const found = keys.filter((key) => asked.every((each) => matches(key, now, each)));
  const offset = Math.max(0, numberIn(payload, TAG.offsetItems) ?? 0);
  const most = Math.min(Math.max(0, numberIn(payload, TAG.maximumItems) ?? LOCATED_MOST), LOCATED_MOST);
  const shown = found.slice(offset, offset + most);
  // The count came with 1.3.
  const counted = version.minor >= 3 ? [integer(TAG.locatedItems, found.length)] : [];
  return {
    payload: [...counted, ...shown.map(({ id }) => idItem(id))],
    ...(found[0] && { key_id: found[0].id }),
    attributes: asked.map(({ name }) => name),
  };
}
