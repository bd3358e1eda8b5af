// Pointing another appliance at the depot of this one: what has to be there first, what is read, what has to be confirmed,
// what is sent, and what each answer of the other side is told as.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PACE } from '../../../shared/vcf/remote-depot/patience.ts';
import type { DepotOptions } from '../../fakes/vcf-appliance/depot.ts';
import type { VcfAppliance, VcfApplianceOptions } from '../../fakes/vcf-appliance.ts';
import { type Credentials, House } from '../../setup/house.ts';
import {
  answering,
  asked,
  configured,
  DEPOT,
  DEPOT_PASSWORD,
  type DepotScene,
  depotScene,
  type Ended,
  hurry,
  PATH,
  reviewed,
  said,
  states,
} from '../../setup/remote-depot-scene.ts';
import { loggedIn, manager, permitLoopback, serverOf, stored } from '../../setup/remote-scene.ts';
import { formOf, Walk } from '../../setup/wizard-walk.ts';

let scene: DepotScene;
let house: House;
let admin: Credentials;
let service: Credentials;
beforeAll(async () => {
  hurry();
  scene = await depotScene();
  ({ house } = scene);
});
// A user looks at so many servers in a quarter of an hour, and no more.
beforeEach(async () => {
  admin = await house.actor('admin');
  service = await house.actor('service-admin');
});
afterAll(() => house.close());

const fakes: VcfAppliance[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function appliance(depot: DepotOptions = {}, more: Partial<VcfApplianceOptions> = {}): Promise<VcfAppliance> {
  const { endpoint } = scene.ready;
  const account = { username: endpoint.username, password: DEPOT_PASSWORD };
  const fake = await manager({ depot: { account, ...depot }, ...more });
  fakes.push(fake);
  return fake;
}

const OLD = {
  depotConfiguration: { isOfflineDepot: true, url: 'https://old.lab.test' },
  offlineAccount: { username: 'reader', status: 'DEPOT_CONNECTION_SUCCESSFUL' },
};
async function ended(walk: Walk): Promise<Ended> {
  await house.appliance.runner.idle();
  const id = walk.at.split('/').at(-1);
  return (await house.send('GET', `/api/v1/jobs/${id}`, { token: admin.token })).body;
}
const events = async (after: number) =>
  (
    await house.services.store.all<{ action: string; outcome: string; detail: string }>(
      'SELECT action, outcome, detail FROM audit_event WHERE seq > ? ORDER BY seq',
      [after],
    )
  ).map(({ action, outcome, detail }) => ({ action, outcome, detail: JSON.parse(detail) }));

describe('from the first step to the end', () => {
  test.each([
    ['9.0.0.0.24703748', 'VCF Installer', { role: 'VcfInstaller' }],
    ['9.1.0.0.25000000', 'SDDC Manager', { role: 'SddcManager' }],
    ['9.1.1.0.25100000', 'SDDC Manager', { role: 'SddcManager' }],
  ] as const)('%s: read, checked, confirmed, set, synchronised, looked at again', async (version, title, role) => {
    const fake = await appliance({}, { ...role, version });
    const before = await house.lastAudit();
    const walk = await loggedIn(house, service, DEPOT, fake);
    expect([walk.step, walk.words.includes(`${title} ${version}`), walk.words.includes('Depot none')]).toEqual([
      'depot',
      true,
      true,
    ]);
    expect(walk.words).toContain(scene.ready.endpoint.url);
    await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
    expect(walk.step).toBe('review');
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD });
    expect(walk.at).toMatch(/\/offline-depot\/tasks\/job_/);
    const job = await ended(walk);
    expect([job.state, job.result?.outcome, job.result?.depot]).toEqual([
      'succeeded',
      'configured',
      `${scene.ready.endpoint.url} as depot`,
    ]);
    expect(states(job)).toEqual(['connect succeeded', 'login succeeded', 'depot succeeded', 'sync succeeded']);
    const [sent] = asked(fake, 'PUT');
    expect(sent!.members.filter((member) => member.startsWith('depotConfiguration')).sort()).toEqual(
      {
        '9.0': ['depotConfiguration.hostname', 'depotConfiguration.isOfflineDepot', 'depotConfiguration.port'],
        '9.1.0': ['depotConfiguration.isOfflineDepot', 'depotConfiguration.url'],
        '9.1.1': [
          ...['depotConfiguration.isOfflineDepot', 'depotConfiguration.trustedCertificates.0'],
          'depotConfiguration.url',
        ],
      }[version.startsWith('9.0') ? '9.0' : version.slice(0, 5)]!,
    );
    expect(fake.trusted.length).toBe(version.startsWith('9.1.1') ? 1 : 0);
    await walk.open(walk.at);
    expect(walk.words).toContain('It takes its software from the depot of this appliance now.');
    expect((await events(before)).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      ...['remote.target.probe success', 'remote.target.trust success', 'remote.target.login success'],
      ...['remote.depot.password success', 'remote.depot.queue success', 'remote.depot.configure success'],
    ]);
  });

  test('with a stored login: reads at a press of a button, asks for the depot’s password all the same', async () => {
    const fake = await appliance();
    const { vault_id, choice_id } = await stored(house, admin, fake, 'depot-vault');
    const walk = await new Walk(house, admin).open(
      `${DEPOT}?${new URLSearchParams({ step: 'server', vault_id, choice_id })}`,
    );
    await walk.send('Server');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.step, fake.requests.length]).toEqual(['depot', 0]);
    await walk.send('Read');
    expect(formOf(walk.html, 'Depot password').action).toBe(`${DEPOT}/depot`);
    await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
    expect(walk.html.match(/type="password"/g)).toHaveLength(1);
    const before = await house.lastAudit();
    await walk.send('Configure', { depot_password: DEPOT_PASSWORD });
    expect((await ended(walk)).state).toBe('succeeded');
    const uses = (await events(before)).filter(({ action }) => action === 'vault.entry.use');
    expect(uses.map(({ detail }) => detail.purpose)).toEqual(['depot-configuration']);
  });

  test('what answers JSON to a script', async () => {
    const fake = await appliance({ initial: OLD });
    const walk = await loggedIn(house, admin, DEPOT, fake);
    const place = Object.fromEntries(
      formOf(walk.html, 'Depot password').fields.filter(([name]) => name !== 'csrf' && name !== 'draft'),
    );
    const headers = { accept: 'application/json' };
    const form = { ...place, ...fake.account };
    const read = await house.send('POST', `${DEPOT}/inspect-target`, { session: admin, form, headers });
    expect([read.status, read.body.appliance.title, read.body.depot.current.url]).toEqual([
      200,
      'SDDC Manager',
      'https://old.lab.test',
    ]);
    expect(read.text).not.toContain(fake.account.password);
  });
});

