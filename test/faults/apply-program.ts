// One life of an appliance that is killed in the middle of an apply: it starts, lets the job that the former life left
// behind come to its end, says how that ended, saves one more edit, applies it, and kills itself at the named step.
// Arguments: data folder, namespace, step at which to die, number of this life, and how confirm windows end (`confirm` or
// `revert`; without it applies have none).
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { startAppliance } from '../../runtime/appliance.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { instant } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { appendAudit, verifyAudit } from '../../shared/kernel/audit/audit.ts';

const [data = '', namespace = '', dieAt = '', life = '0', ending] = process.argv.slice(2);
/** The port of the firewall's rule, in the file and in the kernel. */
const PORT = /tcp dport (2\d{4}) counter/;
const NONCE = 'nonce';
const started = performance.now();
const environment = { GROUNDCREW_DATA: data, GROUNDCREW_HOST: `namespace:${namespace}`, GROUNDCREW_LOG_LEVEL: 'error' };
const services = await openServices(readConfig(environment));
const { store, host } = services;
const listen = { host: '127.0.0.1', port: 0 };
const appliance = await startAppliance({
  services,
  assets: { manifest: {}, serve: () => false },
  listen,
  public_listen: null,
  tls: null,
});

function say(fact: Record<string, unknown>): void {
  writeSync(1, `${JSON.stringify(fact)}\n`);
}

if (life === '0') await found();
else await afterlife();
services.checkpoint = (step) => {
  if (step === dieAt) process.kill(process.pid, 'SIGKILL');
};
await edit(Number(life) + 1);
await apply(ending !== undefined);
await appliance.runner.idle();
say({
  life,
  survived: true,
  ended: await store.one('SELECT id, state FROM job ORDER BY created_at DESC, rowid DESC LIMIT 1'),
});
await appliance.stop();

/** What every life has: interfaces, DNS listening on the lab side, a zone. */
async function found(): Promise<void> {
  const links = await host.links();
  const now = instant(services.clock.now());
  await store.write(async (tx) => {
    await refreshInterfaces(tx, services, links);
    await tx.run(
      "UPDATE interface SET role = 'management', enabled = 1, ipv4_cidr = '10.77.0.1/24' WHERE name = 'mgmt0'",
    );
    await tx.run("UPDATE interface SET role = 'access', enabled = 1, ipv4_cidr = '10.88.0.1/24' WHERE name = 'lab0'");
    const settings = { enabled: true, listen_interfaces: ['lab0'] };
    await tx.run("INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, ?)", [
      JSON.stringify(settings),
      now,
    ]);
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', ?, ?)", [
      now,
      now,
    ]);
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       VALUES ('rec_a', 'vc01.lab.example', 'A', '10.88.0.10', 'zone_a', ?, ?),
              ('rec_t', 'life.lab.example', 'TXT', 'life 0', 'zone_a', ?, ?)`,
      [now, now, now, now],
    );
    await tx.run(
      `INSERT INTO firewall_rule (id, name, position, action, direction, interface, source_cidr, destination_cidr,
         protocol, ports, log, created_at, updated_at)
       VALUES ('fwr_a', 'life', 10, 'accept', 'input', '', '', '', 'tcp', '20000', 0, ?, ?)`,
      [now, now],
    );
  });
  await apply(false);
  await appliance.runner.idle();
  flushCompileCache();
  say({ founded: await jobState() });
}

/** Ends the window of an apply, if one is open once the change is complete. */
async function endWindow(): Promise<void> {
  const { window } = enforcementOf(services);
  for (;;) {
    const record = await window.read();
    const busy = await store.one("SELECT 1 FROM job WHERE state IN ('queued', 'running', 'waiting')");
    if (!busy || (record && record.state !== 'armed')) return;
    if (record?.enforced_uptime_ms) {
      if (ending === 'confirm') await window.confirm(record.plan_id, NONCE, 'test');
      else await window.extend(record.plan_id, 0.2);
      return;
    }
    await pause(20);
  }
}

/** Waits for the job that was interrupted, and says whether the files in force are all of one edit. */
async function afterlife(): Promise<void> {
  appliance.runner.wake();
  if (ending) await endWindow();
  await appliance.runner.idle();
  const took = Math.round(performance.now() - started);
  const hosts = (await host.read('/etc/groundcrew/dnsmasq/hosts/records')) ?? '';
  const conf = (await host.read('/etc/groundcrew/dnsmasq/dnsmasq.conf')) ?? '';
  const network = (await host.read('/etc/systemd/network/40-groundcrew-lab0.network')) ?? '';
  const filter = (await host.read('/etc/groundcrew/nftables/groundcrew.nft')) ?? '';
  const loaded = await host.exec('nft', ['list', 'table', 'inet', 'groundcrew']);
  say({
    life,
    took,
    job: await jobState(),
    locks: await store.all('SELECT scope FROM mutation_lock'),
    states: await store.all('SELECT unit, desired_version = applied_version AS applied FROM unit_state ORDER BY unit'),
    files: {
      record: /10\.88\.0\.(\d+)/.exec(hosts)?.[1],
      text: /life (\d+)/.exec(conf)?.[1],
      mtu: /MTUBytes=(\d+)/.exec(network)?.[1],
      port: PORT.exec(filter)?.[1],
      loaded: PORT.exec(loaded.stdout)?.[1],
    },
    audit: await verifyAudit(store, services.keys),
  });
}

async function jobState(): Promise<string | undefined> {
  return (await store.one<{ state: string }>('SELECT state FROM job ORDER BY created_at DESC, rowid DESC LIMIT 1'))
    ?.state;
}

/** Changes all four files: the hosts file, the configuration, the packet filter, and the network of the lab side. */
async function edit(n: number): Promise<void> {
  await store.write(async (tx) => {
    await tx.run("UPDATE dns_record SET value = ? WHERE id = 'rec_a'", [`10.88.0.${10 + (n % 200)}`]);
    await tx.run("UPDATE dns_record SET value = ? WHERE id = 'rec_t'", [`life ${n}`]);
    await tx.run("UPDATE firewall_rule SET ports = ? WHERE id = 'fwr_a'", [String(20_000 + n)]);
    await tx.run("UPDATE interface SET mtu = ? WHERE name = 'lab0'", [1400 + (n % 100)]);
  });
}

async function apply(windowed: boolean): Promise<void> {
  await submit(windowed);
  if (!windowed) return;
  appliance.runner.wake();
  await endWindow();
}

async function submit(windowed: boolean): Promise<void> {
  const window = windowed ? { timeout_seconds: 60, because: [], arrived_at: '', listeners: [] } : null;
  const prepared = await preparePlan(services, UNITS, 'test');
  await store.write((tx) => storePlan(tx, prepared));
  await store.write(async (tx) => {
    const { id, digest } = prepared.plan;
    await submitPlan(tx, services, id, { digest, note: '', window }, 'test');
    // The nonce is drawn by chance; here another process has to know it.
    if (window) await tx.run("UPDATE plan SET window = json_set(window, '$.nonce', ?) WHERE id = ?", [NONCE, id]);
    const context = {
      at: instant(services.clock.now()),
      actor: systemActor('test'),
      request_id: 'test',
      source_address: '',
    };
    const event = { action: 'plan.submit', resource_type: 'plan', resource_id: id };
    await appendAudit(tx, services.keys, context, event, { holdsLock: true });
  });
}
