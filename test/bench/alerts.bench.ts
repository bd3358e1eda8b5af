// An apply in rehearsal beside receivers of alerts that hang, and without any: a dead receiver must cost an apply nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../runtime/config.ts';
import { scheduled } from '../../runtime/generated/scheduled.ts';
import { openServices } from '../../runtime/services.ts';
import { Ticker } from '../../runtime/ticker.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { JOB_KINDS } from '../../shared/appliance/job-kinds.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { instant } from '../../shared/ground/clock.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { takeStep } from '../../shared/vcf/alerts/alert-store.ts';
import { confirmCertificate, createReceiver, makeSecret } from '../../shared/vcf/alerts/receiver-store.ts';
import { RULES_DEFAULTS } from '../../shared/vcf/alerts/rules.ts';
import { saveRemoteSettings } from '../../shared/vcf/connection/settings.ts';
import { startTlsTarget, type TlsTarget } from '../fakes/tls-target.ts';

/** Of a small appliance; the machine's own are left alone. */
const LINKS: ObservedLink[] = [
  {
    ...{
      name: 'ens192',
      mac_address: '00:50:56:9c:0a:01',
      driver: 'vmxnet3',
      speed_mbps: 10_000,
      mtu: 1500,
      link: 'up',
    },
    ...{ ipv4_cidrs: ['10.10.0.5/24'], ipv6_cidrs: [], vlan: null },
  },
];
const ROUNDS = 15;
const RECEIVERS = 5;
const ALERTS = 20;
/** With hanging receivers beside without; the machine's own noise is more than a tenth. */
const BAR = 1.25;
/** Of the clock, these alone: the others have work of their own. */
const WATCHED = new Set(['sendAlerts', 'watchConditions']);

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function applyOnce(services: Services, runner: JobRunner, round: number): Promise<number> {
  await services.store.write((tx) =>
    tx.run("UPDATE dns_record SET value = '10.200.0.' || ? WHERE id = 'rec_a'", [1 + (round % 250)]),
  );
  const began = performance.now();
  const prepared = await preparePlan(services, UNITS, 'bench');
  await services.store.write(async (tx) => {
    await storePlan(tx, prepared);
    const { id, digest } = prepared.plan;
    await submitPlan(tx, services, id, { digest, note: '' }, 'bench');
    const who = {
      at: instant(services.clock.now()),
      actor: systemActor('bench'),
      request_id: 'bench',
      source_address: '',
    };
    const event = { action: 'plan.submit', resource_type: 'plan', resource_id: id };
    await appendAudit(tx, services.keys, who, event, { holdsLock: true });
  });
  await runner.idle();
  const took = performance.now() - began;
  const job = await services.store.one<{ state: string; error: string }>(
    'SELECT state, error FROM job ORDER BY rowid DESC LIMIT 1',
  );
  if (job?.state !== 'succeeded') throw new Error(`the apply ${job?.state}: ${job?.error}`);
  return took;
}

/** Receivers that take a request and never answer, each with messages that wait. */
async function hanging(services: Services, server: TlsTarget): Promise<void> {
  await services.store.write(async (tx) => {
    await saveRemoteSettings(tx, services, { allowed_networks: ['127.0.0.0/8'] }, null);
    for (let at = 0; at < RECEIVERS; at++) {
      const url = `https://127.0.0.1:${server.port}/${at}`;
      const receiver = await createReceiver(tx, services, { name: `hangs ${at}`, kind: 'webhook', url });
      await confirmCertificate(tx, services, receiver, server.sha256);
      await makeSecret(tx, services, receiver.id);
    }
  });
  const present = Array.from({ length: ALERTS }, (_, at) => ({
    ...{ id: 'disk_full' as const, subject: `disk ${at}`, severity: 'critical' as const, says: 'Full.' },
  }));
  const hold = { ...RULES_DEFAULTS, open_after_seconds: 0 };
  await takeStep(services, { now: services.clock.now(), present, unknown: new Set() }, hold);
}

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const opened = await openServices(
  readConfig({ GROUNDCREW_DATA: folder, GROUNDCREW_HOST: 'rehearsal', GROUNDCREW_LOG_LEVEL: 'error' }),
);
const services: Services = { ...opened, host: { ...opened.host, links: async () => LINKS } };
const runner = new JobRunner(services, JOB_KINDS);
const server = await startTlsTarget({ answer: (request) => void request.resume() });
try {
  const now = instant(services.clock.now());
  await services.store.write(async (tx) => {
    await refreshInterfaces(tx, services, LINKS);
    await tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, ?)", [
      JSON.stringify({ enabled: true, listen_interfaces: ['ens192'] }),
      now,
    ]);
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', ?1, ?1)", [
      now,
    ]);
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       VALUES ('rec_a', 'vc01.lab.example', 'A', '10.200.0.1', 'zone_a', ?1, ?1)`,
      [now],
    );
  });
  const without: number[] = [];
  const beside: number[] = [];
  const ticker = new Ticker(
    services,
    scheduled.filter(({ spec }) => WATCHED.has(spec.id)),
  );
  for (let round = 0; round < 3; round++) await applyOnce(services, runner, round);
  ticker.start();
  for (let round = 3; round < 3 + ROUNDS; round++) without.push(await applyOnce(services, runner, round));
  await hanging(services, server);
  while (server.open < RECEIVERS) await new Promise((done) => setTimeout(done, 50));
  for (let round = 100; round < 100 + ROUNDS; round++) beside.push(await applyOnce(services, runner, round));
  const hung = server.open;
  await ticker.stop();
  const ratio = median(beside) / median(without);
  console.log(
    `an apply: ${median(without).toFixed(0)} ms without receivers, ${median(beside).toFixed(0)} ms beside ${hung} that hang with ${ALERTS} messages each: ${ratio.toFixed(2)} x, bar ${BAR}: ${ratio <= BAR ? 'met' : 'MISSED'}`,
  );
  if (ratio > BAR || hung === 0) process.exitCode = 1;
} finally {
  await server.stop();
  await runner.stop();
  await services.store.close();
  rmSync(folder, { recursive: true, force: true });
}
