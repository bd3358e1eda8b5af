// An archive names interfaces; the same adapter may have another name here. It is found by its MAC address, then by its
// name, and everything that names it follows. Pure.
import type { ArchiveRow, Json, State } from './rows.ts';
import { SETTINGS_TABLE, TABLES, type Table } from './tables.ts';

/** Name in the archive → name here, where the two differ. */
export type Renamed = ReadonlyMap<string, string>;

interface Adapter {
  kind: string;
  name: string;
  mac_address: string;
}

/** Pairs of adapters: each is taken once, and a MAC address weighs more than a name. */
export function renamedBetween(archived: readonly Adapter[], here: readonly Adapter[]): Renamed {
  const physical = (rows: readonly Adapter[]) => rows.filter(({ kind }) => kind === 'physical');
  const free = new Map(physical(here).map((row) => [row.name, row]));
  const names = new Map<string, string>();
  for (const row of physical(archived)) {
    const [same] = [...free.values()].filter(
      ({ mac_address }) => mac_address !== '' && mac_address === row.mac_address,
    );
    if (!same) continue;
    names.set(row.name, same.name);
    free.delete(same.name);
  }
  for (const { name } of physical(archived)) if (!names.has(name) && free.delete(name)) names.set(name, name);
  // A name that somebody else bears here now is no way to call one that is not here.
  const borne = new Set(names.values());
  for (const { name } of physical(archived))
    if (!names.has(name)) names.set(name, borne.has(name) ? `${name}-absent` : name);
  for (const row of archived) if (row.kind === 'vlan') names.set(row.name, vlanName(row.name, names));
  return new Map([...names].filter(([from, to]) => from !== to));
}

/** `ens192.20` follows `ens192`. */
function vlanName(name: string, names: ReadonlyMap<string, string>): string {
  const dot = name.lastIndexOf('.');
  const parent = name.slice(0, dot);
  return dot < 0 ? name : `${names.get(parent) ?? parent}${name.slice(dot)}`;
}

/** Members of settings documents that name interfaces. */
const MEMBERS = ['listen_interfaces', 'interface'];

const renamed = (value: Json | undefined, names: Renamed): Json =>
  Array.isArray(value)
    ? value.map((each) => renamed(each, names))
    : typeof value === 'string'
      ? (names.get(value) ?? value)
      : (value ?? null);

/** The whole state with the names of here. */
export function mapInterfaces(state: State, names: Renamed): State {
  if (names.size === 0) return state;
  return new Map(
    [...state].map(([name, rows]) => {
      const table = TABLES.find((each) => each.name === name)!;
      return [name, rows.map((row) => mappedRow(table, row, names))];
    }),
  );
}

function mappedRow({ name, interfaces }: Table, row: ArchiveRow, names: Renamed): ArchiveRow {
  if (name === SETTINGS_TABLE.name) {
    const document = row.document as Record<string, Json>;
    const followed = MEMBERS.filter((member) => member in document).map((member) => [
      member,
      renamed(document[member], names),
    ]);
    return followed.length === 0 ? row : { ...row, document: { ...document, ...Object.fromEntries(followed) } };
  }
  if (interfaces.length === 0) return row;
  const mapped = { ...row };
  for (const column of interfaces) mapped[column] = renamed(row[column], names);
  // A physical interface is identified by its name.
  return name === 'interface' && row.kind === 'physical' ? { ...mapped, id: String(mapped.name) } : mapped;
}
