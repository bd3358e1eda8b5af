// Many reservations at once, from outside: all or none, what follows, what a refusal names, what it costs, and the list
// with its boxes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';
import { AT, furnishDhcp, RESERVATIONS } from './scene.ts';

const statements: string[] = [];
const BY_THE_CLOCK = /\bFROM job\b|^\s*UPDATE (?:job|api_token)\b/;
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ observe: (sql) => void statements.push(sql), ticker: false });
  admin = await house.actor('admin');
});
afterAll(() => house.close());
beforeEach(() => furnishDhcp(house));

const api = (method: string, target: string, body?: unknown) =>
  house.send(method, target, { token: admin.token, ...(body !== undefined && { body }) });
const switched = (ids: string[], enabled: boolean, query = '') =>
  api('POST', `${RESERVATIONS}/switch${query}`, { ids, enabled });

/** Makes reservations that are off, each with the wish to have a record; answers their ids. */
async function made(...hosts: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const n of hosts) {
    const mac_address = `00:50:56:02:00:${n.toString(16).padStart(2, '0')}`;
    const draft = { hostname: `many${n}`, mac_address, ip_address: `10.20.0.${n}`, enabled: false, register_dns: true };
    ids.push((await api('POST', RESERVATIONS, draft)).body.id);
  }
  return ids;
}
const kept = async () => {
  const rows = await house.services.store.all<{ fqdn: string }>(
    "SELECT fqdn FROM dns_record WHERE owner_source = 'dhcp_reservation' ORDER BY fqdn",
  );
  return rows.map(({ fqdn }) => fqdn);
};

test('they are switched on and off with their records, and the event says which', async () => {
  const ids = await made(40, 41);
  const before = await house.lastAudit();
  const on = await switched(['resv_esx', ...ids], true);
  expect(on.body).toMatchObject({
    items: ids.map((id) => ({ id, enabled: true, revision: 2 })),
    ...{ unchanged: 1, records_added: 2, records_removed: 0 },
  });
  expect(await kept()).toEqual(['many40.lab.test', 'many41.lab.test']);
  expect((await switched([...ids, 'resv_esx'], false)).body).toMatchObject({ unchanged: 0, records_removed: 2 });
  expect(await kept()).toEqual([]);
  expect((await api('GET', `${RESERVATIONS}/resv_esx`)).body).toMatchObject({ enabled: false, revision: 4 });
  expect(await house.audited(before)).toEqual(['dhcp.reservation.switch_many', 'dhcp.reservation.switch_many']);
  const { body } = await api('GET', '/api/v1/audit?action=dhcp.reservation.switch_many&limit=1');
  expect(body.items[0].detail).toMatchObject({
    enabled: false,
    count: 3,
    addresses: ['10.20.0.40', '10.20.0.41', '10.20.0.11'],
  });
});

test('a dry run says what would follow, and saves nothing', async () => {
  const ids = await made(40);
  const heard = await switched(ids, true, '?dry_run=true');
  expect(heard.body).toMatchObject({ items: [{ enabled: true }], records_added: 1 });
  expect((await api('GET', `${RESERVATIONS}/${ids[0]}`)).body.enabled).toBe(false);
  expect(await kept()).toEqual([]);
});

test('they are deleted with their records', async () => {
  const ids = await made(40, 41);
  await switched(ids, true);
  const gone = await api('POST', `${RESERVATIONS}/delete`, { ids });
  expect([gone.status, gone.body.items.length, gone.body.records_removed, await kept()]).toEqual([200, 2, 2, []]);
  expect((await api('GET', `${RESERVATIONS}?hostname=many40`)).body.items).toEqual([]);
});

