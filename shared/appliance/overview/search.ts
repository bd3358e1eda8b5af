// Finding things by what is in their name or address: what begins with it first, then what has it inside. Two statements at
// most, and at most `limit` rows of each kind. Where there are many of a kind, the beginning is looked up on an index; the
// rest reads the smallest index through, and only where too few begin with it.

import type { PageName } from '../../ground/page-paths.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Scope } from '../../kernel/access/scopes.ts';
import { NAMED_USERS } from '../../kernel/access/user.ts';
import { FOUND_JOBS } from '../../kernel/jobs/glances.ts';
import { foundInterfaces } from '../../platform/interfaces/interface-list.ts';
import type { FoundRows } from '../../platform/units/manifest.ts';
import { foundEntries, NAMED_VAULTS } from '../../platform/vaults/vault-store.ts';
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

/** In each: ?1 is the text in lower case, ?2 the end of what begins with it, ?3 the most rows; id, name and fact come out. */
interface Source {
  scope: Scope;
  /** Heading above what it finds, and the page of each. */
  label: string;
  page: PageName;
  kind: string;
  sql: string;
  /** Where `sql` finds beginnings alone: what has the text inside. */
  inside?: string;
}

/** Everything that begins with `text` sorts from `text` to here. */
const endOf = (text: string): string => `${text}\u{10ffff}`;

const has = (column: string): string => `instr(lower(${column}), ?1) > 0`;

type Searched = Pick<FoundRows, 'columns' | 'fact'>;

/** Tables of a few hundred rows at most are read through: their names keep the case that they were typed in. */
const small = (table: string, { columns, fact }: Searched): string =>
  `SELECT id, ${columns[0]} AS name, ${fact} AS fact FROM ${table}
    WHERE ${columns.map(has).join(' OR ')} ORDER BY instr(lower(${columns[0]}), ?1) <> 1, ${columns[0]} LIMIT ?3`;

/** Tables that may be long have an index on each of the columns. */
const indexed = (table: string, { columns, fact }: Searched): string => {
  const all = `id, ${columns[0]} AS name, ${fact} AS fact`;
  const each = columns.map(
    (column) =>
      `SELECT * FROM (SELECT ${all} FROM ${table} WHERE ${column} >= ?1 AND ${column} < ?2 ORDER BY ${column} LIMIT ?3)`,
  );
  return `SELECT * FROM (${each.join(' UNION ')}) ORDER BY name, fact LIMIT ?3`;
};

/** Of those, what has the text anywhere. The inner statement reads one index and no row, and ends with the last that is wanted. */
const inside = (table: string, { columns, fact }: Searched): string =>
  `SELECT id, ${columns[0]} AS name, ${fact} AS fact FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table}
    WHERE ${columns.map((column) => `instr(${column}, ?1) > 0`).join(' OR ')} LIMIT ?3)`;

const ofUnits = MANIFESTS.flatMap(({ tables }) => tables).flatMap(({ name, found }): Source[] => {
  if (!found) return [];
  const { kind, label, page, resource } = found;
  const about: Omit<Source, 'sql'> = { scope: `read:${resource}`, kind, label, page };
  if (!found.indexed) return [{ ...about, sql: small(name, found) }];
  return [{ ...about, sql: indexed(name, found), inside: inside(name, found) }];
});

const named = ({ table, column }: { table: string; column: string }, fact: string): string =>
  small(table, { columns: [column], fact });

/** Kind by kind, in the order of what is found. */
export const SOURCES: readonly Source[] = [
  {
    scope: 'read:interfaces',
    kind: 'interface',
    label: 'Interfaces',
    page: 'interface',
    sql: foundInterfaces('physical', 'name', has),
  },
  { scope: 'read:vlans', kind: 'vlan', label: 'VLANs', page: 'vlan', sql: foundInterfaces('vlan', 'id', has) },
  ...ofUnits,
  { scope: 'read:vaults', kind: 'vault', label: 'Vaults', page: 'vault', sql: named(NAMED_VAULTS, 'description') },
  { scope: 'read:vaults', kind: 'vault_entry', label: 'Vault keys', page: 'vault', sql: foundEntries(has) },
  { scope: 'read:users', kind: 'user', label: 'Users', page: 'user', sql: named(NAMED_USERS, 'role') },
  {
    scope: 'read:jobs',
    kind: 'job',
    label: 'Jobs',
    page: 'job',
    sql: indexed(FOUND_JOBS.table, FOUND_JOBS),
    inside: inside(FOUND_JOBS.table, { ...FOUND_JOBS, columns: ['id', 'kind'] }),
  },
];

/** Rows that are read of a kind where several words narrow them further. */
const NARROWED_MOST = 200;

/** A source with what is left to look for in it: its own name is no part of that. */
interface Asked {
  source: Source;
  words: string[];
}

/** Words of a text, in lower case. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .slice(0, SEARCH_MAX_LENGTH)
    .split(/\s+/)
    .filter((word) => word !== '');

/** What the caller may read and has all words of the text, kind by kind; nothing for an empty text. */
export async function findAnywhere(
  database: Database,
  text: string,
  scopes: ReadonlySet<Scope>,
  limit: number,
): Promise<Found[]> {
  const words = wordsOf(text);
  const asked = SOURCES.filter(({ scope }) => scopes.has(scope)).flatMap((source): Asked[] => {
    const label = source.label.toLowerCase();
    const left = words.filter((word) => !(words.length > 1 && word.length > 2 && label.includes(word)));
    return left.length === 0 ? [] : [{ source, words: left }];
  });
  const found = await look(database, asked, ({ source }) => source.sql, limit);
  const scarce = asked.filter(({ source }) => source.inside && (found.get(source.kind)?.length ?? 0) < limit);
  const more = await look(database, scarce, ({ source }) => source.inside!, limit);
  return asked.flatMap(({ source: { kind } }) => {
    const all = [...(found.get(kind) ?? []), ...(more.get(kind) ?? [])];
    const once = new Map(all.map((each) => [`${each.id} ${each.name}`, each]));
    return [...once.values()].slice(0, limit);
  });
}

/** One statement: each source has its own three parameters. */
async function look(
  database: Database,
  asked: readonly Asked[],
  sqlOf: (each: Asked) => string,
  limit: number,
): Promise<Map<string, Found[]>> {
  if (asked.length === 0) return new Map();
  const parameters: (string | number)[] = [];
  const each = asked.map((one) => {
    const before = parameters.length;
    // The longest finds the fewest.
    const word = one.words.toSorted((a, b) => b.length - a.length)[0]!;
    parameters.push(word, endOf(word), one.words.length > 1 ? NARROWED_MOST : limit);
    const sql = sqlOf(one).replaceAll(/\?([123])/g, (_all, number: string) => `?${before + Number(number)}`);
    return `SELECT '${one.source.kind}' AS kind, * FROM (${sql})`;
  });
  const rows = await database.all<Found>(each.join(' UNION ALL '), parameters);
  const wordsOfKind = new Map(asked.map(({ source, words }) => [source.kind, words]));
  const matching = rows.filter(({ kind, name, fact }) => {
    const words = wordsOfKind.get(kind)!;
    const said = `${name} ${fact}`.toLowerCase();
    return words.length === 1 || words.every((word) => said.includes(word));
  });
  return Map.groupBy(matching, ({ kind }) => kind);
}
