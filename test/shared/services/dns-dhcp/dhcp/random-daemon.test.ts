// Whatever saving accepts of scopes, options and reservations, the real dnsmasq accepts too (needs root: 20 of the sets
// are started in a network namespace).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatAddress, networkOf, parseCidr } from '../../../../../shared/ground/addresses/address.ts';
import type { Host } from '../../../../../shared/ground/machine/host.ts';
import { namespaceHost } from '../../../../../shared/platform/host/namespace.ts';
import type { DhcpDesired, ServedScope } from '../../../../../shared/services/dns-dhcp/dhcp/desired.ts';
import { optionValueFault } from '../../../../../shared/services/dns-dhcp/dhcp/option-values.ts';
import { canonicalSubnet } from '../../../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { CONF_FILE, dnsmasqDaemon } from '../../../../../shared/services/dns-dhcp/files.ts';
import { dnsDhcpUnit } from '../../../../../shared/services/dns-dhcp/unit.ts';
import { desiredOf } from '../../../../fixtures/dns-dhcp/dhcp-network.ts';
import { type Lab, makeLab } from '../../../../setup/namespaces.ts';

/** One draw for all runs: what it found is the same tomorrow. */
const SEED = 20_261;

let lab: Lab;
let host: Host;
let folder: string;

beforeAll(async () => {
  lab = makeLab('dhcpr');
  folder = mkdtempSync(join(tmpdir(), 'gct-dhcpr-'));
  host = await namespaceHost(lab.appliance, folder);
});
afterAll(async () => {
  await host?.stopDaemon(dnsmasqDaemon(host));
  lab?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const whole = (max: number) => fc.integer({ min: 0, max });
const text = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,20}$/);
const domain = fc.constantFrom('', 'lab.test', 'a-b.c.example');
const server4 = fc.tuple(whole(255), whole(255)).map(([high, low]) => `10.1.${high}.${low}`);
const lease = fc.integer({ min: 120, max: 31_536_000 });
const offsets = fc.uniqueArray(fc.nat(10_000), { minLength: 0, maxLength: 8 });

/** Subnets that hosts can be in: `10.<at>.…` or `fd00:<at>::`, of any size, and some of their addresses in order. */
function subnetOf(family: 'ipv4' | 'ipv6', at: number, size: number): ReturnType<typeof parseCidr> {
  const prefix = family === 'ipv4' ? 16 + (size % 15) : 64 + (size % 63);
  const cidr = parseCidr(family === 'ipv4' ? `10.${at}.77.77/${prefix}` : `fd00:${at}::77/${prefix}`)!;
  return parseCidr(networkOf(cidr));
}

const scopeSet = fc.array(
  fc.tuple(
    fc.constantFrom('ipv4' as const, 'ipv6' as const),
    whole(62),
    offsets,
    text,
    domain,
    lease,
    fc.array(server4, { maxLength: 3 }),
    fc.boolean(),
  ),
  { minLength: 1, maxLength: 5 },
);

