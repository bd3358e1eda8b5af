// Writes what the refresh found: one statement for each table that something changes in, however many rows.
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Writes } from './snapshot.ts';

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

const DOCUMENTS = `UPDATE unit_settings SET document = json_patch(document, change.value ->> 'document'),
    revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE unit = change.value ->> 'key'`;
const SCOPES = `UPDATE dhcp_scope SET interface = change.value ->> 'interface',
    subnet_cidr = change.value ->> 'subnet_cidr', ranges = change.value -> 'ranges',
    gateway = change.value ->> 'gateway', dns_servers = change.value -> 'dns_servers',
    ntp_servers = change.value -> 'ntp_servers', revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE dhcp_scope.id = change.value ->> 'id'`;
const DATASTORES = `UPDATE storage_datastore SET interface = change.value ->> 'interface',
    addresses = change.value -> 'addresses', revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE storage_datastore.id = change.value ->> 'id'`;

/** `id value id value …`: an array of pairs costs a fraction of one of objects. */
const pairs = (table: string, column: string): string => `UPDATE ${table} SET ${column} = change.value ->> 1,
    revision = revision + 1, updated_at = ?
  FROM json_each(?) AS change WHERE ${table}.id = change.value ->> 0`;
const RESERVATIONS = pairs('dhcp_reservation', 'ip_address');
const OPTIONS = pairs('dhcp_option', 'value');
const HOSTS = pairs('network_boot_host', 'ip_address');
const RECORDS = pairs('dns_record', 'value');

const ADD_RECORDS = `INSERT INTO dns_record (id, fqdn, type, value, owner_source, owner_ref, zone_id, created_at, updated_at)
  SELECT value ->> 'id', value ->> 'fqdn', value ->> 'type', value ->> 'value', value ->> '$.owner.source',
    value ->> '$.owner.ref', value ->> 'zone_id', ?1, ?1 FROM json_each(?2)`;
const REMOVE_RECORDS = 'DELETE FROM dns_record WHERE id IN (SELECT value FROM json_each(?))';

export async function saveRefresh(transaction: Transaction, shell: Shell, writes: Writes): Promise<void> {
  const now = instant(shell.clock.now());
  const save = async (sql: string, rows: readonly unknown[]): Promise<void> => {
    if (rows.length > 0) await transaction.run(sql, [now, JSON.stringify(rows)]);
  };
  const legacy = writes.legacy && { key: 'dhcp-legacy-binding', document: withoutIdentity(writes.legacy) };
  const network = writes.dns_servers && { key: 'network', document: { dns_servers: writes.dns_servers } };
  await save(DOCUMENTS, [network, ...writes.services, legacy].filter(Boolean));
  await save(SCOPES, writes.scopes);
  await save(
    OPTIONS,
    writes.options.map(({ id, value }) => [id, value]),
  );
  await save(
    RESERVATIONS,
    writes.reservations.map(({ id, ip_address }) => [id, ip_address]),
  );
  await save(
    HOSTS,
    writes.boot_hosts.map(({ id, ip_address }) => [id, ip_address]),
  );
  await save(DATASTORES, writes.datastores);
  await saveRecords(transaction, shell, writes.records);
}

/** Removals come first: what they free may be taken by what is added. */
export async function saveRecords(transaction: Transaction, shell: Shell, records: Writes['records']): Promise<void> {
  const now = instant(shell.clock.now());
  const { removed, updated, added } = records;
  if (removed.length > 0) await transaction.run(REMOVE_RECORDS, [JSON.stringify(removed)]);
  if (updated.length > 0) {
    await transaction.run(RECORDS, [now, JSON.stringify(updated.map(({ id, value }) => [id, value]))]);
  }
  if (added.length === 0) return;
  const rows = added.map((record) => ({ id: newId('rec', shell.entropy), ...record }));
  await transaction.run(ADD_RECORDS, [now, JSON.stringify(rows)]);
}

function withoutIdentity({ id: _id, name: _name, address_family: _family, ...binding }: NonNullable<Writes['legacy']>) {
  return binding;
}
