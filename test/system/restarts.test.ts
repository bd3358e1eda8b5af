// Lost questions of an apply, with the real daemons in a network namespace (needs root): a client that never asks twice
// asks all the time while one thing is changed by a plan. What is reloaded loses nothing, nor do names when dnsmasq
// restarts; where a restart may lose something, its plan says so.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import { House } from '../setup/house.ts';
import { looks } from '../setup/looks.ts';
import { type Lab, makeLab, pidsOf } from '../setup/namespaces.ts';

const CLIENT = fileURLToPath(new URL('../bench/interruption-client.ts', import.meta.url));
const SERVER = '10.88.0.1';
/** Milliseconds that the client asks, which is longer than an apply takes; on a slow machine it sees a part of it. */
const ASKING = '3000';

let lab: Lab;
let folder: string;
let house: House;
let token: string;
let scope: string;

async function api(method: string, path: string, body: object) {
  const answer = await house.send(method, `/api/v1/${path}`, { token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Reviews and applies; answers what the plan said of the interruption. */
async function apply(): Promise<string> {
  const { services, appliance } = house;
  const { store } = services;
  const prepared = await preparePlan(services, UNITS, 'test');
  const { id, digest, units } = prepared.plan;
  await store.write((tx) => storePlan(tx, prepared));
  await store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
  const row = await store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [id]);
  expect(row?.state).toBe('applied');
  const told = units.map(({ interruption }) => interruption).filter((each) => each !== 'none');
  return told.join('; ') || 'none';
}

/** Questions without an answer while the work is done. */
async function lostWhile<T>(asks: string, work: () => Promise<T>) {
  const args = ['netns', 'exec', lab.client, process.execPath, CLIENT, asks, SERVER, ASKING];
  const client = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const asking = Promise.withResolvers<void>();
  client.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes('asking')) asking.resolve();
  });
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
  await Promise.race([asking.promise, ended]);
  const done = await work();
  await ended;
  const seen = JSON.parse(output.trim().split('\n').at(-1)!) as Record<string, number>;
  const { asked = 0, answered = 0, longest = 0, longestSilence = 0 } = seen;
  return { lost: asked - answered, asked, longest, longestSilence, done };
}

beforeAll(async () => {
  lab = makeLab('lost');
  folder = mkdtempSync(join(tmpdir(), 'gct-lost-'));
  const host = await namespaceHost(lab.appliance, folder);
  house = await House.open({ host: () => ({ ...host }), links: await host.links() });
  token = (await house.actor('admin')).token;
  await api('PATCH', 'interfaces/physical/lab0', { role: 'access', ipv4_cidr: `${SERVER}/24`, enabled: true });
  const on = { enabled: true, listen_interfaces: ['lab0'] };
  await api('PATCH', 'dns-dhcp/settings', on);
  await api('PATCH', 'ntp/settings', on);
  await api('POST', 'dns/zones', { name: 'lab.example' });
  await api('POST', 'dns/records', { fqdn: 'steady.lab.example', type: 'A', value: '10.88.0.9' });
  await api('PATCH', 'dhcp/settings', { enabled: true });
  const ranges = [{ start: '10.88.0.100', end: '10.88.0.150' }];
  const made = { name: 'lab', interface: 'lab0', subnet_cidr: '10.88.0.0/24', ranges };
  scope = (await api('POST', 'dhcp/scopes', made)).id;
  const steady = { hostname: 'steady', mac_address: '02:00:00:00:5e:01', ip_address: '10.88.0.50' };
  await api('POST', 'dhcp/reservations', steady);
  await apply();
}, 120_000);

afterAll(async () => {
  await house.close();
  lab.remove();
  rmSync(folder, { recursive: true, force: true });
});

const record = (n: number, type: string, value: string): [string, string, object] => [
  'POST',
  'dns/records',
  { fqdn: `${type.toLowerCase()}${n}.lab.example`, type, value },
];

type Change = (n: number) => [method: string, path: string, body: object];

