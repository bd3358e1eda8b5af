// The address record that the appliance keeps for a reservation which registers its name.
import { OWNER } from '../../../network/refresh/snapshot.ts';
import { instant } from '../../../operation/clock.ts';
import type { Transaction } from '../../../store/database.ts';
import type { Shell } from '../../collection.ts';
import { judge, readStanding, refusalOf } from '../record-standing.ts';
import { createRecords } from '../record-store.ts';

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

/** A full name stands for itself, a label takes the domain; null when there is none. */
export function registeredName({ hostname, ip_address }: Named, domain: string): RegisteredName | null {
  const fqdn = hostname.includes('.') ? hostname : domain && `${hostname}.${domain}`;
  return fqdn ? { fqdn, type: ip_address.includes(':') ? 'AAAA' : 'A', value: ip_address } : null;
}

const KEPT = 'SELECT id, fqdn, type, value, owner_component FROM dns_record WHERE owner_source = ? AND owner_ref = ?';
const REMOVE = 'DELETE FROM dns_record WHERE owner_source = ? AND owner_ref = ?';
const MOVE = `UPDATE dns_record SET fqdn = ?, type = ?, value = ?, owner_component = ?, zone_id = ?, updated_at = ?,
  revision = revision + 1 WHERE id = ?`;

/** Faults of the record are faults of the wish to have it. */
const AT = '/register_dns';

/**
 * Brings the record to what is wanted; null: none. It keeps its id when it moves.
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
