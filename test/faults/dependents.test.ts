// An interface edit on which everything depends: whichever of its statements fails, nothing is saved; and many writers at
// once never lose an edit of one another.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { dumper } from '../fuzz/world-rows.ts';
import { type Credentials, type Heard, House, LINKS } from '../setup/house.ts';

let house: House;
let admin: Credentials;
afterEach(() => house.close());

async function call(method: string, path: string, body: unknown): Promise<{ id: string }> {
  const answer = await house.send(method, path, { token: admin.token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const LISTENING = { enabled: true, listen_interfaces: ['ens224'] };
/** Settings of every service that listens; a second interface is there for none of them. */
const SERVICES: Record<string, object> = {
  'dns-dhcp': LISTENING,
  ntp: { ...LISTENING, hostname: 'ntp.lab.example', allowed_clients: ['192.168.10.0/24'] },
  'certificate-authority': { ...LISTENING, portal_hostname: 'ca.lab.example' },
  kms: { ...LISTENING, hostname: 'kms.lab.example' },
  ldap: { ...LISTENING, hostname: 'ldap.lab.example' },
  oidc: { ...LISTENING, hostname: 'id.lab.example' },
  'private-cloud-services': { ...LISTENING, hostname: 'depot.lab.example' },
  'network-boot': { ...LISTENING, hostname: 'boot.lab.example', uefi_http_url: 'http://192.168.10.2:8081/snponly.efi' },
  'web-terminal': LISTENING,
};

/** A lab of which every part hangs on the address of ens224. */
async function furnish(): Promise<void> {
  const addresses = { ipv4_cidr: '192.168.10.2/24', ipv6_cidr: 'fd00:20::2/64' };
  await call('PATCH', '/api/v1/interfaces/physical/ens224', { role: 'access', enabled: true, ...addresses });
  await call('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  // While an operator keeps a record of the name, the appliance keeps none; later it adds its own.
  const operator = { fqdn: 'kms.lab.example', type: 'A', value: '192.168.10.9' };
  const record = await call('POST', '/api/v1/dns/records', operator);
  for (const [unit, settings] of Object.entries(SERVICES)) await call('PATCH', `/api/v1/${unit}/settings`, settings);
  const ranges = [{ start: '192.168.10.100', end: '192.168.10.199' }];
  const scope = { name: 'lab', interface: 'ens224', subnet_cidr: '192.168.10.0/24', ranges, domain: 'lab.example' };
  await call('POST', '/api/v1/dhcp/scopes', scope);
  await call('POST', '/api/v1/dhcp/options', { code: 66, value: '192.168.10.2' });
  for (const last of [31, 32, 33]) {
    const card = { hostname: `esx${last}`, mac_address: `00:50:56:0a:14:${last}` };
    const reservation = { ...card, ip_address: `192.168.10.${last}`, register_dns: true };
    await call('POST', '/api/v1/dhcp/reservations', reservation);
  }
  const host = { hostname: 'esx41', mac_address: '00:50:56:0a:14:41', ip_address: '192.168.10.41' };
  await call('POST', '/api/v1/network-boot/esxi-hosts', host);
  const volume = await call('POST', '/api/v1/storage/volumes', {
    name: 'nvme1',
    device: '/dev/disk/by-id/nvme-eui.36000c29e5f1b8a7c',
  });
  const datastore = { name: 'nfs-01', volume_id: volume.id, interface: 'ens224', address_families: ['ipv4'] };
  await call('POST', '/api/v1/storage/datastores', datastore);
  // Last: whatever follows an edit of a service or a datastore would add the own record at once.
  await call('DELETE', `/api/v1/dns/records/${record.id}`, undefined);
}

/** IPv4 moves and IPv6 goes: records are moved, added and removed. */
const RENUMBER = { ipv4_cidr: '192.168.77.3/24', ipv6_cidr: '', ipv6_enabled: false };

/** What the transaction of the edit writes. */
const WRITTEN = [
  'UPDATE interface',
  'UPDATE unit_settings',
  'UPDATE dhcp_scope',
  'UPDATE dhcp_option',
  'UPDATE dhcp_reservation',
  'UPDATE network_boot_host',
  'UPDATE storage_datastore',
  'DELETE FROM dns_record',
  'UPDATE dns_record',
  'INSERT INTO dns_record',
  'INSERT INTO audit_event',
  'COMMIT',
];

const FAULTS: Record<string, { status: number; fault: () => Error }> = {
  'an unexpected failure': { status: 500, fault: () => new Error('the disk was pulled') },
  'a full disk': { status: 507, fault: () => Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) },
};

test.each(Object.entries(FAULTS))(
  '%s at any statement of an edit leaves everything as it was',
  async (_name, { status, fault }) => {
    /** Statements of the transaction in whose call chain they run; the one that fails. */
    const running = new AsyncLocalStorage<{ statements: string[]; fails: number }>();
    house = await House.open({
      observe: (sql, connection) => {
        const run = connection === 'writer' ? running.getStore() : undefined;
        if (run && run.statements.push(sql.replaceAll(/\s+/g, ' ')) === run.fails) throw fault();
      },
    });
    admin = await house.actor('admin');
    await furnish();
    const { store } = house.services;
    // When a token was last used is not part of an edit.
    const dump = await dumper(store, ['api_token']);
    const before = await dump(store);
    const edit = async (fails: number): Promise<{ heard: Heard; statements: string[] }> => {
      const statements: string[] = [];
      const heard = await running.run({ statements, fails }, () =>
        house.send('PATCH', '/api/v1/interfaces/physical/ens224', { token: admin.token, body: RENUMBER }),
      );
      return { heard, statements };
    };
    let tried = await edit(1);
    let failures = 0;
    for (; tried.heard.status === status; tried = await edit(failures + 1)) {
      failures++;
      expect(await dump(store)).toEqual(before);
    }
    expect(tried.heard.status).toBe(200);
    expect(tried.statements.length).toBe(failures);
    for (const start of WRITTEN) {
      expect([start, tried.statements.filter((sql) => sql.startsWith(start)).length]).toEqual([start, 1]);
    }
    const after = await dump(store);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed).toEqual([
      'address_block',
      'audit_event',
      'dhcp_option',
      'dhcp_reservation',
      'dhcp_scope',
      'dns_record',
      'interface',
      'network_boot_host',
      'storage_datastore',
      'unit_settings',
      'unit_state',
    ]);
    // Networks of clients are the operator's; everything else has left the old network.
    const text = changed
      .filter((table) => table !== 'audit_event')
      .map((table) => after[table]!.replaceAll('192.168.10.0/24', ''));
    expect(text.join()).not.toContain('192.168.10.');
  },
  60_000,
);

const WRITERS = 50;
const EDITS_OF_A_WRITER = 200;
const NAMES = ['lan0', 'lan1', 'lan2', 'lan3', 'lan4'];

const links: ObservedLink[] = [
  LINKS[0]!,
  ...NAMES.map((name, at) => ({ ...LINKS[1]!, name, mac_address: `00:50:56:9c:0b:0${at}` })),
];

test(`${WRITERS} writers × ${EDITS_OF_A_WRITER} edits of ${NAMES.length} interfaces: none is lost, none is made twice`, async () => {
  house = await House.open({ links });
  admin = await house.actor('admin');
  const page = (name: string) => `/api/v1/interfaces/physical/${name}`;
  const address = (at: number, n: number) => `10.${50 + at}.${n >> 8}.${n & 255}/16`;
  for (const [at, name] of NAMES.entries()) {
    await call('PATCH', page(name), { role: 'access', enabled: true, ipv4_cidr: address(at, 1) });
  }
  await call('PATCH', '/api/v1/ntp/settings', { enabled: true, listen_interfaces: NAMES });
  const { store } = house.services;
  const events = async () =>
    (await store.one<{ n: number }>("SELECT count(*) AS n FROM audit_event WHERE action = 'network.interface.update'"))!
      .n;
  const revisions = async () =>
    (await store.all<{ revision: number }>("SELECT revision FROM interface WHERE name LIKE 'lan%' ORDER BY name")).map(
      ({ revision }) => revision,
    );
  const followed = async () =>
    (await store.one<{ revision: number; document: string }>(
      "SELECT revision, document FROM unit_settings WHERE unit = 'ntp'",
    ))!;
  const [eventsBefore, revisionsBefore, followedBefore] = [await events(), await revisions(), await followed()];

  const outcomes = new Map<number, number>();
  const successes = NAMES.map(() => 0);
  let next = 2;
  const answerOf = (method: string, name: string, headers: Record<string, string>, body?: unknown) =>
    house.appliance.answer(house.event(method, page(name), { token: admin.token, headers, body }));
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let edit = 0; edit < EDITS_OF_A_WRITER; edit++) {
        const at = (writer + edit) % NAMES.length;
        const name = NAMES[at]!;
        const read = await answerOf('GET', name, {});
        const body = { ipv4_cidr: address(at, next++) };
        const { statusCode } = await answerOf('PATCH', name, { 'if-match': read.headers.etag! }, body);
        outcomes.set(statusCode, (outcomes.get(statusCode) ?? 0) + 1);
        if (statusCode === 200) successes[at]!++;
      }
    }),
  );

  expect([...outcomes.keys()].sort()).toEqual([200, 412]);
  const all = successes.reduce((sum, each) => sum + each, 0);
  expect(outcomes.get(200)! + outcomes.get(412)!).toBe(WRITERS * EDITS_OF_A_WRITER);
  expect((await revisions()).map((revision, at) => revision - revisionsBefore[at]!)).toEqual(successes);
  expect((await events()) - eventsBefore).toBe(all);
  // Every edit moved the same document of the time service.
  const ntp = await followed();
  expect(ntp.revision - followedBefore.revision).toBe(all);
  const saved = await store.all<{ ipv4_cidr: string }>(
    "SELECT ipv4_cidr FROM interface WHERE name LIKE 'lan%' ORDER BY name",
  );
  expect(JSON.parse(ntp.document).listen_addresses).toEqual(saved.map(({ ipv4_cidr }) => ipv4_cidr.replace('/16', '')));
  console.log(`${all} of ${WRITERS * EDITS_OF_A_WRITER} edits were saved, the rest refused as stale`);
}, 300_000);
