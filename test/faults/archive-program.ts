// Restores an archive as the command line does, starts from it or resets, and ends itself by SIGKILL before the statement of the given number, on
// whichever database: the scratch one, the snapshot's, or its own. Without one it goes through and says how many there are.
// Arguments: data folder; file of the archive, or `look`: an archive of what is there goes to standard output as digest; number; way.
import { createHash } from 'node:crypto';
import { restoreArchive } from '../../runtime/cli/archive.ts';
import { resetAppliance } from '../../runtime/cli/reset.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { withCopy } from '../../shared/appliance/archive/copy.ts';
import { exportArchive } from '../../shared/appliance/archive/export.ts';
import { archiveFolder } from '../../shared/appliance/archive/kept.ts';
import { Connection } from '../../shared/ground/store/connection.ts';
import { listSnapshots } from '../../shared/ground/store/snapshots.ts';
import { Store } from '../../shared/ground/store/store.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

const [data = '', archive = '', last = '0', way = 'restore'] = process.argv.slice(2);
process.umask(0o077);
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
// The adapters are those of the test, which are saved, and not those of the machine that it runs on.
services.host = { ...services.host, links: () => Promise.reject(new Error('not looked for')) };
const WAYS: Readonly<Record<string, (services: Services) => Promise<number>>> = {
  restore: restoreArchive.parse([archive]),
  'first-start': restoreArchive.parse([archive, '--first-start']),
  reset: resetAppliance.parse(['--confirm', services.settings.hostname]),
};
if (archive === 'look') await look();
else await restore();
await services.store.close();

async function restore(): Promise<void> {
  let seen = 0;
  const observe = (): void => {
    seen += 1;
    if (seen === Number(last)) process.kill(process.pid, 'SIGKILL');
  };
  const open = Connection.open.bind(Connection);
  Connection.open = (file, purpose) => open(file, purpose, observe);
  await services.store.close();
  services.store = await Store.open(services.store.file);
  await WAYS[way]!(services);
  observe();
  process.stdout.write(`statements ${seen}\n`);
}

/** What a start finds: the digest of what an archive has, and whether all of it is whole. */
async function look(): Promise<void> {
  const { store, keys, settings } = services;
  const about = { program: '', host_name: '', created_at: '', created_by: '' };
  const hash = createHash('sha256');
  const made = withCopy(store, archiveFolder(settings), (copy) =>
    exportArchive(copy, services, { about, sealed: true }),
  );
  for await (const piece of made) hash.update(piece);
  const [check] = await store.all<{ integrity_check: string }>('PRAGMA integrity_check');
  const restores = await store.all("SELECT 1 FROM audit_event WHERE action IN ('archive.restore', 'appliance.reset')");
  const snapshots = [];
  for (const { path } of await listSnapshots(data)) {
    const snapshot = await Store.open(path);
    const [row] = await snapshot.all<{ integrity_check: string }>('PRAGMA integrity_check');
    snapshots.push(row!.integrity_check);
    await snapshot.close();
  }
  const found = {
    state: hash.digest('hex'),
    integrity: check!.integrity_check,
    broken: await store.all('PRAGMA foreign_key_check'),
    restores: restores.length,
    accounts: await store.all('SELECT name FROM user ORDER BY name'),
    chain: (await verifyAudit(store, keys)).fault,
    snapshots,
  };
  process.stdout.write(`found ${JSON.stringify(found)}\n`);
}
