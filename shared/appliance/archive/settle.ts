// What came back, held against the rules of the API: the schema of each row, and what a save of it would look at. Faults
// name their row; where the rules write a value in another way, it is written so.
import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { type Blocker, Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { AnyCollection } from '../../platform/units/collection.ts';
import { changedMembers, findItem, saveSettled } from '../../platform/units/collection-store.ts';
import { vaults } from '../../platform/vaults/vault-store.ts';
import { dhcpOptions } from '../../services/dns-dhcp/dhcp/options.ts';
import { dhcpScopes } from '../../services/dns-dhcp/dhcp/scopes.ts';
import { dnsZones } from '../../services/dns-dhcp/dns/zone-store.ts';
import { settleRestoredRecords, settleRestoredReservations } from '../../services/dns-dhcp/restored.ts';
import { firewallRules } from '../../services/firewall/rules.ts';
import { bindAccounts } from '../../services/ldap/bind-accounts.ts';
import { groups } from '../../services/ldap/groups.ts';
import { organizations } from '../../services/ldap/organizations.ts';
import { users } from '../../services/ldap/users.ts';
import { hosts } from '../../services/network-boot/hosts.ts';
import { kickstarts } from '../../services/network-boot/kickstarts.ts';
import { bootMedia } from '../../services/network-boot/media.ts';
import { ntpSources } from '../../services/ntp/sources.ts';
import { storageDatastores } from '../../services/storage/datastores.ts';
import { storageVolumes } from '../../services/storage/volumes.ts';
import type { CollectionDifference } from './difference.ts';
import type { ManyRows } from './many/many-rows.ts';
import { type Judged, settleOwnedNames } from './many/records.ts';
import { rowOf, rowsOf, titleOf } from './rows.ts';
import { type Table, tableNamed } from './tables.ts';

/**
 * Whose rows are looked at one by one. `stands`: what it names was there when it was saved, so that only its own spelling
 * is looked at: a host may wait for its medium, and the interfaces of rules were looked at already.
 */
const COLLECTIONS: readonly { collection: AnyCollection; stands?: true }[] = [
  { collection: vaults, stands: true },
  { collection: dnsZones },
  { collection: dhcpScopes },
  { collection: dhcpOptions },
  { collection: firewallRules, stands: true },
  { collection: ntpSources },
  { collection: organizations },
  { collection: users },
  { collection: groups },
  { collection: bindAccounts },
  { collection: storageVolumes },
  { collection: storageDatastores },
  { collection: kickstarts },
  { collection: bootMedia, stands: true },
  { collection: hosts, stands: true },
];

interface Settling {
  services: Pick<Services, 'clock' | 'entropy' | 'keys'>;
  actor: Actor;
}

/** Records that were looked at before they were written. */
export interface JudgedRecords extends Judged {
  records: ManyRows;
  /** All of them were, since zones come or go. */
  all: boolean;
}

/** Answers what is in the way. */
export async function settleRestored(
  tx: Transaction,
  { services, actor }: Settling,
  differences: readonly CollectionDifference[],
  judged: JudgedRecords | null,
): Promise<Blocker[]> {
  const shell = { ...services, actor };
  const changed = new Map(differences.map((each) => [each.table.name, each]));
  const stay = await staying(tx, differences);
  const idsIn = (table: string): string[] => [
    ...(changed.get(table)?.rows.flatMap(({ wanted }) => (wanted ? [wanted.id] : [])) ?? []),
    ...(stay.get(table) ?? []),
  ];
  const blockers: Blocker[] = [];
  for (const { collection, stands = false } of COLLECTIONS) {
    for (const id of idsIn(collection.table)) {
      const fault = await faultOf(tx, collection, id, stands, shell);
      if (fault) blockers.push(await blocker(tx, collection.table, { changed, id, reason: fault }));
    }
  }
  const reservations = changed.has('dhcp_scope') || stay.has('dhcp_scope') ? null : idsIn('dhcp_reservation');
  const records = changed.has('dns_zone') ? null : idsIn('dns_record');
  const faults = await settleRestoredReservations(tx, shell, reservations);
  if (!judged) faults.push(...(await settleRestoredRecords(tx, records)));
  else faults.push(...judged.faults, ...(await settleOwnedNames(tx, judged.records, judged, judged.all)));
  for (const { table, id, detail } of faults) blockers.push(await blocker(tx, table, { changed, id, reason: detail }));
  return blockers;
}

/**
 * Rows that stay and have to be looked at all the same. Where interfaces come: what comes was made for those of the archive,
 * what stays for those of here, and only one of the two follows to those that are saved. And where rows go that others name
 * in a list: the rules look at each of those.
 */
async function staying(
  tx: Transaction,
  differences: readonly CollectionDifference[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const stay = new Map<string, string[]>();
  const interfacesCome = differences.some(({ table }) => table.name === 'interface');
  const goes = new Set(
    differences.filter(({ rows }) => rows.some(({ wanted }) => wanted === null)).map(({ table }) => table.name),
  );
  for (const { tables } of new Set(differences.map(({ part }) => part))) {
    for (const table of tables) {
      const moves = interfacesCome && table.interfaces.length > 0 && table.name !== 'interface';
      if (!moves && !table.names.some((name) => goes.has(name))) continue;
      const rows = differences.find((each) => each.table === table)?.rows ?? [];
      const come = new Set(rows.flatMap(({ wanted }) => wanted?.id ?? []));
      const standing = (await rowsOf(tx, table)).map(({ id }) => id);
      stay.set(
        table.name,
        standing.filter((id) => !come.has(id)),
      );
    }
  }
  return stay;
}

/** As a save would find it; null: nothing is wrong. Writes what the rules write in another way. */
async function faultOf(
  tx: Transaction,
  collection: AnyCollection,
  id: string,
  stands: boolean,
  shell: Settling['services'] & { actor: Actor },
): Promise<string | null> {
  const item = await findItem(tx, collection, id);
  const wrong = schemaFault(collection, item);
  if (wrong) return wrong;
  try {
    const settled = await collection.settle(tx, item, stands ? item : null, shell);
    if (changedMembers(collection, item, settled).length > 0) await saveSettled(tx, collection, settled);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.members.errors ?? [];
    return first ? `${first.pointer.slice(1)}: ${first.detail}` : error.message;
  }
}

/** Members that the API takes, by its own schema for them. Secrets are written only, so the row has none of them. */
function schemaFault({ schemas }: AnyCollection, item: Record<string, unknown>): string | null {
  const entries = (schemas.create as unknown as { entries: Record<string, v.GenericSchema> }).entries;
  for (const [member, schema] of Object.entries(entries)) {
    if (item[member] === undefined) continue;
    const read = v.safeParse(schema, item[member]);
    if (!read.success) return `${member}: ${read.issues[0]!.message}`;
  }
  return null;
}

type Changed = ReadonlyMap<string, CollectionDifference>;

/** Of a row that came, or of one that stays. */
async function blocker(
  tx: Transaction,
  name: string,
  { changed, id, reason }: { changed: Changed; id: string; reason: string },
): Promise<Blocker> {
  const row = changed.get(name)?.rows.find(({ wanted }) => wanted?.id === id);
  const table = tableNamed(name)!;
  return {
    subject: `${table.label}: ${row?.title ?? (await titleNow(tx, table, id))}`,
    reason,
    page: pagePath('apply'),
    unblock: 'Leave it out, or choose what it needs as well',
  };
}

/** Rows that it refers to are not named in it. */
async function titleNow(tx: Transaction, table: Table, id: string): Promise<string> {
  const row = await rowOf(tx, table, id);
  return row ? titleOf(table, row, new Map()) : id;
}
