// Tasks on remote machines, step by step as a browser without script goes: what each step shows, asks for and refuses, who
// may, and that nothing typed is sent to a machine before its certificate is confirmed.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeCertificate } from '../../fakes/tls-target.ts';
import type { VcfAppliance, VcfApplianceOptions } from '../../fakes/vcf-appliance.ts';
import { type Credentials, House } from '../../setup/house.ts';
import {
  IMPORT,
  loggedIn,
  manager,
  permitLoopback,
  serverOf,
  stored,
  TRUST,
  toLogin,
  toTls,
} from '../../setup/remote-scene.ts';
import { formOf, optionsOf, Walk } from '../../setup/wizard-walk.ts';

let house: House;
let admin: Credentials;
let service: Credentials;
beforeAll(async () => {
  house = await House.open();
  await permitLoopback(house, await house.actor('admin'));
});
// Each a new one: what one user may look at in a while has its end.
beforeEach(async () => {
  admin = await house.actor('admin');
  service = await house.actor('service-admin');
});
afterAll(() => house.close());

const fakes: VcfAppliance[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function appliance(options: Partial<VcfApplianceOptions> = {}): Promise<VcfAppliance> {
  const fake = await manager(options);
  fakes.push(fake);
  return fake;
}

let count = 0;
const name = () => `vault-${count++}`;
const CA = makeCertificate({ subject: '/O=Lab/CN=Lab root', names: '' });

const events = async (after: number) => {
  const rows = await house.services.store.all<{ action: string; outcome: string; detail: string }>(
    'SELECT action, outcome, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [after],
  );
  return rows.map(({ action, outcome, detail }) => ({ action, outcome, detail: JSON.parse(detail) }));
};

describe.each([
  ['import', IMPORT],
  ['certificate trust', TRUST],
])('%s: the first four steps', (_name, path) => {
  test('come in their order, and nothing is sent before the certificate is confirmed', async () => {
    const fake = await appliance();
    const before = await house.lastAudit();
    const walk = await new Walk(house, admin).open(path);
    // Nothing is stored, so there is nothing to choose: it begins with the server, and the choice can be gone back to.
    expect(walk.words).toMatch(/Credential\s*, done\s*typed at the login/);
    expect((await new Walk(house, admin).open(`${path}?step=credential`)).step).toBe('credential');
    expect([walk.step, walk.html.includes('type="password"')]).toEqual(['server', false]);
    await walk.send('Server', { server: ` ${serverOf(fake)} ` });
    expect([walk.step, walk.html.includes('type="password"')]).toEqual(['tls', false]);
    expect(walk.words.replace(/\s/g, '')).toContain(fake.sha256);
    await walk.send('Fingerprint');
    expect([walk.shown.status, walk.step]).toEqual([422, 'tls']);
    expect(walk.words).toContain('Compare the fingerprint and confirm it.');
    expect(fake.requests).toEqual([]);
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.step, fake.requests.length]).toEqual(['login', 0]);
    await walk.send('Login', { username: 'admin@local', password: '' });
    expect([walk.shown.status, walk.step, fake.requests.length]).toEqual([422, 'login', 0]);
    expect(walk.html).toContain('id="password-error"');
    expect(formOf(walk.html, 'Login').fields).toContainEqual(['username', 'admin@local']);
    await walk.send('Login', { username: 'admin@local', password: 'a wrong one' });
    expect([walk.shown.status, walk.step]).toEqual([409, 'login']);
    expect(walk.html).not.toContain('a wrong one');
    await walk.send('Login', fake.account);
    expect(walk.shown.status).toBe(200);
    expect(walk.step).toMatch(/^(select|certificate)$/);
    expect(walk.words).toContain('SDDC Manager 9.1.0.0.25000000');
    expect((await events(before)).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'remote.target.probe success',
      'remote.target.trust success',
      'remote.target.login failure',
      'remote.target.login success',
    ]);
    // Every step that was reached can be gone back to by its address, in any order, and sends no login.
    const logins = () => fake.requests.filter((one) => one.path === '/v1/tokens').length;
    const so_far = logins();
    for (const address of [...walk.history].reverse()) {
      await walk.open(address);
      expect([walk.shown.status, walk.html.includes(' style=')]).toEqual([200, false]);
    }
    expect(logins()).toBe(so_far);
  });

  test.each([
    ['tls', {}, 'server'],
    ['login', {}, 'server'],
    ['review', {}, 'server'],
    ['done', {}, 'server'],
    ['nonsense', {}, 'credential'],
    ['', {}, 'server'],
    ['login', { trust: 'trust1.e30.AAAA' }, 'server'],
    ['tls', { look: 'AAAAAAAAAAAAAAAAAAAAAA' }, 'server'],
  ])('an address that names %s out of order (%j) leads to %s and connects to nothing', async (step, more, leads) => {
    const fake = await appliance();
    const query = new URLSearchParams({ step, server: serverOf(fake), ...more });
    const walk = await new Walk(house, admin).open(`${path}?${query}`);
    expect([walk.shown.status, walk.step]).toEqual([200, leads]);
    expect(fake.connections).toBe(0);
  });

  test.each([
    ['none', ''],
    ['a forged one', 'trust1.eyJ1c2VyX2lkIjoiIn0.AAAA'],
  ])('a login that is posted with %s as its ticket goes nowhere', async (_what, trust) => {
    const fake = await appliance();
    const walk = await toTls(house, admin, path, fake);
    const seen = fake.connections;
    const look = new URL(walk.at, house.origin).searchParams.get('look')!;
    await walk.post(`${path}/login`, [
      ...Object.entries({ step: 'login', server: serverOf(fake), look, trust, ...fake.account }),
    ] as [string, string][]);
    expect([walk.shown.status, walk.step, fake.requests]).toEqual([409, 'tls', []]);
    expect(walk.words).toContain('The certificate has to be confirmed first');
    // The TLS step looked at it again, and no more.
    expect(fake.connections).toBe(seen + 1);
  });

  test('another user’s ticket, and one from before signing in again, are worth nothing', async () => {
    const fake = await appliance();
    const walk = await toLogin(house, admin, path, fake);
    for (const who of [await house.actor('admin'), { ...admin, ...(await house.actor('admin')), user: admin.user }]) {
      walk.who = who;
      await walk.open(walk.at);
      // The address is not this session's either: it makes nothing connect.
      expect([walk.step, fake.requests]).toEqual(['server', []]);
      await walk.post(`${path}/login`, [
        ...Object.entries({
          step: 'login',
          ...Object.fromEntries(new URL(walk.at, house.origin).searchParams),
          ...fake.account,
        }),
      ] as [string, string][]);
      expect([walk.shown.status, walk.step, fake.requests]).toEqual([409, 'server', []]);
    }
  });

  test('what a server may not be is told at its field', async () => {
    const walk = await new Walk(house, admin).open(`${path}?step=server`);
    for (const [server, says] of [
      ['', 'Enter a host name'],
      ['admin@vc01.lab.test', 'Leave out the user name'],
      ['0x7f.1', 'four decimal numbers'],
      ['169.254.169.254', 'metadata service'],
      ['10.10.0.5', 'an address of this appliance'],
      ['127.0.0.1:1', 'refused the connection'],
    ] as const) {
      await walk.send('Server', { server });
      expect([walk.step, walk.words]).toEqual(['server', expect.stringContaining(says)]);
      expect(formOf(walk.html, 'Server').fields).toContainEqual(['server', server]);
    }
  });

  test('a certificate that changes before it is confirmed is shown beside the one before', async () => {
    const fake = await appliance();
    const walk = await toTls(house, admin, path, fake);
    const before = fake.sha256;
    const now = await fake.changeCertificate();
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.shown.status, walk.step]).toEqual([409, 'tls']);
    const words = walk.words.replace(/\s/g, '');
    expect([words.includes(`Confirmedbefore${before}`), words.includes(`Shownnow${now}`)]).toEqual([true, true]);
    expect(fake.requests).toEqual([]);
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect(walk.step).toBe('login');
  });

  test('an older release, and a machine that is none, lead back to the server', async () => {
    const fake = await appliance({ version: '5.2.1.0' });
    const walk = await toLogin(house, admin, path, fake);
    await walk.send('Login', fake.account);
    expect([walk.shown.status, walk.step]).toEqual([409, 'server']);
    expect(walk.words).toContain('It is not a machine that this task knows');
    expect(fake.requests.every(({ password }) => !password)).toBe(true);
  });

  test('a machine that still starts is told, and the login is not tried', async () => {
    const fake = await appliance({ boot: [{ phase: '503' }] });
    const walk = await toLogin(house, admin, path, fake);
    await walk.send('Login', fake.account);
    expect([walk.shown.status, walk.step]).toEqual([409, 'login']);
    expect(walk.words).toContain('It can’t answer now');
    expect(fake.requests.every(({ password }) => !password)).toBe(true);
  });

  test('a form without the CSRF token is refused, and connects to nothing', async () => {
    const fake = await appliance();
    const walk = await toTls(house, admin, path, fake);
    const { action, fields } = formOf(walk.html, 'Fingerprint');
    const seen = fake.connections;
    const { csrf: _ours, look: _mark, ...form } = Object.fromEntries(fields);
    const session = { cookie: admin.cookie, csrf: 'x' };
    const answer = await house.send('POST', action, { session, form: { ...form, confirm: 'yes' } });
    expect([answer.status, fake.connections]).toEqual([403, seen]);
  });
});

