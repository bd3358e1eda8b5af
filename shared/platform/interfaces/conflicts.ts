// The conflicts (409) of an edit with other interfaces, one named row each.

import { type Cidr, isLinkLocal, overlaps, parseCidr } from '../../ground/addresses/address.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { DesiredField } from './canonical.ts';
import { goneWords, MANY_ROWS, type NetworkInterface } from './interface.ts';
import { effectiveManagementListeners } from './management-listener.ts';
import type { Edit } from './rules.ts';

export interface Conflict {
  name: string;
  /** Fields that the rule is about. Empty: it is checked on every change. */
  about: readonly DesiredField[];
  check(edit: Edit): Problem | null;
}

const childrenOf = (edit: Edit): NetworkInterface[] =>
  edit.others.filter((other) => other.parent_interface === edit.current.name);

export function heldByVlans(
  vlans: NetworkInterface[],
  trunk: NetworkInterface,
  reason: string,
  unblock: string,
): Problem | null {
  if (vlans.length === 0) return null;
  const names = vlans.map((vlan) => vlan.name).join(', ');
  const gone = goneSentence(trunk);
  const blockers = vlans.map(
    ({ name, id }): Blocker => ({
      subject: `VLAN ${name}`,
      reason: `${reason}.${gone}`,
      page: pagePath('vlan', id),
      unblock,
    }),
  );
  return new Problem('still_referenced', `${reason}: ${names}.${gone} ${unblock}`, { blockers });
}

/** Follows a sentence that names the interface; empty while its link is in the machine. */
function goneSentence(row: NetworkInterface, trunk?: NetworkInterface): string {
  const gone = goneWords(row, trunk);
  return gone === null ? '' : ` ${row.name} ${gone}.`;
}

/** An interface whose addresses an apply enforces. An unused one may keep an address in reserve. */
const carries = (row: NetworkInterface): boolean => row.enabled && row.role !== 'unused' && row.mode === 'access';

interface Network {
  field: 'ipv4_cidr' | 'ipv6_cidr';
  cidr: Cidr;
}

/** Of many rows, by row: each edit of a file is held against all others, and rows are never changed in place. */
const known = new WeakMap<NetworkInterface, readonly Network[]>();

/** Desired networks of an interface; link-local ones may repeat on every link. */
function networksOf(row: NetworkInterface, among: number): readonly Network[] {
  if (among < MANY_ROWS) return readNetworks(row);
  const networks = known.get(row) ?? readNetworks(row);
  known.set(row, networks);
  return networks;
}

function readNetworks(row: NetworkInterface): Network[] {
  if (!carries(row)) return [];
  return (['ipv4_cidr', 'ipv6_cidr'] as const).flatMap((field) => {
    const cidr = parseCidr(row[field]);
    return cidr && !isLinkLocal(cidr.address) ? [{ field, cidr }] : [];
  });
}

interface Meeting {
  field: string;
  other: string;
  /** Says that the other interface is gone, and what to do; empty while its link is in the machine. */
  gone: string;
}

function meets(edit: Edit, test: (own: Cidr, other: Cidr) => boolean): Meeting | null {
  const among = edit.others.length;
  for (const own of networksOf(edit.next, among)) {
    for (const other of edit.others) {
      if (!networksOf(other, among).some(({ cidr }) => test(own.cidr, cidr))) continue;
      const gone = goneSentence(
        other,
        edit.others.find(({ name }) => name === other.parent_interface),
      );
      const cure = gone && ` Delete ${other.name}, or take the address from it, first.`;
      return { field: own.field, other: other.name, gone: gone + cure };
    }
  }
  return null;
}

const ADDRESS_FIELDS = ['ipv4_cidr', 'ipv6_cidr', 'enabled', 'role', 'mode'] as const;

/** In order of what an operator should hear first. */
export const CONFLICTS: readonly Conflict[] = [
  {
    name: "an interface with VLANs can't leave trunk mode",
    about: ['mode'],
    check: (edit) =>
      edit.next.mode === 'trunk'
        ? null
        : heldByVlans(
            childrenOf(edit),
            edit.current,
            `VLANs still use ${edit.current.name} as their trunk`,
            'Delete these VLANs before leaving trunk mode.',
          ),
  },
  {
    name: "a trunk's MTU holds its VLANs",
    about: ['mtu'],
    check: (edit) =>
      heldByVlans(
        childrenOf(edit).filter((vlan) => vlan.mtu > edit.next.mtu),
        edit.current,
        `VLANs of ${edit.current.name} have a larger MTU`,
        'Lower the MTU of these VLANs first.',
      ),
  },
  {
    name: 'an address belongs to one interface',
    about: ADDRESS_FIELDS,
    check: (edit) => {
      const met = meets(edit, (own, other) => own.address.text === other.address.text);
      if (!met) return null;
      const detail = `Interface ${met.other} already has this address.${met.gone}`;
      return new Problem('already_exists', detail, { errors: [{ pointer: `/${met.field}`, detail }] });
    },
  },
  {
    name: 'networks of enabled interfaces do not overlap',
    about: ADDRESS_FIELDS,
    check: (edit) => {
      const met = meets(edit, overlaps);
      if (!met) return null;
      const detail = `The network overlaps that of ${met.other}; two interfaces in one network make routing ambiguous.${met.gone}`;
      return new Problem('state_conflict', detail, { errors: [{ pointer: `/${met.field}`, detail }] });
    },
  },
  {
    name: 'an effective management UI listener stays',
    about: [],
    check: ({ current, next, others }) => listenerLost([current, ...others], [next, ...others]),
  },
];

/** The refusal of a change from one set of interfaces to another that loses the last management UI listener. */
export function listenerLost(before: readonly NetworkInterface[], after: readonly NetworkInterface[]): Problem | null {
  const listeners = effectiveManagementListeners(before);
  if (listeners.length === 0 || effectiveManagementListeners(after).length > 0) return null;
  const last = [...new Set(listeners.map((listener) => listener.interface))].join(', ');
  return new Problem(
    'no_management_listener',
    `The management UI would no longer be reachable: it answers on ${last} only. Give another enabled interface the ` +
      'management role, or turn on access_management_ui_enabled on an access interface with an address, first.',
  );
}
