// The address record that a reservation owns when it registers its name.
import { contains, parseAddress, parseCidr } from '../../../ground/addresses/address.ts';
import { instant } from '../../../ground/clock.ts';
import { invalid, Problem } from '../../../ground/problems.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { Shell } from '../../../platform/units/collection.ts';
import { SERVICE_NAMES } from '../../../platform/units/documents.ts';
import { judge, readStanding, refusalOf } from '../dns/record-standing.ts';
import { createRecords } from '../dns/record-store.ts';
import { readSurroundings } from './surroundings.ts';

export interface RegisteredName {
  fqdn: string;
  type: 'A' | 'AAAA';
  value: string;
}

interface Named {
  id: string;
  hostname: string;
  ip_address: string;
}

/** A full name stays as it is, a label gets the domain; null without a domain. */
export function registeredName({ hostname, ip_address }: Named, domain: string): RegisteredName | null {
  const fqdn = hostname.includes('.') ? hostname : domain && `${hostname}.${domain}`;
  return fqdn ? { fqdn, type: ip_address.includes(':') ? 'AAAA' : 'A', value: ip_address } : null;
}

const KEPT = 'SELECT id, fqdn, type, value, owner_component FROM dns_record WHERE owner_source = ? AND owner_ref = ?';
const REMOVE = 'DELETE FROM dns_record WHERE owner_source = ? AND owner_ref = ?';
const MOVE = `UPDATE dns_record SET fqdn = ?, type = ?, value = ?, owner_component = ?, zone_id = ?, updated_at = ?,
  revision = revision + 1 WHERE id = ?`;

/** Faults of the record are reported at this member. */
const AT = '/register_dns';

// Who has the name already: a service, by its settings or its records; an operator or another part, by an address or
// alias of the name. A second reservation of the same machine may have the other family.
const TAKEN = `SELECT wanted.key AS place, 'the settings of ' || unit AS keeper
    FROM json_each(?1) AS wanted JOIN (${SERVICE_NAMES}) AS service ON service.name = wanted.value ->> 0
  UNION ALL SELECT wanted.key, CASE owner_source WHEN ?2 THEN 'another reservation' WHEN ?3 THEN 'a service' ELSE coalesce(owner_source, 'a record of an operator') END
    FROM json_each(?1) AS wanted CROSS JOIN dns_record ON dns_record.fqdn = wanted.value ->> 0
    WHERE (dns_record.type IN (wanted.value ->> 1, 'CNAME') OR owner_source = ?3)
      AND (owner_source IS NOT ?2 OR owner_ref <> wanted.value ->> 2)`;

/** A name that a reservation is to have. */
export interface WantedName extends RegisteredName {
  /** Id of the reservation. */
  ref: string;
}

/** Index of a wanted name → why it is taken: a name belongs to one machine. One statement. */
export async function takenNames(tx: Transaction, wanted: readonly WantedName[]): Promise<Map<number, string>> {
  const asked = wanted.map(({ fqdn, type, ref }) => [fqdn, type, ref]);
  const { reservation, service } = OWNER;
  const rows = await tx.all<{ place: number; keeper: string }>(TAKEN, [JSON.stringify(asked), reservation, service]);
  const keepers = new Map<number, string>();
  for (const { place, keeper } of rows) if (!keepers.has(place)) keepers.set(place, keeper);
  const first = new Map<string, number>();
  for (const [place, { fqdn, type }] of wanted.entries()) {
    const key = `${fqdn} ${type}`;
    if (first.has(key) && !keepers.has(place)) keepers.set(place, 'another reservation');
    else first.set(key, place);
  }
  return new Map([...keepers].map(([place, keeper]) => [place, takenWords(wanted[place]!.fqdn, keeper)]));
}

const takenWords = (fqdn: string, keeper: string): string =>
  `${fqdn} belongs to ${keeper}; register another name, or free this one first.`;