describe('the 100 changes of a certificate between confirmation and login', () => {
  test('are refused each time, and not a byte of the credential is seen', async () => {
    const fake = await appliance();
    const refused: string[] = [];
    for (let n = 0; n < 100; n++) {
      const walk = await toLogin(house, admin, n % 2 === 0 ? IMPORT : TRUST, fake);
      const before = fake.sha256;
      const now = await fake.changeCertificate(n % 4 < 2);
      await walk.send('Login', fake.account);
      const words = walk.words.replace(/\s/g, '');
      const both = words.includes(`Confirmedbefore${before}`) && words.includes(`Shownnow${now}`);
      refused.push(`${walk.shown.status} ${walk.step} ${both}`);
    }
    expect(new Set(refused)).toEqual(new Set(['409 tls true']));
    expect(refused).toHaveLength(100);
    expect(fake.requests).toEqual([]);
  }, 120_000);
});

describe('the picker', () => {
  test('one choice for each web address; server from it and read-only, user name filled, login skipped', async () => {
    const fake = await appliance();
    const vault = name();
    const { vault_id, choice_id } = await stored(house, admin, fake, vault);
    const walk = await new Walk(house, admin).open(TRUST);
    expect(optionsOf(walk.html, 'vault_id')).toEqual(expect.arrayContaining(['', vault_id]));
    await walk.send('Credential', { vault_id, step: 'server' });
    // A vault alone is half a choice: its keys are shown.
    expect(walk.step).toBe('credential');
    expect(optionsOf(walk.html, 'choice_id')).toHaveLength(3);
    expect(walk.html).toContain('id="picked-password"');
    expect(/<input id="picked-password"[^>]*>/.exec(walk.html)![0]).toMatch(/\bdisabled\b/);
    await walk.send('Credential', { vault_id, choice_id, step: 'server' });
    expect(walk.step).toBe('server');
    const server = /<input[^>]*name="server"[^>]*>/.exec(walk.html)![0];
    expect([server.includes(`value="${serverOf(fake)}"`), /\breadonly\b/.test(server)]).toEqual([true, true]);
    // What is posted in its place counts for nothing.
    await walk.send('Server', { server: '192.0.2.1' });
    expect(walk.step).toBe('tls');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.step, fake.requests]).toEqual(['certificate', []]);
    expect(walk.words).toContain('from the vault');
    await walk.open(walk.at.replace('step=certificate', 'step=login'));
    expect(walk.step).toBe('certificate');
    // Back to the first step: the choice is shown, and typing is one choice away.
    await walk.open(walk.at.replace('step=login', 'step=credential'));
    expect(walk.html).toContain('value="admin@local"');
    await walk.send('Credential', { vault_id: '', choice_id: null, step: 'server' });
    expect(walk.step).toBe('server');
    expect(/<input[^>]*name="server"[^>]*>/.exec(walk.html)![0]).not.toMatch(/\breadonly\b/);
  });

  test('a vault without usable keys says so, and the manual login stays', async () => {
    const { body } = await house.send('POST', '/api/v1/vaults', { token: admin.token, body: { name: name() } });
    const entry = { key: 'esx01.root', username: 'root', value: 'a stored one', uris: ['ssh://esx01.lab.test'] };
    await house.send('POST', `/api/v1/vaults/${body.id}/entries`, { token: admin.token, body: entry });
    const walk = await new Walk(house, admin).open(`${IMPORT}?step=credential&vault_id=${body.id}`);
    expect(walk.words).toContain('No HTTP/HTTPS credentials available');
    expect(formOf(walk.html, 'Credential').fields).toContainEqual(['vault_id', '']);
    await walk.send('Credential', { step: 'server' });
    expect(walk.step).toBe('server');
  });

  test('a service administrator has manual logins only, and gets 403 for a forged choice at each step', async () => {
    const fake = await appliance();
    const choice = await stored(house, admin, fake, name());
    const { vault_id, choice_id } = choice;
    expect((await new Walk(house, service).open(TRUST)).step).toBe('server');
    const walk = await new Walk(house, service).open(`${TRUST}?step=credential`);
    expect([walk.html.includes('name="vault_id"'), walk.words.includes('are for administrators')]).toEqual([
      false,
      true,
    ]);
    for (const step of ['credential', 'server', 'tls', 'login', 'certificate', 'review']) {
      const query = new URLSearchParams({ step, vault_id, choice_id });
      expect((await walk.open(`${TRUST}?${query}`)).shown.status).toBe(403);
    }
    const ready = await loggedIn(house, service, TRUST, fake);
    const trust = new URL(ready.at, house.origin).searchParams.get('trust')!;
    const draft = new URL(ready.at, house.origin).searchParams.get('draft')!;
    const before = [fake.requests.length, await house.lastAudit()];
    const common = { server: serverOf(fake), vault_id, choice_id };
    for (const [to, more] of [
      ['server', {}],
      ['confirm', { sha256: fake.sha256, confirm: 'yes' }],
      ['login', { trust, username: '', password: '' }],
      ['certificate', { trust, draft, certificate: CA.cert }],
      ['run', { trust, draft, username: '', password: '' }],
    ] as const) {
      await walk.post(`${TRUST}/${to}`, Object.entries({ step: to, ...common, ...more }) as [string, string][]);
      expect([to, walk.shown.status]).toEqual([to, 403]);
    }
    expect([fake.requests.length, await house.lastAudit()]).toEqual(before);
  });

  test('an entry of another vault, and one whose address was changed, are asked for again', async () => {
    const fake = await appliance();
    const one = await stored(house, admin, fake, name());
    const other = await stored(house, admin, fake, name());
    const query = new URLSearchParams({ step: 'server', vault_id: other.vault_id, choice_id: one.choice_id });
    const walk = await new Walk(house, admin).open(`${TRUST}?${query}`);
    expect([walk.step, walk.words.includes('Choose a key')]).toEqual(['credential', true]);
    const body = { uris: ['https://vc09.lab.test'] };
    await house.send('PATCH', `/api/v1/vaults/${one.vault_id}/entries/${one.entry_id}`, { token: admin.token, body });
    const gone = new URLSearchParams({ step: 'server', vault_id: one.vault_id, choice_id: one.choice_id });
    expect((await walk.open(`${TRUST}?${gone}`)).step).toBe('credential');
  });

  test('a stored password goes to no machine but that of its own address', async () => {
    const fake = await appliance();
    const trap = await appliance();
    const { vault_id, choice_id } = await stored(house, admin, fake, name());
    const walk = await toLogin(house, admin, IMPORT, trap);
    const { searchParams } = new URL(walk.at, house.origin);
    const before = await house.lastAudit();
    const fields = { step: 'login', server: serverOf(trap), trust: searchParams.get('trust')!, vault_id, choice_id };
    await walk.post(`${IMPORT}/login`, [...Object.entries({ ...fields, username: '', password: '' })] as [
      string,
      string,
    ][]);
    expect([walk.shown.status, trap.requests, await events(before)]).toEqual([409, [], []]);
  });

  test('finds keys by a search where there are very many', async () => {
    const { body } = await house.send('POST', '/api/v1/vaults', { token: admin.token, body: { name: name() } });
    for (let n = 0; n < 60; n++) {
      const uris = Array.from({ length: 9 }, (_each, at) => `https://esx${n}-${at}.lab.test`);
      const entry = { key: `esx${n}.root`, username: 'root', value: 'a stored one', uris };
      await house.send('POST', `/api/v1/vaults/${body.id}/entries`, { token: admin.token, body: entry });
    }
    const walk = await new Walk(house, admin).open(`${IMPORT}?step=credential&vault_id=${body.id}`);
    expect([optionsOf(walk.html, 'choice_id').length, walk.words.includes('There are more keys')]).toEqual([501, true]);
    await walk.send('Credential', { step: 'credential', search: 'esx59-8' });
    expect(optionsOf(walk.html, 'choice_id')).toHaveLength(2);
  });
});

