// Edits of interfaces and VLANs as pure functions: saved rows and a request in, the row to be saved out, or a Problem.
// The caller sets revision and time, and refreshes everything that depends on the addresses.
import { type FieldError, invalid, notFound, Problem } from '../../ground/problems.ts';
import { type CanonicalUpdate, canonicalUpdate, type DesiredField } from './canonical.ts';
import { CONFLICTS, heldByVlans, listenerLost } from './conflicts.ts';
import { type NetworkInterface, NO_ROLE } from './interface.ts';
import type { PhysicalInterfaceUpdate, VlanCreate, VlanUpdate } from './interface-schema.ts';
import type { Lease } from './lease.ts';
import { CONSEQUENCES, type Edit, FIELD_RULES, touches } from './rules.ts';

/** Longest name of a Linux link (IFNAMSIZ less the closing zero). */
const LONGEST_NAME = 15;
const DEFAULT_MTU = 1500;

/**
 * Edits a physical interface. `all` holds every saved interface, the current one included or not. `{}`, and values
 * equal to the saved ones, answer the current row itself. `lease` is what the link has now, where it was looked at.
 * @throws Problem 422 with a pointer for each fault; 409 `still_referenced`, `already_exists` (an address twice),
 *   `state_conflict` (overlapping networks) or `no_management_listener`.
 */
export function editPhysical(
  current: NetworkInterface,
  update: PhysicalInterfaceUpdate,
  all: readonly NetworkInterface[],
  lease?: Lease,
): NetworkInterface {
  return settle(current, canonicalUpdate(update), all, { lease });
}

/** Edits a VLAN; parent and number are fixed. The same answers and refusals as editPhysical. */
export function editVlan(
  current: NetworkInterface,
  update: VlanUpdate,
  all: readonly NetworkInterface[],
): NetworkInterface {
  return settle(current, canonicalUpdate(update), all);
}

/** What a new VLAN gets from its creator besides the request. */
export interface VlanIdentity {
  id: string;
  /** RFC 3339. */
  now: string;
}

/**
 * Makes a VLAN on a trunk.
 * @throws Problem as editPhysical, and 409 `state_conflict` when the parent is missing or no trunk, 409
 *   `already_exists` when the parent has this number, 422 when the name would be too long for Linux.
 */
export function createVlan(
  input: VlanCreate,
  all: readonly NetworkInterface[],
  identity: VlanIdentity,
): NetworkInterface {
  const { parent_interface, vlan_id, ...desired } = input;
  const named = canonicalUpdate(desired);
  const parent = all.find((row) => row.name === parent_interface && row.kind === 'physical');
  const name = `${parent_interface}.${vlan_id}`;
  if (!parent) {
    throw new Problem('state_conflict', 'The parent interface does not exist; VLANs need a physical interface.', {
      errors: [{ pointer: '/parent_interface', detail: 'No physical interface has this name.' }],
    });
  }
  if (parent.mode !== 'trunk') {
    throw new Problem('state_conflict', `${parent.name} is not a trunk; set its mode to trunk first.`, {
      errors: [{ pointer: '/parent_interface', detail: 'Must be in trunk mode.' }],
    });
  }
  if (all.some((row) => row.name === name || (row.parent_interface === parent.name && row.vlan_id === vlan_id))) {
    throw new Problem('already_exists', `VLAN ${vlan_id} already exists on ${parent.name}.`, {
      errors: [{ pointer: '/vlan_id', detail: `${parent.name} already has this VLAN.` }],
    });
  }
  if (name.length > LONGEST_NAME) {
    const detail = `The link name would be longer than the ${LONGEST_NAME} characters that Linux permits.`;
    throw invalid({ pointer: '/vlan_id', detail });
  }
  const blank = blankVlan(name, parent, vlan_id, identity);
  return settle(blank, { role: 'access', enabled: true, ...named }, all, { fresh: true });
}

/**
 * Deletes a VLAN; answers the interfaces that remain.
 * @throws Problem 409 `no_management_listener`; 404 when it isn't among the interfaces.
 */
