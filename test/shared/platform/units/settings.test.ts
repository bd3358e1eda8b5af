// The settings of every unit from outside: one table over all documents, and the rules of where a service listens.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SETTINGS } from '../../../../shared/appliance/settings.ts';
import type { AnySettings, Listening } from '../../../../shared/platform/units/settings.ts';
import { setScene } from '../../../handlers/interfaces/scene.ts';
import { CASES } from './settings-cases.ts';

const scene = setScene();
const all = SETTINGS.map((each) => [each.key, each] as const);
const listening = all.filter(([, { listens }]) => listens !== 'no');
const required = all.filter(([, { listens }]) => listens === 'required');
const at = ({ path }: AnySettings) => `${path}/settings`;
const get = (of: AnySettings) => scene.house.send('GET', at(of), { token: scene.admin.token });
const patch = (of: AnySettings, body: unknown, headers?: Record<string, string>, query = '') =>
  scene.house.send('PATCH', `${at(of)}${query}`, { token: scene.admin.token, body, ...(headers && { headers }) });
const sql = (...statements: string[]) =>
  scene.house.services.store.write(async (tx) => {
    for (const each of statements) await tx.run(each);
  });
const pointers = (body: { errors?: { pointer: string }[] }) => (body.errors ?? []).map(({ pointer }) => pointer);

/** Events written while something is done: `[action, detail]`. */
async function audited(work: () => Promise<unknown>): Promise<[string, Record<string, unknown>][]> {
  const before = await scene.house.lastAudit();
  await work();
  const rows = await scene.house.services.store.all<{ action: string; detail: string }>(
    'SELECT action, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [before],
  );
  return rows.map(({ action, detail }) => [action, JSON.parse(detail)]);
}

// Both families on ens224; ens192 is IPv4 only.
beforeEach(() =>
  sql(
    'DELETE FROM dns_record',
    'DELETE FROM dns_zone',
    "UPDATE interface SET present = 1, observed = NULL WHERE kind = 'physical'",
    `UPDATE interface SET role = 'access', ipv4_cidr = '10.20.0.5/24', ipv6_enabled = 1, ipv6_cidr = 'fd00:20::5/64'
     WHERE name = 'ens224'`,
  ),
);

test('every document has its cases, and every member of it', () => {
  const members = Object.fromEntries(all.map(([key, { schema }]) => [key, Object.keys(schema.entries)]));
  expect(Object.fromEntries(Object.entries(CASES).map(([key, cases]) => [key, Object.keys(cases)]))).toEqual(members);
});

