// What a client sees of an apply, unit by unit, with the real programs in network namespaces: it asks every 5 ms (DHCP and
// new connections: every 20 ms) while one thing changes. Printed: questions without an answer, the longest wait for an
// answer, and the longest time without any. First the changes that the units promise to make without interruption, then
// those that cost a restart.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { House } from '../setup/house.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';

/** From the folder of the checkout, where benchmarks run. */
const CLIENT = resolve('test/bench/interruption-client.ts');
const SERVER = '10.88.0.1';
const ROUNDS = Number(process.env.GROUNDCREW_BENCH_ROUNDS ?? 5);
/** Only changes whose title has this text: `NTP`, `restart`. */
const ONLY = process.env.GROUNDCREW_BENCH_ONLY ?? '';
/** Milliseconds that a client asks: what an apply of one unit takes, and a while more. */
const ASKING = 4_000;
const ECHO = `require('node:net').createServer((s) => s.on('error', () => {}).pipe(s)).listen(7007, '${SERVER}')`;

interface Seen {
  asked: number;
  answered: number;
  longest: number;
  longestSilence: number;
}

interface Change {
  what: string;
  asks: 'dns' | 'dhcp' | 'ntp' | 'tcp' | 'connect';
  /** Longest silence in milliseconds that is no interruption; null: a restart, whose cost is only shown. */
  bar: number | null;
  call(round: number): [method: string, path: string, body: object];
}

const record = (round: number, type: string, value: string) =>
  ['POST', 'dns/records', { fqdn: `n${round}.lab.example`, type, value }] as [string, string, object];

const CHANGES: readonly Change[] = [
  { what: 'DNS: an address record is added', asks: 'dns', bar: 50, call: (n) => record(n, 'A', `10.88.0.${n + 10}`) },
  {
    what: 'DHCP: a reservation is added',
    asks: 'dhcp',
    bar: 100,
    call: (n) => {
      const ends = { mac_address: `02:00:00:00:99:0${n}`, ip_address: `10.88.0.${n + 60}` };
      return ['POST', 'dhcp/reservations', { hostname: `r${n}`, ...ends }];
    },
  },
  {
    what: 'NTP: a source is added',
    asks: 'ntp',
    bar: 50,
    call: (n) => ['POST', 'ntp/sources', { address: `10.88.0.${n + 200}` }],
  },
  {
    what: 'Firewall: a rule is added, a connection that exists',
    asks: 'tcp',
    bar: 50,
    call: (n) => [
      'POST',
      'firewall/rules',
      { name: `rule ${n}`, action: 'drop', protocol: 'udp', ports: `${n + 5000}` },
    ],
  },
  {
    what: 'Firewall: a rule is added, new connections',
    asks: 'connect',
    bar: 100,
    call: (n) => [
      'POST',
      'firewall/rules',
      { name: `more ${n}`, action: 'drop', protocol: 'udp', ports: `${n + 6000}` },
    ],
  },
  {
    what: 'DNS: a zone is added',
    asks: 'dns',
    bar: 50,
    call: (n) => ['POST', 'dns/zones', { name: `z${n}.example` }],
  },
  {
    what: 'DNS: other upstream servers',
    asks: 'dns',
    bar: 50,
    call: (n) => ['PATCH', 'dns-dhcp/settings', { upstream_servers: [`10.88.0.${n + 220}`] }],
  },
  {
    what: 'DHCP: a zone of DNS is added',
    asks: 'dhcp',
    bar: 100,
    call: (n) => ['POST', 'dns/zones', { name: `y${n}.example` }],
  },
  {
    what: 'NTP: the networks of clients change',
    asks: 'ntp',
    bar: 50,
    call: (n) => ['PATCH', 'ntp/settings', { allowed_clients: ['10.88.0.0/24', `10.9${n}.0.0/16`] }],
  },
  {
    what: 'NTP: the local stratum changes',
    asks: 'ntp',
    bar: 50,
    call: (n) => ['PATCH', 'ntp/settings', { local_stratum: n + 1 }],
  },
  { what: 'DNS: a TXT record is added (restart)', asks: 'dns', bar: null, call: (n) => record(n, 'TXT', `round ${n}`) },
  {
    what: 'DHCP: the lease time changes (restart)',
    asks: 'dhcp',
    bar: null,
    call: (n) => ['PATCH', 'dhcp/scopes/@scope', { lease_time: 3600 + n }],
  },
  {
    what: 'DHCP: a TXT record of DNS is added (restart)',
    asks: 'dhcp',
    bar: null,
    call: (n) => record(n, 'TXT', `again ${n}`),
  },
  {
    what: 'NTP: the number of sources that agree changes (restart)',
    asks: 'ntp',
    bar: null,
    call: (n) => ['PATCH', 'ntp/settings', { minimum_sources: (n % 2) + 1 }],
  },
];

class Bench {
  readonly #lab: Lab;
  readonly #house: House;
  readonly #token: string;
  #scope = '';

  constructor(lab: Lab, house: House, token: string) {
    this.#lab = lab;
    this.#house = house;
    this.#token = token;
  }