export function deleteVlan(current: NetworkInterface, all: readonly NetworkInterface[]): NetworkInterface[] {
  const remaining = all.filter((row) => row.name !== current.name);
  if (remaining.length === all.length || current.kind !== 'vlan') throw notFound('This VLAN');
  const lost = listenerLost(all, remaining);
  if (lost) throw lost;
  return remaining;
}

/**
 * Forgets a physical interface that is gone; answers the interfaces that remain.
 * @throws Problem 409 `state_conflict` while it is in the machine, `still_referenced` while it has VLANs; 404 when it
 *   isn't among the interfaces.
 */
export function deletePhysical(current: NetworkInterface, all: readonly NetworkInterface[]): NetworkInterface[] {
  const remaining = all.filter((row) => row.name !== current.name);
  if (remaining.length === all.length || current.kind !== 'physical') throw notFound('This interface');
  if (current.present) {
    throw new Problem(
      'state_conflict',
      `${current.name} is in this machine, and only an interface that is gone can be deleted. If it was taken out, ` +
        'refresh the interfaces from the host first; else give it the role unused.',
    );
  }
  const vlans = all.filter(({ parent_interface }) => parent_interface === current.name);
  const held = heldByVlans(vlans, current, `${current.name} still has VLANs`, 'Delete these VLANs first.');
  if (held) throw held;
  return remaining;
}

/** Names of the rules that a saved row breaks, for the check before an apply and for tests. */
export function brokenRules(row: NetworkInterface, all: readonly NetworkInterface[]): string[] {
  const edit: Edit = { current: row, named: {}, next: row, others: all.filter((other) => other.name !== row.name) };
  return [
    ...FIELD_RULES.filter((rule) => rule.check(edit).length > 0),
    ...CONFLICTS.filter((conflict) => conflict.check(edit) !== null),
  ].map((rule) => rule.name);
}

type Besides = Pick<Edit, 'fresh' | 'lease'>;

function settle(
  current: NetworkInterface,
  named: CanonicalUpdate,
  all: readonly NetworkInterface[],
  besides: Besides = {},
): NetworkInterface {
  const fields = Object.keys(named) as DesiredField[];
  if (!besides.fresh && fields.every((field) => named[field] === current[field])) return current;
  const edit = follow(
    current,
    named,
    all.filter((row) => row.name !== current.name),
    besides,
  );
  const errors = faultsOf(edit);
  if (errors.length > 0) throw invalid(...errors);
  const problem = conflictOf(edit);
  if (problem) throw problem;
  return edit.next;
}

/** The edit with all consequences of the named values; its rules are not checked yet. */
export function follow(
  current: NetworkInterface,
  named: CanonicalUpdate,
  others: readonly NetworkInterface[],
  besides: Besides = {},
): Edit {
  let edit: Edit = { current, named, next: { ...current, ...named }, others, ...besides };
  for (const consequence of CONSEQUENCES) {
    if (touches(edit, consequence.about)) edit = { ...edit, next: { ...edit.next, ...consequence.apply(edit) } };
  }
  return edit;
}

/** Faults of the values after the edit. */
export const faultsOf = (edit: Edit): FieldError[] =>
  FIELD_RULES.filter((rule) => touches(edit, rule.about)).flatMap((rule) => rule.check(edit));

/** The first conflict with other interfaces. */
export function conflictOf(edit: Edit): Problem | null {
  for (const conflict of CONFLICTS) {
    if (conflict.about.length > 0 && !touches(edit, conflict.about)) continue;
    const problem = conflict.check(edit);
    if (problem) return problem;
  }
  return null;
}

/** A VLAN before its first edit. */
function blankVlan(
  name: string,
  parent: NetworkInterface,
  vlanId: number,
  { id, now }: VlanIdentity,
): NetworkInterface {
  return {
    name,
    kind: 'vlan',
    id,
    mac_address: parent.mac_address,
    driver: null,
    speed_mbps: parent.speed_mbps,
    observed: null,
    present: parent.present,
    parent_interface: parent.name,
    vlan_id: vlanId,
    ...NO_ROLE,
    mode: 'access',
    mtu: Math.min(DEFAULT_MTU, parent.mtu),
    enabled: false,
    access_management_ui_enabled: false,
    revision: 1,
    updated_at: now,
  };
}
