// Sessions at the provider: a browser in which a person is signed in, and the clients that it signed in to. Ending one ends what was
// given out in it. The row of one that was ended stays until its time would have been over, so that what was under way meanwhile
// does not bring it back.
import { type Clock, type Entropy, instant, newId } from '../../../ground/clock.ts';
import { notFound } from '../../../ground/problems.ts';
import { build } from '../../../ground/store/builder.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import type { Page } from '../../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../../ground/store/sorted-page.ts';
import { excluded, type Payload, type Seconds } from '../artifacts/artifacts.ts';
import { hashed } from '../artifacts/hashes.ts';
import type { Source } from '../clients/schemas.ts';
import { markEnd } from './signing-in.ts';

export interface OidcSession {
  id: string;
  /** The person’s `sub`. */
  subject: string;
  user_name: string;
  source: Source;
  organization: string;
  source_address: string;
  /** Those that it signed in to and that there still are. */
  clients: { id: string; name: string }[];
  created_at: string;
  last_used_at: string;
}

/** Whose a session is and where it comes from, as the request that saves it knows it. */
export interface Seen {
  user_name: string;
  source: Source;
  organization: string;
  source_address: string;
}

interface Row extends Omit<OidcSession, 'clients'> {
  clients: string;
}

/** A client, and the artifact that is its grant. */
type Granted = readonly [client_id: string, grant_hash: string];

const COLUMNS = 'id, subject, user_name, source, organization, source_address, clients, created_at, last_used_at';
const LIVE = 'ended_at IS NULL AND expires_at > ?';
const seconds = (now: Date): Seconds => Math.floor(now.getTime() / 1000);

/** What is saved of a session, until when, and who is known by the request that saves it; null: nobody. */
export interface Noted {
  payload: Payload;
  expires_at: Seconds;
  seen: Seen | null;
}

type Shell = { clock: Clock; entropy: Entropy };

/** As insertArtifact() for an artifact. */
export function insertSession(row: string, from: string, given: (column: string, at: number) => string): string {
  // Of whom nothing is known now, what was known before stays: a name is never empty.
  const known = (column: string, at: number) =>
    `${column} = iif(${given('user_name', 3)} = '', ${column}, ${given(column, at)})`;
  return `INSERT INTO oidc_session (id, uid_hash, subject, user_name, source, organization, source_address, clients, created_at,
       last_used_at, expires_at)
     SELECT ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => `${row} ->> ${at}`).join()} ${from}
     ON CONFLICT (uid_hash) DO UPDATE SET subject = ${given('subject', 2)}, ${known('user_name', 3)}, ${known('source', 4)},
       ${known('organization', 5)}, ${known('source_address', 6)}, clients = ${given('clients', 7)},
       created_at = ${given('created_at', 8)}, last_used_at = ${given('last_used_at', 9)},
       expires_at = ${given('expires_at', 10)} WHERE ended_at IS NULL`;
}

/** Saved together with the sessions themselves. Where nobody is signed in yet, there is nothing to note. */
export async function noteSessions(tx: Transaction, shell: Shell, sessions: readonly Noted[]): Promise<void> {
  const rows = sessions.flatMap((noted) => sessionRows(shell, noted));
  if (rows.length > 0)
    await tx.run(insertSession('value', 'FROM json_each(?) WHERE true', excluded), [JSON.stringify(rows)]);
}

/** One, or none where nobody is signed in yet. */
export function sessionRows({ clock, entropy }: Shell, { payload, expires_at, seen }: Noted): SqlValue[][] {
  const { uid, accountId, loginTs, authorizations = {} } = payload as unknown as SessionPayload;
  if (accountId === undefined) return [];
  const clients = JSON.stringify(
    Object.entries(authorizations).flatMap(([client, { grantId }]): Granted[] =>
      grantId === undefined ? [] : [[client, hashed('Grant', grantId)]],
    ),
  );
  const now = instant(clock.now());
  const created_at = loginTs === undefined ? now : instant(new Date(loginTs * 1000));
  const { user_name = '', source = 'appliance', organization = '', source_address = '' } = seen ?? {};
  return [
    [
      ...[newId('oidcsession', entropy), hashed('uid', uid), accountId, user_name, source, organization],
      ...[source_address, clients, created_at, now, expires_at],
    ],
  ];
}

export const noteSession = (
  tx: Transaction,
  shell: Shell,
  ...[payload, expires_at, seen]: [payload: Payload, expires_at: Seconds, seen: Seen | null]
): Promise<void> => noteSessions(tx, shell, [{ payload, expires_at, seen }]);

/** As the library saves it. */
interface SessionPayload {
  uid: string;
  accountId?: string;
  /** Seconds since 1970. */
  loginTs?: number;
  authorizations?: Record<string, { grantId?: string }>;
}

/** That a client was given tokens in them: when, by the id that the tokens know. */
export async function noteUses(tx: Transaction, used: ReadonlyMap<string, Date>): Promise<void> {
  if (used.size === 0) return;
  const rows = [...used].map(([uid, at]) => [hashed('uid', uid), instant(at)]);
  await tx.run(
    `UPDATE oidc_session SET last_used_at = used.value ->> 1 FROM json_each(?) AS used WHERE uid_hash = used.value ->> 0`,
    [JSON.stringify(rows)],
  );
}

