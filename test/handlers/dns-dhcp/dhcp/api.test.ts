// DHCP from outside: scopes, options, reservations and the legacy binding; what the appliance keeps for them; what they
// cost. How they follow an edit of an interface is tested with the edit.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import { OWNER } from '../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { keepReservation } from '../../../../shared/services/dns-dhcp/dhcp/reservation-keeping.ts';
import { type Credentials, type Heard, House, type Send } from '../../../setup/house.ts';
import { LEGACY_SCENARIOS, OPTION_SCENARIOS, RESERVATION_SCENARIOS } from './scenarios.ts';
import { AT, furnishDhcp, LEGACY, OPTIONS, RESERVATIONS, SCOPES, type Scenario } from './scene.ts';
import { SCOPE_SCENARIOS } from './scope-scenarios.ts';

const statements: string[] = [];
/** Statements that the clock may send at any time: looking for jobs, writing down when tokens were used. */
const BY_THE_CLOCK = /\bFROM job\b|^\s*UPDATE (?:job|api_token)\b/;
let house: House;
let admin: Credentials;
let others: Record<'viewer' | 'network-admin', Credentials>;

beforeAll(async () => {
  house = await House.open({ observe: (sql) => void statements.push(sql), ticker: false });
  admin = await house.actor('admin');
  others = { viewer: await house.actor('viewer'), 'network-admin': await house.actor('network-admin') };
});
afterAll(() => house.close());
beforeEach(() => furnishDhcp(house));

const api = (method: string, target: string, body?: unknown): Promise<Heard> =>
  house.send(method, target, { token: admin.token, ...(body !== undefined && { body }) });

const records = (): Promise<Record<string, unknown>[]> =>
  house.services.store.all(
    'SELECT fqdn, type, value, owner_ref, owner_component FROM dns_record WHERE owner_source = ? ORDER BY fqdn',
    [OWNER.reservation],
  );

describe.each([
  ['scopes', SCOPE_SCENARIOS],
  ['options', OPTION_SCENARIOS],
  ['reservations', RESERVATION_SCENARIOS],
  ['the legacy binding', LEGACY_SCENARIOS],
])('the API of %s', (_area, scenarios) => {
  test.each([...scenarios])('$name', async (scenario: Scenario) => {
    const [method, target, body, headers] = scenario.send;
    const before = await house.lastAudit();
    const send: Send = { token: (scenario.by ? others[scenario.by] : admin).token, ...(headers && { headers }) };
    if (body !== undefined) send.body = body;
    const answer = await house.send(method, target, send);
    const heard = { status: answer.status, ...(answer.status >= 400 && { body: answer.body }) };
    expect(heard).toMatchObject({ status: scenario.status });
    if (scenario.holds) expect(answer.body).toMatchObject(scenario.holds);
    const errors = (answer.body?.errors ?? []) as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer)).toEqual(scenario.pointers ?? []);
    expect(await house.audited(before)).toEqual(scenario.audited ?? []);
    if (answer.status === 201) {
      expect(answer.headers.location).toBe(`${target}/${answer.body.id}`);
      expect(answer.headers.etag).toBe('"r1"');
    }
  });
});

test('the audit event of a scope says what it is, what changed and what it was', async () => {
  await api('PATCH', `${SCOPES}/scope_lab`, { lease_time: 900, description: 'Lab' });
  const { body } = await api('GET', '/api/v1/audit?action=dhcp.scope&limit=1');
  expect(body.items[0]).toMatchObject({
    resource: { type: 'dhcp_scope', id: 'scope_lab' },
    detail: { title: 'lab', lease_time: 900, subnet_cidr: '10.20.0.0/24', was: { lease_time: 600 } },
  });
  expect(body.items[0].detail.changed).toEqual(['lease_time', 'description']);
});

test('the options of a scope go with it', async () => {
  await api('POST', OPTIONS, { scope_id: 'scope_spare', code: 66, value: 'x' });
  expect((await api('DELETE', `${SCOPES}/scope_spare`)).status).toBe(204);
  expect((await api('GET', `${OPTIONS}?scope_id=scope_spare`)).body.items).toEqual([]);
});

