// What an archive has of a table. Every table says it once: in the manifest of its unit, or in the `archived.ts` of the
// room that owns it. Data only, so that all of them can be read without the code of any.

export type ArchivedTable = ArchivedRows | { as: 'identity' | 'history' | 'transient' | 'derived' };

/** Tables that no manifest names, by their name. */
export type ArchivedTables = Readonly<Record<string, ArchivedTable>>;

/**
 * Rows that an archive carries and a restore brings back. Beside `columns` they have `id`, and `revision`, `created_at`
 * and `updated_at` unless they are `plain`: what counts changes stays with the appliance, and is in no archive.
 */
export interface ArchivedRows {
  /** `desired`: in every archive. `sealed`: it holds secrets, so it is in encrypted archives alone. */
  as: 'desired' | 'sealed';
  /** What people call the rows: `DNS records`. */
  label: string;
  /** All other columns, in the order in which they are compared; each list here is separated by spaces. */
  columns: string;
  /** By which a row is known on another appliance, whatever its id is there. */
  key: string;
  /** Texts of unique keys: while many rows are written, those that go or change give theirs up first. */
  unique?: string;
  /** Columns of unique keys that take no other texts: what stands in them meanwhile. Any number of rows may have that. */
  meanwhile?: Readonly<Record<string, string>>;
  /** They are kept as 0 and 1. */
  booleans?: string;
  /** They are kept as JSON texts. */
  json?: string;
  /** Column with the id of a row → its table. */
  refers?: Readonly<Record<string, string>>;
  /** Names the row that keeps this one, in `owner_source` and `owner_ref`; tables by the words of `owner_source`. */
  owners?: Readonly<Record<string, string>>;
  /** Tables whose rows its lists of names name: no id tells of them. */
  names?: string;
  /** They name an interface, or nothing. */
  interfaces?: string;
  /** Columns of the table that are in no archive: observed, or made from others. */
  left?: string;
  /** Columns of a sealed value; in an archive its text stands in the member `secret`. */
  secret?: string;
  /** Column that takes the place of `id`. */
  id?: string;
  /** No `created_at`. */
  undated?: true;
  /**
   * There may be very many of them: a restore compares and writes them by statements, and never has all of them in memory.
   * Such a table has neither JSON, secrets nor interfaces in its columns, nothing refers to its rows, and its key names no
   * other row. Each write to it grows the version of its unit.
   */
  many?: true;
  /** No `revision` and no `updated_at`: such a row is made once. `created_at` is one of its columns. */
  plain?: true;
  /** A restore adds rows that are missing; it changes and removes none. A factory reset leaves them as well. */
  onlyAdded?: true;
}