  async furnish(): Promise<void> {
    const api = (...call: [string, string, object]) => this.#api(...call);
    await api('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: `${SERVER}/24`, enabled: true });
    const on = { enabled: true, listen_interfaces: ['lab0'] };
    await api('PATCH', 'dns-dhcp/settings', on);
    await api('PATCH', 'ntp/settings', { ...on, local_stratum: 10 });
    await api('POST', 'dns/zones', { name: 'lab.example' });
    await api('POST', 'dns/records', { fqdn: 'steady.lab.example', type: 'A', value: '10.88.0.9' });
    await api('PATCH', 'dhcp/settings', { enabled: true });
    const ranges = [{ start: '10.88.0.100', end: '10.88.0.150' }];
    const scope = { name: 'lab', interface: 'lab0', subnet_cidr: '10.88.0.0/24', ranges };
    this.#scope = (await api('POST', 'dhcp/scopes', scope)).id;
    const steady = { hostname: 'steady', mac_address: '02:00:00:00:5e:01', ip_address: '10.88.0.50' };
    await api('POST', 'dhcp/reservations', steady);
    await api('POST', 'firewall/rules', { name: 'echo', action: 'accept', protocol: 'tcp', ports: '7007' });
    await this.#apply();
  }

  async #api(method: string, path: string, body: object) {
    const target = `/api/v1/${path.replace('@scope', this.#scope)}`;
    const answer = await this.#house.send(method, target, { token: this.#token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async #apply(): Promise<number> {
    const { services, appliance } = this.#house;
    const { store } = services;
    const started = performance.now();
    const prepared = await preparePlan(services, UNITS, 'bench');
    const { id, digest } = prepared.plan;
    await store.write((tx) => storePlan(tx, prepared));
    await store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'bench'));
    services.notify('queue');
    await appliance.runner.idle();
    const took = performance.now() - started;
    const row = await store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [id]);
    const job = await store.one<{ error: string }>('SELECT error FROM job ORDER BY rowid DESC LIMIT 1');
    if (row?.state !== 'applied') throw new Error(`the apply is ${row?.state}: ${job?.error}`);
    return took;
  }

  async measure({ what, asks, bar, call }: Change): Promise<boolean> {
    const seen: Seen[] = [];
    const applies: number[] = [];
    const still = await this.#ask(asks).result;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await this.#api(...call(round));
      const client = this.#ask(asks);
      await client.asking;
      applies.push(await this.#apply());
      seen.push(await client.result);
    }
    const sum = (of: (one: Seen) => number) => seen.reduce((all, one) => all + of(one), 0);
    const most = (of: (one: Seen) => number) => Math.max(...seen.map(of));
    const [asked, lost] = [sum((one) => one.asked), sum((one) => one.asked - one.answered)];
    const silence = median(seen.map((one) => one.longestSilence));
    // What a busy machine does to the client without any apply is no interruption of the service.
    const allowed = Math.max(bar ?? 0, 2 * still.longestSilence);
    const met = bar === null || (silence <= allowed && lost === 0);
    console.log(what);
    console.log(
      `  ${lost} of ${asked} questions lost; longest wait ${most((one) => one.longest).toFixed(0)} ms; longest silence ` +
        `${silence.toFixed(0)} ms (median; at most ${most((one) => one.longestSilence).toFixed(0)} ms; without an apply ${still.longestSilence.toFixed(0)} ms)` +
        `${bar === null ? '' : `, bar ${allowed.toFixed(0)} ms and none lost: ${met ? 'met' : 'MISSED'}`}; plan and apply ${median(applies).toFixed(0)} ms`,
    );
    return met;
  }

  #ask(asks: Change['asks']): { asking: Promise<void>; result: Promise<Seen> } {
    const args = ['netns', 'exec', this.#lab.client, process.execPath, CLIENT, asks, SERVER, String(ASKING)];
    const child = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    const asking = Promise.withResolvers<void>();
    const result = Promise.withResolvers<Seen>();
    // Whoever waits for the result alone is told there.
    asking.promise.catch(result.reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('asking')) asking.resolve();
    });
    child.on('close', () => {
      const last = output.trim().split('\n').at(-1) ?? '';
      if (output.includes('asking')) result.resolve(JSON.parse(last) as Seen);
      else asking.reject(new Error(`${asks}: no answer at all: ${last}`));
    });
    return { asking: asking.promise, result: result.promise };
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const lab = makeLab('intr');
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
const host = await namespaceHost(lab.appliance, folder);
const house = await House.open({ host: () => ({ ...host }), links: await host.links() });
try {
  const bench = new Bench(lab, house, (await house.actor('admin')).token);
  await bench.furnish();
  // Ends with the namespace.
  spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, '-e', ECHO], { stdio: 'ignore' }).unref();
  const met: boolean[] = [];
  for (const change of CHANGES.filter(({ what }) => what.includes(ONLY))) met.push(await bench.measure(change));
  if (met.includes(false)) process.exitCode = 1;
} finally {
  await house.close();
  lab.remove();
  rmSync(folder, { recursive: true, force: true });
}
