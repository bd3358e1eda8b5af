// What the provider gave out and still has to know: sessions, sign-ins under way, grants, codes and tokens. Ids are hashed and
// payloads sealed, so that who reads the file, or a copy of it, can use none of them.
import { openText, type SealShell, sealText } from '../../../ground/sealing/sealed-text.ts';
import type { Database, SqlValue, Transaction } from '../../../ground/store/database.ts';
import type { Points } from '../../../ground/store/point-reads.ts';
import { hashed, hashedOrNull } from './hashes.ts';

/** What an INSERT meant to write. */
export const excluded = (column: string): string => `excluded.${column}`;

/** Models whose rows go when their grant is revoked. */
export const OF_GRANTS = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** Seconds since 1970. */
export type Seconds = number;

export type Payload = Record<string, unknown>;

const placeOf = (row: string) => ({ table: 'oidc_artifact', row, field: 'payload' });

/** Whose it is: of a sign-in under way, who has just proved it, or is signed in already. */
function subjectOf(payload: Payload): unknown {
  const { accountId, result, session } = payload as {
    accountId?: unknown;
    result?: { login?: { accountId?: unknown } };
    session?: { accountId?: unknown };
  };
  return accountId ?? result?.login?.accountId ?? session?.accountId;
}

/** What is to be kept, and until when. */
export interface Artifact {
  model: string;
  id: string;
  payload: Payload;
  expires_at: Seconds;
}

/** As insertArtifact() reads it. */
export function artifactRow(shell: SealShell, { model, id, payload, expires_at }: Artifact): SqlValue[] {
  const id_hash = hashed(model, id);
  const session_hash = hashedOrNull('uid', model === 'Session' ? payload.uid : payload.sessionUid);
  // What is given in a session is found by it: each entry of an index is one more page to write.
  const inSession = session_hash !== null && OF_GRANTS.includes(model);
  const subject_hash = inSession ? null : hashedOrNull('subject', subjectOf(payload));
  const text = JSON.stringify(payload);
  const sealed = sealText(shell, placeOf(id_hash), text);
  openedOf(shell.keys).keep(id_hash, sealed, text);
  return [
    ...[id_hash, model],
    OF_GRANTS.includes(model) ? hashedOrNull('grant', payload.grantId) : null,
    model === 'Session' ? session_hash : null,
    ...[session_hash, subject_hash, sealed, expires_at],
  ];
}

/**
 * `row`: the expression of a row as JSON; `from`: where it comes from; `given`: what an upsert sets, by column and place in the row.
 * Nothing is saved in a session that was ended.
 */
export const insertArtifact = (row: string, from: string, given: (column: string, at: number) => string): string =>
  `INSERT INTO oidc_artifact (id_hash, model, grant_hash, uid_hash, session_hash, subject_hash, payload, expires_at)
     SELECT ${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `${row} ->> ${at}`).join()} ${from}
       AND NOT EXISTS (SELECT 1 FROM oidc_session WHERE uid_hash = ${row} ->> 4 AND ended_at IS NOT NULL)
     ON CONFLICT (id_hash) DO UPDATE SET grant_hash = ${given('grant_hash', 2)}, uid_hash = ${given('uid_hash', 3)},
       session_hash = ${given('session_hash', 4)}, subject_hash = ${given('subject_hash', 5)},
       payload = ${given('payload', 6)}, expires_at = ${given('expires_at', 7)}`;

/** All at once, those of the same id in this order. Nothing is saved in a session that was ended. */
export async function putArtifacts(tx: Transaction, shell: SealShell, artifacts: readonly Artifact[]): Promise<void> {
  const rows = artifacts.map((artifact) => artifactRow(shell, artifact));
  await tx.run(insertArtifact('value', 'FROM json_each(?) WHERE true', excluded), [JSON.stringify(rows)]);
}

export const putArtifact = (
  tx: Transaction,
  shell: SealShell,
  ...[model, id, payload, expires_at]: [model: string, id: string, payload: Payload, expires_at: Seconds]
): Promise<void> => putArtifacts(tx, shell, [{ model, id, payload, expires_at }]);

interface Row {
  id_hash: string;
  payload: string;
  consumed_at: Seconds | null;
}

