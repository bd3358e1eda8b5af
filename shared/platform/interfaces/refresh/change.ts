// What an edit changes for everything that depends on addresses: which interfaces are affected, and which address
// replaces which.
import type { NetworkInterface } from '../interface.ts';
import type { AddressFamily } from './snapshot.ts';
import { type Standing, standingIn, standings } from './standing.ts';

export interface Change {
  before: ReadonlyMap<string, Standing>;
  after: ReadonlyMap<string, Standing>;
  /** Names of interfaces whose standing differs, VLANs of a changed parent among them. */
  affected: ReadonlySet<string>;
  /** Names that no longer exist. */
  removed: ReadonlySet<string>;
  /** Address that no interface has any more → the one of the same interface and family now, or null for none. */
  replaced: ReadonlyMap<string, string | null>;
}

export const FAMILIES = ['ipv4', 'ipv6'] as const satisfies readonly AddressFamily[];
export const familyOf = (address: string): AddressFamily => (address.includes(':') ? 'ipv6' : 'ipv4');

/** Null when nothing that depends on addresses is affected. */
export function changeBetween(
  rowsBefore: readonly NetworkInterface[],
  rowsAfter: readonly NetworkInterface[],
): Change | null {
  const before = standings(rowsBefore);
  const after = standings(rowsAfter);
  const removed = new Set<string>();
  const affected = new Set<string>();
  for (const [name, was] of before) {
    if (!after.has(name)) removed.add(name);
    if (!after.has(name) || !same(was, standingIn(after, name))) affected.add(name);
  }
  for (const [name, is] of after) if (!before.has(name) && !same(standingIn(before, name), is)) affected.add(name);
  if (affected.size === 0) return null;
  return { before, after, affected, removed, replaced: replacements(before, after, affected) };
}

const written = ({ on, addresses, networks, families }: Standing): string =>
  JSON.stringify([on, addresses, networks.ipv4?.text, networks.ipv6?.text, [...families]]);

const same = (one: Standing, other: Standing): boolean => one === other || written(one) === written(other);

function replacements(
  before: ReadonlyMap<string, Standing>,
  after: ReadonlyMap<string, Standing>,
  affected: ReadonlySet<string>,
): Map<string, string | null> {
  const standing = new Set([...after.values()].flatMap(({ addresses }) => addresses));
  const replaced = new Map<string, string | null>();
  for (const name of affected) {
    const next = standingIn(after, name).addresses;
    for (const address of standingIn(before, name).addresses) {
      if (standing.has(address)) continue;
      replaced.set(address, next.find((other) => familyOf(other) === familyOf(address)) ?? null);
    }
  }
  return replaced;
}
