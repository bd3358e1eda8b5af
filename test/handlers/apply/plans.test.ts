// Plans over the API, from the first one to the history, and the routes of the earlier contract.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { expand } from '../../../shared/appliance/apply/selection.ts';
import type { UnitId } from '../../../shared/platform/unit-names.ts';
import type { Data } from '../../../shared/platform/units/facts.ts';
import { admin, api, applied, house, open, PLANS, reasons, saved, submitted } from './apply-scene.ts';

const DNS_LISTENS: [string, string, unknown] = [
  'PATCH',
  '/api/v1/dns-dhcp/settings',
  { enabled: true, listen_interfaces: ['ens192'] },
];
const ADDRESS: [string, string, unknown] = [
  'PATCH',
  '/api/v1/interfaces/physical/ens192',
  { ipv4_cidr: '10.10.0.6/24' },
];
const ZONE: [string, string, unknown] = ['POST', '/api/v1/dns/zones', { name: 'lab.example' }];
const MTU: [string, string, unknown] = ['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }];

describe('a plan', () => {
  test('goes over the API from its making to the history', async () => {
    await open();
    await saved(ZONE);
    const before = await house.lastAudit();
    const made = await api('POST', PLANS, {});
    expect([made.status, made.headers.location]).toEqual([201, `${PLANS}/${made.body.id}`]);
    expect(made.body).toMatchObject({
      state: 'open',
      selection: null,
      left_out: [],
      stale_units: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(made.body.units.map(({ id }: { id: string }) => id).slice(0, 1)).toEqual(['network']);
    expect(made.body.units[0]).toMatchObject({
      reason: 'first apply',
      risk: 'medium',
      interruption: 'none',
      check: { ok: true },
      reached: null,
    });
    const got = await api('GET', `${PLANS}/${made.body.id}`);
    expect(got.body).toEqual(made.body);
    const answer = await submitted(made.body);
    expect([answer.status, answer.headers.location]).toEqual([202, `/api/v1/jobs/${answer.body.job_id}`]);
    expect((await api('GET', answer.headers.location!)).body).toMatchObject({
      state: 'succeeded',
      created_by: expect.stringContaining('alice'),
    });
    const after = (await api('GET', `${PLANS}/${made.body.id}`)).body;
    expect(after).toMatchObject({ state: 'applied', note: 'over the API', job_id: answer.body.job_id });
    expect(new Set(after.units.map(({ reached }: { reached: string }) => reached))).toEqual(new Set(['applied']));
    expect(await house.audited(before)).toEqual(['plan.create', 'plan.submit', 'apply.succeeded']);
  });

  test('that finds everything in force is none, and says so', async () => {
    await open();
    await applied();
    await saved(MTU, ['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 1500 }]);
    const before = await house.lastAudit();
    const heard = await api('POST', PLANS, {});
    expect([heard.status, heard.body.plan_id, heard.body.left_out]).toEqual([200, null, []]);
    expect(await house.audited(before)).toEqual(['plan.settle']);
  });

  test('whose units changed since is refused and names them, before and at the submit', async () => {
    await open();
    await applied();
    await saved(MTU);
    const { body: plan } = await api('POST', PLANS, {});
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 1400 }]);
    expect((await api('GET', `${PLANS}/${plan.id}`)).body.stale_units).toEqual(['network']);
    const refused = await submitted(plan);
    expect([refused.status, refused.body.error_code, refused.body.units]).toEqual([409, 'plan_stale', ['network']]);
  });

  test('that was not submitted can not be stopped, nor one that has ended', async () => {
    await open();
    const { body: plan } = await api('POST', PLANS, {});
    const early = await api('POST', `${PLANS}/${plan.id}/cancel`);
    expect([early.status, early.body.error_code]).toEqual([409, 'state_conflict']);
    await submitted(plan);
    const late = await api('POST', `${PLANS}/${plan.id}/cancel`);
    expect([late.status, late.body.error_code]).toEqual([409, 'job_finished']);
  });

  test('that waits is stopped before it begins, and nothing was changed', async () => {
    await open();
    const { body: plan } = await api('POST', PLANS, {});
    const { runner } = house.appliance;
    runner.wake = () => undefined;
    await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest });
    const locked = await api('POST', PLANS, {});
    expect([locked.status, locked.body.error_code]).toEqual([423, 'mutation_locked']);
    const stopped = await api('POST', `${PLANS}/${plan.id}/cancel`);
    expect([stopped.status, stopped.body.kind]).toEqual([202, 'apply']);
    delete (runner as { wake?: unknown }).wake;
    runner.wake();
    await runner.idle();
    const { body } = await api('GET', `${PLANS}/${plan.id}`);
    expect([body.state, body.units[0].reached]).toEqual(['cancelled', null]);
    expect((await api('POST', PLANS, {})).status).toBe(201);
  });

  test('whose submit is sent again with its key is answered as before, also while it runs', async () => {
    await open();
    const { body: plan } = await api('POST', PLANS, {});
    house.appliance.runner.wake = () => undefined;
    const submit = (key: string) =>
      house.send('POST', `${PLANS}/${plan.id}/submit`, {
        token: admin.token,
        body: { digest: plan.digest },
        headers: { 'idempotency-key': key },
      });
    const [first, again, other] = [await submit('one'), await submit('one'), await submit('two')];
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(other.status).toBe(423);
  });

  test.each([
    ['no unit', { units: [] }, '/units'],
    ['a unit that there is none of', { units: ['coffee'] }, '/units/0'],
    ['a unit twice', { units: ['network', 'network'] }, '/units/1'],
    ['to apply again without a unit', { reapply: true }, '/reapply'],
  ])('of %s is refused', async (_what, body, pointer) => {
    await open();
    const heard = await api('POST', PLANS, body);
    expect([heard.status, heard.body.errors?.[0].pointer]).toEqual([422, pointer]);
  });
});