const options = fc.array(
  fc.tuple(fc.constantFrom(7, 13, 26, 43, 66, 67, 119, 128, 252), fc.stringMatching(/^[a-z0-9.,"\\/#:-]{1,30}$/)),
  { maxLength: 4 },
);

/** A set of scopes that saving accepts, or null; each on an interface of its own, as the rules of saving leave it. */
function acceptedOf([set, given]: [
  typeof scopeSet extends fc.Arbitrary<infer S> ? S : never,
  [number, string][],
]): DhcpDesired | null {
  const scopes: ServedScope[] = [];
  const reservations: DhcpDesired['reservations'] = [];
  for (const [at, [address_family, size, places, name, domain, lease_time, servers, none]] of set.entries()) {
    const subnet = subnetOf(address_family, at + 1, size)!;
    const room = subnet.last - subnet.first;
    const inside = [...new Set(places.map((place) => 1n + (BigInt(place) % (room > 2n ? room - 1n : 1n))))].sort(
      (a, b) => (a < b ? -1 : 1),
    );
    const addresses = inside.map((offset) => formatAddress(subnet.family, subnet.first + offset));
    const ranges = Array.from({ length: addresses.length >> 1 }, (_, pair) => ({
      start: addresses[2 * pair]!,
      end: addresses[2 * pair + 1]!,
    }));
    const written = {
      address_family,
      subnet_cidr: subnet.text,
      ranges,
      gateway: none ? 'none' : (addresses[0] ?? ''),
      dns_servers: address_family === 'ipv4' ? [...new Set(servers)] : [],
      ntp_servers: [],
    };
    const { values, faults } = canonicalSubnet(written);
    if (faults.length > 0) return null;
    const server = `${formatAddress(subnet.family, subnet.last - 1n)}/${subnet.prefix}`;
    scopes.push({
      ...values,
      id: `scope_${at}`,
      name: `${name} ${at}`,
      interface: `eth${at}`,
      lease_time,
      domain,
      server,
    });
    for (const [n, ip_address] of addresses.entries()) {
      reservations.push({
        hostname: ['h', 'infinite', '10h', 'a.lab.test'][n % 4]!.replace(/^h$/, `h${at}-${n}`),
        mac_address: `02:00:00:0${at}:0${subnet.family}:1${n}`,
        ip_address,
      });
    }
  }
  const unique = new Map(given.map(([code, value]) => [code, value]));
  return {
    authoritative: set.length % 2 === 0,
    scopes,
    options: [...unique]
      .map(([code, value]) => ({ scope_id: null, address_family: 'ipv4' as const, code, value: value.trim() }))
      .filter(({ address_family, code, value }) => optionValueFault(address_family, code, value) === null),
    reservations: reservations.filter(
      ({ ip_address }, at) => reservations.findIndex((one) => one.ip_address === ip_address) === at,
    ),
  };
}

/** Only for checks: no namespace to enter, which costs more than the check. */
const plain: Host = {
  enforces: true,
  exec: async (program: string, args: string[], given?: { input?: string }) => {
    const ran = spawnSync(program, args, { encoding: 'utf8', input: given?.input ?? '' });
    return { code: ran.status ?? 1, stdout: ran.stdout, stderr: ran.stderr };
  },
} as unknown as Host;

test('300 sets of scopes that saving accepts are accepted by dnsmasq, and 20 of them started', async () => {
  const staged = join(folder, 'random.conf');
  let [asked, started] = [0, 0];
  let [values, refused] = [0, 0];
  for (const drawn of fc.sample(fc.tuple(scopeSet, options), { numRuns: 400, seed: SEED })) {
    if (asked === 300) break;
    const dhcp = acceptedOf(drawn);
    if (!dhcp) continue;
    asked += 1;
    values += new Map(drawn[1]).size;
    refused += new Map(drawn[1]).size - dhcp.options.length;
    const desired = desiredOf(dhcp, asked % 2 === 0);
    const files = dnsDhcpUnit.render(desired, host.resolve);
    writeFileSync(staged, files.find(({ path }) => path === CONF_FILE)!.content);
    const result = await dnsDhcpUnit.check(plain, desired, () => staged);
    expect({ ...result, dhcp: result.ok || dhcp }).toMatchObject({ faults: [], program: 'dnsmasq --test', dhcp: true });
    if (asked > 20) continue;
    for (const file of files) await host.write(file);
    await dnsDhcpUnit.activate(host, desired, { before: null, after: new Map(), written: [], removed: [] });
    started += Number(await host.daemonRunning(dnsmasqDaemon(host)));
    await host.stopDaemon(dnsmasqDaemon(host));
  }
  console.log(JSON.stringify({ asked, started, values, refused }));
  expect([asked, started]).toEqual([300, 20]);
}, 300_000);
