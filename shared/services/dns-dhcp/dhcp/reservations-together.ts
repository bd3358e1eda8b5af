// Many reservations at once, all of them or none: switching on, switching off and deleting, by the rules of a single
// one. The number of statements does not depend on the number of reservations.
import * as v from 'valibot';
import { instant } from '../../../ground/clock.ts';
import { type Blocker, type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import { component, described, integerSchema } from '../../../ground/schemas/component.ts';
import type { Row, Transaction } from '../../../ground/store/database.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { Shell } from '../../../platform/units/collection.ts';
import { columnsOf, itemOf } from '../../../platform/units/collection-store.ts';
import { createRecords } from '../dns/record-store.ts';
import { takenNames, type WantedName } from './reservation-record.ts';
import { type DhcpReservation, dhcpReservations, keptElsewhere, requirePlace, wantedName } from './reservations.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

/** Reservations of one request. */
export const TOGETHER_MOST = 1000;

const ids = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(64, 'At most 64 characters.'))),
  v.minLength(1, 'Choose at least one reservation.'),
  v.maxLength(TOGETHER_MOST, `At most ${TOGETHER_MOST} reservations at once.`),
  v.check((all) => new Set(all).size === all.length, 'Names a reservation twice.'),
  v.description(`Ids of 1 to ${TOGETHER_MOST} reservations, each once.`),
);
const item = dhcpReservations.schemas.item as v.GenericSchema<unknown, DhcpReservation>;
const RECORDS = 'DNS records that they owned and that are';

export const togetherSchemas = {
  switch: component(
    'DhcpReservationsSwitch',
    v.strictObject({
      ids,
      enabled: described(
        v.boolean(),
        'True: the addresses are reserved. False: the reservations are saved, and have no effect.',
      ),
    }),
    { ids: ['resv_h7k2m9p4q6r8s3t5', 'resv_4h7k2m9p6q8r3s5t'], enabled: false },
  ),
  switched: component(
    'DhcpReservationsSwitched',
    v.object({
      items: described(v.array(item), 'Those that changed, as they are now, in the order sent.'),
      unchanged: described(integerSchema, 'How many of the others needed no change.'),
      records_added: described(integerSchema, 'DNS records that they own from now on.'),
      records_removed: described(integerSchema, `${RECORDS} gone with them.`),
    }),
  ),
  delete: component('DhcpReservationsDelete', v.strictObject({ ids }), {
    ids: ['resv_h7k2m9p4q6r8s3t5', 'resv_4h7k2m9p6q8r3s5t'],
  }),
  deleted: component(
    'DhcpReservationsDeleted',
    v.object({
      items: described(v.array(item), 'Those that are gone, as they were, in the order sent.'),
      records_removed: described(integerSchema, `${RECORDS} gone with them.`),
    }),
  ),
};

const READ = `SELECT ${columnsOf(dhcpReservations)} FROM dhcp_reservation WHERE id IN (SELECT value FROM json_each(?))`;
const SWITCH = `UPDATE dhcp_reservation SET enabled = ?, revision = revision + 1, updated_at = ?
  WHERE id IN (SELECT value FROM json_each(?))`;
const DELETE = 'DELETE FROM dhcp_reservation WHERE id IN (SELECT value FROM json_each(?))';
const COUNT = `SELECT count(*) AS count FROM dns_record
  WHERE owner_source = ? AND owner_ref IN (SELECT value FROM json_each(?))`;
const FORGET = 'DELETE FROM dns_record WHERE owner_source = ? AND owner_ref IN (SELECT value FROM json_each(?))';

interface Chosen {
  item: DhcpReservation;
  /** Place in the request. */
  at: number;
}

const pointerOf = (at: number): string => `/ids/${at}`;
const idsOf = (chosen: readonly Chosen[]): string => JSON.stringify(chosen.map(({ item: { id } }) => id));

/** In the order of the request. @throws Problem 422 at `/ids/<n>` for each that does not exist. */
async function read(tx: Transaction, wanted: readonly string[]): Promise<Chosen[]> {
  const rows = await tx.all<Row>(READ, [JSON.stringify(wanted)]);
  const known = new Map(rows.map((row) => [String(row.id), itemOf(dhcpReservations, row)]));
  const missing = wanted.flatMap((id, at) =>
    known.has(id) ? [] : [{ pointer: pointerOf(at), detail: 'There is no DHCP reservation of this id.' }],
  );
  if (missing.length > 0) throw invalid(...missing);
  return wanted.map((id, at) => ({ item: known.get(id)!, at }));
}

