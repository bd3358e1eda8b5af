// Time sources, volumes, datastores and hosts of network boot from outside: requests, answers and audit events.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../../../shared/ground/machine/host.ts';
import { type Credentials, type Heard, House, LINKS, type Send } from '../../../setup/house.ts';
import {
  DATASTORE_SCENARIOS,
  DATASTORES,
  furnish,
  HOST_SCENARIOS,
  HOSTS,
  type Scenario,
  SOURCE_SCENARIOS,
  SOURCES,
  VOLUME_SCENARIOS,
  VOLUMES,
} from './collection-scenarios.ts';

let house: House;
let admin: Credentials;

const more = (name: string, last: string): ObservedLink => ({
  ...LINKS[2]!,
  name,
  mac_address: `00:50:56:9c:0a:${last}`,
});

beforeAll(async () => {
  house = await House.open({ links: [...LINKS, more('ens161', '11'), more('ens162', '12')] });
  admin = await house.actor('admin', undefined, 'ada');
  const edit = (name: string, body: object) => sent('PATCH', `/api/v1/interfaces/physical/${name}`, body);
  await edit('ens224', { role: 'access', enabled: true, ipv4_cidr: '10.20.0.1/24', ipv6_enabled: false });
  await edit('ens162', { role: 'access', enabled: true, ipv4_cidr: '10.30.0.1/24' });
  await edit('ens161', { mode: 'trunk', enabled: true });
  await house.services.store.write((tx) => tx.run("UPDATE interface SET present = 0 WHERE name = 'ens162'"));
});
afterAll(() => house.close());
beforeEach(() => furnish(house));

