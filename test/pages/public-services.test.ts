// What guests are told of the services: of the interface that was called, from what is in force alone, and whether each answers
// only where that was switched on.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeProbes } from '../../shared/appliance/apply/drift-store.ts';
import { calledAt } from '../../shared/appliance/overview/called-at.ts';
import { publicRoot } from '../../shared/appliance/overview/public-root.ts';
import { offeredAt } from '../../shared/appliance/overview/public-services.ts';
import { publicStatus } from '../../shared/appliance/overview/public-status.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { Visitor } from '../handlers/public/visitor.ts';
import { applyAll } from '../setup/depot.ts';
import { House } from '../setup/house.ts';

let house: House;
let call: (method: string, path: string, body: object) => Promise<{ id: string; digest: string }>;
const AT = { lab: '172.16.30.2', management: '10.10.0.5', other: '172.16.40.2' };

beforeAll(async () => {
  house = await House.open({ ticker: false });
  const { token } = await house.actor('admin');
  call = async (method, path, body) => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
    return heard.body;
  };
  for (const [name, ipv4_cidr] of [
    ['ens224', `${AT.lab}/24`],
    ['ens256', `${AT.other}/24`],
  ] as const)
    await call('PATCH', `/api/v1/interfaces/physical/${name}`, {
      role: 'access',
      ipv4_cidr,
      ipv6_enabled: false,
      enabled: true,
    });
  await call('PATCH', '/api/v1/certificate-authority/settings', {
    enabled: true,
    key_algorithm: 'ecdsa-p256',
    listen_interfaces: ['ens224'],
    portal_hostname: 'ca.lab.example',
  });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  const on = { enabled: true, listen_interfaces: ['ens224'] };
  await call('PATCH', '/api/v1/dns-dhcp/settings', { ...on, domain: 'lab.example' });
  await call('PATCH', '/api/v1/ntp/settings', { enabled: true, listen_interfaces: ['ens224', 'ens192'] });
  await call('PATCH', '/api/v1/private-cloud-services/settings', { ...on, hostname: 'depot.lab.example', port: 8443 });
  await applyAll(house, call);
}, 120_000);
afterAll(() => house.close());

const at = (local_address: string) => calledAt(house.services, { local_address, open_ms: 0 });
const servicesAt = async (address: string) =>
  (await offeredAt(house.services, await at(address))).map(({ service }) => service);

test('a rehearsal offers nothing', async () => {
  expect(await servicesAt(AT.lab)).toEqual([]);
  expect((await new Visitor(house).get('/ui/public')).words).toContain('No service is offered to this network yet.');
});

test('each interface has what listens there, and no address that is none of them has anything', async () => {
  Object.defineProperty(house.services.host, 'enforces', { value: true });
  expect(await servicesAt(AT.lab)).toEqual(['dns', 'ntp', 'certificates', 'offline-depot']);
  expect(await servicesAt(AT.management)).toEqual(['ntp']);
  expect(await servicesAt(AT.other)).toEqual([]);
  expect(await servicesAt('192.0.2.77')).toEqual([]);
  expect(await publicRoot(house.services, await at(AT.lab))).toMatchObject({ origin: 'http://ca.lab.example' });
  for (const address of [AT.management, AT.other, '192.0.2.77'])
    expect(await publicRoot(house.services, await at(address))).toBeNull();
  // A proxy on the appliance itself, and a gateway.
  expect(await servicesAt('127.0.0.1')).toEqual(['dns', 'ntp', 'certificates', 'offline-depot']);
  expect(await calledAt(house.services, null)).toBe('anywhere');
});

test('the first page has whole lines to copy, of what is in force and not of what is only saved', async () => {
  await call('PATCH', '/api/v1/dns-dhcp/settings', { domain: 'saved.example' });
  await call('PATCH', '/api/v1/private-cloud-services/settings', { hostname: 'saved.example' });
  const { text, status } = await new Visitor(house).get('/ui/public');
  expect(status).toBe(200);
  for (const line of [
    'nameserver 172.16.30.2',
    'search lab.example',
    'server 172.16.30.2 iburst',
    'esxcli system ntp set --server=172.16.30.2 --server=10.10.0.5',
    'https://depot.lab.example:8443/',
    'curl -fsS -o groundcrew-root-ca.pem http://ca.lab.example/ca/root.pem',
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/saved\.example|<script|0\.0\.0-test|ens224|private-cloud/);
  expect(text).not.toMatch(/\/ui\/management|Which of them answer|Ask for a certificate/);
});

test('the status is there once it is switched on, and says who answers and nothing else', async () => {
  const visitor = new Visitor(house);
  for (const path of ['/ui/public/status', '/ui/public/status.json'])
    expect((await visitor.get(path)).status).toBe(404);
  await call('PATCH', '/api/v1/public-pages/settings', { status: true });
  const asked_at = '2026-11-25T10:00:00.000Z';
  const probe = { asked_at, since: asked_at, said: 'dnsmasq at 172.16.30.2 said SERVFAIL for gc01' };
  await house.services.store.write((tx) =>
    writeProbes(
      tx,
      new Map([
        ['dns-dhcp', { ok: false, ...probe }],
        ['ntp', { ok: true, ...probe }],
      ]),
    ),
  );
  await house.services.store.write((tx) =>
    tx.run("DELETE FROM unit_probe WHERE unit IN ('certificate-authority', 'private-cloud-services')"),
  );
  const { services } = await publicStatus(house.services, await at(AT.lab));
  expect(services).toEqual([
    { service: 'dns', answers: 'no', asked_at },
    { service: 'ntp', answers: 'yes', asked_at },
    { service: 'certificates', answers: 'not_asked', asked_at: null },
    { service: 'offline-depot', answers: 'not_asked', asked_at: null },
  ]);
  expect((await publicStatus(house.services, await at(AT.management))).services).toEqual([
    { service: 'ntp', answers: 'yes', asked_at },
  ]);
  expect((await publicStatus(house.services, await at(AT.other))).services).toEqual([]);
  const json = await visitor.get('/ui/public/status.json');
  expect([json.status, json.type, JSON.parse(json.text).services]).toEqual([200, 'application/json', services]);
  const { text, words } = await visitor.get('/ui/public/status');
  expect(words).toMatch(/Name service \(DNS\) Does not answer 2026-11-25 10:00:00 UTC Time service \(NTP\) Answers/);
  for (const shown of [text, json.text]) expect(shown).not.toMatch(/SERVFAIL|dnsmasq|<script|0\.0\.0-test|ens\d/);
  expect((await visitor.get('/ui/public')).text).toContain('Which of them answer');
});