describe('all are refused for one', () => {
  const all = async () => (await api('GET', `${RESERVATIONS}?limit=1000`)).body.items;
  async function refused(act: () => ReturnType<typeof api>) {
    const [was, records] = [await all(), await kept()];
    const before = await house.lastAudit();
    const { status, body } = await act();
    expect([await all(), await kept(), await house.audited(before)]).toEqual([was, records, []]);
    const errors = (body.errors ?? []) as { pointer: string; detail: string }[];
    return { status, pointers: errors.map(({ pointer }) => pointer), body };
  }

  test.each([
    ['switched', 'switch', { enabled: false }],
    ['deleted', 'delete', {}],
  ])('that is not there or kept elsewhere, when they are %s', async (_verb, path, more) => {
    const send = (ids: string[]) => refused(() => api('POST', `${RESERVATIONS}/${path}`, { ids, ...more }));
    expect(await send(['resv_esx', 'resv_none'])).toMatchObject({ status: 422, pointers: ['/ids/1'] });
    expect((await send(['resv_esx', 'resv_host'])).body).toMatchObject({
      ...{ status: 409, error_code: 'state_conflict' },
      blockers: [{ page: '/ui/management/network-boot/hosts/host_two' }],
    });
    expect(await send([])).toMatchObject({ status: 422 });
    expect(await send(['resv_esx', 'resv_esx'])).toMatchObject({ status: 422 });
    expect(await send(Array.from({ length: 1001 }, (_, n) => `resv_${n}`))).toMatchObject({ status: 422 });
  });

  test('that no enabled scope could give out', async () => {
    const ids = [
      ...(await made(40)),
      (
        await api('POST', RESERVATIONS, {
          hostname: 'far',
          mac_address: '00:50:56:03:00:01',
          ip_address: '10.30.0.9',
          enabled: false,
        })
      ).body.id,
    ];
    const heard = await refused(() => switched(ids, true));
    expect([heard.status, heard.pointers]).toEqual([422, ['/ids/1']]);
    expect(heard.body.errors[0].detail).toMatch(/^far: Is in no enabled DHCP scope/);
  });

  test('whose name another has, saved before or in the same request', async () => {
    const own = await made(40, 41);
    const name = (fqdn: string, id: string) => api('PATCH', `${RESERVATIONS}/${id}`, { hostname: fqdn });
    await name('vc01', own[1]!);
    expect(await refused(() => switched(own, true))).toMatchObject({ status: 409, pointers: ['/ids/1'] });
    await name('many40', own[1]!);
    expect(await refused(() => switched(own, true))).toMatchObject({ status: 409, pointers: ['/ids/1'] });
  });
});

test('a thousand cost no more statements than one', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => [`resv_${n}`, `h${n}`, `10.40.${n >> 8}.${n & 255}`, n]);
  await house.services.store.write(async (tx) => {
    await tx.run("UPDATE interface SET ipv4_cidr = '10.40.250.1/16' WHERE name = 'ens224'");
    await tx.run(
      "UPDATE dhcp_scope SET subnet_cidr = '10.40.0.0/16', ranges = '[]', gateway = 'none' WHERE id = 'scope_lab'",
    );
    await tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, register_dns, enabled, created_at, updated_at)
       SELECT value ->> 0, value ->> 1, printf('02:00:00:00:%02x:%02x', (value ->> 3) / 256, (value ->> 3) % 256), 'ipv4',
         value ->> 2, 1, 0, '${AT}', '${AT}' FROM json_each(?)`,
      [JSON.stringify(rows.map(([id, name, ip, n]) => [id, name, ip === '10.40.0.0' ? '10.40.9.9' : ip, n]))],
    );
  });
  const ids = rows.map(([id]) => String(id));
  const counted = async (act: () => ReturnType<typeof api>) => {
    statements.length = 0;
    const { status, body } = await act();
    expect([status, body.items?.length]).toEqual([200, 1000]);
    return statements.filter((sql) => !BY_THE_CLOCK.test(sql)).length;
  };
  // Interfaces, scopes and settings are read by a statement each, whatever the number of reservations.
  expect(await counted(() => switched(ids, true))).toBeLessThanOrEqual(15);
  expect((await kept()).length).toBe(1000);
  expect(await counted(() => switched(ids, false))).toBeLessThanOrEqual(11);
  expect(await counted(() => api('POST', `${RESERVATIONS}/delete`, { ids }))).toBeLessThanOrEqual(10);
});

describe('the list', () => {
  const PAGE = '/ui/management/dhcp/reservations';
  const post = (path: string, form: Record<string, string>) =>
    house.send('POST', `${PAGE}/${path}`, { session: admin, form });

  test('has a box for each that is not kept elsewhere, and none for who may only read', async () => {
    const { text } = await house.send('GET', PAGE, { session: admin });
    expect(text.match(/name="ids" value="\w+"/g)).toEqual(['name="ids" value="resv_esx"']);
    const viewer = await house.send('GET', PAGE, { session: await house.actor('viewer') });
    expect(viewer.text).not.toContain('name="ids"');
  });

  test('does what is chosen and leads back to where it stood', async () => {
    const off = await post('switch', { ids: 'resv_esx', enabled: 'false', search: 'esx' });
    expect([off.status, off.headers.location]).toEqual([303, `${PAGE}?search=esx`]);
    const gone = await post('delete', { ids: 'resv_esx', confirm: 'on', search: '', cursor: '' });
    expect([gone.status, gone.headers.location]).toEqual([303, PAGE]);
  });

  test('asks before it deletes, and says why nothing was saved beside what was chosen', async () => {
    const open = await post('delete', { ids: 'resv_esx', search: 'esx01' });
    expect(open.status).toBe(422);
    expect(open.text).toContain('Delete this reservation?');
    expect(open.text).toContain('name="confirm"');
    expect(open.text).toMatch(/<input[^>]*value="resv_esx"[^>]*checked/);
    const gone = await post('switch', { ids: 'resv_none', enabled: 'true' });
    expect(gone.text).toContain('There is no DHCP reservation of this id.');
    expect((await post('switch', { enabled: 'true' })).text).toContain('Choose at least one reservation.');
  });
});