describe.each(all)('the settings of %s', (_key, definition) => {
  const { key, defaults, listens, resource, page } = definition;
  const derived = listens === 'no' ? {} : { listen_addresses: [] };
  const cases = Object.entries(CASES[key] ?? {});
  const accepted = cases.flatMap(([member, { accepts, beside }]) =>
    accepts.map(([sent, saved]) => [member, JSON.stringify(sent).slice(0, 60), sent, saved, beside] as const),
  );
  const refused = cases.flatMap(([member, { refuses, beside }]) =>
    refuses.map(([sent, below]) => [member, JSON.stringify(sent).slice(0, 60), sent, below, beside] as const),
  );

  test('are the defaults at revision 0 while nothing was saved', async () => {
    const answer = await get(definition);
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe('"r0"');
    expect(answer.body).toEqual({ ...(defaults as object), ...derived, revision: 0, updated_at: null });
  });

  test.each(accepted)('accept %s %s', async (member, _text, sent, saved, beside) => {
    const answer = await patch(definition, { ...beside, [member]: sent });
    expect(answer.body).toMatchObject({ ...beside, [member]: saved });
    expect(answer.status).toBe(200);
    expect((await get(definition)).body).toEqual(answer.body);
  });

  test.each(refused)('refuse %s %s', async (member, _text, sent, below, beside) => {
    const answer = await patch(definition, { ...beside, [member]: sent });
    expect([answer.status, pointers(answer.body)]).toEqual([422, [`/${member}${below}`]]);
    expect((await get(definition)).body.revision).toBe(0);
  });

  test.each([
    ['an unknown member', { nonsense: 1 }, '/nonsense'],
    ['the revision', { revision: 1 }, '/revision'],
    ['the derived addresses', { listen_addresses: [] }, '/listen_addresses'],
    ['an explicit null', { [cases[0]![0]]: null }, `/${cases[0]![0]}`],
  ])('refuse %s', async (_name, body, pointer) => {
    const answer = await patch(definition, body);
    expect([answer.status, pointers(answer.body)]).toEqual([422, [pointer]]);
  });

  test('keep the revision where nothing changes, and are audited so', async () => {
    const events = await audited(async () => {
      expect((await patch(definition, {})).body).toMatchObject({ revision: 0, updated_at: null });
      expect((await patch(definition, defaults)).body.revision).toBe(0);
    });
    const none = [`${key}.settings.update`, { changed: [] }];
    expect(events).toEqual([none, none]);
  });

  test('are saved, audited with the new values, and grow by one revision', async () => {
    const [member, [[, value]]] = change(definition);
    const events = await audited(async () => {
      const { body, headers } = await patch(definition, { [member]: value }, { 'if-match': '"r0"' });
      expect(body).toMatchObject({ [member]: value, revision: 1 });
      expect(headers.etag).toBe('"r1"');
    });
    expect(events).toEqual([[`${key}.settings.update`, { changed: [member], [member]: value }]]);
    expect((await patch(definition, { [member]: value })).body.revision).toBe(1);
  });

  test('are not overwritten by who read an older revision', async () => {
    const [member, [[, value]]] = change(definition);
    await patch(definition, { [member]: value });
    const stale = await patch(definition, { [member]: value }, { 'if-match': '"r0"' });
    expect([stale.status, stale.body.error_code]).toEqual([412, 'revision_stale']);
  });

  test('stay as they are in a dry run', async () => {
    const [member, [[, value]]] = change(definition);
    const events = await audited(async () => {
      const answer = await patch(definition, { [member]: value }, undefined, '?dry_run=true');
      expect([answer.status, answer.body[member]]).toEqual([200, value]);
    });
    expect(events).toEqual([]);
    expect((await get(definition)).body.revision).toBe(0);
  });

  test('are read with read:, changed with write:, and neither with another scope', async () => {
    const other = resource === 'jobs' ? 'users' : 'jobs';
    const reader = await scene.house.actor('admin', [`read:${resource}`]);
    const stranger = await scene.house.actor('admin', [`write:${other}`]);
    const asked = async (token: string, method: string) =>
      (await scene.house.send(method, at(definition), { token, ...(method === 'PATCH' && { body: {} }) })).status;
    expect(await Promise.all([asked(reader.token, 'GET'), asked(stranger.token, 'GET')])).toEqual([200, 403]);
    expect(await Promise.all([asked(reader.token, 'PATCH'), asked(stranger.token, 'PATCH')])).toEqual([403, 403]);
  });

  test('come through the form as they are shown: the defaults change nothing', async () => {
    const [member, [[, value]]] = change(definition);
    const form = (document: object) => scene.house.send('POST', page, { session: scene.admin, form: fields(document) });
    expect((await form({ ...(defaults as object), revision: 0 })).status).toBe(303);
    expect((await get(definition)).body.revision).toBe(0);
    expect((await form({ ...(defaults as object), [member]: value, revision: 0 })).status).toBe(303);
    expect((await get(definition)).body).toMatchObject({ [member]: value, revision: 1 });
  });

  test('that another release saved get what they lack and lose what is unknown here', async () => {
    const [member, [[, value]]] = change(definition);
    const document = JSON.stringify({ [member]: value, retired: true });
    await sql(
      `INSERT INTO unit_settings (unit, document, revision, updated_at) VALUES ('${key}', '${document}', 4, '')`,
    );
    expect((await get(definition)).body).toEqual({
      ...(defaults as object),
      ...derived,
      [member]: value,
      revision: 4,
      updated_at: '',
    });
  });
});

