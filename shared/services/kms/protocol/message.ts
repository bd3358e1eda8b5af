// Request and response messages (OASIS KMIP Specification 1.4, sections 6, 7.1 and 7.2). Members of the header that this server
// does not act on (Authentication, Time Stamp, Maximum Response Size, Batch Order Option, Asynchronous Indicator and whatever
// comes later) are read and ignored, in any order.
import { REASON, STATUS, TAG, UNDO } from './tags.ts';
import { decode, encode, type Item, TtlvFault, TYPE } from './ttlv.ts';

/** Batch items of one request. */
export const BATCH_MOST = 16;
/** Bytes of a Unique Batch Item ID (6.4). */
const BATCH_ID_MOST = 256;

export interface Version {
  major: number;
  minor: number;
}

/** Newest first. */
export const VERSIONS: readonly Version[] = [4, 3, 2, 1, 0].map((minor) => ({ major: 1, minor }));
export const isSpoken = ({ major, minor }: Version): boolean =>
  VERSIONS.some((known) => known.major === major && known.minor === minor);

export interface RequestItem {
  /** Its code, also one that is not known here. */
  operation: number;
  batch_id: Buffer | null;
  payload: readonly Item[];
}

export interface Request {
  version: Version;
  items: RequestItem[];
}

/** What an operation fails with: a result reason of 9.1.3.2.29 and words for people. No words repeat a value. */
export class KmipFailure extends Error {
  readonly reason: number;
  constructor(reason: number, message: string) {
    super(message);
    this.name = 'KmipFailure';
    this.reason = reason;
  }
}

export const child = (items: readonly Item[], tag: number): Item | undefined => items.find((item) => item.tag === tag);

/** Members of a structure; none where it is missing or no structure. */
export const members = (items: readonly Item[], tag: number): readonly Item[] | undefined => {
  const found = child(items, tag);
  return found?.type === TYPE.structure ? found.value : undefined;
};

/** An integer, enumeration or interval. @throws KmipFailure for another type */
export function numberIn(items: readonly Item[], tag: number): number | undefined {
  const found = child(items, tag);
  if (found === undefined) return undefined;
  if (typeof found.value === 'number') return found.value;
  throw new KmipFailure(REASON.invalidMessage, 'A number was expected.');
}

/** @throws KmipFailure for another type */
export function textIn(items: readonly Item[], tag: number): string | undefined {
  const found = child(items, tag);
  if (found === undefined) return undefined;
  if (found.type === TYPE.text) return found.value;
  throw new KmipFailure(REASON.invalidMessage, 'A text was expected.');
}

/**
 * Reads a whole request.
 * @throws KmipFailure reason Invalid Message, and Feature Not Supported for a batch to be undone; after either the connection
 * can't be trusted to be in step
 */
export function readRequest(bytes: Buffer): Request {
  const message = structureOf(bytes);
  const header = members(message, TAG.requestHeader);
  const version = header && versionIn(header);
  if (!version) throw new KmipFailure(REASON.invalidMessage, 'The request has no header with a protocol version.');
  if (!isSpoken(version)) throw new KmipFailure(REASON.invalidMessage, 'This server speaks KMIP 1.0 to 1.4.');
  const found = message.filter(({ tag }) => tag === TAG.batchItem);
  if (found.length === 0 || numberIn(header, TAG.batchCount) !== found.length)
    throw new KmipFailure(REASON.invalidMessage, 'The batch count is not the number of batch items.');
  if (found.length > BATCH_MOST)
    throw new KmipFailure(REASON.invalidMessage, `A request has at most ${BATCH_MOST} batch items.`);
  // The other ways to go on differ only in what is tried after a failure; each item here stands by itself.
  if (numberIn(header, TAG.batchErrorContinuation) === UNDO)
    throw new KmipFailure(REASON.featureNotSupported, 'A batch is not undone: send one request for each operation.');
  return { version, items: found.map(itemOf) };
}

function structureOf(bytes: Buffer): readonly Item[] {
  try {
    const item = decode(bytes);
    if (item.type === TYPE.structure && item.tag === TAG.request) return item.value;
  } catch (error) {
    if (error instanceof TtlvFault) throw new KmipFailure(REASON.invalidMessage, error.message);
    throw error;
  }
  throw new KmipFailure(REASON.invalidMessage, 'This is no request message.');
}

/** Protocol Version (6.1). */
export function versionIn(items: readonly Item[]): Version | undefined {
  const version = members(items, TAG.version);
  const [major, minor] = [TAG.versionMajor, TAG.versionMinor].map((tag) => version && numberIn(version, tag));
  return major === undefined || minor === undefined ? undefined : { major, minor };
}

function itemOf(item: Item): RequestItem {
  const inside = item.type === TYPE.structure ? item.value : [];
  const asked = child(inside, TAG.operation);
  // It is repeated in the answer, as what it has to be.
  if (asked?.type !== TYPE.enumeration) throw new KmipFailure(REASON.invalidMessage, 'A batch item has no operation.');
  const operation = asked.value;
  const id = child(inside, TAG.batchId);
  if (id && (id.type !== TYPE.bytes || id.value.length > BATCH_ID_MOST))
    throw new KmipFailure(REASON.invalidMessage, `A batch item id has at most ${BATCH_ID_MOST} bytes.`);
  const batch_id = id?.type === TYPE.bytes ? id.value : null;
  return { operation, batch_id, payload: members(inside, TAG.requestPayload) ?? [] };
}

export interface ResponseItem {
  /** Null: the request could not be read. */
  operation: number | null;
  batch_id: Buffer | null;
  /** What succeeded, or the failure. */
  result: { payload: Item[] } | KmipFailure;
}

export const structure = (tag: number, value: Item[]): Item => ({ tag, type: TYPE.structure, value });
export const enumeration = (tag: number, value: number): Item => ({ tag, type: TYPE.enumeration, value });
export const integer = (tag: number, value: number): Item => ({ tag, type: TYPE.integer, value });
export const text = (tag: number, value: string): Item => ({ tag, type: TYPE.text, value });
export const date = (tag: number, at: Date): Item => ({
  tag,
  type: TYPE.date,
  value: BigInt(Math.floor(at.getTime() / 1000)),
});
export const versionItem = ({ major, minor }: Version): Item =>
  structure(TAG.version, [integer(TAG.versionMajor, major), integer(TAG.versionMinor, minor)]);

/** A whole response: the version of the client, the time, and an answer to each item. */
export function writeResponse(version: Version, now: Date, items: readonly ResponseItem[]): Buffer {
  const header = structure(TAG.responseHeader, [
    versionItem(version),
    date(TAG.timeStamp, now),
    integer(TAG.batchCount, items.length),
  ]);
  return encode(structure(TAG.response, [header, ...items.map(responseItem)]));
}

function responseItem({ operation, batch_id, result }: ResponseItem): Item {
  const said: Item[] =
    result instanceof KmipFailure
      ? [
          enumeration(TAG.resultStatus, STATUS.failed),
          enumeration(TAG.resultReason, result.reason),
          text(TAG.resultMessage, result.message),
        ]
      : [enumeration(TAG.resultStatus, STATUS.success), structure(TAG.responsePayload, result.payload)];
  return structure(TAG.batchItem, [
    ...(operation === null ? [] : [enumeration(TAG.operation, operation)]),
    ...(batch_id === null ? [] : [{ tag: TAG.batchId, type: TYPE.bytes, value: batch_id } as const]),
    ...said,
  ]);
}
