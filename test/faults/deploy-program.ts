// One life of an appliance that deploys a service manager, and that may end itself by SIGKILL at one of the steps.
// Arguments: data folder, number of the life, name of the step to end at (empty: never). What it deploys to comes as JSON in
// the environment. It prints each step, and how the job stands at its end; then it types again what is asked for.
import { writeSync } from 'node:fs';
import { continuationOf, continueJob } from '../../shared/appliance/continued-jobs.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import type { TrustedTarget } from '../../shared/vcf/connection/trust.ts';
import type { TypedDeployment } from '../../shared/vcf/deployment/request.ts';
import { replaceInShell } from '../../shared/vcf/deployment/shell.ts';
import type { Choice } from '../../shared/vcf/remote/wizard-credential.ts';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { placeOva, QUICK, queueWith, requestFor } from '../deployment/deploy-request.ts';
import { detour } from '../deployment/detour.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import { House } from '../setup/house.ts';

export interface Told {
  target: TrustedTarget;
  account: { username: string; password: string };
  typed: TypedDeployment;
  appliance_port: number;
  /** The folder has an appliance with all that the extras need; its depot answers here. */
  depot_port?: number;
  /** The login at the target comes from a vault. */
  stored?: true;
  /** An address that leads to another one. */
  leads?: [from: string, to: string];
}

const [data = '', life = '1', fatal = ''] = process.argv.slice(2);
const { target, account, typed, appliance_port, ...told } = JSON.parse(process.env.DEPLOYMENT ?? '{}') as Told;
const first = life === '1';
const prepared = told.depot_port !== undefined;
PACE.every_ms = 50;
if (told.leads) detour(...told.leads);
/** Records are written: `saving` until their transaction ends, `saved` until the next statement. */
let records: 'saving' | 'saved' | null = null;
const house = await House.open({
  data,
  fresh: first && !prepared,
  ...(told.depot_port !== undefined && { depot: { port: told.depot_port } }),
  log: (line) => void writeSync(2, `${line}\n`),
  services: { checkpoint: at },
  // Each statement, before it runs.
  observe(sql, connection) {
    if (connection !== 'writer') return;
    if (records === 'saved') {
      records = null;
      at('records.saved');
    } else if (records === 'saving' && sql === 'COMMIT') {
      at('records.saving');
      records = 'saved';
    } else if (sql.startsWith('INSERT INTO dns_record')) records = 'saving';
  },
});
const { services, appliance } = house;
replaceInShell(services, { ...QUICK, appliance_port });
let id: string;
if (first) {
  if (!prepared) await prepare();
  const read = await requestFor(services, target, typed);
  if (told.stored) Object.assign(read.request, { stored: await keep() });
  id = await queueWith(services, read, told.stored ? null : account);
} else {
  id = (await services.store.one<{ id: string }>("SELECT id FROM job WHERE kind = 'sddc-manager-deployment'"))!.id;
}
await appliance.runner.idle();
await tell('job');
const asks = await continuationOf(services.store, await findJob(services.store, id));
if (asks) {
  const known: Record<string, string> = { ...account, depot_password: DEPOT_PASSWORD };
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

function at(name: string): void {
  writeSync(1, `step ${name}\n`);
  if (name === fatal) process.kill(process.pid, 'SIGKILL');
}

async function prepare(): Promise<void> {
  const { token } = await house.actor('admin');
  await house.send('PATCH', '/api/v1/remote/settings', { token, body: { allowed_networks: ['127.0.0.0/8'] } });
  await placeOva(services, { disks: [{ size: 2 << 20 }] });
}

/** The login in a vault of whoever deploys, and how it is chosen there. */
async function keep(): Promise<Choice> {
  const { token } = await house.actor('admin', undefined, 'ada');
  const { body: vault } = await house.send('POST', '/api/v1/vaults', { token, body: { name: 'lab' } });
  const uris = [`https://${target.host}:${target.port}`];
  const body = { key: 'vsphere', username: account.username, value: account.password, uris };
  await house.send('POST', `/api/v1/vaults/${vault.id}/entries`, { token, body });
  const choices = await house.send('GET', `/api/v1/vaults/${vault.id}/credentials`, { token });
  return { vault_id: vault.id, choice_id: choices.body.items[0].choice_id };
}

async function tell(word: string): Promise<void> {
  const { state, error, tasks } = await findJob(services.store, id);
  const log = tasks.flatMap((task) => task.log.map(({ text }) => text));
  const detail = error && { code: error.error_code, detail: error.detail };
  const outline = Object.fromEntries(tasks.map((task) => [task.name, task.state]));
  writeSync(1, `${word} ${JSON.stringify({ state, error: detail, log, outline })}\n`);
}
