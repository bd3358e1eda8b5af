// Giving the directory to VCF Automation from the first step to a user who signs in there; and what is refused before anything
// is queued.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ENTRIES_FILE } from '../../../shared/services/ldap/files.ts';
import type { VcfAutomation, VcfAutomationOptions } from '../../fakes/vcf-automation.ts';
import {
  AUTOMATION,
  type AutomationScene,
  automationScene,
  PASSWORDS,
  SECRETS,
  SUFFIX,
} from '../../setup/automation-ldap-house.ts';
import {
  automation,
  configured,
  loggedIn,
  OLD,
  reviewed,
  serverOf,
  storedLogin,
  toLogin,
} from '../../setup/automation-ldap-scene.ts';
import type { Credentials, House } from '../../setup/house.ts';
import { states } from '../../setup/remote-depot-scene.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let scene: AutomationScene;
let house: House;
let admin: Credentials;
const lines: string[] = [];
const fakes: VcfAutomation[] = [];

beforeAll(async () => {
  scene = await automationScene({ log: (line) => void lines.push(line) });
  ({ house, admin } = scene);
});
afterAll(() => house.close());
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function product(options: Partial<VcfAutomationOptions> = {}): Promise<VcfAutomation> {
  const fake = await automation(options);
  fakes.push(fake);
  return fake;
}

async function ended(walk: Walk) {
  await house.appliance.runner.idle();
  return scene.api('GET', `/api/v1/jobs/${walk.at.split('/').at(-1)}`);
}
const events = async (action: string) => (await scene.api('GET', `/api/v1/audit?action=${action}`)).items;
const jobs = async (): Promise<number> => (await scene.api('GET', '/api/v1/jobs?limit=200')).items.length;
const changes = ({ calls }: VcfAutomation) =>
  calls.filter((call) => /^(?:PUT|DELETE|POST) /.test(call) && !call.includes('/sessions'));

const ALL = ['login', 'read', 'trust', 'test', 'write', 'verify', 'roles', 'prove'];

test('from the first step to a user who signs in', async () => {
  const fake = await product();
  const walk = await reviewed(house, admin, fake);
  expect(walk.words).toContain('not trusted yet');
  expect(changes(fake)).toEqual([]);
  await walk.send('Configure', { password: fake.account.password, ...PASSWORDS });
  const job = await ended(walk);
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  expect(states(job)).toEqual(ALL.map((name) => `${name} succeeded`));
  expect(changes(fake)).toEqual([
    'POST /cloudapi/1.0.0/ssl/trustedCertificates',
    'POST /cloudapi/1.0.0/ldap/test',
    'PUT /cloudapi/v1/orgSettings/ldap',
    'POST /cloudapi/1.0.0/groups',
  ]);
  expect(fake.settings).toMatchObject({
    enabled: true,
    settingsSource: 'DEFINED',
    definedSettings: {
      ...{ hostName: '127.0.0.1', port: 636, ssl: true, userName: `cn=automation,ou=system,${SUFFIX}` },
      ...{ password: SECRETS.bind, searchBase: `ou=people,${SUFFIX}`, groupSearchBase: `ou=groups,${SUFFIX}` },
      userAttributes: { displayName: 'displayName', serviceAccount: 'employeeType', objectIdentifier: 'entryUUID' },
    },
  });
  expect(fake.groups).toMatchObject([{ name: 'admins', roleEntityRefs: [{ name: 'Organization User' }] }]);
  expect(fake.open()).toBe(0);
  expect((await walk.open(walk.at)).words).toContain('Users of the group admins sign in to the organization acme');
});

test('what is right already is left: the trust and the role; other roles of the group stay', async () => {
  const fake = await product();
  expect((await ended(await configured(house, admin, fake))).state).toBe('succeeded');
  const job = await ended(await configured(house, admin, fake, { role: 'urn:vcloud:role:1' }));
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  expect(fake.trusted).toHaveLength(1);
  expect(fake.groups[0]!.roleEntityRefs.map(({ name }) => name)).toEqual([
    'Organization User',
    'Organization Administrator',
  ]);
});

