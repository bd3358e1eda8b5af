// Starts the appliance from the environment and stops it gracefully on SIGTERM or SIGINT.
import { join } from 'node:path';
import { DATABASE_FILE, databaseFault, StartFault } from '../shared/ground/store/open-store.ts';
import { startAppliance } from './appliance.ts';
import { loadAssets } from './assets.ts';
import { forgetAdminPassword, type ListenAddress, readConfig } from './config.ts';
import { firstStart } from './first-start.ts';
import { endWithLastWords } from './last-words.ts';
import { openServices } from './services.ts';
import { showPassword } from './show-password.ts';

const OLDEST_NODE = 22;

/** `folder`: where the build is, with its assets. */
export async function runService(folder: string): Promise<void> {
  await start(folder).catch(giveUp);
}

async function start(folder: string): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new StartFault(
      `Node ${process.versions.node} is too old: ${OLDEST_NODE} or newer is needed; start with npm start, which brings Node 24 along.`,
    );
  }
  // The database, its log and every staged file are for this user alone.
  process.umask(0o077);
  const { admin_password, ...config } = readConfig();
  forgetAdminPassword();
  const assets = loadAssets(join(folder, 'assets'));
  const services = await openServices(config, assets.manifest);
  endWithLastWords(services);
  await firstStart(services, admin_password, showPassword);
  const appliance = await startAppliance({ services, assets, ...config });
  const scheme = config.tls ? 'https' : 'http';
  services.logger.info('started', {
    management: `${scheme}://${shown(appliance.management)}`,
    public: appliance.public ? `${scheme}://${shown(appliance.public)}` : 'off',
    boot: appliance.boot ? `http://${shown(appliance.boot)}` : 'off',
    host: services.host.label,
    data: config.data,
    node: process.versions.node,
    sqlite: services.store.driver,
  });
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      services.logger.info('stopping', { signal });
      void appliance.stop().then(() => process.exit(0));
    });
  }
}

function shown({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function giveUp(reason: unknown): never {
  const isOfDatabase = (reason as { code?: string }).code?.startsWith('SQLITE_') === true;
  const error = isOfDatabase ? databaseFault(reason, join(readConfig().data, DATABASE_FILE)) : reason;
  const known = error instanceof StartFault || (error as NodeJS.ErrnoException).code?.startsWith('E');
  process.stderr.write(`groundcrew: ${known ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(1);
}