/** A member that can change alone, with a value that is not its default. */
function change({ key, defaults }: AnySettings) {
  const found = Object.entries(CASES[key] ?? {}).flatMap(([member, { accepts, beside }]) => {
    const other = accepts.filter(([, saved]) => JSON.stringify(saved) !== JSON.stringify(defaults[member]));
    return beside || member === 'listen_interfaces' || other.length === 0 ? [] : [[member, other] as const];
  });
  return found[0] as unknown as [string, [[unknown, unknown]]];
}

/** A document as its form sends it. */
function fields(document: object): Record<string, string | string[]> {
  const sent = Object.entries(document).filter(([, value]) => value !== false);
  const text = (value: unknown) => (Array.isArray(value) ? value.join('\n') : value === true ? 'on' : String(value));
  return Object.fromEntries(sent.map(([name, value]) => [name, text(value)]));
}

describe.each(listening)('%s listens', (_key, definition) => {
  const on = { enabled: true, listen_interfaces: ['ens224', 'ens256.20', 'ens192'] };

  test('at the addresses of its interfaces, IPv4 before IPv6 on each, in the chosen order', async () => {
    const { body } = await patch(definition, on);
    expect(body.listen_addresses).toEqual(['10.20.0.5', 'fd00:20::5', '172.16.20.2', '10.10.0.5']);
    expect((await patch(definition, { listen_interfaces: ['ens192'] })).body.listen_addresses).toEqual(['10.10.0.5']);
  });

  test('at an address by DHCP as soon as it is known', async () => {
    await sql("UPDATE interface SET ipv4_method = 'dhcp', ipv4_cidr = '', observed = NULL WHERE name = 'ens192'");
    const chosen = { enabled: true, listen_interfaces: ['ens192'] };
    expect((await patch(definition, chosen)).body).toMatchObject({ ...chosen, listen_addresses: [], revision: 1 });
    const observed = '{"ipv4_cidrs":["10.10.0.77/24"],"ipv6_cidrs":[],"mtu":1500,"link":"up"}';
    await sql(`UPDATE interface SET observed = '${observed}' WHERE name = 'ens192'`);
    expect((await patch(definition, {})).body).toMatchObject({ listen_addresses: ['10.10.0.77'], revision: 2 });
  });

  test.each([
    ['a trunk', 'ens256', "UPDATE interface SET mtu = 1500 WHERE name = 'ens256'"],
    ['an interface that is not in use', 'ens224', "UPDATE interface SET role = 'unused' WHERE name = 'ens224'"],
    ['one that is switched off', 'ens224', "UPDATE interface SET enabled = 0 WHERE name = 'ens224'"],
    ['one that is missing', 'ens224', "UPDATE interface SET present = 0 WHERE name = 'ens224'"],
    ['a VLAN on a missing trunk', 'ens256.20', "UPDATE interface SET present = 0 WHERE name = 'ens256'"],
    ['a VLAN on a disabled trunk', 'ens256.20', "UPDATE interface SET enabled = 0 WHERE name = 'ens256'"],
    [
      'one without an address',
      'ens224',
      "UPDATE interface SET ipv4_cidr = '', ipv6_cidr = '', ipv6_enabled = 0 WHERE name = 'ens224'",
    ],
  ])('not on %s, unless it is off', async (_name, link, statement) => {
    await sql(statement);
    const chosen = { enabled: true, listen_interfaces: ['ens192', link] };
    const answer = await patch(definition, chosen);
    expect([answer.status, pointers(answer.body)]).toEqual([422, ['/listen_interfaces/1']]);
    expect((await patch(definition, { ...chosen, enabled: false })).status).toBe(200);
    const switched = await patch(definition, { enabled: true });
    expect([switched.status, pointers(switched.body)]).toEqual([422, ['/listen_interfaces/1']]);
  });

  test('on a route interface as well', async () => {
    await sql("UPDATE interface SET role = 'route' WHERE name = 'ens224'");
    expect((await patch(definition, { enabled: true, listen_interfaces: ['ens224'] })).status).toBe(200);
  });

  test('on, after its link vanished: an edit of something else does not fail because of it', async () => {
    await patch(definition, { enabled: true, listen_interfaces: ['ens192', 'ens224'] });
    await sql("UPDATE interface SET present = 0 WHERE name = 'ens224'");
    expect((await patch(definition, { listen_interfaces: ['ens224', 'ens192'] })).status).toBe(200);
    expect((await patch(definition, { enabled: false })).status).toBe(200);
    expect((await patch(definition, { enabled: true })).status).toBe(422);
  });

  test('nowhere while nothing was saved', () => {
    expect(definition.defaults as Listening).toMatchObject({ enabled: false, listen_interfaces: [] });
  });
});