/**
 * Who signed out: the library takes the session away by its own id. It does so, too, right before it saves the same session under
 * another id: the row waits for the sweep, so that what ends all of a person meanwhile ends that one as well.
 */
export async function forgetSession(tx: Transaction, id: string): Promise<void> {
  await tx.run(
    `UPDATE oidc_session SET expires_at = 0 WHERE ended_at IS NULL
       AND uid_hash = (SELECT uid_hash FROM oidc_artifact WHERE id_hash = ?)`,
    [hashed('Session', id)],
  );
}

export interface SessionQuery {
  subject?: string | undefined;
  user_name?: string | undefined;
  /** Part of a user name, an organization or an address, in any case. */
  search?: string | undefined;
  /** One of SESSION_SORTS, `-` before it for descending; else the newest first. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = {
  user_name: 'lower(user_name)',
  source_address: 'source_address',
  created_at: 'created_at',
  last_used_at: 'last_used_at',
};
export const SESSION_SORTS = Object.keys(SORTS);

/** Those that go on, newest first unless another order is asked for; none that a sign-in is just becoming. */
export async function listOidcSessions(db: Database, query: SessionQuery, now: Date): Promise<Page<OidcSession>> {
  const list = build<Row>('oidc_session')
    .select(build.raw(COLUMNS))
    .whereRaw(`${LIVE} AND user_name <> ''`, [seconds(now)]);
  if (query.subject !== undefined) list.where('subject', query.subject);
  if (query.user_name !== undefined) list.where('user_name', query.user_name);
  searchIn(list, ['user_name', 'organization', 'source_address'], query.search?.trim());
  const order = { sorts: SORTS, own: ['created_at', 'id'], descending: true } as const;
  const page = await sortedPage<Row, Row>(db, list, order, query, (row) => row);
  const names = page.items.length > 0 ? await clientNames(db) : new Map<string, string>();
  return { ...page, items: page.items.map((row) => view(row, names)) };
}

async function clientNames(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ id: string; name: string }>('SELECT id, name FROM oidc_client');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function view(row: Row, names: ReadonlyMap<string, string>): OidcSession {
  const clients = (JSON.parse(row.clients) as Granted[]).flatMap(([id]) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  const { id, subject, user_name, source, organization, source_address, created_at, last_used_at } = row;
  return { id, subject, user_name, source, organization, source_address, clients, created_at, last_used_at };
}

const END = `UPDATE oidc_session SET ended_at = ? WHERE ended_at IS NULL`;

interface Ended {
  id: string;
  user_name: string;
  uid_hash: string;
  clients: string;
  expires_at: Seconds;
}

/** One, with its grants, codes and tokens. `subject`: it has to be this person’s. @throws Problem 404 */
export async function endOidcSession(
  tx: Transaction,
  id: string,
  now: Date,
  subject: string | null = null,
): Promise<{ id: string; user_name: string }> {
  const [row] = await tx.all<Ended>(
    `${END} AND id = ? AND expires_at > ? AND subject = coalesce(?, subject)
       RETURNING id, user_name, uid_hash, clients, expires_at`,
    [instant(now), id, seconds(now), subject],
  );
  if (!row) throw notFound('This session');
  await tx.run('DELETE FROM oidc_artifact WHERE session_hash = ?', [row.uid_hash]);
  for (const [, grant] of JSON.parse(row.clients) as Granted[])
    await tx.run('DELETE FROM oidc_artifact WHERE id_hash = ?', [grant]);
  return { id: row.id, user_name: row.user_name };
}

/** All of a person, with grants, codes, tokens, and sign-ins under way. Answers how many sessions still went on. */
export async function endOidcSessionsOf(tx: Transaction, subject: string, now: Date): Promise<number> {
  const rows = await tx.all<Ended>(`${END} AND subject = ? RETURNING uid_hash, expires_at`, [instant(now), subject]);
  await tx.run('DELETE FROM oidc_artifact WHERE subject_hash = ? OR session_hash IN (SELECT value FROM json_each(?))', [
    hashed('subject', subject),
    JSON.stringify(rows.map(({ uid_hash }) => uid_hash)),
  ]);
  await markEnd(tx, subject, now);
  return rows.filter(({ expires_at }) => expires_at > seconds(now)).length;
}

/** Who of the directory has sessions that go on. */
export async function directorySubjects(db: Database): Promise<string[]> {
  const sql = "SELECT DISTINCT subject FROM oidc_session WHERE source = 'directory' AND ended_at IS NULL";
  return (await db.all<{ subject: string }>(sql)).map(({ subject }) => subject);
}

export const sweepSessions = (tx: Transaction, now: Seconds): Promise<number> =>
  tx.run('DELETE FROM oidc_session WHERE expires_at <= ?', [now]);

export async function forgetSessions(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM oidc_session');
}
