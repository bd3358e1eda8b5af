// Imports passwords and trusts a certificate by wizard, and ends itself by SIGKILL at one of the steps.
// Arguments: data folder, number of the step (0: never), server and user name of the fake; its password and the certificate
// to trust are in the environment. What it printed and what it left in the folder is for the test to look at.
import { writeSync } from 'node:fs';
import { IMPORT_TASK, TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { House } from '../setup/house.ts';
import { Walk } from '../setup/wizard-walk.ts';

const [data = '', fatal = '0', server = '', username = ''] = process.argv.slice(2);
const { FAKE_PASSWORD: password = '', CERTIFICATE: certificate = '' } = process.env;
let step = 0;
const house = await House.open({
  data,
  fresh: true,
  log: (line) => void writeSync(2, `${line}\n`),
  services: {
    checkpoint: (name) => {
      step++;
      writeSync(1, `${step} ${name}\n`);
      if (step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
    },
  },
});
const admin = await house.actor('admin');
const body = { allowed_networks: ['127.0.0.0/8'] };
await house.send('PATCH', '/api/v1/remote/settings', { token: admin.token, body });
for (const { path } of [IMPORT_TASK, TRUST_TASK]) {
  const walk = await new Walk(house, admin).open(`${path}?step=server`);
  await walk.send('Server', { server });
  await walk.send('Fingerprint', { confirm: 'yes' });
  await walk.send('Login', { username, password: `${password}-mistyped` });
  await walk.send('Login', { username, password });
  if (path === IMPORT_TASK.path) {
    await walk.send('Passwords', { into: '', new_vault: 'lab' });
    await walk.send('Import', { password });
  } else {
    await walk.send('Certificate', { certificate });
    await walk.send('Trust', { password });
    await house.appliance.runner.idle();
  }
  writeSync(1, `${walk.shown.status} ${walk.step}\n`);
}
await house.close(true);
writeSync(1, 'done\n');
process.exit(0);
