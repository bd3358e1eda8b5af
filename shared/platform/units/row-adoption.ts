// Drift as edits of a unit's own rows: what somebody changed in the running service becomes the desired state by the edits
// that anybody could make, each with its audit event.
import type { Blocker } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import type { AnyCollection, Draft } from './collection.ts';
import type { AnySettings } from './settings.ts';

/** One row that the host has otherwise than it was applied. */
export interface RowAdoption {
  /** `User ada of lab` */
  subject: string;
  collection: AnyCollection;
  /**
   * The saved row, and the members that it takes over; without an id a new row with these. Or why it can't be: what is saved
   * may have changed since the host was read. At most three statements.
   */
  settle(db: Database): Promise<{ id: string | null; draft: Draft } | { refused: Blocker }>;
}

/** Settings that the host has otherwise than they were applied. */
export interface SettingsAdoption {
  /** `Settings of LDAP` */
  subject: string;
  definition: AnySettings;
  /** Member → what it takes over. */
  values: Readonly<Record<string, unknown>>;
}

export interface RowsFound {
  rows: RowAdoption[];
  settings?: SettingsAdoption;
  /** What is in the way; with one of them nothing is adopted. */
  refusals: Blocker[];
  /** What is not taken over, one clause each, and what becomes of it. */
  left: string[];
}
