// Rules of the firewall over the API and in the browser, what they come to, and reviews that would shut people out.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { preparePlan } from '../../../shared/appliance/apply/make-plan.ts';
import { UNITS } from '../../../shared/appliance/units.ts';
import type { Host } from '../../../shared/ground/machine/host.ts';
import { type Credentials, House } from '../../setup/house.ts';

const RULES = '/api/v1/firewall/rules';
const UI = '/ui/management/firewall';
const APPLY = '/ui/management/appliance-apply';

let house: House;
let admin: Credentials;
let viewer: Credentials;
/** What nft answers; null: it is not asked, as in a rehearsal. */
let nft: ((args: readonly string[]) => { code: number; stdout: string; stderr: string }) | null = null;

const host = (rehearsal: Host): Host => ({
  ...rehearsal,
  get enforces() {
    return nft !== null;
  },
  exec: async (program, args, options) =>
    program === 'nft' ? (nft?.(args) ?? { code: 0, stdout: '', stderr: '' }) : rehearsal.exec(program, args, options),
});

beforeAll(async () => {
  house = await House.open({ host });
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());
beforeEach(async () => {
  nft = null;
  await house.services.store.write(async (tx) => {
    for (const table of ['firewall_rule', 'unit_settings', 'plan']) await tx.run(`DELETE FROM ${table}`);
  });
});

const api = (method: string, path: string, body?: unknown, as = admin) =>
  house.send(method, path, { token: as.token, ...(body !== undefined && { body }) });
const get = (path: string, as = admin) => house.send('GET', path, { session: as });
const post = (path: string, form: Record<string, string> = {}) => house.send('POST', path, { session: admin, form });
const SSH = {
  name: 'SSH from the jump host',
  action: 'accept',
  protocol: 'tcp',
  ports: '22',
  source_cidr: '10.10.0.9',
};
const add = async (fields: object = {}) => (await api('POST', RULES, { ...SSH, ...fields })).body;

describe('over the API', () => {
  test('a rule has canonical members, its place, and one audit event', async () => {
    const before = await house.lastAudit();
    const created = await api('POST', RULES, { ...SSH, ports: '8100-8200, 22', interface: 'ens224' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^fwr_/),
      position: 10,
      direction: 'input',
      interface: 'ens224',
      source_cidr: '10.10.0.9/32',
      destination_cidr: '',
      ports: '22,8100-8200',
      log: false,
      enabled: true,
      revision: 1,
    });
    expect((await add({ name: 'second' })).position).toBe(20);
    expect((await add({ name: 'between', position: 15 })).position).toBe(15);
    const listed = await api('GET', RULES);
    expect(listed.body.items.map(({ name }: { name: string }) => name)).toEqual([SSH.name, 'between', 'second']);
    expect(await house.audited(before)).toEqual(Array(3).fill('firewall.rule.create'));
  });

  test.each<[string, object, number, string]>([
    ['a name that is taken', { name: SSH.name }, 409, '/name'],
    ['no name', { name: ' ' }, 422, '/name'],
    ['position 0', { name: 'b', position: 0 }, 422, '/position'],
    ['position null', { name: 'b', position: null }, 422, '/position'],
    ['another action', { name: 'b', action: 'allow' }, 422, '/action'],
    ['an interface that is not there', { name: 'b', interface: 'ens999' }, 422, '/interface'],
    ['host bits', { name: 'b', source_cidr: '10.10.0.9/24' }, 422, '/source_cidr'],
    ['mixed families', { name: 'b', destination_cidr: 'fd00::1' }, 422, '/destination_cidr'],
    ['ports without a protocol', { name: 'b', protocol: 'any' }, 422, '/ports'],
    ['a member that is not known', { name: 'b', priority: 3 }, 422, '/priority'],
  ])('%s is refused', async (_what, fields, status, pointer) => {
    await add();
    const before = await house.lastAudit();
    const { body, status: answered } = await api('POST', RULES, { ...SSH, ...fields });
    expect([answered, body.errors?.[0]?.pointer]).toEqual([status, pointer]);
    expect(await house.audited(before)).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    [
      'that the schema and the rules refuse',
      { name: '', position: 0, interface: 'ens999', source_cidr: '10.0.0.0/33', ports: 'many' },
      ['/interface', '/name', '/ports', '/position', '/source_cidr'],
    ],
    [
      'that the rules refuse',
      { name: 'b', interface: 'ens999', source_cidr: 'x', ports: 'many' },
      ['/interface', '/ports', '/source_cidr'],
    ],
  ])('all members %s are named at once', async (_what, fields, pointers) => {
    const { id } = await add();
    for (const [method, path] of [
      ['POST', RULES],
      ['PATCH', `${RULES}/${id}`],
    ] as const) {
      const { status, body } = await api(method, path, { ...SSH, ...fields });
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([422, pointers]);
    }
    expect((await api('GET', RULES)).body.items).toHaveLength(1);
  });

  test('an edit keeps what it does not name, and a stale one is refused', async () => {
    const { id } = await add();
    const edited = await api('PATCH', `${RULES}/${id}`, { action: 'DROP' });
    expect(edited.body).toMatchObject({ action: 'drop', ports: '22', position: 10, revision: 2 });
    const again = await api('PATCH', `${RULES}/${id}`, { action: 'drop', position: 10 });
    expect(again.body.revision).toBe(2);
    const stale = await house.send('PATCH', `${RULES}/${id}`, {
      token: admin.token,
      headers: { 'if-match': '"r1"' },
      body: { action: 'accept' },
    });
    expect(stale.status).toBe(412);
    expect((await api('DELETE', `${RULES}/${id}`)).status).toBe(204);
    expect((await api('GET', `${RULES}/${id}`)).status).toBe(404);
  });

  test('a dry run saves nothing; a viewer saves nothing either', async () => {
    expect((await api('POST', `${RULES}?dry_run=true`, SSH)).status).toBe(201);
    expect((await api('POST', RULES, SSH, viewer)).status).toBe(403);
    expect((await api('GET', RULES)).body.items).toEqual([]);
    expect((await api('GET', RULES, undefined, viewer)).status).toBe(200);
  });

  test('there are at most 500', async () => {
    const columns =
      'id, name, position, action, direction, interface, source_cidr, destination_cidr, protocol, ports, log, created_at, updated_at';
    const values = Array.from(
      { length: 500 },
      (_, n) => `('fwr_${n}', 'r${n}', ${n + 1}, 'accept', 'input', '', '', '', 'any', '', 0, '', '')`,
    );
    await house.services.store.write((tx) =>
      tx.run(`INSERT INTO firewall_rule (${columns}) VALUES ${values.join(', ')}`),
    );
    const { status, body } = await api('POST', RULES, SSH);
    expect([status, body.detail]).toEqual([409, 'There are 500 rules already; delete one first.']);
  });
});