test('pages of each list follow each other without loss or repetition', async () => {
  for (const code of [67, 150]) await api('POST', OPTIONS, { code, value: 'x' });
  for (const list of [SCOPES, OPTIONS, RESERVATIONS]) {
    const whole = await api('GET', list);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Heard = await api('GET', `${list}?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map((each: { id: string }) => each.id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(whole.body.items.map((each: { id: string }) => each.id));
    expect(seen.length).toBeGreaterThan(1);
  }
  expect((await api('GET', `${SCOPES}?cursor=nonsense`)).body.error_code).toBe('invalid_cursor');
});

test('an edit is not refused for what was saved before and it leaves alone', async () => {
  await house.services.store.write(async (tx) => {
    await tx.run("UPDATE interface SET enabled = 0 WHERE name = 'ens224'");
    await tx.run("UPDATE dhcp_scope SET gateway = '10.99.0.1' WHERE id = 'scope_lab'");
  });
  const answer = await api('PATCH', `${SCOPES}/scope_lab`, { lease_time: 900 });
  expect(answer.body).toMatchObject({ lease_time: 900, gateway: '10.99.0.1', revision: 4 });
  expect((await api('PATCH', `${SCOPES}/scope_lab`, { ranges: [] })).status).toBe(200);
  expect((await api('PATCH', `${RESERVATIONS}/resv_esx`, { description: 'x' })).status).toBe(200);
});

test('the first scope takes the place of the legacy binding: no reservation may be left behind', async () => {
  await api('PATCH', LEGACY, { enabled: true, interface: 'ens224', subnet_cidr: '10.20.0.0/24' });
  await house.services.store.write((tx) => tx.run('DELETE FROM dhcp_scope'));
  const added = { hostname: 'nsx', mac_address: '00:50:56:01:00:30', ip_address: '10.20.0.30' };
  expect((await api('POST', RESERVATIONS, added)).status).toBe(201);
  const refused = await api('POST', SCOPES, { name: 'first', subnet_cidr: '10.30.0.0/24', enabled: false });
  expect(refused.body).toMatchObject({ status: 409, error_code: 'still_referenced' });
  expect((await api('PATCH', LEGACY, { enabled: false })).body).toMatchObject({ error_code: 'still_referenced' });
  const first = { name: 'first', subnet_cidr: '10.20.0.0/24', interface: 'ens224' };
  expect((await api('POST', SCOPES, first)).status).toBe(201);
  expect((await api('PATCH', LEGACY, { enabled: false })).status).toBe(200);
});

describe('the record of a reservation that registers its name', () => {
  const nsx = { hostname: 'nsx01', mac_address: '00:50:56:01:00:30', ip_address: '10.20.0.30', register_dns: true };
  const made = async (more: object = {}) => (await api('POST', RESERVATIONS, { ...nsx, ...more })).body.id as string;

  test('is named after the host in the domain of its scope, and is owned', async () => {
    const id = await made();
    const [record] = await records();
    expect(record).toEqual({
      fqdn: 'nsx01.lab.test',
      type: 'A',
      value: '10.20.0.30',
      owner_ref: id,
      owner_component: 'nsx01',
    });
  });

  test('takes the domain of the name service where the scope has none, and a full name as it is', async () => {
    await api('PATCH', `${SCOPES}/scope_lab`, { domain: '' });
    await made();
    await made({ hostname: 'nsx02.lab.test', mac_address: '00:50:56:01:00:31', ip_address: '10.20.0.31' });
    expect((await records()).map(({ fqdn }) => fqdn)).toEqual(['nsx01.other.test', 'nsx02.lab.test']);
  });

  test('needs a domain', async () => {
    await api('PATCH', `${SCOPES}/scope_lab`, { domain: '' });
    await house.services.store.write((tx) => tx.run('DELETE FROM unit_settings'));
    const { body } = await api('POST', RESERVATIONS, nsx);
    expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/register_dns' }] });
  });

  test('follows name and address, and keeps its id', async () => {
    const id = await made();
    const kept = () =>
      house.services.store.one<{ id: string; revision: number }>(
        'SELECT id, revision FROM dns_record WHERE owner_ref = ?',
        [id],
      );
    const before = (await kept())!;
    await api('PATCH', `${RESERVATIONS}/${id}`, { hostname: 'nsx09', ip_address: '10.20.0.39' });
    expect(await records()).toMatchObject([{ fqdn: 'nsx09.lab.test', value: '10.20.0.39', owner_component: 'nsx09' }]);
    expect(await kept()).toEqual({ id: before.id, revision: before.revision + 1 });
    await api('PATCH', `${RESERVATIONS}/${id}`, { description: 'x' });
    expect((await kept())!.revision).toBe(before.revision + 1);
  });

  test('does not move onto a record of another owner, and then nothing moves', async () => {
    const id = await made();
    const answer = await api('PATCH', `${RESERVATIONS}/${id}`, { hostname: 'vc01', ip_address: '10.20.0.20' });
    expect(answer.body).toMatchObject({ status: 409, errors: [{ pointer: '/register_dns' }] });
    expect(await records()).toMatchObject([{ fqdn: 'nsx01.lab.test', value: '10.20.0.30' }]);
    expect((await api('GET', `${RESERVATIONS}/${id}`)).body).toMatchObject({ hostname: 'nsx01', revision: 1 });
  });

  test('becomes an AAAA record with an address of the other family', async () => {
    await api('POST', SCOPES, { name: 'six', subnet_cidr: 'fd00:20::/64', interface: 'ens224', domain: 'lab.test' });
    const id = await made();
    await api('PATCH', `${RESERVATIONS}/${id}`, { ip_address: 'fd00:20::30' });
    expect(await records()).toMatchObject([{ type: 'AAAA', value: 'fd00:20::30' }]);
  });

  test.each([
    ['the reservation is switched off', 'PATCH', { enabled: false }],
    ['it is registered no longer', 'PATCH', { register_dns: false }],
    ['the reservation is deleted', 'DELETE', undefined],
  ])('goes when %s', async (_when, method, body) => {
    const id = await made();
    expect((await api(method, `${RESERVATIONS}/${id}`, body)).status).toBeLessThan(300);
    expect(await records()).toEqual([]);
    if (method !== 'PATCH') return;
    await api('PATCH', `${RESERVATIONS}/${id}`, { enabled: true, register_dns: true });
    expect(await records()).toHaveLength(1);
  });
});

describe('a reservation that is kept for something else', () => {
  const owner = { source: OWNER.host, ref: 'host_new', component: 'esx09' };
  const wanted = { hostname: 'esx09', mac_address: '00:50:56:01:00:09', ip_address: '10.20.0.19', enabled: true };
  const keep = (next: typeof wanted | null) =>
    house.services.store.write((tx) => keepReservation(tx, house.services, owner, next));
  const kept = async () =>
    (await api('GET', `${RESERVATIONS}?limit=1000`)).body.items.filter((each: { owner: object }) => each.owner);

  test('comes, follows and goes with its owner', async () => {
    const made = await keep(wanted);
    expect(made).toMatchObject({ ...wanted, owner, revision: 1 });
    expect(await keep(wanted)).toMatchObject({ revision: 1 });
    await api('PATCH', `${RESERVATIONS}/${made!.id}`, { description: 'rack 4' });
    const moved = await keep({ ...wanted, ip_address: '10.20.0.29' });
    expect(moved).toMatchObject({ id: made!.id, ip_address: '10.20.0.29', description: 'rack 4', revision: 3 });
    expect(await kept()).toHaveLength(2);
    expect(await keep(null)).toBeNull();
    expect(await keep(null)).toBeNull();
    expect(await kept()).toHaveLength(1);
  });

  test.each([
    [{ ...wanted, ip_address: '10.30.0.19' }, 422, '/ip_address'],
    [{ ...wanted, ip_address: '10.20.0.11' }, 409, '/ip_address'],
    [{ ...wanted, mac_address: '00:50:56:01:00:01' }, 409, '/mac_address'],
  ])('obeys the rules of any reservation: %j', async (next, status, pointer) => {
    const problem = await keep(next).catch((error: unknown) => error as Problem);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ status, members: { errors: [{ pointer }] } });
  });
});

describe('with 1,000 reservations', () => {
  beforeEach(() =>
    house.services.store.write((tx) =>
      tx.run(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
         INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
         SELECT 'resv_' || i, 'h' || i, printf('02:00:00:00:%02x:%02x', i >> 8, i & 255), 'ipv4',
           printf('10.50.%d.%d', i / 250, i % 250 + 1), '${AT}', '${AT}' FROM n`,
      ),
    ),
  );

  const wide = { name: 'wide', interface: 'ens224', subnet_cidr: '10.50.0.0/16', gateway: 'none' };

  test('a scope is edited, switched off and deleted in as many statements as with none', async () => {
    await house.services.store.write((tx) =>
      tx.run("UPDATE interface SET ipv4_cidr = '10.50.255.1/16' WHERE name = 'ens224'"),
    );
    const { id } = (await api('POST', SCOPES, wide)).body;
    const counted = async (method: string, body?: object) => {
      statements.length = 0;
      const answer = await api(method, `${SCOPES}/${id}`, body);
      return { status: answer.status, count: statements.filter((sql) => !BY_THE_CLOCK.test(sql)).length, answer };
    };
    // Interfaces, scopes and settings are read by a statement each; what counts is that none comes with the
    // reservations.
    expect(await counted('PATCH', { lease_time: 900 })).toMatchObject({ status: 200, count: 10 });
    expect(await counted('PATCH', { subnet_cidr: '10.48.0.0/14' })).toMatchObject({ status: 200, count: 11 });
    const refused = await counted('PATCH', { enabled: false });
    expect(refused.count).toBeLessThanOrEqual(11);
    expect(refused.answer.body).toMatchObject({
      error_code: 'still_referenced',
      detail: '1000 enabled reservations would be in no enabled scope.',
    });
    expect(refused.answer.body.blockers).toHaveLength(100);
    expect(await counted('DELETE')).toMatchObject({ status: 409 });
    await house.services.store.write((tx) => tx.run('DELETE FROM dhcp_reservation'));
    expect(await counted('DELETE')).toMatchObject({ status: 204, count: 11 });
  });

  test.each([
    ['a reservation is changed', 'PATCH', `${RESERVATIONS}/resv_7`, { enabled: false }, 7],
    ['a reservation is described', 'PATCH', `${RESERVATIONS}/resv_7`, { description: 'x' }, 8],
    ['an option is changed', 'PATCH', `${OPTIONS}/option_tftp`, { value: 'x' }, 8],
    ['a scope is read', 'GET', `${SCOPES}/scope_lab`, undefined, 2],
    ['reservations are listed', 'GET', `${RESERVATIONS}?limit=1000`, undefined, 2],
  ])('few statements when %s', async (_name, method, target, body, most) => {
    statements.length = 0;
    expect((await api(method, target, body)).status).toBe(200);
    expect(statements.filter((sql) => !BY_THE_CLOCK.test(sql)).length).toBeLessThanOrEqual(most);
  });
});

