// Who is calling, as every operation sees it.
import type { Role, Scope } from './scopes.ts';

export const ACTOR_KINDS = ['token', 'session', 'system', 'anonymous'] as const;

export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  /** User behind the call; null for the system and for nobody. */
  user_id: string | null;
  /** What audit rows show: the user's name, or `name (token purpose)`. */
  name: string;
  role: Role | null;
  /** Its present scopes. */
  scopes: ReadonlySet<Scope>;
  /** What the token lists, which may be more than its user's role reaches; only of a token. */
  listed?: ReadonlySet<Scope>;
  /** Token id or hashed session id. */
  credential_id: string | null;
  /** The session's CSRF token. */
  csrf_token: string | null;
}

export const NOBODY: Actor = {
  kind: 'anonymous',
  user_id: null,
  name: 'anonymous',
  role: null,
  scopes: new Set(),
  credential_id: null,
  csrf_token: null,
};

/** Work started by the clock or the command line. */
export function systemActor(name: string): Actor {
  return { ...NOBODY, kind: 'system', name };
}
