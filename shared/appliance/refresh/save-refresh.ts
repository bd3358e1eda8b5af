// Writes what the refresh found: one statement for each table that something changes in, however many rows.
import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Writes } from '../../platform/interfaces/refresh/snapshot.ts';
import { patchDocuments } from '../../platform/units/documents.ts';
import { LEGACY_KEY } from '../../services/dns-dhcp/dhcp/surroundings.ts';
import { followRecords, followScopes, moveOptions, moveReservations } from '../../services/dns-dhcp/refresh-rows.ts';
import { moveHosts } from '../../services/network-boot/refresh-rows.ts';
import { followDatastores } from '../../services/storage/refresh-rows.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export async function saveRefresh(transaction: Transaction, shell: Shell, writes: Writes): Promise<void> {
  const now = instant(shell.clock.now());
  const legacy = writes.legacy && { key: LEGACY_KEY, document: withoutIdentity(writes.legacy) };
  const network = writes.dns_servers && { key: 'network', document: { dns_servers: writes.dns_servers } };
  const documents = [network, ...writes.services, legacy].filter((each) => each !== null);
  await patchDocuments(transaction, documents, now);
  await followScopes(transaction, writes.scopes, now);
  await moveOptions(transaction, writes.options, now);
  await moveReservations(transaction, writes.reservations, now);
  await moveHosts(transaction, writes.boot_hosts, now);
  await followDatastores(transaction, writes.datastores, now);
  await followRecords(transaction, shell, writes.records);
}

function withoutIdentity({ id: _id, name: _name, address_family: _family, ...binding }: NonNullable<Writes['legacy']>) {
  return binding;
}
