// How following the applied entries went, for those who ask in the same process. Nothing is kept: whoever follows anew says
// it anew.
import type { Refused } from './refusal.ts';

export interface Standing {
  /** Of the applied entries that it is about. */
  digest: string;
  /** Entries that slapd refuses. */
  refused: readonly Refused[];
  /** Organisations that could not be brought to their entries, and why, one line each. */
  faults: readonly string[];
}

const standings = new WeakMap<object, Standing>();

export const noteStanding = (store: object, standing: Standing): void => void standings.set(store, standing);

/** Undefined where nobody in this process has followed. */
export const standingOf = (store: object): Standing | undefined => standings.get(store);
