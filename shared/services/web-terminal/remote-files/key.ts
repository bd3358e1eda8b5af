// What a browser has to show beside its session to use a visit: a cookie that was set where the own password was given. A session that
// was stolen before reaches no files of another machine, though somebody opened them since. Only the hash is kept, in memory.
import { pagePath } from '../../../ground/page-paths.ts';

/** `__Host-` would ask for every path; the path of the visit keeps each in its place. */
const nameOf = (secure: boolean) => `${secure ? '__Secure-' : ''}groundcrew_files`;

/** Null: it shows none. */
export const visitKeyIn = (cookies: Record<string, string>, secure: boolean): string | null =>
  cookies[nameOf(secure)] ?? null;

export function visitCookieHeader(
  visit_id: string,
  key: string,
  { secure, seconds }: { secure: boolean; seconds: number },
): string {
  const parts = [`${nameOf(secure)}=${key}`, `Path=${pagePath('terminal-visit', visit_id)}`, `Max-Age=${seconds}`];
  return [...parts, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])].join('; ');
}
