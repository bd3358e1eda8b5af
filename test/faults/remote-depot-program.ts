// Points an appliance at the depot by wizard, and ends itself by SIGKILL at one of the steps of the job.
// Arguments: data folder in which the depot is ready, its port, number of the step (0: never), `typed` or `stored`, server
// and user name of the fake; its password is in the environment.
import { writeSync } from 'node:fs';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { Walk } from '../setup/wizard-walk.ts';

const [data = '', port = '0', fatal = '0', login = '', server = '', username = ''] = process.argv.slice(2);
const { FAKE_PASSWORD: password = '' } = process.env;
const account = { username, password };
PACE.every_ms = 5;
let step = 0;
const house = await House.open({
  data,
  depot: { port: Number(port) },
  log: (line) => void writeSync(2, `${line}\n`),
  services: {
    checkpoint: (name) => {
      if (!name.startsWith('remote-depot.')) return;
      step++;
      writeSync(1, `${step} ${name}\n`);
      if (step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
    },
  },
});
await house.appliance.followDepot();
const admin = await house.actor('admin');
const { token } = admin;
const place: Record<string, string> = { step: 'server' };
if (login === 'stored') {
  const { id: vault_id } = (await house.send('POST', '/api/v1/vaults', { token, body: { name: 'lab' } })).body;
  const body = { key: 'sddc.admin', username, value: password, uris: [`https://${server}`] };
  await house.send('POST', `/api/v1/vaults/${vault_id}/entries`, { token, body });
  const choices = await house.send('GET', `/api/v1/vaults/${vault_id}/credentials`, { token });
  Object.assign(place, { vault_id, choice_id: choices.body.items[0].choice_id });
}
const walk = await new Walk(house, admin).open(`${DEPOT_TASK.path}?${new URLSearchParams(place)}`);
await walk.send('Server', { server });
await walk.send('Fingerprint', { confirm: 'yes' });
await walk.send(login === 'stored' ? 'Read' : 'Login', login === 'stored' ? {} : account);
await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
writeSync(1, `at ${walk.step}\n`);
await walk.send('Configure', { depot_password: DEPOT_PASSWORD, ...(login === 'stored' ? {} : { password }) });
writeSync(1, `page ${walk.at}\n`);
await house.appliance.runner.idle();
await house.close(true);
writeSync(1, 'done\n');
process.exit(0);
