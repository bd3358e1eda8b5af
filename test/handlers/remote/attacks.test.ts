// What somebody tries on the pages of tasks on remote machines who means no good, or has two tabs open: looking around in
// the network, holding the service, doing what was not reviewed, taking what is another's.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { updateUser } from '../../../shared/kernel/access/user-changes.ts';
import { jobSecrets } from '../../../shared/kernel/jobs/secrets.ts';
import { LOOKS_MOST } from '../../../shared/vcf/connection/recorded-look.ts';
import { VISIT_SECONDS, visitAppliance } from '../../../shared/vcf/remote/appliance-visit.ts';
import { readCaCertificate, shownAgain } from '../../../shared/vcf/remote/ca-certificate.ts';
import { readCredentials } from '../../../shared/vcf/vcf-api/read-credentials.ts';
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
import { formOf, Walk } from '../../setup/wizard-walk.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  await permitLoopback(house, await house.actor('admin'));
});
beforeEach(async () => {
  admin = await house.actor('admin');
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
const OTHER_CA = makeCertificate({ subject: '/O=Lab/CN=Another root', names: '' });

const events = async (after: number) => {
  const rows = await house.services.store.all<{ action: string; outcome: string; detail: string }>(
    'SELECT action, outcome, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [after],
  );
  return rows.map(({ action, outcome, detail }) => ({ action, outcome, detail: JSON.parse(detail) }));
};
const entriesOf = async (vault_id: string) =>
  (await house.send('GET', `/api/v1/vaults/${vault_id}/entries?limit=1000`, { token: admin.token })).body.items;

describe('looking around in the network', () => {
  test('leaves a row for each look, with what came of it', async () => {
    const fake = await appliance();
    const before = await house.lastAudit();
    const walk = await new Walk(house, await house.actor('service-admin')).open(`${TRUST}?step=server`);
    for (const server of ['169.254.169.254', '127.0.0.1:1', serverOf(fake)]) await walk.send('Server', { server });
    await fake.changeCertificate();
    const { searchParams } = new URL(walk.at, house.origin);
    expect(searchParams.get('step')).toBe('tls');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect(
      (await events(before)).map(({ action, outcome, detail }) => [action, outcome, detail.server, detail.refused]),
    ).toEqual([
      ['remote.target.probe', 'failure', '169.254.169.254', 'target_refused'],
      ['remote.target.probe', 'failure', '127.0.0.1:1', 'remote_unreachable'],
      ['remote.target.probe', 'success', serverOf(fake), undefined],
      ['remote.target.probe', 'failure', serverOf(fake), 'certificate_changed'],
    ]);
  });

  test('has an end for one user, at once as well; a server that was looked at stays free, and so do others', async () => {
    const fake = await appliance();
    const scanner = await house.actor('service-admin');
    const walk = await toTls(house, scanner, TRUST, fake);
    const send = (port: number) =>
      house.send('POST', `${TRUST}/server`, { session: scanner, form: { server: `127.0.0.1:${port}` } });
    const answers = await Promise.all(Array.from({ length: LOOKS_MOST + 5 }, (_each, at) => send(at + 1)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
    const late = answers.find(({ status }) => status === 429)!;
    expect([Number(late.headers['retry-after']) > 500, late.text]).toEqual([
      true,
      expect.stringContaining('20 servers'),
    ]);
    await walk.open(`${TRUST}?step=server`);
    await walk.send('Server', { server: '127.0.0.1:4000' });
    expect([walk.shown.status, walk.step]).toEqual([429, 'server']);
    expect(walk.words).toContain('You have looked at 20 servers in 10 minutes');
    await walk.send('Server', { server: serverOf(fake) });
    expect(walk.step).toBe('tls');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect(walk.step).toBe('login');
    expect((await toTls(house, admin, TRUST, fake)).step).toBe('tls');
  });

  test.each(['login', 'certificate', 'run'])('%s, posted by hand, connects to nothing unrecorded', async (to) => {
    const fake = await appliance();
    const before = await house.lastAudit();
    const walk = new Walk(house, await house.actor('service-admin'));
    await walk.post(`${TRUST}/${to}`, [
      ...Object.entries({ step: to, server: serverOf(fake), trust: '', sha256: 'AA', confirm: 'yes' }),
      ...Object.entries({ username: 'a', password: 'b', certificate: CA.cert }),
    ] as [string, string][]);
    expect([walk.step, fake.connections, await events(before)]).toEqual(['server', 0, []]);
  });
});

describe('holding the service', () => {
  test('a machine that answers page by page holds a visit for its time and no longer', async () => {
    const { cert, key, sha256 } = makeCertificate({ subject: '/CN=slow', names: 'IP:127.0.0.1' });
    const server = createServer({ cert, key }, (asked, answer) => {
      const bodies: Record<string, unknown> = {
        '/v1/system/appliance-info': { role: 'SddcManager', version: '9.1.0.0.25000000' },
        '/v1/tokens': { accessToken: 'an-access-token', refreshToken: { id: 'a-refresh-token' } },
      };
      const page = { elements: [], pageMetadata: { totalElements: 1000, totalPages: 1000 } };
      const body = JSON.stringify(bodies[asked.url ?? ''] ?? { ...page, elements: [{ id: `${performance.now()}` }] });
      // All of its pages take minutes.
      setTimeout(() => answer.end(body), asked.url?.includes('pageNumber') ? 250 : 0);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const trusted = { host: '127.0.0.1', port, address: '127.0.0.1', sha256 };
      const credential = async () => ({ username: 'admin', password: 'a password' });
      const visit = visitAppliance(house.services, trusted, { credential, seconds: 1 }, (session, machine, signal) =>
        readCredentials(session, machine, signal),
      );
      await expect(visit).rejects.toMatchObject({
        code: 'remote_timeout',
        message: expect.stringContaining('was not done within 1 seconds'),
      });
      expect(VISIT_SECONDS).toBe(120);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }, 120_000);

  test('one user’s drafts throw out nobody else’s', async () => {
    const fake = await appliance();
    const mine = await loggedIn(house, admin, IMPORT, fake);
    const flooder = await house.actor('service-admin');
    const first = await loggedIn(house, flooder, TRUST, fake);
    for (let n = 0; n < 6; n++) await loggedIn(house, flooder, TRUST, fake);
    expect((await mine.open(mine.at)).step).toBe('select');
    expect((await first.open(first.at)).step).toBe('login');
  }, 120_000);
});

describe('two tabs with one draft', () => {
  test('an import of what the review did not show is not made', async () => {
    const fake = await appliance();
    const { vault_id } = await stored(house, admin, fake, name());
    const one = await loggedIn(house, admin, IMPORT, fake);
    const refs = formOf(one.html, 'Passwords').fields.filter(([field]) => field === 'picks');
    const other = await new Walk(house, admin).open(one.at);
    await one.send('Passwords', { picks: [refs[0]![1]], into: vault_id });
    await other.send('Passwords', { picks: [refs[1]![1]], into: vault_id });
    await one.send('Import', { password: fake.account.password });
    expect([one.shown.status, one.step, (await entriesOf(vault_id)).length]).toEqual([409, 'review', 1]);
    expect(one.words).toContain('changed since this review was shown');
    await one.send('Import', { password: fake.account.password });
    expect([one.step, (await entriesOf(vault_id)).length]).toEqual(['done', 2]);
  });

  test('nor is a certificate trusted that it did not show', async () => {
    const fake = await appliance();
    const one = await loggedIn(house, admin, TRUST, fake);
    const other = await new Walk(house, admin).open(one.at);
    await one.send('Certificate', { certificate: CA.cert });
    await other.send('Certificate', { certificate: OTHER_CA.cert });
    await one.send('Trust', { password: fake.account.password });
    expect([one.shown.status, one.step, fake.trusted]).toEqual([409, 'review', []]);
    expect(one.words).toContain(OTHER_CA.sha256);
  });
});

describe('what is another’s', () => {
  test('an import takes over no key of another server, unless it is said; the review says whose it was', async () => {
    const a = await appliance();
    const b = await appliance();
    const into = name();
    const first = await loggedIn(house, admin, IMPORT, a);
    await first.send('Passwords', { into: '', new_vault: into });
    await first.send('Import', { password: a.account.password });
    const { items } = (await house.send('GET', `/api/v1/vaults?name=${into}`, { token: admin.token })).body;
    const before = await entriesOf(items[0].id);
    const second = await loggedIn(house, admin, IMPORT, b);
    await second.send('Passwords', { into: items[0].id });
    expect([second.shown.status, second.step]).toEqual([422, 'select']);
    expect(second.words).toContain(`An import from ${serverOf(a)} stored this key.`);
    expect(await entriesOf(items[0].id)).toEqual(before);
    await second.send('Passwords', { into: items[0].id, take_over: 'true' });
    expect(second.words).toContain(`takes over what came from ${serverOf(a)}`);
    expect(second.words).toContain(`keys are taken over from an import from ${serverOf(a)}.`);
    await second.send('Import', { password: b.account.password });
    expect(second.step).toBe('done');
    expect((await entriesOf(items[0].id))[0].source_endpoint).toBe(serverOf(b));
  });

  const queued = async (who: Credentials, fake: VcfAppliance) => {
    const { vault_id, choice_id } = await stored(house, who, fake, name());
    const walk = await new Walk(house, who).open(
      `${TRUST}?${new URLSearchParams({ step: 'server', vault_id, choice_id })}`,
    );
    await walk.send('Server');
    await walk.send('Fingerprint', { confirm: 'yes' });
    return walk.send('Certificate', { certificate: CA.cert });
  };
  const jobOf = async (walk: Walk, token: string) => {
    await house.appliance.runner.idle();
    return (await house.send('GET', walk.at.replace('/ui/management/', '/api/v1/'), { token })).body;
  };

  test.each([
    ['was disabled', { enabled: false }],
    ['is no administrator any more', { role: 'viewer' as const }],
  ])('a stored login is not used for somebody who %s while the job waited', async (_what, change) => {
    const fake = await appliance();
    const walk = await queued(admin, fake);
    const { notify } = house.services;
    house.services.notify = () => undefined;
    await walk.send('Trust');
    await house.services.store.write((tx) => updateUser(tx, house.services, admin.user.id, change, null));
    house.services.notify = notify;
    const before = await house.lastAudit();
    notify('jobs');
    const job = await jobOf(walk, (await house.actor('admin')).token);
    expect([job.state, job.error.error_code]).toEqual(['failed', 'insufficient_scope']);
    expect(fake.requests.some(({ password }) => password)).toBe(false);
    expect((await events(before)).map(({ action }) => action)).not.toContain('vault.entry.use');
  });

  test.each([
    ['connect', 'cancelled', 0],
    ['login', 'cancelled', 0],
    ['read', 'cancelled', 0],
    ['add', 'cancelled', 1],
    ['verify', 'succeeded', 1],
  ])('a job that is stopped at %s ends as %s, and the typed login is forgotten', async (task, state, trusted) => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    await walk.send('Certificate', { certificate: CA.cert });
    const kept: number[] = [];
    house.services.checkpoint = async (reached) => {
      if (reached !== `trust.${task}`) return;
      kept.push(jobSecrets(house.services).size);
      const [job] = (await house.send('GET', '/api/v1/jobs?limit=1', { token: admin.token })).body.items;
      await house.send('POST', `/api/v1/jobs/${job.id}/cancel`, { token: admin.token });
    };
    try {
      await walk.send('Trust', { password: fake.account.password });
      const job = await jobOf(walk, admin.token);
      expect([job.state, fake.trusted.length]).toEqual([state, trusted]);
    } finally {
      delete house.services.checkpoint;
    }
    expect([kept, jobSecrets(house.services).size]).toEqual([[1], 0]);
  });

  test('a job whose machine says nothing any more is stopped without waiting for it', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    await walk.send('Certificate', { certificate: CA.cert });
    fake.faults.push({ path: /./, answer: { status: 200, stall: true } });
    const seen = fake.requests.length;
    await walk.send('Trust', { password: fake.account.password });
    const path = walk.at.replace('/ui/management/', '/api/v1/');
    while (fake.requests.length === seen) await new Promise((done) => setTimeout(done, 10));
    await house.send('POST', `${path}/cancel`, { token: admin.token });
    const job = await jobOf(walk, admin.token);
    expect([job.state, fake.trusted.length]).toEqual(['cancelled', 0]);
  });

  test('who goes on with a job by typing a login goes on with that one alone', async () => {
    const fake = await appliance();
    const walk = await queued(admin, fake);
    fake.behaviour.account = { ...fake.account, password: 'Another-Password-1!' };
    await walk.send('Trust');
    expect((await jobOf(walk, admin.token)).error.error_code).toBe('remote_login_refused');
    const before = await house.lastAudit();
    const service = await house.actor('service-admin');
    await house.send('POST', `${walk.at}/continue`, { session: service, form: { username: 'x', password: 'y' } });
    await jobOf(walk, admin.token);
    const input = await house.services.store.one<{ input: string }>('SELECT input FROM job WHERE id = ?', [
      walk.at.split('/').at(-1)!,
    ]);
    expect(JSON.parse(input!.input).stored).toBeNull();
    expect((await events(before)).map(({ action }) => action)).not.toContain('vault.entry.use');
  });
});

describe('a pasted certificate', () => {
  const now = new Date();
  const body = CA.cert.replace(/-----[^-]+-----/g, '').replace(/\s/g, '');

  test.each([
    ['Windows line ends', CA.cert.replaceAll('\n', '\r\n')],
    ['old Macintosh line ends', CA.cert.replaceAll('\n', '\r')],
    ['one line', `-----BEGIN CERTIFICATE-----${body}-----END CERTIFICATE-----`],
    ['line ends in letters, out of JSON', CA.cert.replaceAll('\n', '\\n')],
    ['words around it', `Bag Attributes\n  friendlyName: x\n${CA.cert}\nthe end`],
  ])('is taken with %s', (_what, text) => {
    expect(readCaCertificate(text, now)).toMatchObject({ sha256: CA.sha256 });
    expect(shownAgain(text).trim()).toBe(CA.cert.trim());
  });

  const secret = execFileSync('openssl', ['rand', '-base64', '48']).toString().trim();
  test.each([
    ['a key in lower case', `-----begin private key-----\n${secret}\n-----end private key-----`],
    ['an OpenPGP key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${secret}\n-----END PGP PRIVATE KEY BLOCK-----`],
    ['a PuTTY key', `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n${secret}`],
    ['a key without its first line', `${secret}\n-----END RSA PRIVATE KEY-----`],
    ['a key in the frame of a certificate', `-----BEGIN CERTIFICATE-----\n${secret}\n-----END CERTIFICATE-----`],
    ['a key without any frame', secret],
    ['a certificate and a key without any frame', `${CA.cert}${CA.cert}\n${secret}`],
    ['a key beyond the size', `${secret}\n${'x'.repeat(40_000)}`],
  ])('never comes back as %s', async (_what, text) => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    await walk.send('Certificate', { certificate: text });
    expect([walk.shown.status, walk.step]).toEqual([422, 'certificate']);
    expect(walk.html).not.toContain(secret.slice(0, 20));
    expect(walk.html).not.toContain(secret.slice(-20));
  });
});

test('no field for the login of another machine is filled by the browser with that of this one', async () => {
  const fake = await appliance();
  const walk = await toLogin(house, admin, TRUST, fake);
  expect(/<input[^>]*name="password"[^>]*>/.exec(walk.html)![0]).toContain('autocomplete="new-password"');
});