test.each([
  ['the provider', { organization: 'System' }, 'POST /cloudapi/1.0.0/sessions/provider'],
  ['release 9.0, which knows no service accounts', { versions: ['9.0.0'] }, 'POST /cloudapi/1.0.0/sessions'],
])('%s', async (_what, options, login) => {
  const fake = await product(options);
  const job = await ended(await configured(house, admin, fake));
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  expect(fake.calls).toContain(login);
  const { userAttributes } = (fake.settings as { definedSettings: { userAttributes: object } }).definedSettings;
  expect('serviceAccount' in userAttributes).toBe(!('versions' in options));
});

test('nothing secret is left in the log, the job, the audit log or a page', async () => {
  const fake = await product({
    account: { username: 'admin@acme', password: 'Canary-of-the-automation-1!' },
    settings: OLD,
  });
  const walk = await configured(house, admin, fake);
  const job = await ended(walk);
  expect(job.state).toBe('succeeded');
  await walk.open(walk.at);
  const all = [...lines, ...house.heard.map(({ answer }) => answer.body), JSON.stringify(job)].join('\n');
  const rows = await house.services.store.all('SELECT * FROM job');
  const basic = Buffer.from('admin@acme:Canary-of-the-automation-1!').toString('base64');
  for (const text of [all, JSON.stringify(rows), JSON.stringify(await scene.api('GET', '/api/v1/audit'))]) {
    for (const secret of [
      'Canary-of-the-automation-1!',
      basic,
      ...Object.values(SECRETS),
      'fake-token-',
      'of-the-old-one',
    ])
      expect(text).not.toContain(secret);
  }
  expect(fake.bodies.filter((body) => body.includes('PRIVATE KEY'))).toEqual([]);
});

test('a stored login: the passwords of the directory are typed all the same', async () => {
  const fake = await product();
  const choice = await storedLogin(house, admin, fake, 'automation');
  const walk = await new Walk(house, admin).open(`${AUTOMATION}?${new URLSearchParams({ step: 'server', ...choice })}`);
  await walk.send('Server');
  await walk.send('Fingerprint', { confirm: 'yes' });
  await walk.send('Read');
  await walk.send('Directory', { group: 'automation-lab/operators', user: 'ada', role: 'urn:vcloud:role:1' });
  await walk.send('Configure', PASSWORDS);
  const job = await ended(walk);
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  const uses = await events('vault.entry.use');
  expect(uses.map(({ detail }: { detail: { purpose: string } }) => detail.purpose)).toContain('automation-ldap');
});