describe('while the depot here is not ready', () => {
  test('the page lists each condition with its link and offers nothing else; nothing is queued', async () => {
    const bare = await House.open();
    try {
      const who = await bare.actor('admin');
      await permitLoopback(bare, who);
      const walk = await new Walk(bare, who).open(DEPOT);
      for (const text of [
        'The offline depot is off',
        'never applied',
        'no software depot ID',
        'No depot user',
        'root certificate',
      ])
        expect(walk.words).toContain(text);
      expect(walk.html).toContain('href="/ui/management/offline-depot"');
      expect(/<main\b[\s\S]*<\/main>/.exec(walk.html)![0]).not.toContain('<form');
      for (const form of ['inspect-target', 'depot', 'configure']) {
        const place = {
          server: 'a.lab.test',
          trust: 'x',
          draft: 'y',
          reviewed: '',
          username: 'u',
          password: 'p',
          depot_password: 'd',
        };
        const answer = await bare.send('POST', `${DEPOT}/${form}`, { session: who, form: place });
        expect(answer.status).toBe(409);
      }
      const answer = await bare.send('POST', `${DEPOT}/configure`, {
        session: who,
        headers: { accept: 'application/json' },
        form: {
          server: 'a.lab.test',
          trust: 'x',
          draft: 'y',
          reviewed: '',
          username: 'u',
          password: 'p',
          depot_password: 'd',
        },
      });
      expect([answer.body.error_code, answer.body.blockers.length]).toEqual(['depot_unavailable', 5]);
    } finally {
      await bare.close();
    }
  });

  test('a job that was queued before finds out as well', async () => {
    const fake = await appliance();
    const walk = await reviewed(house, admin, fake);
    const patch = (enabled: boolean) =>
      house.send('PATCH', '/api/v1/private-cloud-services/settings', { token: admin.token, body: { enabled } });
    const { notify } = house.services;
    house.services.notify = () => undefined;
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD });
    await patch(false);
    house.services.notify = notify;
    const job = await ended(walk);
    await patch(true);
    expect([job.error?.error_code, asked(fake, 'PUT').length]).toEqual(['depot_unavailable', 0]);
    await walk.open(walk.at);
    expect(walk.html).toContain('href="/ui/management/offline-depot"');
    // Both edits are one version ahead of what is in force: apply, for those who come after.
    const plan = (await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} })).body;
    await house.send('POST', `/api/v1/apply/plans/${plan.id}/submit`, {
      token: admin.token,
      body: { digest: plan.digest, note: 'again' },
    });
    await house.appliance.runner.idle();
  });
});

