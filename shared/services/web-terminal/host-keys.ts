// Host keys of other machines that somebody compared and confirmed: a terminal goes to no other machine, and to none that shows
// another key than the confirmed one.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { notFound } from '../../ground/problems.ts';
import {
  component,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../ground/schemas/component.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';

export const HOST_KEYS_PATH = '/api/v1/web-terminal/host-keys';
export const hostKeyParam = idParam('host_key_id', 'Id of the confirmed host key.');

export const hostKeySchema = component(
  'TerminalHostKey',
  v.object({
    id: idSchema,
    host: text('The machine, as the address in the vault has it.'),
    port: described(integerSchema, 'Its SSH port.'),
    sha256: text('Fingerprint of the key, as `ssh-keygen -l` prints it.'),
    algorithm: text('Kind of the key, such as `ssh-ed25519`.'),
    confirmed_by: text('Who compared and confirmed it.'),
    confirmed_at: instantSchema,
  }),
);
export const hostKeyListSchema = listOf('TerminalHostKeyList', hostKeySchema);

export type HostKey = v.InferOutput<typeof hostKeySchema>;
type Row = Omit<HostKey, 'id'>;

export interface HostKeyPlace {
  /** As a vault's URI has it: lower-case name, or an address without brackets. */
  host: string;
  port: number;
}

/** `SHA256:…`; null: none was confirmed. */
export async function confirmedHostKey(db: Database, { host, port }: HostKeyPlace): Promise<string | null> {
  const sql = 'SELECT sha256 FROM terminal_host_key WHERE host = ? AND port = ?';
  return (await db.one<{ sha256: string }>(sql, [host, port]))?.sha256 ?? null;
}

/** All of them: the next terminal to each machine asks anew. */
export async function forgetHostKeys(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM terminal_host_key');
}

/** In place of the one before. */
export async function confirmHostKey(
  tx: Transaction,
  clock: Clock,
  { host, port }: HostKeyPlace,
  key: { sha256: string; algorithm: string; confirmed_by: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO terminal_host_key (host, port, sha256, algorithm, confirmed_by, confirmed_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (host, port) DO UPDATE SET sha256 = excluded.sha256, algorithm = excluded.algorithm,
        confirmed_by = excluded.confirmed_by, confirmed_at = excluded.confirmed_at`,
    [host, port, key.sha256, key.algorithm, key.confirmed_by, instant(clock.now())],
  );
}

/** Of the machine: a key that is confirmed anew has the same. */
const idOf = ({ host, port }: HostKeyPlace): string =>
  `hostkey_${createHash('sha256').update(`${host} ${port}`).digest('hex').slice(0, 20)}`;

const keyOf = (row: Row): HostKey => ({ id: idOf(row), ...row });

const COLUMNS = ['host', 'port', 'sha256', 'algorithm', 'confirmed_by', 'confirmed_at'] as const;

/** By machine and port. @throws Problem 400 for a cursor of another list */
export async function listHostKeys(
  db: Database,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<HostKey>> {
  const list = build<Row>('terminal_host_key')
    .select(...COLUMNS)
    .orderByRaw('host, port');
  if (cursor) list.whereRaw('(host, port) > (?, ?)', decodeCursor(cursor, 2));
  const rows = await db.all<Row>(list.limit(limit + 1));
  return pageOf(rows, limit, ({ host, port }) => [host, port], keyOf);
}

/** @throws Problem 404 */
export async function findHostKey(db: Database, id: string): Promise<HostKey> {
  // Its id is made of the machine: there are as many as somebody has confirmed by hand.
  const rows = await db.all<Row>(build<Row>('terminal_host_key').select(...COLUMNS));
  const found = rows.map(keyOf).find((each) => each.id === id);
  if (!found) throw notFound('This host key');
  return found;
}

/** Nothing goes to the machine until somebody confirms its key again. */
export async function forgetHostKey(tx: Transaction, { host, port }: HostKeyPlace): Promise<void> {
  await tx.run('DELETE FROM terminal_host_key WHERE host = ? AND port = ?', [host, port]);
}