/** @throws Problem 409 naming each reservation that another part of the appliance owns, with its page */
function refuseKept(chosen: readonly Chosen[], verb: 'edited' | 'deleted'): void {
  const kept = chosen.filter(({ item: { owner } }) => owner !== null);
  if (kept.length === 0) return;
  const problems = kept.map((each) => keptElsewhere(each.item, verb));
  const detail = kept.length === 1 ? problems[0]!.message : `${kept.length} of them cannot be ${verb} here.`;
  const blockers = problems.flatMap(({ members }) => members.blockers as Blocker[]);
  throw new Problem('state_conflict', detail, { blockers });
}

interface Fault extends FieldError {
  conflict: boolean;
}

/** Each fault begins with the name of its reservation: the index says little to a person who chose from a list. */
const faultAt = ({ item: { hostname }, at }: Chosen, detail: string, conflict: boolean): Fault => ({
  pointer: pointerOf(at),
  detail: `${hostname}: ${detail}`,
  conflict,
});

/** 422 when a reservation itself has a fault; 409 when there are only conflicts. */
function refuseAny(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const errors = faults.map(({ pointer, detail }) => ({ pointer, detail }));
  if (!faults.every(({ conflict }) => conflict)) throw invalid(...errors);
  const detail = errors.length === 1 ? errors[0]!.detail : `${errors.length} of them are in the way of others.`;
  throw new Problem('state_conflict', detail, { errors });
}

function faultsOf(each: Chosen, run: () => void): Fault[] {
  try {
    run();
    return [];
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return [faultAt(each, problem.members.errors?.[0]?.detail ?? problem.message, problem.status === 409)];
  }
}

/** Adds the records of enabled reservations that register their names. Answers how many. */
async function register(
  tx: Transaction,
  shell: Shell,
  chosen: readonly Chosen[],
  surroundings: Surroundings,
): Promise<number> {
  const wishing = chosen.filter(({ item: { register_dns } }) => register_dns);
  if (wishing.length === 0) return 0;
  const wanted: WantedName[] = [];
  const unnamed = wishing.flatMap((each) =>
    faultsOf(each, () => void wanted.push({ ...wantedName(each.item, surroundings), ref: each.item.id })),
  );
  refuseAny(unnamed);
  const taken = await takenNames(tx, wanted);
  refuseAny([...taken].map(([place, detail]) => faultAt(wishing[place]!, detail, true)));
  const source = OWNER.reservation;
  const drafts = wanted.map(({ ref, ...name }, at) => ({
    ...name,
    owner: { source, ref, component: wishing[at]!.item.hostname },
  }));
  await createRecords(tx, shell, drafts, ({ at }) => pointerOf(wishing[at]!.at));
  return drafts.length;
}

async function forget(tx: Transaction, chosen: readonly Chosen[]): Promise<number> {
  const of = [OWNER.reservation, idsOf(chosen)];
  const { count } = (await tx.one<{ count: number }>(COUNT, of))!;
  if (count > 0) await tx.run(FORGET, of);
  return count;
}

export interface Switched {
  items: DhcpReservation[];
  unchanged: number;
  records_added: number;
  records_removed: number;
}

/**
 * Switches reservations on or off, all or none; those that need no change stay as they are.
 * @throws Problem 422 or 409 with pointers `/ids/<n>`; 409 with blockers for those that another part owns.
 */
export async function switchReservations(
  tx: Transaction,
  shell: Shell,
  wanted: readonly string[],
  enabled: boolean,
): Promise<Switched> {
  const all = await read(tx, wanted);
  const chosen = all.filter(({ item }) => item.enabled !== enabled);
  const unchanged = all.length - chosen.length;
  if (chosen.length === 0) return { items: [], unchanged, records_added: 0, records_removed: 0 };
  refuseKept(chosen, 'edited');
  const surroundings = enabled ? await readSurroundings(tx) : null;
  if (surroundings) refuseAny(chosen.flatMap((each) => faultsOf(each, () => requirePlace(each.item, surroundings))));
  const updated_at = instant(shell.clock.now());
  await tx.run(SWITCH, [enabled ? 1 : 0, updated_at, idsOf(chosen)]);
  const records_added = surroundings ? await register(tx, shell, chosen, surroundings) : 0;
  const records_removed = enabled ? 0 : await forget(tx, chosen);
  const items = chosen.map(({ item }) => ({ ...item, enabled, revision: item.revision + 1, updated_at }));
  return { items, unchanged, records_added, records_removed };
}

/** Deletes reservations with their records, all or none. @throws as switchReservations */
export async function deleteReservations(
  tx: Transaction,
  wanted: readonly string[],
): Promise<Pick<Switched, 'items' | 'records_removed'>> {
  const chosen = await read(tx, wanted);
  refuseKept(chosen, 'deleted');
  await tx.run(DELETE, [idsOf(chosen)]);
  return { items: chosen.map(({ item }) => item), records_removed: await forget(tx, chosen) };
}
