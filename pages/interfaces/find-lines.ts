// Filtering and sorting lines of interfaces; VLANs stay below their parent. Pure.
import { compareAddresses, parseCidr } from '../../shared/ground/addresses/address.ts';
import { interfaceWords, isNamed } from '../../shared/platform/interfaces/vlan-list.ts';
import { valueWords } from '../../shared/platform/network/words.ts';
import type { Sort } from '../components/table.tsx';
import { type Line, troubleOf } from './standing.ts';

export interface LineQuery {
  /** Part of a name, address, MAC address or service. */
  q?: string | undefined;
  role?: string | undefined;
  parent?: string | undefined;
  /** `pending`, `problems`, or anything else for all. */
  show?: string | undefined;
}

export function matching<Each extends Line>(
  lines: readonly Each[],
  { q = '', role = '', parent = '', show = '' }: LineQuery,
): Each[] {
  return lines.filter(
    (line) =>
      (show !== 'pending' || line.pending) &&
      (show !== 'problems' || troubleOf(line) !== null) &&
      (role === '' || (line.saved?.role ?? line.was.role) === role) &&
      (parent === '' || line.saved?.parent_interface === parent) &&
      isNamed(wordsOf(line), q),
  );
}

function wordsOf({ name, saved, was, becomes, dependents }: Line): string[] {
  const addresses = [was, becomes].flatMap((facts) => [facts.ipv4_cidr, valueWords('ipv6_cidr', facts.ipv6_cidr)]);
  const known = addresses.filter((text) => text !== undefined);
  return [
    name,
    ...known,
    ...interfaceWords(
      saved,
      dependents.map(({ label }) => label),
    ),
  ];
}

export const SORT_KEYS = ['name', 'role', 'address'] as const;

const ORDERS: Record<(typeof SORT_KEYS)[number], (one: Line, other: Line) => number> = {
  name: (one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }),
  role: (one, other) => roleOf(one).localeCompare(roleOf(other)),
  address: (one, other) => {
    const [mine, its] = [one, other].map(({ saved }) => parseCidr(saved?.ipv4_cidr || saved?.ipv6_cidr || ''));
    if (!mine || !its) return Number(!mine) - Number(!its);
    return compareAddresses(mine.address, its.address);
  },
};
const roleOf = (line: Line): string => line.saved?.role ?? '';

/** Physical interfaces in the wished order, each with the lines that follow it; as they are without one. */
export function sorted(lines: readonly Line[], sort: Sort | null): Line[] {
  const order = ORDERS[(sort?.key ?? 'name') as keyof typeof ORDERS];
  const groups: Line[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.[0] && line.name.startsWith(`${last[0].name}.`)) last.push(line);
    else groups.push([line]);
  }
  const direction = sort?.descending ? -1 : 1;
  return groups.toSorted(([one], [other]) => direction * order(one!, other!)).flat();
}
