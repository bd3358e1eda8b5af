// What the server says of itself: DiscoverVersions (OASIS KMIP Specification 1.4, section 4.26) and Query (4.25).
import { enumeration, KmipFailure, text, VERSIONS, versionIn, versionItem } from '../protocol/message.ts';
import { OPERATION, REASON, SYMMETRIC_KEY, TAG } from '../protocol/tags.ts';
import { type Item, TYPE } from '../protocol/ttlv.ts';

/** Of those that the client names, in our order; all where it names none; none where it names no known one. */
export function discoverVersions(payload: readonly Item[]): Item[] {
  const asked = payload.filter(({ tag }) => tag === TAG.version).map((item) => versionIn([item]));
  const spoken = VERSIONS.filter(
    ({ major, minor }) => asked.length === 0 || asked.some((each) => each?.major === major && each.minor === minor),
  );
  return spoken.map(versionItem);
}

/** Query functions (9.1.3.2.24) that have an answer; others are answered with nothing. */
const FUNCTIONS = { operations: 1, objects: 2, server: 3 } as const;

/** `vendor`: what the server is, and for our own probe the state that is served. */
export function query(payload: readonly Item[], vendor: string): Item[] {
  const asked = payload.flatMap((item) =>
    item.tag === TAG.queryFunction && item.type === TYPE.enumeration ? [item.value] : [],
  );
  if (asked.length === 0) throw new KmipFailure(REASON.missingData, 'The query asks for nothing.');
  return [
    ...(asked.includes(FUNCTIONS.operations)
      ? Object.values(OPERATION).map((code) => enumeration(TAG.operation, code))
      : []),
    ...(asked.includes(FUNCTIONS.objects) ? [enumeration(TAG.objectType, SYMMETRIC_KEY)] : []),
    ...(asked.includes(FUNCTIONS.server) ? [text(TAG.vendor, vendor)] : []),
  ];
}
