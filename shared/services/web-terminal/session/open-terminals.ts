// Terminals that are open in this process, visits to files of other machines among them: how many there are, and what the page of
// another browser of the same user may take over.
import type { TerminalManifest } from '../manifest.ts';
import type { RemoteTarget } from './tickets.ts';

export interface OpenTerminal {
  user_id: string;
  /** Account, and machine where it is another one. */
  what: string;
  /** Address that it is shown at, or was last. */
  source_address: string;
  /** RFC 3339. */
  since: string;
  /** Null: it is signing in, or has no shell. */
  session: object | null;
}

const all = new WeakMap<object, Set<OpenTerminal>>();

/** Those of this service: operation and WebSocket share them. */
export function openTerminalsOf({ store }: { store: object }): Set<OpenTerminal> {
  const found = all.get(store) ?? new Set();
  all.set(store, found);
  return found;
}

/** Two tickets for the same are for the same account of the same machine. */
export const whatOf = ({ account, remote }: { account: string; remote?: RemoteTarget }): string =>
  JSON.stringify([account, remote?.host ?? null, remote?.port ?? null]);

/** The one that was opened last; null: there is none. */
export function takeable<T extends OpenTerminal>(among: Iterable<T>, user_id: string, what: string): T | null {
  const own = [...among].filter((each) => each.session !== null && each.user_id === user_id && each.what === what);
  return own.at(-1) ?? null;
}

/** Whether there is a place for one more of this user. */
export function hasPlace(
  among: Iterable<OpenTerminal>,
  user_id: string,
  { sessions, sessions_per_user }: Pick<TerminalManifest, 'sessions' | 'sessions_per_user'>,
): boolean {
  const all = [...among];
  return all.length < sessions && all.filter((each) => each.user_id === user_id).length < sessions_per_user;
}