const chainOf = ({ key, packets }: { key: string; packets: number | null }) => [key, packets];

describe('the status', () => {
  test('names every rule with its reason, and says why it can not count', async () => {
    await add();
    await api('PATCH', '/api/v1/ntp/settings', { enabled: true, listen_interfaces: ['ens192'] });
    await api('PATCH', '/api/v1/oidc/settings', { enabled: true, listen_interfaces: ['ens192'] });
    const { body } = await api('GET', '/api/v1/firewall/status');
    expect(body).toMatchObject({ in_force: null, reason: 'Rehearsal: no rule is loaded.' });
    const of = (label: string) => body.rules.find((each: { label: string }) => each.label === label);
    expect(of('NTP')).toMatchObject({
      origin: 'service',
      match: 'iifname "ens192" udp dport 123',
      why: 'Questions to the time service.',
      packets: null,
    });
    expect(of('OpenID Connect').match).toBe('iifname "ens192" tcp dport 443');
    expect(of('Management UI').match).toBe('iifname "ens192" tcp dport 8080');
    expect(of(SSH.name)).toMatchObject({ origin: 'operator', match: 'ip saddr 10.10.0.9 tcp dport 22' });
    const keys = body.rules.map(({ chain, key }: { chain: string; key: string }) => `${chain} ${key}`);
    expect([keys[0], keys.at(-1)]).toEqual(['input established', 'forward denied']);
  });

  test('counts what the kernel has, and says what differs', async () => {
    const { rules } = (await api('GET', '/api/v1/firewall/status')).body;
    const listed = (mend: (text: string) => string) => () => ({ code: 0, stderr: '', stdout: mend(kernel(rules)) });
    nft = listed((text) => text);
    const { body } = await api('GET', '/api/v1/firewall/status');
    expect(body).toMatchObject({ in_force: true, reason: null });
    expect(chainOf(body.rules[0])).toEqual(['established', 7]);
    nft = listed((text) => text.replace('"lo"', '"ens224"'));
    const differing = (await api('GET', '/api/v1/firewall/status')).body;
    expect([differing.in_force, differing.reason]).toEqual([
      false,
      expect.stringMatching(/it lacks the rule input loopback/),
    ]);
    nft = () => ({ code: 1, stdout: '', stderr: 'Error: No such file or directory' });
    expect((await api('GET', '/api/v1/firewall/status')).body).toMatchObject({
      in_force: false,
      reason: 'The table is not loaded.',
    });
    nft = () => ({ code: 127, stdout: '', stderr: 'nft: not found' });
    expect((await api('GET', '/api/v1/firewall/status')).body).toMatchObject({
      in_force: null,
      reason: 'nft list table inet groundcrew: nft: not found',
    });
  });

  test('of a firewall that is off has no rules', async () => {
    await api('PATCH', '/api/v1/firewall/settings', { enabled: false });
    expect((await api('GET', '/api/v1/firewall/status')).body.rules).toEqual([]);
    expect((await get(UI)).text).toContain('The firewall is off: nothing is filtered.');
  });
});