describe('the depot password', () => {
  test('a wrong one stands at its field, in both steps; it is never filled in again, and recorded without it', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, DEPOT, fake);
    const before = await house.lastAudit();
    await walk.send('Depot password', { depot_password: 'a wrong one' });
    expect([walk.shown.status, walk.step, walk.html.includes('id="depot_password-error"')]).toEqual([
      422,
      'depot',
      true,
    ]);
    await walk.send('Depot password', { depot_password: '' });
    expect(walk.words).toContain('Enter the password.');
    await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
    await walk.send('Configure', { password: fake.account.password, depot_password: 'a wrong one' });
    expect([walk.shown.status, walk.step, walk.html.includes('id="depot_password-error"')]).toEqual([
      422,
      'review',
      true,
    ]);
    expect(walk.html).not.toContain('a wrong one');
    const written = await events(before);
    expect(written.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      ...['remote.depot.password failure', 'remote.depot.password failure'],
      ...['remote.depot.password success', 'remote.depot.password failure'],
    ]);
    expect(JSON.stringify(written)).not.toMatch(/wrong one|depot password of/);
    expect(asked(fake, 'PUT')).toEqual([]);
  });

  test('the review can’t be reached without it', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, DEPOT, fake);
    await walk.open(walk.at.replace('step=depot', 'step=review'));
    expect(walk.step).toBe('depot');
  });
});

describe('another depot', () => {
  test('is shown, and replaced only when that is confirmed', async () => {
    const fake = await appliance({ initial: OLD });
    const walk = await loggedIn(house, admin, DEPOT, fake);
    expect(walk.words).toContain('https://old.lab.test');
    await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD });
    expect([walk.shown.status, walk.step]).toEqual([409, 'review']);
    expect(walk.words).toContain('The appliance has https://old.lab.test as reader.');
    expect(walk.html).toContain('id="replace-error"');
    const form = Object.fromEntries(formOf(walk.html, 'Configure').fields);
    const answer = await house.send('POST', `${DEPOT}/configure`, {
      session: admin,
      headers: { accept: 'application/json' },
      form: { ...form, password: fake.account.password, depot_password: DEPOT_PASSWORD },
    });
    expect([answer.body.error_code, answer.body.preview.current.url]).toEqual([
      'depot_replacement_unconfirmed',
      'https://old.lab.test',
    ]);
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD, replace: 'yes' });
    const job = await ended(walk);
    expect([job.state, job.result?.outcome, job.result?.before]).toEqual([
      'succeeded',
      'replaced',
      'https://old.lab.test as reader',
    ]);
  });

  test('one that came after the review is not replaced, whatever was confirmed', async () => {
    const fake = await appliance({ initial: OLD });
    const walk = await reviewed(house, admin, fake);
    const third = {
      depotConfiguration: { isOfflineDepot: true, url: 'https://third.lab.test' },
      offlineAccount: { username: 'x' },
    };
    fake.faults.push({
      ...{ method: 'GET', path: /settings\/depot$/ },
      answer: answering(third),
    });
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD, replace: 'yes' });
    const job = await ended(walk);
    expect([job.error?.error_code, asked(fake, 'PUT').length]).toEqual(['depot_replacement_unconfirmed', 0]);
    expect(job.error?.detail).toContain('https://third.lab.test');
  });

  test('what changed between the review and its button is not done', async () => {
    const fake = await appliance();
    const walk = await reviewed(house, admin, fake);
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD, reviewed: 'x' });
    expect([walk.shown.status, walk.words.includes('is not what this review showed')]).toEqual([409, true]);
  });
});

