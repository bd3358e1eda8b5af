// An appliance in a namespace for the real boots, whose boot attempts live as long as the test says. Arguments: data
// folder, namespace, address of the management listener. Prints an admin's token, then listens to lines `lifetime N`
// (seconds) on its standard input, each of which it answers with `LIFETIME N`.
import { createInterface } from 'node:readline';
import { startAppliance } from '../../runtime/appliance.ts';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken } from '../../shared/kernel/access/token.ts';

const [data = '', namespace = '', listen = ''] = process.argv.slice(2);
process.umask(0o077);
const config = readConfig({
  GROUNDCREW_DATA: data,
  GROUNDCREW_HOST: `namespace:${namespace}`,
  GROUNDCREW_LISTEN: listen,
  GROUNDCREW_LOG_LEVEL: 'debug',
});
const services = await openServices(config);
await firstStart(services, 'ready the ground first', () => undefined);
const assets = { manifest: {}, serve: () => false };
const appliance = await startAppliance({ services, assets, ...config });
const admin = (await services.store.one<{ id: string }>("SELECT id FROM user WHERE name = 'admin'"))!;
const scopes = scopesOfRole('admin');
const { secret } = await services.store.write((tx) =>
  createToken(
    tx,
    services,
    { user_id: admin.id, name: 'admin', scopes },
    { name: 'boot', scopes: [...scopes], lifetime: 3600 },
  ),
);
process.stdout.write(`TOKEN ${secret}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [, seconds] = /^lifetime (\d+)$/.exec(line) ?? [];
  if (seconds !== undefined) {
    services.boot_lifetime = Number(seconds);
    process.stdout.write(`LIFETIME ${seconds}\n`);
  }
  if (line === 'stop') break;
}
await appliance.stop();
process.exit(0);
