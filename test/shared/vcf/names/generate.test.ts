// The rules of generated names, one test each, against a real database with chosen rows: what names there are, which
// addresses they get, what is skipped, what fails, and whose records a deletion takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { formatAddress, parseAddress, parseCidr } from '../../../../shared/ground/addresses/address.ts';
import { systemClock, systemEntropy } from '../../../../shared/ground/clock.ts';
import type { Problem } from '../../../../shared/ground/problems.ts';
import { openStore } from '../../../../shared/ground/store/open-store.ts';
import type { Store } from '../../../../shared/ground/store/store.ts';
import { deleteGenerated, generate, preview, requireRequest } from '../../../../shared/vcf/names/generate.ts';
import { allocateFrom } from '../../../../shared/vcf/names/load-blocks.ts';
import type { GenerateInput } from '../../../../shared/vcf/names/request.ts';
import type { Preview } from '../../../../shared/vcf/names/schemas.ts';

const data = mkdtempSync(join(tmpdir(), 'groundcrew-names-'));
const store: Store = await openStore(data);
const shell = { clock: systemClock, entropy: systemEntropy };
const NOW = '2026-03-02T09:41:07.512Z';

interface Rows {
  records?: { fqdn: string; type?: string; value: string; description?: string; enabled?: number; owner?: string[] }[];
  reservations?: [address: string, hostname: string][];
}

let count = 0;
async function fill({ records = [], reservations = [] }: Rows): Promise<void> {
  await store.write(async (tx) => {
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, description, enabled, owner_source, owner_component, owner_ref, zone_id, created_at, updated_at)
       SELECT 'rec_' || (?2 + key), value ->> 'fqdn', coalesce(value ->> 'type', iif(instr(value ->> 'value', ':'), 'AAAA', 'A')),
         value ->> 'value', coalesce(value ->> 'description', ''), coalesce(value ->> 'enabled', 1), value -> 'owner' ->> 0,
         value -> 'owner' ->> 1, value -> 'owner' ->> 2, 'zone_lab', '${NOW}', '${NOW}' FROM json_each(?1)`,
      [JSON.stringify(records), count],
    );
    await tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, enabled, created_at, updated_at)
       SELECT 'res_' || (?2 + key), value ->> 1, 'mac' || (?2 + key), iif(instr(value ->> 0, ':'), 'ipv6', 'ipv4'), value ->> 0, 0,
         '${NOW}', '${NOW}' FROM json_each(?1)`,
      [JSON.stringify(reservations), count],
    );
    count += records.length + reservations.length;
  });
}

beforeEach(async () => {
  await store.write(async (tx) => {
    for (const table of ['dns_record', 'dhcp_reservation', 'dhcp_scope', 'interface', 'unit_settings', 'dns_zone'])
      await tx.run(`DELETE FROM ${table}`);
    await tx.run(
      `INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_lab', 'lab.test', '${NOW}', '${NOW}')`,
    );
  });
});
afterAll(async () => {
  await store.close();
  rmSync(data, { recursive: true, force: true });
});

const V4: GenerateInput = { catalog: 'vvf-9.1', domain: 'lab.test', start_ipv4_cidr: '10.0.0.20/24' };
const V6: GenerateInput = { catalog: 'vvf-9.1', domain: 'lab.test', start_ipv6_cidr: 'fd00:20::20/64' };

const previewed = async (input: GenerateInput): Promise<Preview> =>
  (await preview(store, requireRequest(input, 'optional'))).preview;
const given = ({ rows }: Preview): string[] => rows.flatMap(({ addresses }) => addresses.map(({ address }) => address));
const create = (input: GenerateInput, digest?: string) =>
  store.write((tx) => generate(tx, shell, requireRequest(input, 'needed'), digest));
const failure = async (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => {
      throw new Error('nothing was refused');
    },
    (problem: Problem) => problem,
  );
const saved = () =>
  store.all<{ fqdn: string; type: string; value: string }>(
    'SELECT fqdn, type, value FROM dns_record ORDER BY fqdn, type',
  );

test('names are refused in a domain that is not managed', async () => {
  for (const domain of ['other.test', 'sub.lab.test', 'test']) {
    const { members } = await failure(previewed({ ...V4, domain }));
    expect(members.errors).toEqual([{ pointer: '/domain', detail: expect.stringMatching(/no managed zone/) }]);
  }
});

