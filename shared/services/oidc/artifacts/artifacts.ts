// What the provider gave out and still has to know: sessions, sign-ins under way, grants, codes and tokens. Ids are hashed and
// payloads sealed, so that who reads the file, or a copy of it, can use none of them.
import { openText, type SealShell, sealText } from '../../../ground/sealing/sealed-text.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { hashed, hashedOrNull } from './hashes.ts';

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

/** Nothing is saved in a session that was ended. */
export async function putArtifact(
  tx: Transaction,
  shell: SealShell,
  model: string,
  id: string,
  payload: Payload,
  expires_at: Seconds,
): Promise<void> {
  const id_hash = hashed(model, id);
  const sealed = sealText(shell, placeOf(id_hash), JSON.stringify(payload));
  const session_hash = hashedOrNull('uid', model === 'Session' ? payload.uid : payload.sessionUid);
  await tx.run(
    `INSERT INTO oidc_artifact (id_hash, model, grant_hash, uid_hash, session_hash, subject_hash, payload, expires_at)
       SELECT ?, ?, ?, ?, ?, ?, ?, ?
         WHERE NOT EXISTS (SELECT 1 FROM oidc_session WHERE uid_hash = ? AND ended_at IS NOT NULL)
       ON CONFLICT (id_hash) DO UPDATE SET grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash,
         session_hash = excluded.session_hash, subject_hash = excluded.subject_hash, payload = excluded.payload,
         expires_at = excluded.expires_at`,
    [
      ...[id_hash, model],
      OF_GRANTS.includes(model) ? hashedOrNull('grant', payload.grantId) : null,
      model === 'Session' ? session_hash : null,
      ...[session_hash, hashedOrNull('subject', subjectOf(payload)), sealed, expires_at, session_hash],
    ],
  );
}

interface Row {
  id_hash: string;
  payload: string;
  consumed_at: Seconds | null;
}

const payloadOf = ({ keys }: Pick<SealShell, 'keys'>, row: Row): Payload => ({
  ...(JSON.parse(openText(keys, placeOf(row.id_hash), row.payload)) as Payload),
  ...(row.consumed_at !== null && { consumed: row.consumed_at }),
});

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
    [hashed(model, id), now],
  );
  return row ? payloadOf(shell, row) : null;
}

/** Of a session, by the id that its tokens know. */
export async function artifactOfUid(
  db: Database,
  shell: Pick<SealShell, 'keys'>,
  uid: string,
  now: Seconds,
): Promise<Payload | null> {
  const row = await db.one<Row>(
    'SELECT id_hash, payload, consumed_at FROM oidc_artifact WHERE uid_hash = ? AND expires_at > ?',
    [hashed('uid', uid), now],
  );
  return row ? payloadOf(shell, row) : null;
}

/** Whether this was the one who used it up: of two at once, one alone is. */
export const consumeArtifact = async (tx: Transaction, model: string, id: string, now: Seconds): Promise<boolean> =>
  (await tx.run('UPDATE oidc_artifact SET consumed_at = ? WHERE id_hash = ? AND consumed_at IS NULL', [
    now,
    hashed(model, id),
  ])) === 1;

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
