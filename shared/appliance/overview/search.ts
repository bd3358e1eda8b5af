// Finding things by the beginning of their name or address: one statement, at most `limit` rows of each kind. What there
// are many of is looked up on an index.

import type { PageName } from '../../ground/page-paths.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Scope } from '../../kernel/access/scopes.ts';
import { FOUND_JOBS } from '../../kernel/jobs/glances.ts';
import { foundInterfaces } from '../../platform/interfaces/interface-list.ts';
import type { FoundRows } from '../../platform/units/manifest.ts';
import { MANIFESTS } from '../manifests.ts';

export interface Found {
  kind: string;
  id: string;
  /** What it is called: a name, an id. */
  name: string;
  /** One more fact: an address, a value, a state. */
  fact: string;
}

export const SEARCH_MAX_LENGTH = 255;

/** `sql`: ?1 is the text in lower case, ?2 the end of what begins with it, ?3 the most rows. */
interface Source {
  scope: Scope;
  /** Heading above what it finds, and the page of each. */
  label: string;
  page: PageName;
  kind: string;
  /** A query for id, name and fact. */
  sql: string;
}

/** Everything that begins with `text` sorts from `text` to here. */
const endOf = (text: string): string => `${text}\u{10ffff}`;

const begins = (column: string): string => `substr(lower(${column}), 1, length(?1)) = ?1`;

/** Tables of a few hundred rows at most are read through: their names keep the case that they were typed in. */
const small = (table: string, { columns, fact }: FoundRows): string =>
  `SELECT id, ${columns[0]} AS name, ${fact} AS fact FROM ${table}
    WHERE ${columns.map(begins).join(' OR ')} ORDER BY ${columns[0]} LIMIT ?3`;

/** Tables that may be long have an index on each of the columns. */
const indexed = (table: string, { columns, fact }: Pick<FoundRows, 'columns' | 'fact'>): string => {
  const all = `id, ${columns[0]} AS name, ${fact} AS fact`;
  const each = columns.map(
    (column) =>
      `SELECT * FROM (SELECT ${all} FROM ${table} WHERE ${column} >= ?1 AND ${column} < ?2 ORDER BY ${column} LIMIT ?3)`,
  );
  return `SELECT * FROM (${each.join(' UNION ')}) ORDER BY name, fact LIMIT ?3`;
};

const ofUnits = MANIFESTS.flatMap(({ tables }) => tables).flatMap(({ name, found }): Source[] => {
  if (!found) return [];
  const { kind, label, page, resource } = found;
  return [{ scope: `read:${resource}`, kind, label, page, sql: (found.indexed ? indexed : small)(name, found) }];
});

const JOBS = indexed(FOUND_JOBS.table, FOUND_JOBS);

/** Kind by kind, in the order of what is found. */
export const SOURCES: readonly Source[] = [
  {
    scope: 'read:interfaces',
    kind: 'interface',
    label: 'Interfaces',
    page: 'interface',
    sql: foundInterfaces('physical', 'name', begins),
  },
  { scope: 'read:vlans', kind: 'vlan', label: 'VLANs', page: 'vlan', sql: foundInterfaces('vlan', 'id', begins) },
  ...ofUnits,
  { scope: 'read:jobs', kind: 'job', label: 'Jobs', page: 'job', sql: JOBS },
];

/** What the caller may read and begins with `text`, kind by kind; nothing for an empty text. */
export async function findByPrefix(
  database: Database,
  text: string,
  scopes: ReadonlySet<Scope>,
  limit: number,
): Promise<Found[]> {
  const wanted = text.trim().toLowerCase().slice(0, SEARCH_MAX_LENGTH);
  const sources = SOURCES.filter(({ scope }) => scopes.has(scope));
  if (wanted === '' || sources.length === 0) return [];
  const each = sources.map(({ kind, sql }, at) => `SELECT ${at} AS place, '${kind}' AS kind, * FROM (${sql})`);
  const statement = `SELECT kind, id, name, fact FROM (${each.join(' UNION ALL ')}) ORDER BY place, name, fact`;
  return database.all<Found>(statement, [wanted, endOf(wanted), limit]);
}