const RELOADED: readonly [asks: string, what: string, change: Change][] = [
  ['dns', 'an address', (n) => record(n, 'A', `10.88.0.${n + 10}`)],
  ['dns', 'a zone', (n) => ['POST', 'dns/zones', { name: `z${n}.example` }]],
  ['dns', 'upstream servers', (n) => ['PATCH', 'dns-dhcp/settings', { upstream_servers: [`10.88.0.${n + 220}`] }]],
  ['dhcp', 'a zone of names', (n) => ['POST', 'dns/zones', { name: `y${n}.example` }]],
  [
    'dhcp',
    'a reservation',
    (n) => {
      const ends = { mac_address: `02:00:00:00:99:0${n}`, ip_address: `10.88.0.${n + 60}` };
      return ['POST', 'dhcp/reservations', { hostname: `r${n}`, ...ends }];
    },
  ],
  ['dhcp', 'the gateway of a scope', (n) => ['PATCH', `dhcp/scopes/${scope}`, { gateway: `10.88.0.${n + 240}` }]],
  ['ntp', 'a source', (n) => ['POST', 'ntp/sources', { address: `10.88.0.${n + 200}` }]],
  [
    'ntp',
    'networks of clients',
    (n) => ['PATCH', 'ntp/settings', { allowed_clients: ['10.88.0.0/24', `10.9${n}.0.0/16`] }],
  ],
  ['ntp', 'the local stratum', (n) => ['PATCH', 'ntp/settings', { local_stratum: n + 1 }]],
];

test.each(RELOADED)('%s: %s costs no question, and the plan says so', async (asks, what, change) => {
  const before = ['dnsmasq', 'chronyd'].map((program) => pidsOf(lab.appliance, program));
  let round = 0;
  const look = async () => {
    round += 1;
    await api(...change(round));
    return lostWhile(asks, apply);
  };
  const { last, all } = await looks(look, { lost: 1 });
  console.log(`${asks}, ${what}: ${JSON.stringify(all)}`);
  expect(all.map(({ done }) => done)).toEqual(all.map(() => 'none'));
  expect(last.asked).toBeGreaterThan(0);
  expect(last.lost).toBe(0);
  expect(['dnsmasq', 'chronyd'].map((program) => pidsOf(lab.appliance, program))).toEqual(before);
});

const RESTARTED: readonly [asks: string, what: string, told: string, lossless: boolean, change: Change][] = [
  ['dns', 'a text', 'name service up to 0.3 s late', true, (n) => record(n, 'TXT', 'x')],
  ['dns', 'an alias', 'name service up to 0.3 s late', true, (n) => record(n, 'CNAME', 'steady.lab.example')],
  [
    'dns',
    'the time to live',
    'name service up to 0.3 s late',
    true,
    (n) => ['PATCH', 'dns-dhcp/settings', { ttl_seconds: 100 + n }],
  ],
  ['dhcp', 'a mail exchanger', 'DHCP up to 0.3 s; clients ask again', false, (n) => record(n, 'MX', '10 mail.example')],
  [
    'dhcp',
    'the lease time',
    'DHCP up to 0.3 s; clients ask again',
    false,
    (n) => ['PATCH', `dhcp/scopes/${scope}`, { lease_time: 3600 + n }],
  ],
  [
    'ntp',
    'how many sources agree',
    'time service up to 0.5 s; clients ask again',
    false,
    (n) => ['PATCH', 'ntp/settings', { minimum_sources: n + 1 }],
  ],
];

test.each(RESTARTED)(
  '%s: %s costs a restart, of which the plan says: %s',
  async (asks, what, told, lossless, change) => {
    let round = 0;
    const look = async () => {
      round += 1;
      await api(...change(round));
      return lostWhile(asks, apply);
    };
    const { last, all } = await looks(look, lossless ? { lost: 1 } : {});
    console.log(`${asks}, ${what}: ${JSON.stringify(all)}`);
    for (const { done } of all) expect(done).toContain(told);
    // The service is back: with everything lost it would not be.
    expect(last.lost).toBeLessThan(lossless ? 1 : last.asked);
  },
);
