// Lookups of zones for others.
import type { Database } from '../../../ground/store/database.ts';

/** Names of all zones, sorted. */
export async function zoneNames(db: Database): Promise<string[]> {
  return (await db.all<{ name: string }>('SELECT name FROM dns_zone ORDER BY name')).map(({ name }) => name);
}

/** Ids of all zones, by name. */
export async function zoneIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.all<{ id: string; name: string }>('SELECT id, name FROM dns_zone');
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Every zone, by name. */
export async function zoneStates(db: Database): Promise<{ name: string; enabled: boolean }[]> {
  const rows = await db.all<{ name: string; enabled: number }>('SELECT name, enabled FROM dns_zone ORDER BY name');
  return rows.map(({ name, enabled }) => ({ name, enabled: enabled === 1 }));
}

/** The zone of this name; null for no managed one. */
export async function zoneState(db: Database, name: string): Promise<{ enabled: boolean } | null> {
  const row = await db.one<{ enabled: number }>('SELECT enabled FROM dns_zone WHERE name = ?', [name]);
  return row ? { enabled: row.enabled === 1 } : null;
}

/** A name and all names above it: zones that it can belong to. */
export function selfAndAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