/**
 * Texts that were sealed or opened a moment ago, by their sealed form in the row that they are of: most are read again at once, and
 * whether they still count is asked of the row.
 */
class Opened {
  readonly #texts = new Map<string, string>();

  keep(id_hash: string, sealed: string, text: string): void {
    this.#texts.set(id_hash + sealed, text);
    if (this.#texts.size > OPENED_MOST) this.#texts.delete(this.#texts.keys().next().value!);
  }

  text(keys: SealShell['keys'], { id_hash, payload }: Row): string {
    const kept = this.#texts.get(id_hash + payload);
    if (kept !== undefined) return kept;
    const text = openText(keys, placeOf(id_hash), payload);
    this.keep(id_hash, payload, text);
    return text;
  }
}

/** A thousand of about a kilobyte each, with as much for their keys. */
const OPENED_MOST = 1_000;
const openedBy = new WeakMap<SealShell['keys'], Opened>();

function openedOf(keys: SealShell['keys']): Opened {
  const opened = openedBy.get(keys) ?? new Opened();
  openedBy.set(keys, opened);
  return opened;
}

const payloadOf = ({ keys }: Pick<SealShell, 'keys'>, row: Row): Payload => ({
  ...(JSON.parse(openedOf(keys).text(keys, row)) as Payload),
  ...(row.consumed_at !== null && { consumed: row.consumed_at }),
});

const foundBy = (column: string) =>
  `SELECT ${column} AS key, json_array(id_hash, payload, consumed_at) AS row FROM oidc_artifact
     WHERE ${column} IN (SELECT value FROM json_each(?)) AND expires_at > ?`;

/** Those whose time is not over: `byId` by keyOfId(), and sessions `byUid`, the id that their tokens know, by keyOfUid(). */
export function artifactPoints({ keys }: Pick<SealShell, 'keys'>, now: () => Seconds) {
  const more = () => [now()];
  const open = (row: string) => {
    const [id_hash, payload, consumed_at] = JSON.parse(row) as [string, string, Seconds | null];
    return payloadOf({ keys }, { id_hash, payload, consumed_at });
  };
  return {
    byId: { sql: foundBy('id_hash'), more, open } satisfies Points<Payload>,
    byUid: { sql: foundBy('uid_hash'), more, open } satisfies Points<Payload>,
  };
}

export const keyOfId = (model: string, id: string): string => hashed(model, id);
export const keyOfUid = (uid: string): string => hashed('uid', uid);

/** Null: there is none, or its time is over. */
export async function findArtifact(
  db: Database,
  shell: Pick<SealShell, 'keys'>,
  model: string,
  id: string,
  now: Seconds,
): Promise<Payload | null> {
  const row = await db.one<Row>(
    'SELECT id_hash, payload, consumed_at FROM oidc_artifact WHERE id_hash = ? AND expires_at > ?',
    [keyOfId(model, id), now],
  );
  return row ? payloadOf(shell, row) : null;
}

/** Uses one up that was not yet: of two at once, one alone does. `key`, `at`: expressions, as `where` they come from. */
export const useUp = (key: string, at: string, where = ''): string =>
  `UPDATE oidc_artifact SET consumed_at = ${at} WHERE ${where} id_hash = ${key} AND consumed_at IS NULL`;

/** Whether this was the one who used it up: of two at once, one alone is. */
export const consumeArtifact = async (tx: Transaction, model: string, id: string, now: Seconds): Promise<boolean> =>
  (await tx.run(useUp('?2', '?1'), [now, keyOfId(model, id)])) === 1;

export async function removeArtifact(tx: Transaction, model: string, id: string): Promise<void> {
  await tx.run('DELETE FROM oidc_artifact WHERE id_hash = ?', [hashed(model, id)]);
}

/** All codes and tokens of a grant. */
export async function revokeGrant(tx: Transaction, grant: string): Promise<void> {
  await tx.run('DELETE FROM oidc_artifact WHERE grant_hash = ?', [hashed('grant', grant)]);
}

/** Those whose time is over; answers how many. */
export const sweepArtifacts = (tx: Transaction, now: Seconds): Promise<number> =>
  tx.run('DELETE FROM oidc_artifact WHERE expires_at <= ?', [now]);

/** Everybody signs in anew. */
export async function forgetArtifacts(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM oidc_artifact');
}
