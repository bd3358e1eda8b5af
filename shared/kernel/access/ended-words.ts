// What a user has, and what of it ended: in words, in numbers, and for the audit log.
import type { CredentialCounts, EndedCredentials, EndedSessions } from './credentials.ts';

/** An audit row names this many tokens; the number is always whole. */
const NAMED_MOST = 100;
export type EndedNumbers = ReturnType<typeof inNumbers>;

const counted = (n: number, one: string) => (n === 1 ? `1 ${one}` : `${n} ${one}s`);

/** What a user has now, in words: `2 sessions and 1 API token`. */
export function credentialWords({ sessions, tokens }: CredentialCounts): string {
  return `${counted(sessions, 'session')} and ${counted(tokens, 'API token')}`;
}

/** What ended, as a sentence or two. */
export function endedWords({ tokens_ended, tokens_kept, ...sessions }: EndedNumbers): string {
  const also = atProvider(sessions);
  const ended = `Ended: ${credentialWords({ sessions: sessions.sessions_ended, tokens: tokens_ended })}.${also}`;
  if (tokens_kept === 0) return ended;
  return `${ended} ${counted(tokens_kept, 'API token')} ${tokens_kept === 1 ? 'was' : 'were'} kept.`;
}

/** Nothing where there was none. */
const atProvider = ({ oidc_sessions_ended }: EndedSessions): string =>
  oidc_sessions_ended === 0 ? '' : ` At the OpenID Connect provider: ${counted(oidc_sessions_ended, 'session')}.`;

/** What ended of sessions alone: `Sessions ended: 2.` */
export const endedSessionsWords = (ended: EndedSessions): string =>
  `Sessions ended: ${ended.sessions_ended}.${atProvider(ended)}`;

/** The same in numbers, as answers have it. */
export function inNumbers({ tokens_ended, ...rest }: EndedCredentials) {
  return { ...rest, tokens_ended: tokens_ended.length };
}

/** The same for an audit row: numbers, and the ids of the tokens. */
export function forAudit({ sessions_ended, oidc_sessions_ended, tokens_ended, tokens_kept }: EndedCredentials) {
  return {
    sessions_ended,
    oidc_sessions_ended,
    tokens_ended: tokens_ended.length,
    tokens_kept,
    ...(tokens_ended.length > 0 && { token_ids: tokens_ended.slice(0, NAMED_MOST) }),
  };
}
