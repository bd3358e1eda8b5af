// Which units listen on which interfaces, as their saved settings say, for pages that show who depends on an interface.
import type { Database } from '../store/database.ts';

export interface Binding {
  unit: string;
  /** Names of the interfaces, in the order of the settings. */
  interfaces: string[];
}

/** Units that are switched on and bound to interfaces: any whose settings document has `listen_interfaces`. */
export async function loadBindings(database: Database): Promise<Binding[]> {
  const rows = await database.all<{ unit: string; document: string }>(
    'SELECT unit, document FROM unit_settings ORDER BY unit',
  );
  return rows.flatMap(({ unit, document }) => {
    const settings = JSON.parse(document) as { enabled?: boolean; listen_interfaces?: string[] };
    return settings.enabled && settings.listen_interfaces ? [{ unit, interfaces: settings.listen_interfaces }] : [];
  });
}
