// What hosts know an export by, beside its path: made of the id of the datastore's row, so that handles of files outlive a
// restart, another disk and another path.
import { createHash } from 'node:crypto';

const digestOf = (id: string): Buffer => createHash('sha256').update(`nfs ${id}`).digest();

/** A UUID of version 8 (RFC 9562): `fsid=` of exports(5). */
export function fsidOf(id: string): string {
  const bytes = digestOf(id).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Projects are numbers of 32 bits, of which the first half is enough; 0 is what belongs to none. */
const PROJECT_MOST = 0x7fff_ffff;

/** By the id of the row: the project of XFS that its files belong to, which no other one of them has. */
export const projectIds = (ids: readonly string[]): Map<string, number> =>
  apart(ids, (id) => (digestOf(id).readUInt32BE(4) % PROJECT_MOST) + 1, PROJECT_MOST);

/** Ganesha takes 16 bits and keeps 0 for itself. */
const MOST = 65_535;

/** By the id of the row: a number that no other one of them has. */
export const exportIds = (ids: readonly string[]): Map<string, number> =>
  apart(ids, (id) => (digestOf(id).readUInt16BE(0) % MOST) + 1, MOST);

/** Only where two would have the same, one moves. */
function apart(ids: readonly string[], first: (id: string) => number, most: number): Map<string, number> {
  const taken = new Set<number>();
  return new Map(
    [...ids].sort().map((id) => {
      let number = first(id);
      while (taken.has(number)) number = (number % most) + 1;
      taken.add(number);
      return [id, number];
    }),
  );
}
