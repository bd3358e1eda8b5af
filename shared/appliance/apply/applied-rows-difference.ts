// How two states of a unit's rows differ: what has to be added, changed and removed to come from one to the other. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { changesBetween } from '../../platform/interfaces/interface-resource.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { KeptRow, UnitRows } from './applied-rows.ts';
import { KEPT, type KeptDocument, type KeptTable } from './applied-rows-tables.ts';

export interface TableDifference {
  table: KeptTable;
  /** Rows that are not there now, as they are to be. */
  added: KeptRow[];
  /** As they are to be, but with the revision and creation time of the rows that are there now. */
  changed: KeptRow[];
  /** Ids. */
  removed: string[];
  /** Rows beside those above, too many to be in memory. No unique text of one of them is that of another. */
  stream?: RowStream;
}

/** Pages of JSON texts. */
export interface RowStream {
  /** Rows to be written as they are; `more`: added to the revision of those that are not there now. */
  coming(more: number): AsyncIterable<string>;
  /** Ids of rows that go. */
  going(): AsyncIterable<string>;
}

export interface DocumentDifference {
  document: KeptDocument;
  /** The document to be, as JSON. */
  text: string;
}

/** What a collection gains, changes and loses. */
export interface Counts {
  unit: UnitId;
  collection: string;
  label: string;
  added: number;
  changed: number;
  removed: number;
}

const idOf = (row: KeptRow): string => String(row[0]);
const REVISION_AT = -2;
export const revisionOf = (row: KeptRow): number => Number(row.at(REVISION_AT));
/** The row without what counts its changes. */
const valuesOf = (row: KeptRow): string => JSON.stringify(row.slice(0, REVISION_AT));

/** From the rows `now` to the rows `wanted`. */
export function differenceOf(unit: UnitId, now: UnitRows, wanted: UnitRows): TableDifference[] {
  return KEPT[unit]!.tables.map((table) => {
    const standing = new Map(now.tables[table.name]!.rows.map((row) => [idOf(row), row]));
    const rows = wanted.tables[table.name]!.rows;
    const ids = new Set(rows.map(idOf));
    const changed = rows.flatMap((row): KeptRow[] => {
      const was = standing.get(idOf(row));
      if (!was || valuesOf(was) === valuesOf(row)) return [];
      return [[...row.slice(0, REVISION_AT), ...was.slice(REVISION_AT)]];
    });
    return {
      table,
      added: rows.filter((row) => !standing.has(idOf(row))),
      changed,
      removed: [...standing.keys()].filter((id) => !ids.has(id)),
    };
  });
}

const parsed = (text: string | null | undefined, { defaults }: KeptDocument): unknown =>
  text === null || text === undefined ? defaults : JSON.parse(text);

export function documentsBetween(unit: UnitId, now: UnitRows, wanted: UnitRows): DocumentDifference[] {
  return KEPT[unit]!.documents.flatMap((document) => {
    const [is, becomes] = [now, wanted].map(({ documents }) => parsed(documents[document.key], document));
    if (isDeepStrictEqual(is, becomes)) return [];
    return [{ document, text: wanted.documents[document.key] ?? JSON.stringify(document.defaults) }];
  });
}

export interface InterfaceDifference {
  /** New VLANs and edited rows, whole. */
  saved: NetworkInterface[];
  /** VLANs that go. */
  removed: NetworkInterface[];
}

/** Desired settings only: what was observed, and adapters that came or went, are facts. VLANs come and go. */
export function interfacesBetween(
  now: readonly NetworkInterface[],
  wanted: readonly NetworkInterface[],
): InterfaceDifference {
  const standing = new Map(now.map((row) => [row.id, row]));
  const ids = new Set(wanted.map(({ id }) => id));
  const saved = wanted.flatMap((row): NetworkInterface[] => {
    const was = standing.get(row.id);
    if (!was) return row.kind === 'vlan' ? [row] : [];
    const changes = changesBetween(was, row);
    if (changes.length === 0) return [];
    return [{ ...was, ...Object.fromEntries(changes.map(({ property, to }) => [property, to])) }];
  });
  return { saved, removed: now.filter((row) => row.kind === 'vlan' && !ids.has(row.id)) };
}

/** What came, changed and went between two states, collection by collection; those without a difference are left out. */
export function countsBetween(unit: UnitId, now: UnitRows, wanted: UnitRows): Counts[] {
  const tables = differenceOf(unit, now, wanted).map(({ table, added, changed, removed }) => ({
    collection: table.collection,
    label: table.label,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
  }));
  const changes = documentsBetween(unit, now, wanted).map(({ document: { key, label } }) => ({
    collection: `${key.replaceAll('-', '_')}_settings`,
    label,
    added: 0,
    changed: 1,
    removed: 0,
  }));
  const interfaces = KEPT[unit]!.interfaces ? interfaceCounts(now.interfaces, wanted.interfaces) : [];
  return [...interfaces, ...tables, ...changes]
    .filter(({ added, changed, removed }) => added + changed + removed > 0)
    .map((counts) => ({ unit, ...counts }));
}

function interfaceCounts(now: readonly NetworkInterface[], wanted: readonly NetworkInterface[]) {
  const { saved, removed } = interfacesBetween(now, wanted);
  const known = new Set(now.map(({ id }) => id));
  const vlans = saved.filter(({ kind }) => kind === 'vlan');
  const added = vlans.filter(({ id }) => !known.has(id)).length;
  const edited = saved.length - vlans.length;
  return [
    { collection: 'interfaces', label: 'Interfaces', added: 0, changed: edited, removed: 0 },
    { collection: 'vlans', label: 'VLANs', added, changed: vlans.length - added, removed: removed.length },
  ];
}
