// One life of an appliance that deploys a service manager, and that may end itself by SIGKILL at one of the steps.
// Arguments: data folder, number of the life, number of the step to end at (0: never). What it deploys to comes as JSON in
// the environment. It prints each step, and how the job stands at its end; then it types again what is asked for.
import { writeSync } from 'node:fs';
import { continuationOf, continueJob } from '../../shared/jobs/continued.ts';
import { findJob } from '../../shared/jobs/job.ts';
import { jobSecrets } from '../../shared/jobs/secrets.ts';
import type { TrustedTarget } from '../../shared/remote/trust.ts';
import type { TypedDeployment } from '../../shared/vcf-helper/deployment/request.ts';
import { replaceInShell } from '../../shared/vcf-helper/deployment/shell.ts';
import { placeOva, QUICK, queueWith, requestFor } from '../deployment/deploy-request.ts';
import { House } from '../setup/house.ts';

export interface Told {
  target: TrustedTarget;
  account: { username: string; password: string };
  typed: TypedDeployment;
  appliance_port: number;
}

const [data = '', life = '1', fatal = '0'] = process.argv.slice(2);
const { target, account, typed, appliance_port } = JSON.parse(process.env.DEPLOYMENT ?? '{}') as Told;
const first = life === '1';
let step = 0;
const house = await House.open({
  data,
  fresh: first,
  log: (line) => void writeSync(2, `${line}\n`),
  services: {
    checkpoint: (name) => {
      step++;
      writeSync(1, `step ${name}\n`);
      if (step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
    },
  },
});
const { services, appliance } = house;
replaceInShell(services, { ...QUICK, appliance_port });
let id: string;
if (first) {
  const { token } = await house.actor('admin');
  await house.send('PATCH', '/api/v1/remote/settings', { token, body: { allowed_networks: ['127.0.0.0/8'] } });
  await placeOva(services, { disks: [{ size: 2 << 20 }] });
  id = await queueWith(services, await requestFor(services, target, typed), account);
} else {
  id = (await services.store.one<{ id: string }>("SELECT id FROM job WHERE kind = 'sddc-manager-deployment'"))!.id;
}
await appliance.runner.idle();
await tell('job');
const asks = await continuationOf(services.store, await findJob(services.store, id));
if (asks) {
  const known: Record<string, string> = { ...account };
  for (const [key, value] of Object.entries(typed.properties)) known[`property:${key}`] = value;
  const answers = Object.fromEntries(asks.fields.map(({ name }) => [name, known[name] ?? '']));
  writeSync(1, `asked ${JSON.stringify(Object.keys(answers))}\n`);
  const actor = { scopes: new Set(['write:depot']), role: 'admin' } as never;
  const { typed: secrets } = await services.store.write((tx) => continueJob(tx, actor, id, answers));
  jobSecrets(services).put(id, secrets);
  await appliance.runner.idle();
  await tell('again');
}
await house.close(true);
process.exit(0);

async function tell(word: string): Promise<void> {
  const { state, error, tasks } = await findJob(services.store, id);
  const log = tasks.flatMap((task) => task.log.map(({ text }) => text));
  const detail = error && { code: error.error_code, detail: error.detail };
  writeSync(1, `${word} ${JSON.stringify({ state, error: detail, log })}\n`);
}