describe('what the appliance finds', () => {
  test.each([
    ['DEPOT_UNKNOWN_HOST', 'does not know the host of https://depot.lab.example', '/ui/management/dns'],
    ['DEPOT_NOT_AVAILABLE', 'does not reach https://depot.lab.example', '/ui/management/offline-depot'],
    [
      'DEPOT_INVALID_CREDENTIAL',
      'does not trust the certificate of the depot says the same',
      '/ui/management/vcf-helper/certificate-trust',
    ],
    ['UNKNOWN_FAILURE', 'does not say why', '/ui/management/vcf-helper/certificate-trust'],
    [
      'untrusted',
      'does not trust the certificate of https://depot.lab.example',
      '/ui/management/vcf-helper/certificate-trust',
    ],
    [
      'untrusted-as-credential',
      'user name or the password of the depot is wrong',
      '/ui/management/vcf-helper/certificate-trust',
    ],
    ['DEPOT_USER_NOT_SET', 'did not take the user name', '/ui/management/offline-depot'],
    [
      'DEPOT_BROKEN_SOMEHOW',
      'in a state that is not known here (DEPOT_BROKEN_SOMEHOW)',
      '/ui/management/offline-depot',
    ],
  ])('%s', async (status, words, page) => {
    const fake = await appliance({ test: status as NonNullable<DepotOptions['test']> });
    const walk = await configured(house, admin, fake);
    const job = await ended(walk);
    expect([job.state, job.error?.error_code]).toEqual(['failed', 'remote_refused']);
    expect(job.error?.detail).toContain(words);
    await walk.open(walk.at);
    expect(walk.html).toContain(`href="${page}"`);
    expect(asked(fake, 'PATCH', `${PATH}/depot-sync-info`)).toEqual([]);
  });

  test('one that never tells is no success', async () => {
    const fake = await appliance({ silent: 1_000_000 });
    Object.assign(PACE, { settle_ms: 60 });
    const job = await ended(await configured(house, admin, fake));
    Object.assign(PACE, { settle_ms: 120_000 });
    expect([job.error?.error_code, job.error?.detail]).toEqual([
      'remote_refused',
      expect.stringContaining('does not tell whether it can use it'),
    ]);
  });

  test('one that tells a little later is waited for', async () => {
    const fake = await appliance({ silent: 3 });
    const job = await ended(await configured(house, admin, fake));
    expect(job.state).toBe('succeeded');
  });

  test.each(['cut', '504'] as const)('an answer that is lost (%s) is looked for, not sent again', async (lost) => {
    const fake = await appliance({ lost });
    const job = await ended(await configured(house, admin, fake));
    expect([job.state, asked(fake, 'PUT').length]).toEqual(['succeeded', 1]);
    expect(said(job)).toContain('looks what the appliance saved');
  });

  test('a URL that it takes for none: told with the reason that is known', async () => {
    const fake = await appliance();
    fake.faults.push({
      ...{ method: 'PUT', path: /depot$/ },
      answer: answering({ errorCode: 'X', message: 'Invalid depot URL' }, 400),
    });
    const job = await ended(await configured(house, admin, fake));
    expect(job.error?.detail).toContain('names that end in .lab or .local');
  });

  test('a release before 9.1.1 that does not list our root is told in the review', async () => {
    const fake = await appliance();
    const walk = await reviewed(house, admin, fake);
    expect(walk.words).toContain('our root is not among those that it trusts');
    fake.trusted.push({ alias: `vcf_${scene.ready.endpoint.ca_sha256}`, certificate: scene.ready.endpoint.ca_pem });
    const again = await reviewed(house, admin, fake);
    expect(again.words).toContain('trusted already');
    expect(again.words).not.toContain('Make it trust the root first');
  });
});

describe('one at a time for a machine', () => {
  test('a second one is refused and told which job owns it; afterwards it is free again', async () => {
    const fake = await appliance();
    const { notify } = house.services;
    house.services.notify = () => undefined;
    const first = await configured(house, admin, fake);
    const job_id = first.at.split('/').at(-1)!;
    const second = await configured(house, admin, fake);
    house.services.notify = notify;
    expect([second.shown.status, second.step, second.words.includes(job_id)]).toEqual([423, 'review', true]);
    expect(second.html).toContain(`href="${DEPOT}/tasks/${job_id}"`);
    expect((await ended(first)).state).toBe('succeeded');
    expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'remote-depot%'")).toEqual([]);
    const third = await configured(house, admin, fake);
    expect((await ended(third)).result?.outcome).toBe('no-op');
  });

  test('the page of a job of another kind is not this one', async () => {
    expect((await house.send('GET', `${DEPOT}/tasks/job_none`, { session: admin })).status).toBe(404);
  });

  test('belongs to whoever may configure the depot', async () => {
    const viewer = await house.actor('viewer');
    expect((await house.send('GET', DEPOT, { session: viewer })).status).toBe(403);
    for (const form of ['server', 'confirm', 'inspect-target', 'depot', 'configure']) {
      expect((await house.send('POST', `${DEPOT}/${form}`, { session: viewer, form: {} })).status).toBe(403);
    }
    expect(serverOf(await appliance())).toContain('127.0.0.1');
  });
});
