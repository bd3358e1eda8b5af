// Which volumes are mounted, for whoever looks at how full they are.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';

/** `volume nvme0` → its path on this machine. Without its file system mounted, the path is a folder of another disk: it is left out. */
export async function mountedVolumes(db: Database, host: Pick<Host, 'resolve'>): Promise<Record<string, string>> {
  const rows = await db.all<{ name: string; mount_path: string }>(
    'SELECT name, mount_path FROM storage_volume WHERE enabled = 1 ORDER BY name',
  );
  const found = await Promise.all(
    rows.map(async ({ name, mount_path }): Promise<[string, string][]> => {
      const path = host.resolve(mount_path);
      const [own, above] = await Promise.all([path, dirname(path)].map((each) => stat(each).catch(() => null)));
      return own && above && own.dev !== above.dev ? [[`volume ${name}`, path]] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}
