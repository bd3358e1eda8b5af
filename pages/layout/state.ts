// What every page of the management plane is rendered with, apart from its own data.
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type { FlashMessage } from '../components/block.tsx';
import type { ConfirmNotice, PendingUnit, RunningApply } from '../components/strip.tsx';

export type Theme = 'system' | 'light' | 'dark';

/** Hashed addresses of the bundled stylesheet and script. */
export interface Assets {
  css: string;
  js: string;
}

export interface HostNotice {
  kind: 'rehearsal' | 'namespace' | 'system';
  /** `Rehearsal`, `Namespace gc-lab`, `System`. */
  label: string;
}

export interface ShellState {
  user: { name: string; role: string; scopes: string[] };
  csrf: string;
  theme: Theme;
  host: HostNotice;
  /** Path of the page, and its query string with or without the question mark. */
  path: string;
  query: string;
  /** RFC 3339 in UTC: what relative times are relative to. */
  now: string;
  pending: PendingUnit[];
  /** Of the units that an apply enforces: what pages say of rows and services. */
  standings: ReadonlyMap<UnitId, Standing>;
  running: RunningApply | null;
  /** A plan that waits for its confirmation. */
  confirm: ConfirmNotice | null;
  /** A key of key management is in no verified copy of an archive. */
  unprotected_keys: boolean;
  flash: FlashMessage | null;
  assets: Assets;
  version: string;
  hostname: string;
}

/** What a page without the shell knows. */
export interface PlainState {
  /** Of the session of the public pages; null without one. */
  csrf: string | null;
  theme: Theme;
  host: HostNotice | null;
  path: string;
  query: string;
  now: string;
  assets: Assets;
  version: string;
}

/** Path and query string as one address, for `return_to`. */
export function addressOf({ path, query }: { path: string; query: string }): string {
  const bare = query.replace(/^\?/, '');
  return bare === '' ? path : `${path}?${bare}`;
}