/** What `nft -j list table` would say of rules that the status shows. */
function kernel(rules: { chain: string; key: string; match: string; verdict: string }[]): string {
  const SUBJECT =
    /(ct state|meta \w+|iifname|oifname|icmpv6 type|icmp type|(?:ip|ip6|tcp|udp) \w+) (!= )?(\{[^}]*\}|\S+)/g;
  const left = (subject: string) => {
    const [first = '', second = ''] = subject.split(' ');
    if (first === 'ct') return { ct: { key: second } };
    if (first === 'meta' || second === '') return { meta: { key: second || first } };
    return { payload: { protocol: first, field: second } };
  };
  const expr = (match: string) =>
    [...match.matchAll(SUBJECT)].map(([, subject = '', not, right = '']) => {
      const values = right
        .replaceAll(/[{}"]/g, '')
        .split(',')
        .map((text) => text.trim());
      return {
        match: { op: not ? '!=' : '==', left: left(subject), right: values.length > 1 ? { set: values } : values[0] },
      };
    });
  const chains = ['input', 'forward'].map((name) => ({ chain: { name, hook: name, policy: 'drop' } }));
  const listed = rules.map(({ chain, key, match, verdict }) => ({
    rule: { chain, comment: key, expr: [...expr(match), { counter: { packets: 7, bytes: 420 } }, { [verdict]: null }] },
  }));
  return JSON.stringify({ nftables: [...chains, ...listed] });
}

describe('in the browser', () => {
  test('the page shows rules, reasons and where to go', async () => {
    const { id } = await add({ description: 'Bastion' });
    await house.services.store.write((tx) => tx.run("UPDATE firewall_rule SET interface = 'ens999'"));
    const { status, text } = await get(UI);
    expect(status).toBe(200);
    for (const said of [
      `href="${UI}/rules/${id}"`,
      'Bastion',
      'accept tcp 22 on ens999 from 10.10.0.9/32',
      'There is no ens999: it fits no packet.',
      'Connections that exist go on',
      'Rehearsal: no rule is loaded.',
      `href="${UI}/settings"`,
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/ style=|not enforced/i);
    expect((await get(UI, viewer)).text).not.toContain('Add rule');
  });

  const typed = {
    ...SSH,
    position: '',
    direction: 'input',
    interface: '',
    destination_cidr: '',
    enabled: 'on',
    description: '',
  };

  test('a rule is added, changed and deleted', async () => {
    expect((await get(`${UI}/rules/new`)).text).toContain('Saved changes take effect when you apply them.');
    const added = await post(`${UI}/rules/new`, typed);
    expect([added.status, added.headers.location]).toEqual([303, UI]);
    const [rule] = (await api('GET', RULES)).body.items;
    const page = `${UI}/rules/${rule.id}`;
    expect((await get(page)).text).toContain('value="10.10.0.9/32"');
    const changed = await post(page, { ...typed, action: 'drop', position: '40', revision: '1' });
    expect(changed.status).toBe(303);
    expect((await api('GET', `${RULES}/${rule.id}`)).body).toMatchObject({ action: 'drop', position: 40 });
    expect((await get(`${page}/delete`)).text).toContain('will be matched against the rules after it');
    expect((await post(`${page}/delete`, { revision: '2' })).headers.location).toBe(UI);
    expect((await api('GET', RULES)).body.items).toEqual([]);
  });

  test('a refused form keeps what was typed, with the fault at its field', async () => {
    const { status, text } = await post(`${UI}/rules/new`, { ...typed, ports: '22-20' });
    expect(status).toBe(422);
    expect(text).toContain('id="ports-error"');
    expect(text).toContain('value="22-20"');
    expect(text).toContain(`value="${SSH.name}"`);
    const { status: taken } = await post(`${UI}/rules/new`, { ...typed, interface: 'ens999' });
    expect(taken).toBe(422);
  });

  test('a stale form and one without its token change nothing', async () => {
    const { id } = await add();
    const stale = await post(`${UI}/rules/${id}`, { ...typed, revision: '7' });
    expect([stale.status, stale.text.includes('Nothing was saved')]).toEqual([412, true]);
    const forged = await house.send('POST', `${UI}/rules/${id}`, {
      session: { ...admin, csrf: 'x' },
      form: { ...typed, revision: '1' },
    });
    expect(forged.status).toBe(403);
  });
});

describe('a review', () => {
  const review = async () => {
    const answer = await post(APPLY);
    expect(answer.status).toBe(303);
    return (await get(answer.headers.location!)).text;
  };

  test('shows what the firewall opens, and refuses nobody', async () => {
    const text = await review();
    expect(text).toContain('The firewall is switched on');
    expect(text).not.toContain('did not pass validation');
  });

  test('of rules that would shut everybody out can not be applied', async () => {
    await add({ name: 'shut', action: 'drop', protocol: 'any', ports: '', source_cidr: '' });
    const text = await review();
    expect(text).toContain('Firewall did not pass validation');
    expect(text).toContain(
      'No new connection could reach the management UI from anywhere: the rule shut would refuse it.',
    );
    const plan = /plan_\w+/.exec(text)![0];
    const digest = /name="digest" value="([0-9a-f]{64})"/.exec(text)![1]!;
    expect((await post(`${APPLY}/${plan}/submit`, { digest, note: '' })).status).toBe(409);
  });

  test('of networks without the one who asks can not be applied', async () => {
    await api('PATCH', '/api/v1/firewall/settings', { management_networks: ['10.99.0.0/16'] });
    const faultsFor = async (operator: string) => {
      const { plan } = await preparePlan(house.services, UNITS, 'alice', { arrival: { local: '', remote: operator } });
      return plan.units.find(({ id }) => id === 'firewall')!.check!.faults;
    };
    expect(await faultsFor('10.99.0.7')).toEqual([]);
    expect(await faultsFor('10.10.0.9')).toEqual([
      'You could not reach the management UI again from 10.10.0.9: the networks that may reach the management UI leave it out.',
    ]);
  });
});
