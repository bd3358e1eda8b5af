// Requests of KMIP as clients write them, and what is in an answer. The sequence of a vCenter is shaped after what is published
// of its traffic: version 1.1, batch item ids of eight bytes, three AddAttribute in one request, no Activate.
import type { TLSSocket } from 'node:tls';
import { child, members, numberIn, structure, text } from '../../shared/services/kms/protocol/message.ts';
import { OPERATION, type OperationName, TAG } from '../../shared/services/kms/protocol/tags.ts';
import { decode, encode, type Item, messageLength } from '../../shared/services/kms/protocol/ttlv.ts';

export const number = (tag: number, value: number): Item => ({ tag, type: 2, value });
export const word = (tag: number, value: number): Item => ({ tag, type: 5, value });
const bytes = (tag: number, value: Buffer): Item => ({ tag, type: 8, value });

export interface Sent {
  operation: OperationName | number;
  payload?: Item[];
  batch_id?: Buffer;
}

export interface Header {
  minor?: number;
  /** Members before and after the batch count, which a client may put there. */
  before?: Item[];
  after?: Item[];
}

export function request(sent: Sent[], { minor = 1, before = [], after = [] }: Header = {}): Buffer {
  const version = structure(TAG.version, [number(TAG.versionMajor, 1), number(TAG.versionMinor, minor)]);
  const header = structure(TAG.requestHeader, [version, ...before, number(TAG.batchCount, sent.length), ...after]);
  const items = sent.map(({ operation, payload = [], batch_id }) =>
    structure(TAG.batchItem, [
      word(TAG.operation, typeof operation === 'number' ? operation : OPERATION[operation]),
      ...(batch_id ? [bytes(TAG.batchId, batch_id)] : []),
      structure(TAG.requestPayload, payload),
    ]),
  );
  return encode(structure(TAG.request, [header, ...items]));
}

/** What newer vCenters add to the header: who they are, and the time. */
export const AUTHENTICATION = structure(0x42000c, [
  structure(0x420023, [
    word(0x420024, 1),
    structure(0x420025, [text(0x420099, 'vcenter'), text(0x4200a1, 'a password that nobody asked for')]),
  ]),
]);
export const EXTRAS: Item[] = [
  number(0x420050, 1 << 20),
  AUTHENTICATION,
  { tag: TAG.timeStamp, type: 9, value: 1_790_000_000n },
  { tag: 0x420010, type: 6, value: true },
  { tag: 0x540001, type: 7, value: 'an extension' },
];

export const attribute = (name: string, value: Item): Item =>
  structure(TAG.attribute, [text(TAG.attributeName, name), value]);
const V = TAG.attributeValue;

export const CREATE: Item[] = [
  word(TAG.objectType, 2),
  structure(TAG.templateAttribute, [
    attribute('Cryptographic Algorithm', word(V, 3)),
    attribute('Cryptographic Usage Mask', number(V, 12)),
    attribute('Cryptographic Length', number(V, 256)),
  ]),
];

export const batchId = (count: number): Buffer => {
  const id = Buffer.alloc(8);
  id.write('QLKC');
  id.writeUInt32BE(count, 4);
  return id;
};

export const named = (id: string): Item => text(TAG.id, id);

/** What vCenter asks, one connection after the other; `id` is that of the key, once it is there. */
export const VCENTER: readonly ((id: string) => Sent[])[] = [
  () => [{ operation: 'DiscoverVersions' }],
  () => [{ operation: 'DiscoverVersions', batch_id: batchId(1) }],
  () => [{ operation: 'Query', batch_id: batchId(2), payload: [word(TAG.queryFunction, 3)] }],
  () => [{ operation: 'Create', batch_id: batchId(3), payload: CREATE }],
  (id) => [
    {
      operation: 'GetAttributes',
      batch_id: batchId(4),
      payload: [named(id), text(TAG.attributeName, 'x-Product_Version')],
    },
  ],
  (id) =>
    [
      ['x-Product_Version', '7.0.3 build-19234570'],
      ['x-Vendor', 'VMware, Inc.'],
      ['x-Product', 'VMware vSphere'],
    ].map(([name, value], at) => ({
      operation: 'AddAttribute' as const,
      batch_id: batchId(5 + at),
      payload: [named(id), attribute(name!, text(V, value!))],
    })),
  (id) => [
    {
      operation: 'GetAttributes',
      batch_id: batchId(8),
      payload: [named(id), text(TAG.attributeName, 'x-Product_Version')],
    },
  ],
  (id) => [{ operation: 'Get', batch_id: batchId(9), payload: [named(id)] }],
];

export interface Answer {
  minor: number;
  items: {
    operation: number | undefined;
    batch_id: string | null;
    status: number;
    reason: number | undefined;
    payload: readonly Item[];
  }[];
}

/** @throws TtlvFault */
export function read(response: Buffer): Answer {
  const message = decode(response).value as Item[];
  const header = members(message, TAG.responseHeader)!;
  const minor = numberIn(members(header, TAG.version)!, TAG.versionMinor)!;
  const items = message
    .filter(({ tag }) => tag === TAG.batchItem)
    .map(({ value }) => {
      const inside = value as Item[];
      const id = child(inside, TAG.batchId);
      return {
        operation: numberIn(inside, TAG.operation),
        batch_id: id ? (id.value as Buffer).toString('hex') : null,
        status: numberIn(inside, TAG.resultStatus)!,
        reason: numberIn(inside, TAG.resultReason),
        payload: members(inside, TAG.responsePayload) ?? [],
      };
    });
  return { minor, items };
}

export const idIn = ({ items }: Answer): string => child(items[0]!.payload, TAG.id)?.value as string;

/** The material in the answer to a Get. */
export function materialIn({ items }: Answer): Buffer {
  const block = members(members(items[0]!.payload, TAG.symmetricKey)!, TAG.keyBlock)!;
  return child(members(block, TAG.keyValue)!, TAG.keyMaterial)!.value as Buffer;
}

/** One request and its answer; null where the connection was closed instead. */
export function asked(socket: TLSSocket, request: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const done = (answer: Buffer | null) => {
      socket.off('data', take).off('close', closed).off('error', closed);
      resolve(answer);
    };
    const take = (bytes: Buffer) => {
      read = Buffer.concat([read, bytes]);
      const length = messageLength(read, TAG.response);
      if (length !== null && read.length >= length) done(read.subarray(0, length));
    };
    const closed = () => done(null);
    socket.on('data', take).on('close', closed).on('error', closed);
    if (socket.destroyed) closed();
    else socket.write(request);
  });
}
