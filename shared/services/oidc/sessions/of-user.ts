// What a user of the appliance has: sessions of the appliance itself, and those at the provider.
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Actor } from '../../../kernel/access/actor.ts';
import { endOneSession, listSessions, SESSIONS_MOST, type Session } from '../../../kernel/access/session-list.ts';
import { subjectOf } from '../../../kernel/access/subject.ts';
import { endOidcSession, endOidcSessionsOf, listOidcSessions, type OidcSession } from './sessions.ts';

export interface SessionsOfUser {
  sessions: Session[];
  oidc_sessions: OidcSession[];
}

export async function sessionsOfUser(db: Database, user_id: string, now: Date): Promise<SessionsOfUser> {
  const query = { subject: subjectOf(user_id), limit: SESSIONS_MOST };
  return {
    sessions: await listSessions(db, user_id, now),
    oidc_sessions: (await listOidcSessions(db, query, now)).items,
  };
}

/** As answers have them: without what is kept of the cookie, and which one the caller is in. */
export const currentIn = (
  { sessions, oidc_sessions }: SessionsOfUser,
  { credential_id }: Pick<Actor, 'credential_id'>,
) => ({
  sessions: sessions.map(({ id_hash, ...session }) => ({ ...session, current: id_hash === credential_id })),
  oidc_sessions,
});

/** One of either kind, by the id that lists have. @throws Problem 404 */
export async function endSessionOfUser(tx: Transaction, user_id: string, id: string, now: Date): Promise<void> {
  if (id.startsWith('oidcsession_')) await endOidcSession(tx, id, now, subjectOf(user_id));
  else await endOneSession(tx, user_id, id);
}

/** As `Elsewhere` wants it. */
export const endSignInsAtClients = (tx: Transaction, user_id: string, now: Date): Promise<number> =>
  endOidcSessionsOf(tx, subjectOf(user_id), now);