/** @throws Problem 409 at `/register_dns`: a name belongs to one machine. */
async function refuseTaken(tx: Transaction, ref: string, wanted: RegisteredName): Promise<void> {
  const detail = (await takenNames(tx, [{ ...wanted, ref }])).get(0);
  if (detail) throw new Problem('state_conflict', detail, { errors: [{ pointer: AT, detail }] });
}

/**
 * Makes the record as wanted; null: none. The record keeps its id when it moves.
 * @throws Problem 422 at `/register_dns` outside of every managed zone; 409 beside a record of another owner.
 */
export async function followReservationRecord(
  tx: Transaction,
  shell: Shell,
  { id: ref, hostname }: Named,
  wanted: RegisteredName | null,
): Promise<void> {
  const source = OWNER.reservation;
  if (!wanted) {
    await tx.run(REMOVE, [source, ref]);
    return;
  }
  const kept = await tx.one<RegisteredName & { id: string; owner_component: string | null }>(KEPT, [source, ref]);
  if (kept?.fqdn !== wanted.fqdn || kept.type !== wanted.type) await refuseTaken(tx, ref, wanted);
  if (!kept) {
    await createRecords(tx, shell, [{ ...wanted, owner: { source, ref, component: hostname } }], () => AT);
    return;
  }
  const { fqdn, type, value } = wanted;
  if (kept.fqdn === fqdn && kept.type === type && kept.value === value && kept.owner_component === hostname) return;
  const standing = await readStanding(tx, [wanted], kept.id);
  const [verdict] = judge([wanted], standing, kept.id);
  if (!verdict || 'faults' in verdict) throw refusalOf(verdict?.faults ?? [], () => AT);
  const now = instant(shell.clock.now());
  await tx.run(MOVE, [fqdn, type, value, hostname, verdict.zone_id, now, kept.id]);
}

// Labels only: a full name does not depend on the domain.
const LABELS = `SELECT dns_record.id, dns_record.fqdn, hostname, ip_address FROM dns_record
  JOIN dhcp_reservation ON dhcp_reservation.id = dns_record.owner_ref
  WHERE dns_record.owner_source = ? AND instr(hostname, '.') = 0`;
const RENAME = `UPDATE dns_record SET fqdn = change.value ->> 1, zone_id = change.value ->> 2,
    revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE dns_record.id = change.value ->> 0`;

/**
 * Registered names of a scope follow its domain, all or none: four statements, however many there are.
 * @throws Problem 422 or 409 at `/domain` when a name can't be had there.
 */
export async function renameRegistered(
  tx: Transaction,
  shell: Shell,
  { subnet_cidr, domain }: { subnet_cidr: string; domain: string },
): Promise<void> {
  const subnet = parseCidr(subnet_cidr)!;
  const kept = await tx.all<Named & { fqdn: string }>(LABELS, [OWNER.reservation]);
  const inside = kept.filter(({ ip_address }) => contains(subnet, parseAddress(ip_address)!));
  if (inside.length === 0) return;
  const known = domain || (await readSurroundings(tx)).domain;
  const renamed = inside.flatMap((record) => {
    const wanted = registeredName(record, known);
    return wanted?.fqdn === record.fqdn ? [] : [{ id: record.id, wanted }];
  });
  if (renamed.some(({ wanted }) => wanted === null)) {
    throw invalid({ pointer: '/domain', detail: 'Reservations of this scope register their names below the domain.' });
  }
  const wanted = renamed.map((each) => each.wanted!);
  const verdicts = judge(wanted, await readStanding(tx, wanted));
  const faults = verdicts.flatMap((verdict) => ('faults' in verdict ? verdict.faults : []));
  if (faults.length > 0) throw refusalOf(faults, () => '/domain');
  const rows = verdicts.flatMap((verdict, at) => {
    const { id, wanted: name } = renamed[at]!;
    return 'faults' in verdict ? [] : [[id, name!.fqdn, verdict.zone_id]];
  });
  if (rows.length > 0) await tx.run(RENAME, [instant(shell.clock.now()), JSON.stringify(rows)]);
}
