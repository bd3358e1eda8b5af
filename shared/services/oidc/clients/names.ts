// The names of the clients that are let in: whom a change of the issuer concerns.
import type { Database } from '../../../ground/store/database.ts';

export async function clientsNamed(db: Database): Promise<string[]> {
  const rows = await db.all<{ name: string }>('SELECT name FROM oidc_client WHERE enabled = 1 ORDER BY name');
  return rows.map(({ name }) => name);
}
