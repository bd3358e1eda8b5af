// A first start that is killed at a named step, or goes through. Arguments: data folder, step or nothing.
import { join } from 'node:path';
import { openData } from '../../runtime/begin.ts';
import { readConfig } from '../../runtime/config.ts';
import { firstStart } from '../../runtime/first-start.ts';
import { openServices } from '../../runtime/services.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';

const [data = '', last = ''] = process.argv.slice(2);
process.umask(0o077);
if (last !== '') {
  await openData(data, systemEntropy, (step) => {
    if (step === last) process.kill(process.pid, 'SIGKILL');
  });
}
const services = await openServices(readConfig({ GROUNDCREW_DATA: join(data), GROUNDCREW_LOG_LEVEL: 'error' }));
const first = await firstStart(services, null, () => {
  if (last === 'shown') process.kill(process.pid, 'SIGKILL');
});
process.stdout.write(`${first ? 'first' : 'known'} ${services.keys.hmac('audit-chain', 'x').toString('hex')}\n`);
await services.store.close();