describe('the forms', () => {
  const post = (target: string, form: Record<string, string>, csrf = true) =>
    house.send('POST', target, { session: csrf ? admin : { ...admin, csrf: '' }, form });
  const scope = {
    name: 'form',
    interface: 'ens224',
    subnet_cidr: 'fd00:20::/64',
    ranges: 'fd00:20::100 - fd00:20::1ff\nfd00:20::9',
    gateway: '',
    dns_servers: 'fd00:20::53, fd00:20::54',
    ntp_servers: '',
    lease_time: '',
    domain: '',
    description: '',
    enabled: 'on',
  };
  const esx = { hostname: 'esx01', mac_address: '00:50:56:01:00:01', ip_address: '10.20.0.11', description: '' };

  test.each([
    ['/ui/management/dhcp/scopes/new', scope, 'dhcp.scope.create'],
    [
      '/ui/management/dhcp/scopes/scope_spare',
      {
        ...scope,
        name: 'spare',
        subnet_cidr: '10.30.0.0/24',
        ranges: '10.30.0.9',
        dns_servers: '',
        interface: '',
        enabled: undefined,
        revision: '3',
      },
      'dhcp.scope.update',
    ],
    ['/ui/management/dhcp/scopes/scope_spare/delete', { revision: '3' }, 'dhcp.scope.delete'],
    [
      '/ui/management/dhcp/options/new',
      { scope_id: '', address_family: '', code: '67', value: 'x', description: '' },
      'dhcp.option.create',
    ],
    [
      '/ui/management/dhcp/options/option_tftp',
      { scope_id: 'scope_lab', address_family: '', code: '66', value: 'x', description: '', revision: '1' },
      'dhcp.option.update',
    ],
    ['/ui/management/dhcp/options/option_tftp/delete', { revision: '1' }, 'dhcp.option.delete'],
    [
      '/ui/management/dhcp/reservations/new',
      { ...esx, mac_address: '00-50-56-01-00-40', ip_address: '10.20.0.40', enabled: 'on' },
      'dhcp.reservation.create',
    ],
    ['/ui/management/dhcp/reservations/resv_esx', { ...esx, revision: '3' }, 'dhcp.reservation.update'],
    ['/ui/management/dhcp/reservations/resv_host', { description: 'rack 4', revision: '3' }, 'dhcp.reservation.update'],
    ['/ui/management/dhcp/reservations/resv_esx/delete', { revision: '3' }, 'dhcp.reservation.delete'],
    [
      '/ui/management/dhcp/legacy-binding',
      { ...scope, interface: '', subnet_cidr: '', ranges: '', dns_servers: '', enabled: undefined, revision: '0' },
      'dhcp.legacy-binding.update',
    ],
  ])('%s saves and leads back to its list; not without the token of the session', async (target, fields, action) => {
    const form = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const before = await house.lastAudit();
    expect((await post(target, form, false)).status).toBe(403);
    expect(await house.audited(before)).toEqual([]);
    const answer = await post(target, form);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^\/ui\/management\/dhcp(\/reservations|\/scopes\/scope_lab)?$/);
    expect(await house.audited(before)).toEqual([action]);
  });

  test('ranges are read from lines, and servers from lists', async () => {
    await post('/ui/management/dhcp/scopes/new', scope);
    const { body } = await api('GET', `${SCOPES}?name=form`);
    expect(body.items[0]).toMatchObject({
      ranges: [
        { start: 'fd00:20::9', end: 'fd00:20::9' },
        { start: 'fd00:20::100', end: 'fd00:20::1ff' },
      ],
      dns_servers: ['fd00:20::53', 'fd00:20::54'],
      lease_time: 7200,
    });
  });
});
