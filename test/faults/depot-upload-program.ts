// One life of an appliance that takes uploads into the depot and is killed at the named step, or by somebody else.
// Arguments: data folder, step (`none`: no step).
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { startAppliance } from '../../runtime/appliance.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { hashPassword } from '../../shared/kernel/access/password.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { createToken } from '../../shared/kernel/access/token.ts';
import { createUser } from '../../shared/kernel/access/user.ts';

const [data = '', fatal = 'none'] = process.argv.slice(2);
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
services.checkpoint = (step) => {
  if (step === fatal) process.kill(process.pid, 'SIGKILL');
};
const token = tokenOf() ?? (await newToken());
const { management } = await startAppliance({
  services,
  assets: { manifest: {}, serve: () => false },
  listen: { host: '127.0.0.1', port: 0 },
  public_listen: null,
  tls: null,
});
flushCompileCache();
writeSync(1, `ready http://127.0.0.1:${management.port} ${token}\n`);

function tokenOf(): string | null {
  try {
    return readFileSync(`${data}/token`, 'utf8');
  } catch {
    return null;
  }
}

async function newToken(): Promise<string> {
  const password_hash = await hashPassword('correct horse battery');
  const { secret } = await services.store.write(async (tx) => {
    const user = await createUser(tx, services, { name: 'admin', role: 'admin', password_hash });
    const owner = { user_id: user.id, name: user.name, scopes: scopesOfRole('admin') };
    return createToken(tx, services, owner, { name: 'first', scopes: [...owner.scopes], lifetime: 86_400 });
  });
  writeFileSync(`${data}/token`, secret);
  return secret;
}
