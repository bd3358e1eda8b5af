// Edits of several interfaces at once. Each is checked against the others as they will be, so that two interfaces may
// exchange their networks, which no order of single edits allows. Pure.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import { OUR_WORDS } from '../../ground/schemas/sentences.ts';
import { type CanonicalUpdate, canonicalUpdate } from './canonical.ts';
import { listenerLost } from './conflicts.ts';
import { conflictOf, faultsOf, follow } from './edit.ts';
import type { NetworkInterface } from './interface.ts';
import { physicalInterfaceUpdate, vlanUpdate } from './interface-schema.ts';
import type { Edit } from './rules.ts';

export interface NamedEdit {
  name: string;
  values: CanonicalUpdate;
}

export interface EditedTogether {
  edits: Edit[];
  /** Every interface as it will be. */
  after: NetworkInterface[];
  /** Refusals by the rules for an edit of one interface. */
  blockers: Blocker[];
  /** 409 `no_management_listener`; null while one stays. */
  lost: Problem | null;
}

/** `all` holds every saved interface. */
export function editTogether(all: readonly NetworkInterface[], wanted: readonly NamedEdit[]): EditedTogether {
  const known = new Map(all.map((row) => [row.name, row]));
  const blockers: Blocker[] = [];
  const first = wanted.flatMap(({ name, values }): Edit[] => {
    const current = known.get(name);
    if (!current) {
      blockers.push(goneBlocker(name));
      return [];
    }
    const read = readable(current, values);
    blockers.push(...read.blockers);
    return read.named ? [follow(current, read.named, [])] : [];
  });
  const next = new Map(first.map((edit) => [edit.current.name, edit.next]));
  const after = all.map((row) => next.get(row.name) ?? row);
  const edits = first.map(({ current, named }) =>
    follow(
      current,
      named,
      after.filter((row) => row.name !== current.name),
    ),
  );
  for (const edit of edits) blockers.push(...faultsOf(edit).map((fault) => faultBlocker(edit, fault)));
  for (const edit of edits) blockers.push(...conflictBlockers(edit));
  return { edits, after, blockers, lost: listenerLost(all, after) };
}

/** Checks the bounds of a request, and makes its values canonical. */
function readable(
  row: NetworkInterface,
  values: CanonicalUpdate,
): { named: CanonicalUpdate | null; blockers: Blocker[] } {
  const faults = v.safeParse(row.kind === 'vlan' ? vlanUpdate : physicalInterfaceUpdate, values, OUR_WORDS);
  if (!faults.success) {
    const blockers = faults.issues.map((issue) =>
      blockerOf(row, fieldSentence(String(issue.path?.[0]?.key), values, issue.message)),
    );
    return { named: null, blockers };
  }
  try {
    return { named: canonicalUpdate(values), blockers: [] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.members.errors ?? [];
    const blockers = errors.map(({ pointer, detail }) =>
      blockerOf(row, fieldSentence(pointer.slice(1), values, detail)),
    );
    return { named: null, blockers };
  }
}

const faultBlocker = ({ current, next }: Edit, { pointer, detail }: { pointer: string; detail: string }): Blocker =>
  blockerOf(current, fieldSentence(pointer.slice(1), next, detail));

/** Without the rule on the last listener, which is checked once for all edits. */
function conflictBlockers(edit: Edit): Blocker[] {
  const problem = conflictOf(edit);
  if (problem === null || problem.code === 'no_management_listener') return [];
  return problem.members.blockers ?? [blockerOf(edit.current, problem.message)];
}

const LABELS: Readonly<Record<string, string>> = {
  ipv4_cidr: 'IPv4 CIDR',
  ipv4_gateway: 'IPv4 gateway',
  ipv6_enabled: 'IPv6',
  ipv6_cidr: 'IPv6 CIDR',
  ipv6_gateway: 'IPv6 gateway',
  mtu: 'MTU',
};

/** `MTU 300: Must be at least 576.` */
function fieldSentence(field: string, values: CanonicalUpdate, detail: string): string {
  const value = values[field as keyof CanonicalUpdate];
  const shown = value === true ? 'on' : value === false ? 'off' : (value ?? '');
  return LABELS[field] === undefined || shown === '' ? detail : `${LABELS[field]} ${shown}: ${detail}`;
}

/** Page of an interface where it is edited. */
export const interfacePage = ({ kind, name, id }: Pick<NetworkInterface, 'kind' | 'name' | 'id'>): string =>
  kind === 'vlan' ? pagePath('vlan', id) : pagePath('interface', name);

export const subjectOf = ({ kind, name }: Pick<NetworkInterface, 'kind' | 'name'>): string =>
  `${kind === 'vlan' ? 'VLAN' : 'Interface'} ${name}`;

const blockerOf = (row: NetworkInterface, reason: string): Blocker => ({
  subject: subjectOf(row),
  reason,
  page: interfacePage(row),
  unblock: `Edit ${row.name}, or change it on the host`,
});

const goneBlocker = (name: string): Blocker => ({
  subject: `Interface ${name}`,
  reason: 'It is not among the saved interfaces any more.',
  page: pagePath('interfaces'),
  unblock: 'Apply what is saved',
});