describe('refused before anything is queued', () => {
  // A user looks at a number of servers in a time.
  beforeAll(async () => {
    admin = await house.actor('admin');
  });

  test('a wrong login, and one without its organization', async () => {
    const fake = await product();
    const walk = await toLogin(house, admin, fake);
    await walk.send('Login', { ...fake.account, password: 'a wrong one' });
    expect([walk.step, walk.words]).toEqual(['login', expect.stringContaining('The login was refused')]);
    await walk.send('Login', { ...fake.account, username: 'admin' });
    expect(walk.words).toContain('user@organization');
  });

  test.each([
    ['another product', { call: 'GET /api/versions', answer: { status: 404 } }, 'has to be VCF Automation'],
    [
      'an older release',
      { call: 'GET /api/versions', answer: { status: 200, json: ['38.0.0', '39.1.0'] } },
      'no version of the API',
    ],
    [
      'an answer that is none',
      { call: 'GET /cloudapi/v1/orgSettings/ldap', answer: { status: 200, json: [] } },
      'not as expected',
    ],
    [
      'an account that may not',
      { call: 'GET /cloudapi/v1/orgSettings/ldap', answer: { status: 403 } },
      'Organization Administrator',
    ],
  ])('%s', async (_what, fault, says) => {
    const fake = await product();
    const walk = await toLogin(house, admin, fake);
    fake.faults.push(fault);
    await walk.send('Login', fake.account);
    expect(walk.words).toContain(says);
    expect([changes(fake), fake.open()]).toEqual([[], 0]);
  });

  test('a certificate that changed since it was confirmed: the login is sent to nobody', async () => {
    const fake = await product();
    const walk = await toLogin(house, admin, fake);
    fake.changeCertificate();
    await walk.send('Login', fake.account);
    expect([walk.step, walk.words]).toEqual(['tls', expect.stringContaining('another one than was confirmed')]);
    expect(fake.calls).toEqual([]);
  });

  test.each([
    ['no role', { role: '' }, 'role', 'Choose one of the roles'],
    ['a role that it has not', { role: 'urn:vcloud:role:9' }, 'role', 'Choose one of the roles'],
    ['settings that nobody said may be replaced', { replace: null }, 'replace', 'Confirm this first'],
    ['a user who is no member', { user: 'grace' }, 'user', 'Name a user of the group admins'],
    ['a user who is none', { user: 'ada)(uid=*' }, 'user', 'Name a user of the group admins'],
    ['an account of nobody', { account: 'automation-lab/other' }, 'account', 'Choose one of these'],
    ['a group of another organization', { group: 'other/admins' }, 'group', 'Choose a group of automation-lab'],
  ])('%s', async (_what, chosen, field, detail) => {
    const fake = await product({ settings: OLD });
    const walk = await reviewed(house, admin, fake, chosen);
    expect(walk.step).toBe('directory');
    expect(walk.html).toMatch(new RegExp(`id="${field}-error"[^<]*>[^]*?${detail}`));
    expect(changes(fake)).toEqual([]);
  });

  test.each([['bind_password'], ['user_password']])(
    'a wrong %s: compared here, recorded, and sent to nobody',
    async (field) => {
      const fake = await product();
      const walk = await reviewed(house, admin, fake);
      const before = await jobs();
      await walk.send('Configure', { password: fake.account.password, ...PASSWORDS, [field]: 'a-wrong-one-of-it' });
      expect([walk.step, await jobs()]).toEqual(['review', before]);
      expect(walk.html).toContain(`id="${field}-error"`);
      expect(walk.html).not.toContain('a-wrong-one-of-it');
      const [newest] = await events('remote.automation-ldap.queue');
      expect(newest).toMatchObject({ outcome: 'failure', detail: { refused: 'password', server: serverOf(fake) } });
    },
  );

  test('what was chosen in another tab meanwhile', async () => {
    const fake = await product();
    const walk = await reviewed(house, admin, fake);
    const other = await new Walk(house, admin).open(walk.at.replace('step=review', 'step=directory'));
    await other.send('Directory', { group: 'automation-lab/operators' });
    await walk.send('Configure', { password: fake.account.password, ...PASSWORDS });
    expect(walk.words).toContain('changed since this review was shown');
  });

  test('whoever may not change the directory; a service administrator may', async () => {
    expect((await house.send('GET', AUTOMATION, { session: await house.actor('viewer') })).status).toBe(403);
    expect((await house.send('GET', AUTOMATION, { session: await house.actor('service-admin') })).status).toBe(200);
  });
});

test('groups that nobody can sign in with are not offered', async () => {
  const walk = await loggedIn(house, admin, await product());
  expect(walk.html).toContain('value="automation-lab/operators"');
  expect(walk.html).not.toContain('nobody-yet');
});

test('while the directory is not in force, the page says what is missing', async () => {
  const { host } = house.services;
  const content = (await host.read(ENTRIES_FILE))!;
  await host.remove(ENTRIES_FILE);
  const page = await new Walk(house, admin).open(AUTOMATION);
  expect(page.words).toContain('The directory is not in force');
  expect(page.step).toBeNull();
  await host.write({ path: ENTRIES_FILE, content, mode: 0o640 });
});
