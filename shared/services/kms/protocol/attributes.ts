// Attributes of keys (OASIS KMIP Specification 1.4, section 3): those that the server says, and those that a client may set.
import type { KeptAttribute, KeyRow } from '../keys/key-rows.ts';
import { stateAt } from '../keys/key-rows.ts';
import { child, date, enumeration, integer, KmipFailure, numberIn, structure, text, textIn } from './message.ts';
import { AES, REASON, STATES, SYMMETRIC_KEY, TAG } from './tags.ts';
import { decode, encode, type Item, TYPE } from './ttlv.ts';

/** Attributes that clients set on one key. */
export const ATTRIBUTES_MOST = 64;
const NAME_MOST = 128;
/** Bytes of one value, encoded. */
const VALUE_MOST = 1_024;

/** Attributes of the standard that are kept as they came (3.2, 3.33, 3.36, 3.35). */
const SETTABLE: readonly string[] = ['Name', 'Object Group', 'Application Specific Information', 'Contact Information'];
/** Custom attributes begin so (3.39): `x-` those of clients, `y-` those of servers. vCenter brings operators' own. */
const CUSTOM = /^[xy]-\P{Cc}+$/u;

export const isSettable = (name: string): boolean => SETTABLE.includes(name) || CUSTOM.test(name);

export interface Asked {
  name: string;
  index: number | undefined;
  value: Item | undefined;
}

/** An Attribute structure (2.1.1). @throws KmipFailure */
export function readAttribute(item: Item | undefined): Asked {
  const inside = item?.type === TYPE.structure ? item.value : [];
  const name = textIn(inside, TAG.attributeName);
  if (name === undefined || name.length > NAME_MOST)
    throw new KmipFailure(REASON.invalidMessage, `An attribute has a name of at most ${NAME_MOST} characters.`);
  return { name, index: numberIn(inside, TAG.attributeIndex), value: child(inside, TAG.attributeValue) };
}

/** As it is kept. @throws KmipFailure reason Invalid Field or Missing Data */
export function keptValue({ name, value }: Asked): string {
  if (!isSettable(name)) throw new KmipFailure(REASON.invalidField, 'This attribute is set by the server alone.');
  if (value === undefined) throw new KmipFailure(REASON.missingData, 'The attribute has no value.');
  const bytes = encode(value);
  if (bytes.length > VALUE_MOST)
    throw new KmipFailure(REASON.invalidField, `A value of an attribute has at most ${VALUE_MOST} bytes.`);
  return bytes.toString('hex');
}

/** With one more instance. @throws KmipFailure where there are too many */
export function added(all: readonly KeptAttribute[], asked: Asked): { all: KeptAttribute[]; made: KeptAttribute } {
  const value = keptValue(asked);
  if (all.length >= ATTRIBUTES_MOST)
    throw new KmipFailure(REASON.invalidField, `A key has at most ${ATTRIBUTES_MOST} attributes of clients.`);
  const taken = all.filter(({ name }) => name === asked.name).map(({ index }) => index);
  const made = { name: asked.name, index: taken.length === 0 ? 0 : Math.max(...taken) + 1, value };
  return { all: [...all, made], made };
}

/** @throws KmipFailure reason Item Not Found */
export function instanceOf(all: readonly KeptAttribute[], { name, index = 0 }: Asked): KeptAttribute {
  const found = all.find((each) => each.name === name && each.index === index);
  if (found) return found;
  if (!isSettable(name)) throw new KmipFailure(REASON.invalidField, 'This attribute is set by the server alone.');
  throw new KmipFailure(REASON.itemNotFound, 'The key has no such attribute.');
}

export const attributeItem = (name: string, value: Item, index = 0): Item =>
  structure(TAG.attribute, [
    text(TAG.attributeName, name),
    ...(index > 0 ? [integer(TAG.attributeIndex, index)] : []),
    value,
  ]);

export const keptItem = ({ name, index, value }: KeptAttribute): Item =>
  attributeItem(name, decode(Buffer.from(value, 'hex')), index);

const at = (instant: string): Item => date(TAG.attributeValue, new Date(instant));

/** What the server says of a key, in the order of the standard; what is not so is left out. */
function standing(key: KeyRow, now: string): [name: string, value: Item][] {
  const { activated_at, deactivated_at, compromised_at } = key;
  const dates: [string, string | null][] = [
    ['Initial Date', key.created_at],
    ['Activation Date', activated_at],
    ['Deactivation Date', deactivated_at],
    ['Compromise Occurrence Date', compromised_at],
    ['Compromise Date', compromised_at],
    ['Last Change Date', key.changed_at],
  ];
  return [
    ['Unique Identifier', text(TAG.attributeValue, key.id)],
    ['Object Type', enumeration(TAG.attributeValue, SYMMETRIC_KEY)],
    ['Cryptographic Algorithm', enumeration(TAG.attributeValue, AES)],
    ['Cryptographic Length', integer(TAG.attributeValue, key.length_bits)],
    ['Cryptographic Usage Mask', integer(TAG.attributeValue, key.usage_mask)],
    ['State', enumeration(TAG.attributeValue, STATES[stateAt(key, now)])],
    ...dates.flatMap(([name, instant]): [string, Item][] => (instant === null ? [] : [[name, at(instant)]])),
  ];
}

/** All attributes of a key, or those of these names; a name that it has not is left out, which is no error. */
export function attributesOf(key: KeyRow, now: string, names: readonly string[]): { name: string; item: Item }[] {
  const all = [
    ...standing(key, now).map(([name, value]) => ({ name, item: attributeItem(name, value) })),
    ...key.attributes.map((kept) => ({ name: kept.name, item: keptItem(kept) })),
  ];
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/** Whether a key has what was asked for. @throws KmipFailure for what can't be searched by */
export function matches(key: KeyRow, now: string, { name, value }: Asked): boolean {
  if (value === undefined) throw new KmipFailure(REASON.missingData, 'An attribute to look for has no value.');
  const wanted = encode(value);
  if (isSettable(name)) {
    const hex = wanted.toString('hex');
    return key.attributes.some((kept) => kept.name === name && kept.value === hex);
  }
  const said = standing(key, now).find(([known]) => known === name);
  if (said) return encode(said[1]).equals(wanted);
  if (name.endsWith(' Date')) return false;
  throw new KmipFailure(REASON.featureNotSupported, 'Keys are not looked for by this attribute.');
}

/** For people: texts and numbers as they are, the rest by its kind. */
export function shownValue({ value }: KeptAttribute): string {
  const item = decode(Buffer.from(value, 'hex'));
  if (item.type === TYPE.structure) return item.value.map((each) => shownItem(each)).join(' ');
  return shownItem(item);
}

const shownItem = (item: Item): string =>
  Buffer.isBuffer(item.value) ? `${item.value.length} bytes` : item.type === TYPE.structure ? '…' : String(item.value);
