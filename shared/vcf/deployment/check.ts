// The result of a check before a deployment: passed, a warning, or a refusal that keeps the deployment from being
// queued.
import type { Blocker } from '../../ground/problems.ts';

export type CheckState = 'ok' | 'warning' | 'refused';

export interface Check {
  /** `name-free`; with its subject where there are several: `upload-host esx01.lab.example`. */
  id: string;
  title: string;
  state: CheckState;
  /** What was seen. */
  said: string;
  /** The smallest thing to do; empty when there is nothing to do. */
  way_out: string;
}

type Named = readonly [id: string, title: string];

export const ok = ([id, title]: Named, said: string): Check => ({ id, title, state: 'ok', said, way_out: '' });

export const warning = ([id, title]: Named, said: string, way_out: string): Check => ({
  id,
  title,
  state: 'warning',
  said,
  way_out,
});

export const refused = ([id, title]: Named, said: string, way_out: string): Check => ({
  id,
  title,
  state: 'refused',
  said,
  way_out,
});

/** The refused ones as blockers of a refusal. */
export function blockersOf(checks: readonly Check[], page: string): Blocker[] {
  return checks
    .filter(({ state }) => state === 'refused')
    .map(({ title, said, way_out }) => ({ subject: title, reason: said, page, unblock: way_out }));
}

/** `1 check`, `3 checks`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