async function sent(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Heard> {
  const send: Send = { token: admin.token, ...(headers && { headers }), ...(body !== undefined && { body }) };
  return house.send(method, target, send);
}

async function plays({ send, status, holds, pointers, audited }: Scenario): Promise<void> {
  const before = await house.lastAudit();
  const answer = await sent(...send);
  expect({ status: answer.status, ...(answer.status >= 400 && { body: answer.body }) }).toMatchObject({ status });
  if (holds) expect(answer.body).toMatchObject(holds);
  const errors = (answer.body?.errors ?? []) as { pointer: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers ?? []);
  expect(await house.audited(before)).toEqual(audited ?? []);
}

describe('time sources', () => {
  test.each(SOURCE_SCENARIOS)('$name', plays);
});
describe('storage volumes', () => {
  test.each(VOLUME_SCENARIOS)('$name', plays);
});
describe('datastores', () => {
  test.each(DATASTORE_SCENARIOS)('$name', plays);

  test('an edit of something else does not fail because the link has vanished or the interface is gone', async () => {
    const write = (sql: string) => house.services.store.write((tx) => tx.run(sql));
    await write("UPDATE storage_datastore SET interface = 'ens162'");
    expect((await sent('PATCH', `${DATASTORES}/ds_a`, { description: 'Lab' })).status).toBe(200);
    await write("UPDATE storage_datastore SET interface = '', enabled = 0");
    expect((await sent('PATCH', `${DATASTORES}/ds_a`, { nfs_version: '3' })).status).toBe(200);
    const on = await sent('PATCH', `${DATASTORES}/ds_a`, { enabled: true });
    expect(on.body).toMatchObject({ errors: [{ pointer: '/interface', detail: 'Choose an interface.' }] });
  });
});

describe('hosts of network boot', () => {
  test.each(HOST_SCENARIOS)('$name', plays);

  const reservations = async (host_id: string) => {
    const { body } = await sent('GET', '/api/v1/dhcp/reservations');
    return body.items.filter((each: { owner: { ref: string } | null }) => each.owner?.ref === host_id);
  };

  test('the reservation of a host follows its name, its addresses and whether it is enabled', async () => {
    const facts = { hostname: 'esx03.lab.test', mac_address: '00:50:56:01:00:03', ip_address: '10.20.0.13' };
    const { body: host } = await sent('POST', HOSTS, facts);
    const owner = { source: 'network_boot_host', ref: host.id, component: 'esx03.lab.test' };
    expect(await reservations(host.id)).toMatchObject([{ ...facts, enabled: true, owner }]);
    const next = { hostname: 'esx04', mac_address: '00:50:56:01:00:04', ip_address: '10.20.0.14', enabled: false };
    expect((await sent('PATCH', `${HOSTS}/${host.id}`, next)).status).toBe(200);
    expect(await reservations(host.id)).toMatchObject([{ ...next, owner: { ...owner, component: 'esx04' } }]);
    await sent('PATCH', `${HOSTS}/${host.id}`, { ip_address: '' });
    expect(await reservations(host.id)).toEqual([]);
    await sent('PATCH', `${HOSTS}/${host.id}`, { ip_address: '10.20.0.15' });
    expect(await reservations(host.id)).toMatchObject([{ ip_address: '10.20.0.15', enabled: false }]);
    await sent('DELETE', `${HOSTS}/${host.id}`);
    expect(await reservations(host.id)).toEqual([]);
  });

  test('a host whose reservation is refused is not saved', async () => {
    const body = { hostname: 'esx03', mac_address: '00:50:56:01:00:03', ip_address: '10.20.0.255' };
    const answer = await sent('POST', HOSTS, body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/ip_address']);
    expect((await sent('GET', `${HOSTS}?hostname=esx03`)).body.items).toEqual([]);
  });
});

test('an audit event says what was chosen', async () => {
  await sent('PATCH', `${SOURCES}/ntpsrc_a`, { prefer: true });
  await sent('DELETE', `${VOLUMES}/vol_b`);
  await sent('PATCH', `${DATASTORES}/ds_a`, { interface: 'ens192' });
  await sent('PATCH', `${HOSTS}/host_b`, {});
  const { body } = await sent('GET', '/api/v1/audit?limit=4');
  type Event = { action: string; resource: { id: string }; detail: object };
  const seen = body.items.map(({ action, resource, detail }: Event) => [action, resource.id, detail]);
  expect(seen.reverse()).toEqual([
    [
      'ntp.source.update',
      'ntpsrc_a',
      {
        title: 'time.lab.test',
        kind: 'server',
        nts: true,
        prefer: true,
        enabled: true,
        changed: ['prefer'],
        was: { prefer: false },
      },
    ],
    [
      'storage.volume.delete',
      'vol_b',
      { title: 'slow', device: '/dev/disk/by-id/scsi-b', mount_path: '/srv/datastores/slow', enabled: true },
    ],
    [
      'storage.datastore.update',
      'ds_a',
      {
        title: 'nfs-01',
        volume_id: 'vol_a',
        path: 'lab/nfs-01',
        size_limit_gib: 0,
        interface: 'ens192',
        addresses: ['10.10.0.5'],
        enabled: true,
        changed: ['interface', 'addresses'],
        was: { interface: 'ens224', addresses: ['10.20.0.1'] },
      },
    ],
    [
      'network-boot.host.update',
      'host_b',
      {
        title: 'esx02.lab.test',
        mac_address: '00:50:56:01:00:02',
        ip_address: '',
        kickstart_id: null,
        media_id: null,
        variable_names: [],
        enabled: true,
        changed: [],
      },
    ],
  ]);
});

test('a dry run answers and saves nothing', async () => {
  const answer = await sent('POST', `${VOLUMES}?dry_run=true`, { name: 'cold', device: '/dev/disk/by-id/scsi-cold' });
  expect([answer.status, answer.body.mount_path]).toEqual([201, '/srv/datastores/cold']);
  expect((await sent('GET', `${VOLUMES}?name=cold`)).body.items).toEqual([]);
});

test('a page of a list leads to the next one', async () => {
  const first = (await sent('GET', `${SOURCES}?limit=1`)).body;
  const second = (await sent('GET', `${SOURCES}?limit=1&cursor=${first.next_cursor}`)).body;
  expect([...first.items, ...second.items].map(({ address }) => address)).toEqual(['10.10.0.9', 'time.lab.test']);
  expect(second.next_cursor).toBeNull();
});
