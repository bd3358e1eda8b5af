// 200 datastores in a network namespace (needs root): seconds for the plan and the apply of one change; and what a host writes and
// reads through an export of NFS 3, against the same server started by hand with one export and nothing else. Argument: the program
// of the host.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { storageUnit } from '../../shared/services/storage/unit.ts';
import { House } from '../setup/house.ts';
import { makeLab } from '../setup/namespaces.ts';
import { takeTurns, UNITS } from './throughput.ts';

const DATASTORES = Number(process.env.DATASTORES ?? 200);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Bundled beside this program. */
const client = process.argv[2]!;
const CHANGE_BAR = 1;
const TURNS = Number(process.env.TURNS ?? 15);
const RATIO_BAR = 0.95;
const V4 = '10.88.0.1';
const HOST4 = '10.88.0.2';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const lab = makeLab('nfsbench');
const folder = mkdtempSync(join(tmpdir(), 'gct-nfsbench-'));
const data = mkdtempSync(join(folder, 'data-'));
const real = await namespaceHost(lab.appliance, data);
const spans: string[] = [];
/** What the host was asked for, and for how many milliseconds: `VERBOSE=1` tells it of each round. */
function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  return run().finally(() => spans.push(`${what} ${(performance.now() - began).toFixed(0)} ms`));
}
const host: typeof real = {
  ...real,
  exec: (program, args, options) =>
    timed(`${program} ${args.join(' ').slice(0, 40)}`, () => real.exec(program, args, options)),
  startDaemon: (daemon) => timed('start', () => real.startDaemon(daemon)),
  stopDaemon: (daemon) => timed('stop', () => real.stopDaemon(daemon)),
  reloadDaemon: (daemon) => timed('reload', () => real.reloadDaemon(daemon)),
};
const house = await House.open({ data, fresh: true, host: () => ({ ...host }), links: await host.links() });
const admin = await house.actor('admin');
const { services, appliance } = house;

async function api(method: string, path: string, body?: unknown) {
  const answer = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

let lastJob: unknown;
async function apply(): Promise<{ planned: number; applied: number }> {
  const began = performance.now();
  const prepared = await preparePlan(services, [networkUnit, storageUnit], 'bench', { units: ['storage'] });
  const planned = performance.now();
  const { id, digest } = prepared.plan;
  await services.store.write((tx) => storePlan(tx, prepared));
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'bench'));
  services.notify('queue');
  await appliance.runner.idle();
  const ended = performance.now();
  const job = await findJob(services.store, job_id!);
  lastJob = job;
  if (job.state !== 'succeeded') throw new Error(JSON.stringify(job.error));
  return { planned: (planned - began) / 1000, applied: (ended - planned) / 1000 };
}

try {
  await api('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: `${V4}/24`, enabled: true });
  await api('PATCH', 'storage/settings', { enabled: true });
  const { id: volume_id } = await api('POST', 'storage/volumes', { name: 'v', device: '/dev/disk/by-id/scsi-1' });
  const serving = { volume_id, interface: 'lab0', address_families: ['ipv4'], ipv4_clients: [HOST4] };
  let last = '';
  for (let at = 0; at < DATASTORES; at += 1) {
    const nfs_version = at === 0 ? '3' : '4.1';
    ({ id: last } = await api('POST', 'storage/datastores', { ...serving, name: `lab-${at}`, nfs_version }));
  }
  const first = await apply();
  console.log(`${DATASTORES} datastores, first apply: ${first.applied.toFixed(2)} s`);
  const rounds: { planned: number; applied: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await api('PATCH', `storage/datastores/${last}`, {
      ipv4_clients: round % 2 === 0 ? [HOST4, '10.88.0.3'] : [HOST4],
    });
    spans.length = 0;
    rounds.push(await apply());
    if (process.env.VERBOSE) console.log(rounds.at(-1), spans.join('\n'), JSON.stringify(lastJob));
  }
  const [planned, applied] = [median(rounds.map((one) => one.planned)), median(rounds.map((one) => one.applied))];
  const whole = planned + applied;
  console.log(
    `one change: plan ${planned.toFixed(2)} s, apply ${applied.toFixed(2)} s, together ${whole.toFixed(2)} s, bar ${CHANGE_BAR}: ${whole <= CHANGE_BAR ? 'met' : 'MISSED'}`,
  );
  const sides = { client: lab.client, path: '/srv/datastores/v/lab-0' };
  const turns = await takeTurns({ program: client, address: V4 }, sides, folder, TURNS);
  for (const way of ['write', 'read', 'small'] as const) {
    const [own, other] = [0, 1].map((side) => median(turns.map((both) => both[side as 0 | 1][way])));
    const ratio = median(turns.map(([one, two]) => one[way] / two[way]));
    console.log(
      `${way}: ${own!.toFixed(0)} ${UNITS[way]}, by hand ${other!.toFixed(0)}, ratio ${ratio.toFixed(2)}, bar ${RATIO_BAR}: ${ratio >= RATIO_BAR ? 'met' : 'MISSED'}`,
    );
    if (process.env.VERBOSE)
      console.log(turns.map((both) => both.map((one) => one[way].toFixed(0)).join('/')).join(' '));
  }
} finally {
  await house.close();
  lab.remove();
  rmSync(folder, { recursive: true, force: true });
}
