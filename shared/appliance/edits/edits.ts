// Edits of interfaces and VLANs by name, and what each makes of the saved interfaces. Saving stands in the caller's
// transaction: one SELECT of interfaces and one write, whatever their number.
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import { type Blocker, notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { createVlan, deletePhysical, deleteVlan, editPhysical, editVlan } from '../../platform/interfaces/edit.ts';
import { editTogether, type NamedEdit } from '../../platform/interfaces/edit-together.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import type { InterfaceImpact } from '../../platform/interfaces/interface-resource.ts';
import type { PhysicalInterfaceUpdate, VlanCreate, VlanUpdate } from '../../platform/interfaces/interface-schema.ts';
import { leaseNotes } from '../../platform/interfaces/lease.ts';
import { type Effect, type InterfaceEdit, inTheWay, saveEdit } from './interface-edit.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

/** A saved row and what saving it changed. */
export interface Saved {
  row: NetworkInterface;
  impact: InterfaceImpact;
}

/** All interfaces, read once for many edits of one transaction: each edit leaves them as it saved them. */
export interface HeldInterfaces {
  rows: readonly NetworkInterface[];
}

export const holdInterfaces = async (db: Database): Promise<HeldInterfaces> => ({ rows: await loadInterfaces(db) });

interface Besides {
  /** What the host has now of that name. */
  link?: ObservedLink | undefined;
  held?: HeldInterfaces;
}

/**
 * Edits a physical interface. Equal values write nothing and keep the revision.
 * @throws Problem 404, 412, and as editPhysical and saveEdit.
 */
export async function updatePhysical(
  transaction: Transaction,
  shell: Shell,
  name: string,
  update: PhysicalInterfaceUpdate,
  if_match: Precondition,
  { link, held }: Besides = {},
): Promise<Saved> {
  const all = held ?? (await holdInterfaces(transaction));
  const current = physicalOf(all.rows, name);
  requireRevision(if_match, current.revision);
  // By its adapter: names may have been given anew since the last refresh.
  const lease = link?.mac_address === current.mac_address ? link : undefined;
  const next = editPhysical(current, update, all.rows, lease);
  const { row, impact } = await saveRow(transaction, shell, all, current, next);
  return { row, impact: { ...impact, notes: [...leaseNotes(current, next, update), ...impact.notes] } };
}

/** Edits a VLAN; as updatePhysical. */
export async function updateVlan(
  transaction: Transaction,
  shell: Shell,
  id: string,
  update: VlanUpdate,
  if_match: Precondition,
  { held }: Pick<Besides, 'held'> = {},
): Promise<Saved> {
  const all = held ?? (await holdInterfaces(transaction));
  const current = vlanOf(all.rows, id);
  requireRevision(if_match, current.revision);
  return saveRow(transaction, shell, all, current, editVlan(current, update, all.rows));
}

/** Makes a VLAN. @throws Problem as createVlan and saveEdit. */
export async function addVlan(
  transaction: Transaction,
  shell: Shell,
  input: VlanCreate,
  { held }: Pick<Besides, 'held'> = {},
): Promise<Saved> {
  const all = held ?? (await holdInterfaces(transaction));
  const row = createVlan(input, all.rows, { id: newId('vlan', shell.entropy), now: instant(shell.clock.now()) });
  const after = [...all.rows, row];
  const { effect } = await saveEdit(transaction, shell, { before: all.rows, after });
  all.rows = after;
  return { row, impact: impactOf(effect) };
}

/** Deletes a VLAN; answers what it was. @throws Problem 404, 412, and as deleteVlan and saveEdit. */
export async function removeVlan(
  transaction: Transaction,
  shell: Shell,
  id: string,
  if_match: Precondition,
): Promise<Saved> {
  const all = await loadInterfaces(transaction);
  const row = vlanOf(all, id);
  requireRevision(if_match, row.revision);
  const { effect } = await saveEdit(transaction, shell, deletionOf(row, all));
  return { row, impact: impactOf(effect) };
}

/**
 * Forgets a physical interface that is gone; answers what it was. `links` is what the host has now.
 * @throws Problem 404, 412, 409 `state_conflict` when it is back, and as deletePhysical and saveEdit.
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
  const edit = deletionOf(row, all);
  if (links.some((link) => link.vlan === null && (link.mac_address === row.mac_address || link.name === name))) {
    edit.refused ??= new Problem(
      'state_conflict',
      `${name} is in this machine again, so it can’t be deleted. Refresh the interfaces from the host.`,
    );
  }
  const { effect } = await saveEdit(transaction, shell, edit);
  return { row, impact: impactOf(effect) };
}

/** The edit without this one: a VLAN, or an interface that is gone. `row` is one of `all`. */
export function deletionOf(row: NetworkInterface, all: readonly NetworkInterface[]): InterfaceEdit {
  try {
    const after = row.kind === 'vlan' ? deleteVlan(row, all) : deletePhysical(row, all);
    return { before: all, after };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { before: all, after: all, refused: error };
  }
}

/**
 * Several edits at once, of the interfaces as they are saved now. `refusals` stand in the way beside those that the rules
 * find: then the edit is refused with 409 `state_conflict` naming everything, or with `no_management_listener`.
 */
export async function editOfMany(
  db: Database,
  edits: readonly NamedEdit[],
  refusals: readonly Blocker[],
): Promise<InterfaceEdit> {
  const before = await loadInterfaces(db);
  const { after, blockers, lost } = editTogether(before, edits);
  const hindrances = [...refusals, ...blockers];
  return { before, after, refused: hindrances.length > 0 ? inTheWay('state_conflict', hindrances) : lost };
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

async function saveRow(
  transaction: Transaction,
  shell: Shell,
  all: HeldInterfaces,
  current: NetworkInterface,
  next: NetworkInterface,
): Promise<Saved> {
  const after = all.rows.map((row) => (row === current ? next : row));
  const { rows, effect } = await saveEdit(transaction, shell, { before: all.rows, after });
  const [row = current] = rows;
  all.rows = after.map((each) => (each === next ? row : each));
  return { row, impact: impactOf(effect) };
}

/** In the answer for one interface, which says its own changes. */
export const impactOf = ({ interfaces, ...followed }: Effect): InterfaceImpact => ({
  changed: interfaces[0]?.changed ?? [],
  ...followed,
});