describe('what a wizard keeps', () => {
  test('is of one session: another one gets nothing of it', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, IMPORT, fake);
    const draft = new URL(walk.at, house.origin).searchParams.get('draft')!;
    const other = await toLogin(house, await house.actor('admin'), IMPORT, fake);
    await other.open(`${other.at.replace('step=login', 'step=select')}&draft=${draft}`);
    expect([other.step, other.words.includes('no longer kept')]).toEqual(['login', true]);
  });
});

describe('the settings of remote machines', () => {
  const PAGE = '/ui/management/settings/remote';

  test('warn of what they lift, save, and are held against a stale form', async () => {
    const walk = await new Walk(house, admin).open(PAGE);
    expect(walk.words).toContain('lifts the rules');
    await walk.send('Remote machines', { allowed_networks: '127.0.0.0/8\n192.0.2.7' });
    expect(walk.shown.status).toBe(200);
    expect(walk.html).toContain('192.0.2.7/32');
    await walk.send('Remote machines', { allowed_networks: '10.0.0.5/8' });
    expect([walk.shown.status, walk.html.includes('allowed_networks-error')]).toEqual([422, true]);
    await walk.open(PAGE);
    await permitLoopback(house, admin);
    await walk.send('Remote machines', { allowed_networks: '192.0.2.0/24' });
    expect([walk.shown.status, walk.html.includes('192.0.2.0/24')]).toEqual([412, true]);
    // Lifting rules is for administrators; others may look.
    await walk.open(PAGE);
    walk.who = service;
    await walk.send('Remote machines', { allowed_networks: '192.0.2.0/24' });
    expect(walk.shown.status).toBe(403);
    await walk.open(PAGE);
    expect([walk.shown.status, walk.html.includes('aria-disabled="true"')]).toEqual([200, true]);
    const { text } = await house.send('GET', '/ui/management/settings', { session: admin });
    expect(text).toContain(`href="${PAGE}"`);
  });
});