test.each(required)('%s cannot be on without an interface', async (_key, definition) => {
  const answer = await patch(definition, { enabled: true });
  expect([answer.status, pointers(answer.body)]).toEqual([422, ['/listen_interfaces']]);
});

describe('the appliance keeps records for the host name of a service', () => {
  const kept = async () =>
    (
      await scene.house.services.store.all<{ line: string }>(
        `SELECT type || ' ' || value || ' ' || owner_ref AS line FROM dns_record
         WHERE fqdn = 'service.lab.test' AND owner_source = 'service' ORDER BY type`,
      )
    ).map(({ line }) => line);

  test.each(listening.filter(([, { schema }]) => 'hostname' in schema.entries || 'portal_hostname' in schema.entries))(
    '%s',
    async (key, definition) => {
      await sql(`INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_lab', 'lab.test', '', '')`);
      const member = 'hostname' in definition.schema.entries ? 'hostname' : 'portal_hostname';
      await patch(definition, { [member]: 'service.lab.test', listen_interfaces: ['ens224'] });
      expect(await kept()).toEqual([]);
      await patch(definition, { enabled: true });
      expect(await kept()).toEqual([`A 10.20.0.5 ${key}`, `AAAA fd00:20::5 ${key}`]);
      await patch(definition, { listen_interfaces: ['ens192'] });
      expect(await kept()).toEqual([`A 10.10.0.5 ${key}`]);
      await patch(definition, { [member]: '' });
      expect(await kept()).toEqual([]);
    },
  );
});

test('the certificate authority keeps custody without a portal', async () => {
  const [, definition] = all.find(([key]) => key === 'certificate-authority')!;
  expect((await patch(definition, { enabled: true })).body).toMatchObject({ enabled: true, listen_addresses: [] });
});

describe('members that depend on each other', () => {
  const of = (key: string) => all.find(([known]) => known === key)![1];
  test.each([
    ['ntp', { nts_enabled: true }, '/hostname'],
    [
      'certificate-authority',
      { root_validity_days: 365, certificate_validity_days: 400 },
      '/certificate_validity_days',
    ],
    ['ldap', { enabled: true, listen_interfaces: ['ens192'], ldaps_enabled: false }, '/ldaps_enabled'],
    ['ldap', { ldap_port: 636 }, '/ldap_port'],
    ['ldap', { allow_plain_bind: true }, '/allow_plain_bind'],
    ['network-boot', { http_port: 69 }, '/http_port'],
  ])('%s refuses %j at %s', async (key, body, pointer) => {
    const answer = await patch(of(key), body);
    expect([answer.status, pointers(answer.body)]).toEqual([422, [pointer]]);
  });

  test('a directory that is off may have no protocol', async () => {
    expect((await patch(of('ldap'), { ldaps_enabled: false })).status).toBe(200);
  });
});
