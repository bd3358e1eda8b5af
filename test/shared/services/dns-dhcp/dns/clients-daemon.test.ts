// Whom the name service answers, with the real dnsmasq and nft in network namespaces (needs root): clients on the links of
// the appliance, not strangers that come by a router, and those again once their network is named.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { surroundingsOf } from '../../../../../shared/appliance/surroundings.ts';
import type { Host } from '../../../../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../../../../shared/platform/host/namespace.ts';
import type { DnsDhcpDesired } from '../../../../../shared/services/dns-dhcp/desired.ts';
import { dnsmasqDaemon } from '../../../../../shared/services/dns-dhcp/files.ts';
import { dnsMetrics } from '../../../../../shared/services/dns-dhcp/metrics.ts';
import { DNS_DHCP_DEFAULTS } from '../../../../../shared/services/dns-dhcp/settings.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { openingsOf } from '../../../../../shared/services/firewall/openings.ts';
import { firewallUnit } from '../../../../../shared/services/firewall/unit.ts';
import { desired, UI } from '../../../../fixtures/firewall/desired.ts';
import { type Lab, makeLab } from '../../../../setup/namespaces.ts';
import { until } from '../../../../setup/until.ts';
import { snapshot } from '../../../platform/interfaces/refresh/rows.ts';
import { access, management } from '../../../platform/interfaces/rows.ts';

const STRANGER = '10.99.0.5';
const STRANGER6 = 'fd99::5';
const ROWS = [
  management({ name: 'mgmt0', ipv4_cidr: '10.77.0.1/24' }),
  access({ name: 'lab0', ipv4_cidr: '10.88.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd88::1/64' }),
];
const NAMES: DnsDhcpDesired = {
  settings: { ...DNS_DHCP_DEFAULTS, enabled: true, listen_interfaces: ['lab0'], statistics: true },
  listen: [{ name: 'lab0', usable: true, addresses: ['10.88.0.1', 'fd88::1'], dynamic: false }],
  zones: ['lab.test'],
  records: [{ fqdn: 'vc01.lab.test', type: 'A', value: '10.77.0.9' }],
  dhcp: null,
};

let lab: Lab;
let host: Host;
let folder: string;

const ip = (namespace: string, ...args: string[]) =>
  expect([args, spawnSync('ip', ['-n', namespace, ...args]).status]).toEqual([args, 0]);

/** Puts the openings in force that the settings make. */
async function open(allowed_clients: string[]): Promise<void> {
  const dns = { enabled: true, listen_interfaces: ['lab0'], listen_addresses: [], allowed_clients };
  const openings = openingsOf({
    snapshot: snapshot({ services: [{ key: 'dns-dhcp', document: dns }] }),
    interfaces: ROWS,
    settings: { management_networks: [] },
    surroundings: surroundingsOf({ management_port: 0, public_listen: null }),
  });
  const listeners = [{ interface: 'mgmt0', address: '10.77.0.1' }];
  const wanted = desired({ listeners, openings: [UI({ interfaces: ['mgmt0'] }), ...openings] });
  for (const file of firewallUnit.render(wanted, host.resolve)) await host.write(file);
  await firewallUnit.activate(host, wanted, { before: null, after: new Map(), written: [], removed: [] });
  expect(await firewallUnit.probe(host, wanted)).toMatchObject({ ok: true });
}

/** Whether who asks from this address is answered, over UDP and TCP. */
const answered = (from: string): boolean[] =>
  ['+notcp', '+tcp'].map((how) => {
    const server = from.includes(':') ? '@fd88::1' : '@10.88.0.1';
    return (
      lab.inClient('dig', '+short', '+time=1', '+tries=1', how, '-b', from, server, 'vc01.lab.test') === '10.77.0.9'
    );
  });

beforeAll(async () => {
  lab = makeLab('clients');
  folder = mkdtempSync(join(tmpdir(), 'gct-clients-'));
  ip(lab.appliance, 'addr', 'add', '10.88.0.1/24', 'dev', 'lab0');
  ip(lab.appliance, 'addr', 'add', 'fd88::1/64', 'dev', 'lab0', 'nodad');
  ip(lab.client, 'addr', 'add', 'fd88::2/64', 'dev', 'c1', 'nodad');
  // The client is the router that the strangers come by.
  for (const [stranger, router] of [
    [STRANGER, '10.88.0.2'],
    [STRANGER6, 'fd88::2'],
  ] as const) {
    ip(lab.client, 'addr', 'add', stranger, 'dev', 'lo');
    ip(lab.appliance, 'route', 'add', stranger, 'via', router);
  }
  host = await namespaceHost(lab.appliance, folder);
  for (const file of dnsDhcpUnit.render(NAMES, host.resolve)) await host.write(file);
  const after = dnsDhcpUnit.facts(NAMES);
  await dnsDhcpUnit.activate(host, NAMES, { before: null, after, written: [], removed: [] });
  expect(await dnsDhcpUnit.probe(host, NAMES)).toMatchObject({ ok: true });
}, 120_000);

afterAll(async () => {
  await host?.stopDaemon(dnsmasqDaemon(host));
  lab?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const YES = [true, true];
const NO = [false, false];

test('without a firewall everybody is answered', async () => {
  // A link that has just come up tries its own address before it finds its neighbours.
  await until(async () => answered(STRANGER6).every(Boolean));
  expect([STRANGER, STRANGER6, '10.88.0.2', 'fd88::2'].map(answered)).toEqual([YES, YES, YES, YES]);
}, 120_000);

test('what it tells of itself counts the answers', async () => {
  const told = async () => {
    const families = await dnsMetrics(host, dnsDhcpUnit.facts(NAMES));
    return families.flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => [`${name} ${labels?.result ?? ''}`.trim(), value] as const),
    );
  };
  const local = async () => new Map(await told()).get('groundcrew_dns_queries local')!;
  expect((await told()).map(([name]) => name)).toEqual([
    'groundcrew_dns_queries local',
    'groundcrew_dns_queries forwarded',
    'groundcrew_dns_queries authoritative',
    'groundcrew_dns_cache_capacity',
    'groundcrew_dns_cache_insertions',
    'groundcrew_dns_cache_evictions',
  ]);
  const before = await local();
  expect(answered('10.88.0.2')).toEqual(YES);
  expect(await local()).toBeGreaterThanOrEqual(before + 2);
}, 120_000);

test('those on its links are answered, strangers beyond a router are not, and the appliance itself is', async () => {
  await open([]);
  expect([STRANGER, STRANGER6, '10.88.0.2', 'fd88::2'].map(answered)).toEqual([NO, NO, YES, YES]);
  expect(await dnsDhcpUnit.probe(host, NAMES)).toMatchObject({ ok: true });
}, 120_000);

test('a network that is named is answered, beside the own ones where they are named too', async () => {
  await open(['10.99.0.0/24', 'localnets']);
  expect([STRANGER, STRANGER6, '10.88.0.2'].map(answered)).toEqual([YES, NO, YES]);
  await open(['fd99::/64']);
  expect([STRANGER, STRANGER6, '10.88.0.2'].map(answered)).toEqual([NO, YES, NO]);
}, 120_000);

test('everybody is, where that is said', async () => {
  await open(['any']);
  expect([STRANGER, STRANGER6, '10.88.0.2'].map(answered)).toEqual([YES, YES, YES]);
}, 120_000);
