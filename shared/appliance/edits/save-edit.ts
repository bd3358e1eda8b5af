// Edits of interfaces and VLANs against the store: read all, decide purely, write one row and what depends on it, in the
// caller's transaction. One SELECT and one write, whatever the number of interfaces.

import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { createVlan, deletePhysical, deleteVlan, editPhysical, editVlan } from '../../platform/interfaces/edit.ts';
import { rulesOn } from '../../platform/interfaces/firewall-rules.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changesBetween, type InterfaceImpact, MOVES_MOST } from '../../platform/interfaces/interface-resource.ts';
import type { PhysicalInterfaceUpdate, VlanCreate, VlanUpdate } from '../../platform/interfaces/interface-schema.ts';
import { leaseNotes } from '../../platform/interfaces/lease.ts';
import { type Followed, refreshDependents } from './dependents.ts';
import { deleteInterface, saveInterface, updateInterface } from './interface-store.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

/** A saved row and what saving it changed. */
export interface Saved {
  row: NetworkInterface;
  impact: InterfaceImpact;
}

/**
 * Edits a physical interface. Equal values write nothing and keep the revision. `link` is what the host has now of that name.
 * @throws Problem 404, 412, and as editPhysical and refreshDependents.
 */
export async function updatePhysical(
  transaction: Transaction,
  shell: Shell,
  name: string,
  update: PhysicalInterfaceUpdate,
  if_match: Precondition,
  link?: ObservedLink,
): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const current = physicalOf(all, name);
  requireRevision(if_match, current.revision);
  // By its adapter: names may have been given anew since the last refresh.
  const lease = link?.mac_address === current.mac_address ? link : undefined;
  const next = editPhysical(current, update, all, lease);
  const { row, impact } = await save(transaction, shell, all, current, next);
  return { row, impact: { ...impact, notes: [...leaseNotes(current, next, update), ...impact.notes] } };
}

/** Edits a VLAN; as updatePhysical. */
export async function updateVlan(
  transaction: Transaction,
  shell: Shell,
  id: string,
  update: VlanUpdate,
  if_match: Precondition,
): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const current = vlanOf(all, id);
  requireRevision(if_match, current.revision);
  return save(transaction, shell, all, current, editVlan(current, update, all));
}

/** Makes a VLAN. @throws Problem as createVlan and refreshDependents. */
export async function addVlan(transaction: Transaction, shell: Shell, input: VlanCreate): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const identity = { id: newId('vlan', shell.entropy), now: instant(shell.clock.now()) };
  const row = createVlan(input, all, identity);
  await saveInterface(transaction, row);
  return { row, impact: impactOf([], await refreshDependents(transaction, shell, all, [...all, row])) };
}

/** Deletes a VLAN; answers what it was. @throws Problem 404, 412, and as deleteVlan and refreshDependents. */
export async function removeVlan(
  transaction: Transaction,
  shell: Shell,
  id: string,
  if_match: Precondition,
): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const row = vlanOf(all, id);
  requireRevision(if_match, row.revision);
  const remaining = deleteVlan(row, all);
  const followed = await refreshDependents(transaction, shell, all, remaining);
  await deleteInterface(transaction, row.name);
  return { row, impact: impactOf([], followed) };
}

/**
 * Forgets a physical interface that is gone; answers what it was. `links` is what the host has now.
 * @throws Problem 404, 412, 409 `state_conflict` when it is back, and as deletePhysical and refreshDependents.
 */
export async function removePhysical(
  transaction: Transaction,
  shell: Shell,
  name: string,
  if_match: Precondition,
  links: readonly ObservedLink[],
): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const row = physicalOf(all, name);
  requireRevision(if_match, row.revision);
  const remaining = deletePhysical(row, all);
  if (links.some((link) => link.vlan === null && (link.mac_address === row.mac_address || link.name === name))) {
    throw new Problem(
      'state_conflict',
      `${name} is in this machine again, so it can’t be deleted. Refresh the interfaces from the host.`,
    );
  }
  const followed = await refreshDependents(transaction, shell, all, remaining, await rulesOn(transaction, row));
  await deleteInterface(transaction, row.name);
  return { row, impact: impactOf([], followed) };
}

function physicalOf(all: readonly NetworkInterface[], name: string): NetworkInterface {
  const found = all.find((row) => row.kind === 'physical' && row.name === name);
  if (!found) throw notFound('This interface');
  return found;
}

function vlanOf(all: readonly NetworkInterface[], id: string): NetworkInterface {
  const found = all.find((row) => row.kind === 'vlan' && row.id === id);
  if (!found) throw notFound('This VLAN');
  return found;
}

async function save(
  transaction: Transaction,
  shell: Shell,
  all: readonly NetworkInterface[],
  current: NetworkInterface,
  next: NetworkInterface,
): Promise<Saved> {
  const changed = changesBetween(current, next);
  if (changed.length === 0) return { row: current, impact: NO_IMPACT };
  const row = { ...next, revision: current.revision + 1, updated_at: instant(shell.clock.now()) };
  await updateInterface(transaction, row);
  const after = all.map((other) => (other === current ? row : other));
  return { row, impact: impactOf(changed, await refreshDependents(transaction, shell, all, after)) };
}

const NO_IMPACT: InterfaceImpact = {
  changed: [],
  refreshed_units: [],
  moves: [],
  moves_total: 0,
  deselected: [],
  notes: [],
};

function impactOf(changed: InterfaceImpact['changed'], { units, moves, deselected, notes }: Followed): InterfaceImpact {
  const listed = moves.slice(0, MOVES_MOST);
  return { changed, refreshed_units: units, moves: listed, moves_total: moves.length, deselected, notes };
}
