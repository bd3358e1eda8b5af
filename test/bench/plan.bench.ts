// A plan of 10,000 DNS records, 2,000 reservations and 200 VLANs with one changed record, and its apply, in a rehearsal:
// against what reading, rendering and hashing the same rows costs without a plan, how long the event loop is held up,
// and how many statements it takes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { JOB_KINDS } from '../../shared/appliance/job-kinds.ts';
import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { digestOf } from '../../shared/platform/applied/baseline.ts';
import { dnsDhcpUnit } from '../../shared/services/dns-dhcp/unit.ts';
import { sowEstate } from './plan-estate.ts';

const ESTATE = { records: 10_000, reservations: 2_000, vlans: 200 };
const WIDE = { records: 0, reservations: 20_000, vlans: 2_000 };
const ROUNDS = 15;
/** Plan and diff, without the real programs' checks, against the floor; and the whole plan in milliseconds. */
const RATIO_BAR = 4;
const PLAN_BAR = 300;
/** Longest time in which nobody else's request is looked at. */
const HELD_BAR = 100;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const verdict = (value: number, bar: number, digits = 0) =>
  `${value.toFixed(digits)}, bar ${bar}: ${value <= bar ? 'met' : 'MISSED'}`;

/** The floor: every unit's rows read, rendered and hashed. */
async function floor(services: Services): Promise<number> {
  const started = performance.now();
  for (const unit of UNITS) {
    const desired = await unit.load(services.store, surroundingsOf(services.settings));
    digestOf(unit.render(desired, (path) => services.host.resolve(path)));
  }
  return performance.now() - started;
}

/** Medians of reading and of rendering what DHCP serves, with a subnet for every VLAN. */
async function wide(): Promise<{ load: number; render: number }> {
  const own = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
  const apart = await openServices(readConfig({ GROUNDCREW_DATA: own, GROUNDCREW_LOG_LEVEL: 'error' }));
  const figures = { load: [] as number[], render: [] as number[] };
  try {
    await sowEstate(apart, WIDE);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const started = performance.now();
      const desired = await dnsDhcpUnit.load(apart.store, surroundingsOf({ management_port: 0, public_listen: null }));
      const loaded = performance.now();
      dnsDhcpUnit.render(desired, (path) => path);
      figures.render.push(performance.now() - loaded);
      figures.load.push(loaded - started);
    }
  } finally {
    await apart.store.close();
    rmSync(own, { recursive: true, force: true });
  }
  return { load: median(figures.load), render: median(figures.render) };
}

const data = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
const runner = new JobRunner(services, JOB_KINDS);
const { store } = services;

/** The same services, whose reading statements are counted. */
let statements = 0;
const counting: Services = {
  ...services,
  store: new Proxy(store, {
    get(of, name) {
      if (name === 'all' || name === 'one') statements += 1;
      const member = Reflect.get(of, name) as unknown;
      return typeof member === 'function' ? member.bind(of) : member;
    },
  }),
};

async function apply(prepared: Awaited<ReturnType<typeof preparePlan>>): Promise<number> {
  const { id, digest } = prepared.plan;
  const started = performance.now();
  await store.write(async (tx) => {
    await storePlan(tx, prepared);
    await submitPlan(tx, services, id, { digest, note: '' }, 'bench');
  });
  await runner.idle();
  const took = performance.now() - started;
  const row = await store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [id]);
  const job = await store.one<{ error: string }>('SELECT error FROM job ORDER BY rowid DESC LIMIT 1');
  if (row?.state !== 'applied') throw new Error(`the apply is ${row?.state}: ${job?.error}`);
  return took;
}

try {
  await sowEstate(services, ESTATE);
  const first = performance.now();
  const whole = await preparePlan(services, UNITS, 'bench');
  const firstTook = performance.now() - first;
  const faults = whole.plan.units.flatMap(({ check }) => check?.faults ?? []);
  if (faults.length > 0) throw new Error(faults.join('; '));
  const firstApply = await apply(whole);
  const figures = { plan: [] as number[], check: [] as number[], floor: [] as number[], apply: [] as number[] };
  const held: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await store.write((tx) =>
      tx.run('UPDATE dns_record SET value = ? WHERE id = ?', [`10.254.0.${round}`, 'rec_4711']),
    );
    figures.floor.push(await floor(services));
    statements = 0;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = performance.now();
    const prepared = await preparePlan(counting, UNITS, 'bench');
    figures.plan.push(performance.now() - started);
    // What happened after the last await is seen a turn later.
    await new Promise((done) => setTimeout(done, 5));
    delay.disable();
    held.push(delay.max / 1e6);
    const { units } = prepared.plan;
    const { rows, changed } = units[0]!.diff;
    if (units.length !== 1 || changed !== 1 || rows.length !== 1) throw new Error(JSON.stringify(units[0]!.diff));
    figures.check.push(units[0]!.check?.duration_ms ?? 0);
    figures.apply.push(await apply(prepared));
  }
  const own = figures.plan.map((took, at) => took - figures.check[at]!);
  const { records, reservations, vlans } = ESTATE;
  console.log(
    `${records} records, ${reservations} reservations, ${vlans} VLANs; one record changes; ${ROUNDS} rounds (medians)`,
  );
  console.log(`  plan of everything, once     ${firstTook.toFixed(0)} ms, its apply ${firstApply.toFixed(0)} ms`);
  console.log(`  plan + diff + check          ${verdict(median(figures.plan), PLAN_BAR)} (ms)`);
  console.log(`  of it the programs' checks   ${median(figures.check).toFixed(0)} ms`);
  console.log(`  reading, rendering, hashing  ${median(figures.floor).toFixed(0)} ms`);
  console.log(
    `  plan + diff to that          ${verdict(median(own.map((took, at) => took / figures.floor[at]!)), RATIO_BAR, 2)}`,
  );
  console.log(
    `  event loop held up, longest  ${verdict(median(held), HELD_BAR)} (ms; at most ${Math.max(...held).toFixed(0)})`,
  );
  console.log(`  whole apply, in a rehearsal  ${median(figures.apply).toFixed(0)} ms`);
  console.log(`  statements of a plan         ${statements}`);
  const { load, render } = await wide();
  console.log(`${WIDE.vlans} scopes, ${WIDE.reservations} reservations`);
  console.log(`  DNS/DHCP read, then rendered ${load.toFixed(0)} ms, then ${render.toFixed(0)} ms`);
} finally {
  await runner.stop();
  await store.close();
  rmSync(data, { recursive: true, force: true });
}