test('the history is paged, newest first, and filtered by state', async () => {
  await open();
  const ids = [await applied()];
  for (const mtu of [9000, 1400, 1300]) {
    await saved(['PATCH', '/api/v1/interfaces/physical/ens192', { mtu }]);
    ids.unshift((await api('POST', PLANS, {})).body.id);
  }
  const whole = (await api('GET', PLANS)).body.items;
  expect(whole.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
  expect(whole[0]).toMatchObject({ id: ids[0], state: 'open', units: [{ id: 'network', reason: 'your change' }] });
  const first = (await api('GET', `${PLANS}?limit=3`)).body;
  const second = (await api('GET', `${PLANS}?limit=3&cursor=${first.next_cursor}`)).body;
  expect([...first.items, ...second.items]).toEqual(whole);
  const states = async (state: string) => (await api('GET', `${PLANS}?state=${state}`)).body.items.length;
  expect([await states('applied'), await states('open'), await states('superseded')]).toEqual([1, 1, 2]);
});

describe('a selection', () => {
  async function changedAddress() {
    await open();
    await saved(DNS_LISTENS);
    await applied();
    await saved(ADDRESS);
  }

  test('of the network takes along who listens on the address that changes', async () => {
    await changedAddress();
    const heard = await api('POST', PLANS, { units: ['network'] });
    expect(reasons(heard)).toEqual(
      expect.arrayContaining([
        ['network', 'your change'],
        ['dns-dhcp', 'required by Network: both concern ens192'],
      ]),
    );
    expect(heard.body.selection).toEqual(['network']);
  });

  test('of the service takes the network along', async () => {
    await changedAddress();
    const heard = await api('POST', PLANS, { units: ['dns-dhcp'] });
    expect(Object.fromEntries(reasons(heard)).network).toMatch(/^required by DNS and DHCP: both concern ens192$/);
  });

  test('leaves out what has nothing to do with it, which stays pending', async () => {
    await open();
    await saved(DNS_LISTENS);
    await applied();
    await saved(MTU, ZONE);
    const heard = await api('POST', PLANS, { units: ['dns-dhcp'] });
    expect(reasons(heard)).toEqual([['dns-dhcp', 'your change']]);
    expect(heard.body.left_out).toEqual(['Network']);
    expect(
      (await house.send('GET', `/ui/management/appliance-apply/${heard.body.id}`, { session: admin })).text,
    ).toContain('Network; stays as it is');
    await submitted(heard.body);
    const states = await house.services.store.all(
      'SELECT unit FROM unit_state WHERE desired_version <> applied_version',
    );
    expect(states).toEqual([{ unit: 'network' }]);
  });

  const unit = (id: UnitId, after: Record<string, Data>, before: Record<string, Data> = {}) => ({
    id,
    label: id,
    change: {
      before: new Map(Object.entries(before)),
      after: new Map(Object.entries(after)),
      written: [],
      removed: [],
    },
  });
  const INTERFACES = new Set(['ens1', 'ens2']);

  test.each([
    [
      'the firewall follows the service whose port it opens',
      ['ntp'],
      [
        unit('firewall', { 'open ntp udp 123': { interfaces: ['ens1'] } }),
        unit('ntp', { 'listen ens1': ['10.0.0.1'] }),
      ],
      { ntp: null, firewall: 'required by ntp: both concern ens1' },
    ],
    [
      'two services on one interface have nothing to do with each other',
      ['ntp'],
      [unit('kms', { 'listen ens1': ['10.0.0.1'] }), unit('ntp', { 'listen ens1': ['10.0.0.1'] })],
      { ntp: null },
    ],
    [
      'a chain is followed to its end',
      ['kms'],
      [
        unit('network', { 'ipv4_cidr ens1': '10.0.0.9/24' }),
        unit('ntp', { 'listen ens1': ['10.0.0.9'] }),
        unit('kms', { 'listen x': ['10.0.0.9'] }),
      ],
      {
        kms: null,
        network: 'required by kms: both concern 10.0.0.9',
        ntp: 'required by network: both concern ens1',
      },
    ],
    [
      'the MTU is nobody’s affair',
      ['ntp'],
      [unit('network', { 'mtu ens1': 9000 }), unit('ntp', { 'listen ens1': ['10.0.0.1'] })],
      { ntp: null },
    ],
    [
      'what stays as it is takes nobody along',
      ['network'],
      [
        unit('network', { 'ipv4_cidr ens1': '10.0.0.9/24' }),
        unit('ntp', { 'listen ens1': ['10.0.0.1'], sources: 2 }, { 'listen ens1': ['10.0.0.1'] }),
      ],
      { network: null },
    ],
    [
      'a URL and each word of a list name addresses',
      ['network'],
      [
        unit('network', { 'ipv4_cidr ens1': '10.0.0.10/24' }, { 'ipv4_cidr ens1': '10.0.0.9/24' }),
        unit('network-boot', { uefi: { url: 'http://10.0.0.10/x.efi' } }, { uefi: { url: 'http://10.0.0.9/x.efi' } }),
        unit('dns-dhcp', { 'option 150 ipv4': { code: 150, value: ['10.0.0.7', ' 10.0.0.10'] } }),
      ],
      {
        network: null,
        'network-boot': expect.stringContaining('required by network: both concern 10.0.0.'),
        'dns-dhcp': expect.stringContaining('10.0.0.10'),
      },
    ],
  ])('%s', (_rule, asked, changed, chosen) => {
    expect(Object.fromEntries(expand(new Set(asked as UnitId[]), changed, INTERFACES))).toEqual(chosen);
  });
});

describe('the routes of the earlier contract', () => {
  const legacy = (resource: string, token = admin.token) => house.send('POST', `/api/v1/${resource}/apply`, { token });

  test.each(['dns', 'dhcp', 'firewall'])('%s: say what an apply would do, and lead to it', async (resource) => {
    await open();
    await saved(DNS_LISTENS);
    const before = await house.lastAudit();
    const heard = await legacy(resource);
    expect(heard.status).toBe(200);
    expect(heard.headers).toMatchObject({
      deprecation: '@1767225600',
      link: '</ui/management/appliance-apply>; rel="deprecation"; type="text/html", </api/v1/apply/plans>; rel="successor-version"',
    });
    expect(heard.body).toMatchObject({ valid: true, errors: [], review: '/ui/management/appliance-apply' });
    expect(heard.body).toMatchObject({ applied: false, reloaded: false, dry_run: true, changed: true });
    expect(heard.body.warnings).toEqual([
      'Nothing was applied, and nothing was reloaded. Review the pending change and apply it at /ui/management/appliance-apply, or with POST /api/v1/apply/plans and its submit.',
    ]);
    expect(heard.body.would.length).toBeGreaterThan(0);
    expect(await house.audited(before)).toEqual([`${resource}.legacy_apply`]);
    expect(await house.services.store.all('SELECT id FROM plan')).toEqual([]);
    expect(await house.services.store.all('SELECT id FROM job')).toEqual([]);
    expect(readdirSync(join(house.data, 'apply', 'review')).concat()).toEqual([]);
  });

  test('tell of a fault instead', async () => {
    await open();
    await house.services.store.write((tx) =>
      tx.run(`INSERT INTO unit_settings (unit, document, updated_at)
        VALUES ('dns-dhcp', '{"enabled":true,"listen_interfaces":["ens999"]}', '')`),
    );
    const { body } = await legacy('dns');
    expect([body.valid, body.errors.join()]).toEqual([false, expect.stringContaining('ens999')]);
    expect([body.applied, body.warnings.at(-1)]).toEqual([false, expect.stringContaining('correct what `errors`')]);
  });

  test('say that nothing is to be done once it is applied', async () => {
    await open();
    await saved(DNS_LISTENS);
    await applied();
    expect((await legacy('dns')).body).toMatchObject({
      ...{ applied: false, reloaded: false, dry_run: true, changed: false },
      would: ['Nothing: everything saved is in force.'],
      warnings: ['Nothing was applied, and nothing was reloaded. Everything saved is in force already.'],
    });
  });

  test('need their own scope, stand under the lock, and carry their headers on refusals too', async () => {
    await open();
    const { token } = await house.actor('admin', ['write:dns', 'write:apply']);
    const forbidden = await legacy('firewall', token);
    expect([forbidden.status, forbidden.body.scope, forbidden.headers.deprecation]).toEqual([
      403,
      'write:firewall',
      '@1767225600',
    ]);
    await house.services.store.write((tx) =>
      tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '2026-01-01T00:00:00.000Z')"),
    );
    expect((await legacy('dns', token)).status).toBe(423);
  });

  test('are not in the document', async () => {
    await open();
    const document = (await house.send('GET', '/openapi.json', { session: admin })).text;
    expect(document).toContain('/api/v1/apply/plans');
    for (const resource of ['dns', 'dhcp', 'firewall']) expect(document).not.toContain(`"/api/v1/${resource}/apply"`);
    expect(document).not.toContain('ForeseenApply');
  });
});
