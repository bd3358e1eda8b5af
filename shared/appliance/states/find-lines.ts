// Filtering and sorting lines of interfaces; VLANs stay below their parent. Pure.
import { compareAddresses, parseCidr } from '../../ground/addresses/address.ts';
import { interfaceWords, isNamed } from '../../platform/interfaces/vlan-list.ts';
import { valueWords } from '../../platform/network/words.ts';
import { type Line, troubleOf } from './interface-lines.ts';
import { STATE_IDS } from './state-ids.ts';

export interface LineQuery {
  /** Part of a name, address, MAC address or service. */
  q?: string | undefined;
  role?: string | undefined;
  parent?: string | undefined;
  /** `pending`, `problems`, or anything else for all. */
  show?: string | undefined;
  /** What is no state asks for all. */
  state?: string | undefined;
}

export function matching<Each extends Line>(
  lines: readonly Each[],
  { q = '', role = '', parent = '', show = '', state: asked = '' }: LineQuery,
): Each[] {
  const state = STATE_IDS.find((each) => each === asked);
  return lines.filter(
    (line) =>
      (show !== 'pending' || line.pending) &&
      (show !== 'problems' || troubleOf(line) !== null) &&
      (state === undefined || line.state === state) &&
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

/** Physical interfaces in the order of `sort`, `-` before it for descending, each with the lines that follow it; else by name. */
export function sorted<Each extends Line>(lines: readonly Each[], sort = ''): Each[] {
  const key = SORT_KEYS.find((each) => each === sort.replace(/^-/, ''));
  const order = ORDERS[key ?? 'name'];
  const groups: Each[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.[0] && line.name.startsWith(`${last[0].name}.`)) last.push(line);
    else groups.push([line]);
  }
  const direction = key !== undefined && sort.startsWith('-') ? -1 : 1;
  return groups.toSorted(([one], [other]) => direction * order(one!, other!)).flat();
}
