// Create (OASIS KMIP Specification 1.4, section 4.1) and Register (4.3): a new key, on the disk before its id is told.
import { newId } from '../../../ground/clock.ts';
import { countKeys, insertKey, type KeptAttribute, type KeyRow } from '../keys/key-rows.ts';
import { sealMaterial } from '../keys/material.ts';
import { type Asked, added, isSettable, readAttribute } from '../protocol/attributes.ts';
import { child, enumeration, KmipFailure, members, numberIn } from '../protocol/message.ts';
import { AES, RAW, REASON, SYMMETRIC_KEY, TAG } from '../protocol/tags.ts';
import { type Item, TYPE } from '../protocol/ttlv.ts';
import { audit, type Done, idItem, type Operating } from './operating.ts';

const LENGTHS: readonly number[] = [128, 192, 256];
/** Encrypt and Decrypt (9.1.3.3.1). */
const USUAL_MASK = 12;

interface Template {
  algorithm: number | undefined;
  length_bits: number | undefined;
  usage_mask: number;
  activation: bigint | undefined;
  attributes: KeptAttribute[];
  names: string[];
}

/** What is asked of the key. Other attributes of the standard are left out: they contradict nothing. @throws KmipFailure */
function templateIn(payload: readonly Item[]): Template {
  const inside = members(payload, TAG.templateAttribute) ?? [];
  const asked = inside.filter(({ tag }) => tag === TAG.attribute).map(readAttribute);
  let attributes: KeptAttribute[] = [];
  for (const each of asked) if (isSettable(each.name)) attributes = added(attributes, each).all;
  const numeric = (name: string, type: number) =>
    numberOf(
      asked.find((each) => each.name === name),
      type,
    );
  const date = asked.find(({ name }) => name === 'Activation Date')?.value;
  return {
    algorithm: numeric('Cryptographic Algorithm', TYPE.enumeration),
    length_bits: numeric('Cryptographic Length', TYPE.integer),
    usage_mask: numeric('Cryptographic Usage Mask', TYPE.integer) ?? USUAL_MASK,
    activation: date?.type === TYPE.date ? date.value : undefined,
    attributes,
    names: asked.map(({ name }) => name),
  };
}

/** Of exactly this type: another one has numbers that this attribute can't be told with. */
function numberOf(asked: Asked | undefined, type: number): number | undefined {
  if (asked === undefined) return undefined;
  if (asked.value?.type === type && typeof asked.value.value === 'number') return asked.value.value;
  throw new KmipFailure(REASON.invalidField, 'A number was expected as the value of an attribute.');
}

function requireAes(algorithm: number | undefined, length_bits: number | undefined): number {
  if (algorithm === undefined || length_bits === undefined)
    throw new KmipFailure(REASON.missingData, 'A key needs an algorithm and a length.');
  if (algorithm !== AES || !LENGTHS.includes(length_bits))
    throw new KmipFailure(REASON.invalidField, 'Keys are AES with 128, 192 or 256 bits.');
  return length_bits;
}

function requireSymmetric(payload: readonly Item[]): void {
  const type = numberIn(payload, TAG.objectType);
  if (type === undefined) throw new KmipFailure(REASON.missingData, 'No object type is named.');
  if (type !== SYMMETRIC_KEY) throw new KmipFailure(REASON.invalidField, 'Only symmetric keys are kept here.');
}

export async function create(operating: Operating): Promise<Done> {
  requireSymmetric(operating.payload);
  const template = templateIn(operating.payload);
  const length_bits = requireAes(template.algorithm, template.length_bits);
  const material = operating.services.entropy.bytes(length_bits / 8);
  return keep(operating, template, { length_bits, material, origin: 'created' });
}

export async function register(operating: Operating): Promise<Done> {
  requireSymmetric(operating.payload);
  const template = templateIn(operating.payload);
  const block = members(members(operating.payload, TAG.symmetricKey) ?? [], TAG.keyBlock) ?? [];
  if (child(block, TAG.keyWrapping)) throw new KmipFailure(REASON.featureNotSupported, 'Wrapped keys are not taken.');
  if (numberIn(block, TAG.keyFormat) !== RAW)
    throw new KmipFailure(REASON.keyFormatNotSupported, 'Keys are taken in the format Raw.');
  const material = child(members(block, TAG.keyValue) ?? [], TAG.keyMaterial);
  if (material?.type !== TYPE.bytes) throw new KmipFailure(REASON.missingData, 'The key has no material.');
  const algorithm = numberIn(block, TAG.algorithm) ?? template.algorithm;
  const length_bits = requireAes(algorithm, material.value.length * 8);
  const said = [numberIn(block, TAG.length), template.length_bits].filter((length) => length !== undefined);
  if (said.some((length) => length !== length_bits))
    throw new KmipFailure(REASON.invalidField, 'The material has another length than the key.');
  return keep(operating, template, { length_bits, material: material.value, origin: 'registered' });
}

/** Keys of a provider, destroyed ones too: one client must not fill the disk that all share. */
const KEYS_MOST = 20_000;

interface Making extends Pick<KeyRow, 'length_bits' | 'origin'> {
  material: Buffer;
}

/** The answer leaves after this: the row is committed, and the store has it on the disk. */
async function keep(
  operating: Operating,
  { usage_mask, activation, attributes, names }: Template,
  { material, ...made }: Making,
): Promise<Done> {
  const { services, provider, caller, now } = operating;
  const id = newId('key', services.entropy);
  const activated_at = activationOf(activation, provider.activates_on_create ? now : null);
  const state = activated_at !== null && activated_at <= now ? 'active' : 'pre-active';
  await services.checkpoint?.('kms: before the key');
  await services.store.write(async (tx) => {
    if ((await countKeys(tx, provider.id)) >= KEYS_MOST)
      throw new KmipFailure(REASON.permissionDenied, `A provider has at most ${KEYS_MOST} keys.`);
    const sealed = await sealMaterial(services, id, material);
    const times = { activated_at, deactivated_at: null, compromised_at: null, created_at: now, changed_at: now };
    const row = {
      id,
      provider_id: provider.id,
      state,
      usage_mask,
      attributes,
      created_by: caller.client.name,
    } as const;
    await insertKey(tx, { ...row, ...made, ...times, ...sealed });
    await services.checkpoint?.('kms: the key is written');
    const action = made.origin === 'created' ? 'kms.key.create' : 'kms.key.register';
    await audit(tx, operating, action, id, { length_bits: made.length_bits });
  });
  material.fill(0);
  await services.checkpoint?.('kms: the key is kept');
  const type = made.origin === 'created' ? [enumeration(TAG.objectType, SYMMETRIC_KEY)] : [];
  return { payload: [...type, idItem(id)], key_id: id, attributes: names };
}

/** Seconds from 1970 until the end of the year 9999. */
const DATE_MOST = 253_402_300_799n;

function activationOf(seconds: bigint | undefined, otherwise: string | null): string | null {
  if (seconds === undefined) return otherwise;
  if (seconds < 0n || seconds > DATE_MOST)
    throw new KmipFailure(REASON.invalidField, 'The activation date lies beyond any that is kept.');
  return new Date(Number(seconds) * 1000).toISOString();
}
