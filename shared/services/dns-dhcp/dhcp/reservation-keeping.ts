// Reservations with an owner in another part of the appliance, such as a network boot host.
import type { Transaction } from '../../../ground/store/database.ts';
import type { Shell } from '../../../platform/units/collection.ts';
import { createItem, deleteItem, updateItem } from '../../../platform/units/collection-store.ts';
import { type DhcpReservation, keptReservations, type ReservationOwner } from './reservations.ts';

export interface KeptReservation {
  hostname: string;
  mac_address: string;
  ip_address: string;
  enabled: boolean;
}

const FIND = 'SELECT id FROM dhcp_reservation WHERE owner_source = ? AND owner_ref = ?';

/**
 * Makes the owner's one reservation as wanted; null: none. Its description stays the operator's.
 * @throws Problem 422 or 409 at `/hostname`, `/mac_address` or `/ip_address`, as for any reservation.
 */
export async function keepReservation(
  tx: Transaction,
  shell: Shell,
  owner: ReservationOwner,
  wanted: KeptReservation | null,
): Promise<DhcpReservation | null> {
  const kept = await tx.one<{ id: string }>(FIND, [owner.source, owner.ref]);
  if (!wanted) {
    if (kept) await deleteItem(tx, shell, keptReservations, kept.id, null);
    return null;
  }
  const draft = { ...wanted, owner };
  if (!kept) return createItem(tx, shell, keptReservations, draft);
  const { item } = await updateItem(tx, shell, keptReservations, kept.id, draft, null);
  return item;
}
