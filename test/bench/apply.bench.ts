// The apply of 10,000 and 100,000 DNS records on the real dnsmasq in a namespace: how long plan and diff take, how long
// the whole apply, and what a client sees that asks every millisecond while ten addresses change.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { JOB_KINDS } from '../../shared/appliance/job-kinds.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { instant } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';

const ROUNDS = 6;
const BARS = [
  { records: 10_000, plan: 300, gap: 20 },
  { records: 100_000, plan: 2_000, gap: 400 },
];
const CLIENT = resolve(import.meta.dirname, '../fixtures/dns-dhcp/steady-client.ts');

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(records: number, bars: (typeof BARS)[0]): Promise<void> {
  const lab = makeLab('bench');
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
  const services = await openServices(
    readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_HOST: `namespace:${lab.appliance}`, GROUNDCREW_LOG_LEVEL: 'error' }),
  );
  const runner = new JobRunner(services, JOB_KINDS);
  try {
    await seed(services, records);
    await apply(services, runner);
    const plans: number[] = [];
    const applies: number[] = [];
    const gaps: Gap[] = [];
    const before = pidsOf(lab.appliance, 'dnsmasq').join();
    for (let round = 1; round <= ROUNDS; round++) {
      await services.store.write((tx) =>
        tx.run('UPDATE dns_record SET value = ? || (1 + substr(id, 5) % 250) WHERE rowid % ? = 1', [
          `10.200.${round}.`,
          Math.floor(records / 10),
        ]),
      );
      const started = performance.now();
      const prepared = await preparePlan(services, UNITS, 'bench');
      plans.push(performance.now() - started);
      const client = ask(lab, 3_000);
      await client.asking;
      const began = performance.now();
      await submit(services, prepared);
      await runner.idle();
      applies.push(performance.now() - began);
      gaps.push(await client.result);
    }
    const restarted = pidsOf(lab.appliance, 'dnsmasq').join() !== before;
    const gap = median(gaps.map((each) => each.longest));
    const silence = median(gaps.map((each) => each.longestSilence));
    const lost = gaps.reduce((sum, each) => sum + each.asked - each.answered, 0);
    const met = (value: number, bar: number) =>
      `${value.toFixed(0)} ms, bar ${bar}: ${value <= bar ? 'met' : 'MISSED'}`;
    console.log(`${records} records, 10 addresses change, ${ROUNDS} rounds (medians)`);
    console.log(`  plan + diff + check     ${met(median(plans), bars.plan)}`);
    console.log(
      `  whole apply             ${median(applies).toFixed(0)} ms; dnsmasq restarted: ${restarted ? 'YES' : 'no'}`,
    );
    console.log(
      `  longest wait of a client ${met(gap, bars.gap)} (range ${gaps.map((each) => each.longest.toFixed(0)).join(', ')}; longest silence ${silence.toFixed(0)} ms, ${lost} of ${gaps.reduce((sum, each) => sum + each.asked, 0)} questions unanswered)`,
    );
  } finally {
    await runner.stop();
    await services.store.close();
    lab.remove();
    rmSync(data, { recursive: true, force: true });
  }
}

async function seed(services: Services, records: number): Promise<void> {
  const links = await services.host.links();
  const now = instant(services.clock.now());
  await services.store.write(async (tx) => {
    await refreshInterfaces(tx, services, links);
    await tx.run(
      "UPDATE interface SET role = 'management', enabled = 1, ipv4_cidr = '10.77.0.1/24' WHERE name = 'mgmt0'",
    );
    await tx.run("UPDATE interface SET role = 'access', enabled = 1, ipv4_cidr = '10.88.0.1/24' WHERE name = 'lab0'");
    await tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, ?)", [
      JSON.stringify({ enabled: true, listen_interfaces: ['lab0'] }),
      now,
    ]);
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', ?, ?)", [
      now,
      now,
    ]);
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       SELECT 'rec_' || i, 'host' || i || '.lab.example', 'A', '10.' || (100 + i / 65025) || '.' || (i / 255 % 255) || '.' || (i % 255), 'zone_a', ?, ? FROM n`,
      [records - 1, now, now],
    );
  });
}

async function apply(services: Services, runner: JobRunner): Promise<void> {
  await submit(services, await preparePlan(services, UNITS, 'bench'));
  await runner.idle();
  const job = await services.store.one<{ state: string; error: string }>(
    'SELECT state, error FROM job ORDER BY rowid DESC LIMIT 1',
  );
  if (job?.state !== 'succeeded') throw new Error(`the first apply ${job?.state}: ${job?.error}`);
}

async function submit(services: Services, prepared: Awaited<ReturnType<typeof preparePlan>>): Promise<void> {
  await services.store.write(async (tx) => {
    await storePlan(tx, prepared);
    await submitPlan(tx, services, prepared.plan.id, { digest: prepared.plan.digest, note: '' }, 'bench');
    const context = {
      at: instant(services.clock.now()),
      actor: systemActor('bench'),
      request_id: 'bench',
      source_address: '',
    };
    await appendAudit(
      tx,
      services.keys,
      context,
      { action: 'plan.submit', resource_type: 'plan', resource_id: prepared.plan.id },
      { holdsLock: true },
    );
  });
}

interface Gap {
  asked: number;
  answered: number;
  longest: number;
  longestSilence: number;
}

function ask(lab: Lab, ms: number): { asking: Promise<void>; result: Promise<Gap> } {
  const child = spawn(
    'ip',
    ['netns', 'exec', lab.client, process.execPath, CLIENT, '10.88.0.1', 'host5.lab.example', String(ms)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  const asking = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Gap>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes('asking')) asking.resolve();
  });
  child.on('close', () => result.resolve(JSON.parse(output.trim().split('\n').at(-1)!) as Gap));
  return { asking: asking.promise, result: result.promise };
}

for (const bars of BARS) await measure(bars.records, bars);
