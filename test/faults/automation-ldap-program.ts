// Sets the LDAP of VCF Automation by wizard, and ends itself by SIGKILL at one of the steps of the job.
// Arguments: data folder in which the directory is ready, number of the step (0: never), server and user name of the fake; its
// password is in the environment.
import { writeSync } from 'node:fs';
import { AUTOMATION, automationScene, CHOSEN, PASSWORDS } from '../setup/automation-ldap-house.ts';
import { Walk } from '../setup/wizard-walk.ts';

const [data = '', fatal = '0', server = '', username = ''] = process.argv.slice(2);
const { FAKE_PASSWORD: password = '' } = process.env;
let step = 0;
const { house, admin } = await automationScene({
  data,
  log: (line) => void writeSync(2, `${line}\n`),
  services: {
    checkpoint: (name) => {
      if (!name.startsWith('automation-ldap.')) return;
      step++;
      writeSync(1, `${step} ${name}\n`);
      if (step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
    },
  },
});
const walk = await new Walk(house, admin).open(`${AUTOMATION}?step=server`);
await walk.send('Server', { server });
await walk.send('Fingerprint', { confirm: 'yes' });
await walk.send('Login', { username, password });
await walk.send('Directory', { ...CHOSEN, replace: 'yes' });
await walk.send('Configure', { password, ...PASSWORDS });
writeSync(1, `page ${walk.at}\n`);
await house.appliance.runner.idle();
await house.close(true);
writeSync(1, 'done\n');
process.exit(0);