describe('allocation', () => {
  test('1. IPv4 makes A records, IPv6 AAAA records, both in one run where both are given', async () => {
    expect((await previewed(V4)).rows[0]!.addresses).toMatchObject([{ type: 'A', address: '10.0.0.20' }]);
    expect((await previewed(V6)).rows[0]!.addresses).toMatchObject([{ type: 'AAAA', address: 'fd00:20::20' }]);
    const both = await create({ ...V4, ...V6 });
    expect(both.result.created.map(({ addresses }) => addresses.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await saved()).toHaveLength(12);
  });
  test('2. begins at the entered address and goes on in order, across octets and groups', async () => {
    expect(given(await previewed(V4))).toEqual([20, 21, 22, 23, 24, 25].map((host) => `10.0.0.${host}`));
    expect(given(await previewed({ ...V4, start_ipv4_cidr: '10.0.3.253/16' }))).toEqual(
      ['3.253', '3.254', '3.255', '4.0', '4.1', '4.2'].map((host) => `10.0.${host}`),
    );
    expect(given(await previewed({ ...V6, start_ipv6_cidr: 'FD00:0020:0::FFFD/64' }))).toEqual(
      ['fffd', 'fffe', 'ffff', '1:0', '1:1', '1:2'].map((host) => `fd00:20::${host}`),
    );
  });
  test('3. passes over addresses of records of that family, disabled ones too, whatever spelling made them', async () => {
    await fill({
      records: [
        { fqdn: 'jump01.lab.test', value: '10.0.0.21' },
        { fqdn: 'off.lab.test', value: '10.0.0.23', enabled: 0 },
        { fqdn: 'text.lab.test', type: 'TXT', value: '10.0.0.24' },
        { fqdn: 'six.lab.test', value: 'fd00:20::21' },
        { fqdn: 'near.lab.test', value: '10.0.0.2' },
        { fqdn: 'near.lab.test', value: '10.0.0.200' },
      ],
    });
    const now = await previewed(V4);
    expect(given(now)).toEqual([20, 22, 24, 25, 26, 27].map((host) => `10.0.0.${host}`));
    expect(now.rows[1]!.passed_over).toEqual([{ address: '10.0.0.21', count: 1, reason: 'used, jump01.lab.test' }]);
    expect(given(await previewed(V6))).toEqual(['20', '22', '23', '24', '25', '26'].map((host) => `fd00:20::${host}`));
  });
  test('4. passes over IPv4 addresses of reservations; an IPv6 reservation is a warning', async () => {
    await fill({
      reservations: [
        ['10.0.0.20', 'esx07'],
        ['fd00:20::20', 'esx08'],
      ],
    });
    const [first] = (await previewed(V4)).rows;
    expect(first).toMatchObject({ addresses: [{ address: '10.0.0.21' }], warnings: [] });
    expect(first!.passed_over).toEqual([{ address: '10.0.0.20', count: 1, reason: 'reserved, esx07' }]);
    const [six] = (await previewed(V6)).rows;
    expect(six).toMatchObject({
      addresses: [{ address: 'fd00:20::20' }],
      warnings: ['reserved for esx08'],
    });
  });
  test.each(['A', 'AAAA', 'CNAME', 'TXT', 'MX'])(
    '5. skips a name that has a %s record, and never overwrites it',
    async (type) => {
      const value = { A: '10.9.9.9', AAAA: 'fd99::9', CNAME: 'elsewhere.lab.test' }[type] ?? 'text';
      await fill({ records: [{ fqdn: 'vc01.lab.test', type, value }] });
      const now = await previewed({ ...V4, ...V6 });
      const address = type === 'A' || type === 'AAAA';
      expect(now.rows[0]).toMatchObject({ state: address ? 'existing' : 'occupied' });
      expect(now.rows[0]!.addresses.map((one) => one.address)).toEqual(address ? [value] : []);
      expect(now.rows[1]!.addresses[0]!.address).toBe('10.0.0.20');
      const { result } = await create({ ...V4, prefix: '' });
      expect([result.created.length, result.skipped.map(({ fqdn }) => fqdn)]).toEqual([5, ['vc01.lab.test']]);
      expect((await saved()).filter(({ fqdn }) => fqdn === 'vc01.lab.test')).toEqual([
        { fqdn: 'vc01.lab.test', type, value },
      ]);
    },
  );
  test('5. compares names in lower case', async () => {
    await fill({ records: [{ fqdn: 'm01-vc01.lab.test', value: '10.9.9.9' }] });
    expect((await previewed({ ...V4, prefix: 'M01-' })).rows[0]!.state).toBe('existing');
  });

  const SHORT: [string, Partial<GenerateInput>, number, number][] = [
    ['a /29 from its third address', { start_ipv4_cidr: '10.0.0.3/29' }, 4, 2],
    ['a /30', { start_ipv4_cidr: '10.0.0.1/30' }, 2, 4],
    ['the last address of a /24', { start_ipv4_cidr: '10.0.0.254/24' }, 1, 5],
    ['the broadcast address', { start_ipv4_cidr: '10.0.0.255/24' }, 0, 6],
    ['a /126', { start_ipv4_cidr: '', start_ipv6_cidr: 'fd00::1/126' }, 3, 3],
    ['a /127', { start_ipv4_cidr: '', start_ipv6_cidr: 'fd00::1/127' }, 1, 5],
    ['the last address of a /64', { start_ipv4_cidr: '', start_ipv6_cidr: 'fd00::ffff:ffff:ffff:ffff/64' }, 1, 5],
    ['one family of two', { start_ipv6_cidr: 'fd00::1/126' }, 3, 3],
  ];
  test.each(SHORT)('6. fails as a whole, with the exact shortfall, for %s', async (_what, part, free, shortfall) => {
    const input = { ...V4, ...part };
    const now = await previewed(input);
    expect(now.networks.at(-1)).toMatchObject({ free, free_is_exact: true, shortfall, wanted: 6, next_free: null });
    expect([now.to_create, given(now)]).toEqual([0, []]);
    const problem = await failure(create(input));
    expect([problem.code, problem.status]).toEqual(['addresses_exhausted', 409]);
    const pointer = input.start_ipv6_cidr ? '/start_ipv6_cidr' : '/start_ipv4_cidr';
    expect(problem.members.errors).toEqual([
      { pointer, detail: expect.stringMatching(new RegExp(`${free} free.*6 names.*${shortfall} (?:is|are) lacking`)) },
    ]);
    expect(await saved()).toEqual([]);
  });
  test('6. a network that is full, and one that has exactly enough', async () => {
    const hosts = Array.from({ length: 14 }, (_, at) => ({ fqdn: `h${at}.lab.test`, value: `10.0.0.${at + 1}` }));
    await fill({ records: hosts });
    expect((await previewed({ ...V4, start_ipv4_cidr: '10.0.0.1/28' })).networks[0]).toMatchObject({
      free: 0,
      shortfall: 6,
    });
    const { result } = await create({ ...V4, start_ipv4_cidr: '10.0.0.17/29' });
    expect(result.created.map(({ addresses }) => addresses[0]!.address)).toEqual(
      [17, 18, 19, 20, 21, 22].map((host) => `10.0.0.${host}`),
    );
  });
  test('7. never gives the network and broadcast address, nor the subnet-router anycast address', async () => {
    expect(given(await previewed({ ...V4, start_ipv4_cidr: '10.0.0.0/29' }))).toEqual(
      [1, 2, 3, 4, 5, 6].map((host) => `10.0.0.${host}`),
    );
    expect(given(await previewed({ ...V6, start_ipv6_cidr: 'fd00::/125' }))).toEqual(
      [1, 2, 3, 4, 5, 6].map((host) => `fd00::${host}`),
    );
    expect((await previewed({ ...V4, start_ipv4_cidr: '10.0.0.0/29' })).rows[0]!.passed_over).toEqual([
      { address: '10.0.0.0', count: 1, reason: 'network address' },
    ]);
  });
  test('goes by the network of the prefix length, not by octets', async () => {
    expect(given(await previewed({ ...V4, start_ipv4_cidr: '10.0.0.62/25' }))[0]).toBe('10.0.0.62');
    expect((await failure(create({ ...V4, start_ipv4_cidr: '10.0.0.125/25' }))).message).toMatch(/2 free addresses/);
  });
});

describe('a confirmed preview', () => {
  test('is created as it was shown', async () => {
    const now = await previewed({ ...V4, ...V6 });
    const { result } = await create({ ...V4, ...V6 }, now.digest);
    expect(result.created.flatMap(({ addresses }) => addresses.map(({ address }) => address))).toEqual(given(now));
    expect((await previewed({ ...V4, ...V6 })).complete).toBe(true);
  });
  test('that would give other addresses now is refused with a fresh one, and nothing is created', async () => {
    const now = await previewed(V4);
    await fill({ reservations: [['10.0.0.22', 'esx09']] });
    const problem = await failure(create(V4, now.digest));
    expect([problem.code, problem.status]).toEqual(['preview_stale', 409]);
    expect(given(problem.members.preview as Preview)).toEqual([20, 21, 23, 24, 25, 26].map((host) => `10.0.0.${host}`));
    expect(await saved()).toEqual([]);
    await create(V4, (problem.members.preview as Preview).digest);
  });
  test('keeps its digest while what changes concerns none of its rows', async () => {
    const now = await previewed(V4);
    await fill({ records: [{ fqdn: 'far.lab.test', value: '10.0.0.200' }] });
    expect((await previewed(V4)).digest).toBe(now.digest);
  });
  test('of the same addresses, by two operators: the second gets a conflict, never other addresses', async () => {
    const [one, two] = [
      { ...V4, prefix: 'a-' },
      { ...V4, prefix: 'b-' },
    ];
    const [first, second] = [await previewed(one), await previewed(two)];
    expect(given(first)).toEqual(given(second));
    await create(one, first.digest);
    expect((await failure(create(two, second.digest))).code).toBe('preview_stale');
    expect(await saved()).toHaveLength(6);
  });
});

describe('generated records', () => {
  test('have the component as description, and their owner apart from it', async () => {
    await create({ ...V4, prefix: 'm01-' });
    const [row] = await store.all(
      "SELECT fqdn, type, value, description, enabled, owner_source, owner_ref, owner_component, zone_id FROM dns_record WHERE fqdn LIKE 'm01-vc01%'",
    );
    expect(row).toEqual({
      fqdn: 'm01-vc01.lab.test',
      type: 'A',
      value: '10.0.0.20',
      description: 'vCenter',
      enabled: 1,
      owner_source: 'vcf_helper',
      owner_ref: 'vvf-9.1',
      owner_component: 'vc01',
      zone_id: 'zone_lab',
    });
  });
  test('make the DNS unit pending', async () => {
    const version = () =>
      store.one<{ version: number }>("SELECT desired_version AS version FROM unit_state WHERE unit = 'dns-dhcp'");
    const before = (await version())!.version;
    await create(V4);
    expect((await version())!.version).toBeGreaterThan(before);
  });
});

describe('deletion', () => {
  const remove = (input: GenerateInput) => store.write((tx) => deleteGenerated(tx, requireRequest(input, 'optional')));
  const reasons = (rows: { fqdn: string; reason: string }[]) =>
    rows.map(({ fqdn, reason }) => `${fqdn.split('.')[0]}: ${reason}`);

  test('takes the owned records of the selected prefix, suffix and domain, of both families, and no others', async () => {
    for (const prefix of ['a-', 'b-']) await create({ ...V4, ...V6, prefix });
    const { deleted } = await remove({ ...V4, prefix: 'A-' });
    expect(deleted).toHaveLength(6);
    expect((await saved()).every(({ fqdn }) => fqdn.startsWith('b-'))).toBe(true);
    expect(await saved()).toHaveLength(12);
  });
  test('of VVF leaves the names that only VCF has', async () => {
    await create({ ...V4, catalog: 'vcf-9.1' });
    expect((await remove(V4)).deleted).toHaveLength(6);
    expect(await saved()).toHaveLength(11);
  });
  test('preserves every other record of the names, and says why', async () => {
    await fill({
      records: [
        { fqdn: 'vc01.lab.test', value: '10.0.0.9', description: 'The vCenter' },
        { fqdn: 'ops01.lab.test', value: '10.0.0.10', owner: ['dhcp_reservation', ''] },
        { fqdn: 'vsp01.lab.test', type: 'CNAME', value: 'vc01.lab.test' },
        { fqdn: 'fleetlcm.lab.test', value: '10.0.0.11', owner: ['vcf_helper', 'shared01'] },
        { fqdn: 'shared01.lab.test', value: '10.0.0.12', owner: ['vcf_helper', 'shared01'] },
        { fqdn: 'shared01.lab.test', type: 'TXT', value: 'a note' },
        { fqdn: 'other.lab.test', value: '10.0.0.13', description: 'vCenter' },
        { fqdn: 'license.lab.test', value: '10.0.0.14', owner: ['vcf_helper', 'license', 'sddc-manager-deployment'] },
      ],
    });
    const { deleted, preserved } = await remove(V4);
    expect(reasons(deleted)).toEqual(['shared01: ']);
    expect(reasons(preserved)).toEqual([
      'vc01: A record made by hand',
      'ops01: kept by a DHCP reservation',
      'vsp01: CNAME record',
      'fleetlcm: generated for the component shared01',
      'shared01: TXT record',
      'license: saved by a deployment',
    ]);
    expect(await saved()).toHaveLength(7);
  });
  test('takes a legacy record without owner only for exactly the expected description', async () => {
    const LEGACY: [string, string, boolean][] = [
      ['vc01', 'vCenter', true],
      ['ops01', 'vcf operations primary node', false],
      ['vsp01', 'VCF services runtime ', false],
      ['fleetlcm', 'Instance components', false],
      ['license', '', false],
    ];
    await fill({
      records: LEGACY.map(([host, description], at) => ({
        fqdn: `${host}.lab.test`,
        value: `10.0.0.${at + 1}`,
        description,
      })),
    });
    const { deleted, preserved } = await remove(V4);
    const hosts = (taken: boolean) => LEGACY.filter(([, , gone]) => gone === taken).map(([host]) => host);
    expect(deleted.map(({ component }) => component)).toEqual(hosts(true));
    expect(preserved.map(({ component }) => component)).toEqual(hosts(false));
  });
  test('preserves a record with the expected description that another part owns', async () => {
    const record = { fqdn: 'vc01.lab.test', value: '10.0.0.9', description: 'vCenter', owner: ['service', ''] };
    await fill({ records: [record] });
    expect((await remove(V4)).deleted).toEqual([]);
  });
});

describe('warnings, which refuse nothing', () => {
  const about = async (input: GenerateInput) => (await previewed(input)).rows[0]!.warnings;

  test('a dynamic pool, a gateway and an address of the appliance', async () => {
    await store.write(async (tx) => {
      await tx.run(
        `INSERT INTO interface (name, id, kind, role, enabled, ipv4_cidr, ipv4_gateway, updated_at)
         VALUES ('ens224', 'ens224', 'physical', 'access', 1, '10.0.0.2/24', '10.0.0.3', '${NOW}')`,
      );
      await tx.run(
        `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers, lease_time, domain, created_at, updated_at)
         VALUES ('s', 'lab-mgmt', 'ipv4', 'ens224', '10.0.0.0/24', '[{"start":"10.0.0.100","end":"10.0.0.199"}]', '10.0.0.1', '[]', '[]', 3600, '', '${NOW}', '${NOW}')`,
      );
    });
    const at = (host: number) => about({ ...V4, start_ipv4_cidr: `10.0.0.${host}/24` });
    expect(await at(1)).toEqual(['a gateway']);
    expect(await at(2)).toEqual(['the address of ens224 of this appliance']);
    expect(await at(3)).toEqual(['a gateway']);
    expect(await at(150)).toEqual(['in the dynamic pool of lab-mgmt']);
    expect(await at(200)).toEqual([]);
    expect(await about({ ...V4, ...V6, start_ipv4_cidr: '10.0.0.1/24' })).toEqual(['10.0.0.1: a gateway']);
  });
  test('a PTR record that names something else, of a planned and of a saved address', async () => {
    await fill({
      records: [
        { fqdn: '20.0.0.10.in-addr.arpa', type: 'PTR', value: 'old.lab.test' },
        { fqdn: 'ops01.lab.test', value: '10.0.0.50' },
        { fqdn: 'a-first.lab.test', value: '10.0.0.50' },
      ],
    });
    const { rows } = await previewed(V4);
    expect(rows[0]!.warnings).toEqual(['reverse record names old.lab.test: an installer refuses that']);
    expect(rows[1]!.warnings).toEqual(['reverse record names a-first.lab.test: an installer refuses that']);
  });
  test('names below .local, a disabled zone, a name service that is off', async () => {
    await store.write((tx) => tx.run("UPDATE dns_zone SET name = 'lab.local', enabled = 0"));
    expect((await previewed({ ...V4, domain: 'lab.local' })).warnings).toEqual([
      expect.stringMatching(/disabled/),
      expect.stringMatching(/switched off/),
      expect.stringMatching(/multicast/),
    ]);
  });
  test('ranges for nodes without names are kept apart from the names', async () => {
    await fill({ records: [{ fqdn: 'jump01.lab.test', value: '10.0.0.50' }] });
    const { networks } = await previewed({ ...V4, catalog: 'vcf-9.1' });
    expect(networks[0]!.node_ranges).toEqual([
      { purpose: 'VCF services runtime nodes', count: 30, first: '10.0.0.51', last: '10.0.0.80' },
      { purpose: 'VCF Automation nodes', count: 5, first: '10.0.0.81', last: '10.0.0.85' },
    ]);
    expect((await previewed(V4)).networks[0]!.node_ranges.map(({ count: nodes }) => nodes)).toEqual([30]);
  });
  test('a network without room for these ranges says so', async () => {
    const { networks, warnings } = await previewed({ ...V4, catalog: 'vcf-9.1', start_ipv4_cidr: '10.0.0.1/27' });
    expect(networks[0]!.node_ranges.map(({ count: nodes }) => nodes)).toEqual([5]);
    expect(warnings).toContainEqual(expect.stringMatching(/^10\.0\.0\.0\/27 has no 30 free addresses in one piece/));
    expect((await previewed({ ...V4, catalog: 'vcf-9.1' })).warnings.join()).not.toMatch(/in one piece/);
  });
  test('what is confirmed twice is told that the names are there', async () => {
    const { digest } = await previewed(V4);
    await create(V4, digest);
    const problem = await failure(create(V4, digest));
    expect([problem.code, problem.message]).toEqual(['preview_stale', expect.stringMatching(/nothing left to create/)]);
  });
  test('an address of one family does not make a name one of both', async () => {
    await create(V4);
    expect((await previewed({ ...V4, ...V6 })).warnings).toContain(
      '6 existing names have no AAAA record and will get none: existing names are never changed.',
    );
    expect((await previewed(V4)).warnings.join()).not.toMatch(/will get none/);
  });
});

describe('what is read of a network', () => {
  /** The same, the plain way. */
  function plainly(text: string, wanted: number, taken: ReadonlySet<string>): string[] {
    const start = parseCidr(text)!;
    const found: string[] = [];
    for (let value = start.address.value; value <= start.last && found.length < wanted; value += 1n) {
      const address = formatAddress(start.family, value);
      const nobody = value === start.first || (start.family === 4 && value === start.last);
      if (!nobody && !taken.has(address)) found.push(address);
    }
    return found;
  }

  const DENSE: [string, string, number][] = [
    ['10.1.0.5/16', '10.1.0.0', 3_000],
    ['10.1.0.5/16', '10.1.0.0', 9_000],
    ['10.1.14.250/20', '10.1.0.0', 4_090],
    ['fd00:20::1/64', 'fd00:20::', 9_000],
    ['fd00:20::fe0/64', 'fd00:20::f00', 70_000],
    ['fd00::1:0:0:fff0/64', 'fd00::1:0:0:ff00', 700],
    ['2001:db8:1:2:3:4:5:f0/112', '2001:db8:1:2:3:4:5:0', 5_000],
    ['fd00::ffff:ffff:ffff:f000/64', 'fd00::ffff:ffff:ffff:f000', 3_900],
  ];
  test.each(DENSE)('%s with %s and the next %i mostly taken: as the plain way finds', async (cidr, from, many) => {
    const first = parseAddress(from)!;
    // Every 997th is free; some of the others have two names, and neighbours outside are taken too.
    const addresses = Array.from({ length: many }, (_, at) => at)
      .filter((at) => at % 997 !== 5)
      .map((at) => formatAddress(first.family, first.value + BigInt(at)));
    const records = addresses.flatMap((value, at) => [
      { fqdn: `h${at}.lab.test`, value },
      ...(at % 50 === 0 ? [{ fqdn: `again${at}.lab.test`, value }] : []),
    ]);
    await fill({ records });
    const { allocation } = await allocateFrom(store, parseCidr(cidr)!, 17);
    expect(allocation.given.map(({ address }) => address)).toEqual(plainly(cidr, 17, new Set(addresses)));
  });
});
