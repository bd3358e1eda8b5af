// What tasks on remote machines do at their end: passwords of an appliance into a vault, a certificate that it trusts from
// then on; reviewed, recorded, told by what became of each, and continued where a login is gone.
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import { readCaCertificate } from '../../../shared/vcf/remote/ca-certificate.ts';
import { makeCertificate } from '../../fakes/tls-target.ts';
import type { VcfAppliance, VcfApplianceOptions } from '../../fakes/vcf-appliance.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { IMPORT, loggedIn, manager, permitLoopback, serverOf, stored, TRUST } from '../../setup/remote-scene.ts';
import { formOf, Walk } from '../../setup/wizard-walk.ts';

let house: House;
let admin: Credentials;
let service: Credentials;
let viewer: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  service = await house.actor('service-admin');
  viewer = await house.actor('viewer');
  await permitLoopback(house, admin);
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
const LEAF = execFileSync('openssl', [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'],
  ...['-subj', '/CN=vc01.lab.test', '-days', '2', '-addext', 'basicConstraints=critical,CA:FALSE'],
]).toString();

const events = async (after: number) => {
  const rows = await house.services.store.all<{ action: string; outcome: string; detail: string }>(
    'SELECT action, outcome, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [after],
  );
  return rows.map(({ action, outcome, detail }) => ({ action, outcome, detail: JSON.parse(detail) }));
};
const jobOf = async (walk: Walk) => {
  await house.appliance.runner.idle();
  return (await house.send('GET', walk.at.replace('/ui/management/', '/api/v1/'), { token: admin.token })).body;
};

describe('importing passwords', () => {
  const entries = async (vault_id: string) =>
    (await house.send('GET', `/api/v1/vaults/${vault_id}/entries?limit=1000`, { token: admin.token })).body.items;

  test('created, then unchanged and rotated; told by key, audited with counts, values nowhere', async () => {
    const fake = await appliance();
    const vault = name();
    const before = await house.lastAudit();
    const walk = await loggedIn(house, admin, IMPORT, fake);
    const all = formOf(walk.html, 'Passwords').fields.filter(([field]) => field === 'picks');
    await walk.send('Passwords', { into: '', new_vault: vault });
    expect([walk.step, formOf(walk.html, 'Import').fields]).toEqual([
      'review',
      expect.arrayContaining([['password', '']]),
    ]);
    await walk.send('Import', { password: fake.account.password });
    expect([walk.shown.status, walk.step]).toEqual([200, 'done']);
    expect(walk.words).toContain(`Created ${all.length}`);
    const written = await events(before);
    expect(written.map(({ action }) => action)).toEqual([
      'remote.target.probe',
      'remote.target.trust',
      'remote.target.login',
      'vault.create',
      'vault.import',
    ]);
    expect(written.at(-1)!.detail).toMatchObject({
      vault,
      server: serverOf(fake),
      created: all.length,
      rotated: 0,
      missing: 0,
    });
    const [{ id }] = (await house.send('GET', `/api/v1/vaults?name=${vault}`, { token: admin.token })).body.items;
    const first = await entries(id);
    expect(first).toHaveLength(all.length);
    expect(first[0]).toMatchObject({ source: 'sddc-manager', source_endpoint: serverOf(fake), has_value: true });

    // A reload of the last page does nothing; the next import finds what this one stored.
    const stand = await house.lastAudit();
    await walk.open(walk.at);
    expect([walk.step, await house.lastAudit()]).toEqual(['done', stand]);
    const row = fake.estate.credentials.find(({ username }) => username === 'root')!;
    row.password = 'Rotated-by-the-appliance-1!';
    const again = await loggedIn(house, admin, IMPORT, fake);
    await again.send('Passwords', { into: id });
    expect(again.words).toContain('compared with the earlier import');
    await again.send('Import', { password: fake.account.password });
    expect(again.words).toContain('Rotated 1');
    expect(again.words).toContain(`Unchanged ${all.length - 1}`);
    const uses = (await events(stand)).filter(({ action }) => action === 'vault.entry.use');
    expect(uses).toHaveLength(all.length);
    expect(uses[0]!.detail.purpose).toBe('password-import');
  });

  test('only what is chosen, under keys that are given; faults stand at their fields', async () => {
    const fake = await appliance();
    const { vault_id } = await stored(house, admin, fake, name());
    const walk = await loggedIn(house, admin, IMPORT, fake);
    const [[, one], [, two]] = formOf(walk.html, 'Passwords').fields.filter(([field]) => field === 'picks') as [
      [string, string],
      [string, string],
    ];
    await walk.send('Passwords', { picks: null, into: vault_id });
    expect([walk.shown.status, walk.words]).toEqual([422, expect.stringContaining('Choose at least one password.')]);
    await walk.send('Passwords', { picks: [one, two], [`key.${one}`]: 'Not A Key', into: vault_id });
    expect([walk.shown.status, walk.html.includes(`id="key.${one}-error"`)]).toEqual([422, true]);
    expect(walk.html).toContain('value="Not A Key"');
    await walk.send('Passwords', {
      picks: [one, two],
      [`key.${one}`]: 'a.key',
      [`key.${two}`]: 'a.key',
      into: vault_id,
    });
    expect(walk.words).toContain('Another one has this key.');
    await walk.send('Passwords', { picks: [one], [`key.${one}`]: 'sddc.admin', into: vault_id });
    expect(walk.words).toContain('typed by hand');
    await walk.send('Passwords', { picks: ['cred_forged'], into: vault_id });
    expect([walk.shown.status, walk.words]).toEqual([422, expect.stringContaining('not among those found')]);
    await walk.send('Passwords', { picks: [one], [`key.${one}`]: 'lab.esx01', into: vault_id });
    expect(walk.step).toBe('review');
    await walk.send('Import', { password: 'a wrong one' });
    expect([walk.shown.status, walk.step, (await entries(vault_id)).length]).toEqual([409, 'review', 1]);
    await walk.send('Import', { password: fake.account.password });
    expect([walk.step, (await entries(vault_id)).map(({ key }: { key: string }) => key)]).toEqual([
      'done',
      ['lab.esx01', 'sddc.admin'],
    ]);
  });

  test('masked passwords are skipped with their reason, and what changed since is left out and told', async () => {
    const fake = await appliance({ masking: 'all' });
    const walk = await loggedIn(house, admin, IMPORT, fake);
    expect(walk.words).toContain('The appliance shows the password masked.');
    expect(walk.words).toContain('There is no password that can be imported.');
    fake.behaviour.masking = 'none';
    await walk.open(walk.history.find((at) => at.includes('step=login'))!);
    await walk.send('Login', fake.account);
    const { picks, into } = { picks: walk.html.match(/name="picks"/g)!.length, into: name() };
    await walk.send('Passwords', { into: '', new_vault: into });
    fake.estate.credentials[0]!.username = 'somebody-else';
    await walk.send('Import', { password: fake.account.password });
    expect(walk.words).toContain(`Created ${picks - 1}`);
    expect(walk.words).toContain('no longer has this credential as it was shown');
  });

  test('from an Installer, with a stored credential: reads at a press of a button, asks for no password', async () => {
    const fake = await appliance({ role: 'VcfInstaller', version: '9.1.1.0.25100000' });
    const choice = await stored(house, admin, fake, name());
    const before = await house.lastAudit();
    const walk = await new Walk(house, admin).open(
      `${IMPORT}?${new URLSearchParams({ step: 'server', vault_id: choice.vault_id, choice_id: choice.choice_id })}`,
    );
    await walk.send('Server');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.step, fake.requests.length]).toEqual(['select', 0]);
    await walk.send('Read');
    expect([walk.step, walk.words.includes('VCF Installer 9.1.1.0.25100000')]).toEqual(['select', true]);
    await walk.send('Passwords', { into: choice.vault_id });
    expect(walk.html).not.toContain('type="password"');
    await walk.send('Import');
    expect(walk.step).toBe('done');
    expect((await events(before)).map(({ action }) => action)).toEqual([
      'remote.target.probe',
      'remote.target.trust',
      'vault.entry.use',
      'remote.target.login',
      'vault.entry.use',
      'vault.import',
    ]);
  });

  test('belongs to administrators', async () => {
    for (const who of [service, viewer]) {
      expect((await house.send('GET', IMPORT, { session: who })).status).toBe(403);
      expect((await house.send('POST', `${IMPORT}/run`, { session: who, form: {} })).status).toBe(403);
    }
    expect((await house.send('GET', TRUST, { session: viewer })).status).toBe(403);
  });
});

describe('certificate trust', () => {
  const review = async (who: Credentials, fake: VcfAppliance) =>
    (await loggedIn(house, who, TRUST, fake)).send('Certificate', { from: 'paste', certificate: CA.cert });

  test('runs as a job, adds, verifies, and says so when it is trusted already', async () => {
    const fake = await appliance();
    const before = await house.lastAudit();
    const walk = await review(service, fake);
    expect([walk.step, walk.words.includes(CA.sha256), walk.words.includes('CN=Lab root')]).toEqual([
      'review',
      true,
      true,
    ]);
    await walk.send('Trust', { password: fake.account.password });
    const job = await jobOf(walk);
    expect([job.state, job.result]).toEqual([
      'succeeded',
      expect.objectContaining({ outcome: 'added', sha256: CA.sha256 }),
    ]);
    expect(job.tasks.map(({ name: task, state }: { name: string; state: string }) => `${task} ${state}`)).toEqual([
      ...['connect succeeded', 'login succeeded', 'read succeeded', 'add succeeded', 'verify succeeded'],
    ]);
    await walk.open(walk.at);
    expect(walk.words).toContain(`Server ${serverOf(fake)} Certificate to trust ${CA.sha256}`);
    expect(walk.words).toContain('it trusts the certificate now');
    expect(fake.trusted.map(({ alias }) => alias)).toEqual([`vcf_${CA.sha256}`]);
    const again = await (await review(service, fake)).send('Trust', { password: fake.account.password });
    const second = await jobOf(again);
    expect([second.state, second.result.outcome]).toEqual(['succeeded', 'already-trusted']);
    expect(second.tasks.map(({ state }: { state: string }) => state).slice(-2)).toEqual(['skipped', 'skipped']);
    expect((await events(before)).map(({ action }) => action)).toEqual([
      ...['remote.target.probe', 'remote.target.trust', 'remote.target.login'],
      ...['remote.certificate.queue', 'remote.certificate.trust'],
      ...['remote.target.probe', 'remote.target.trust', 'remote.target.login'],
      ...['remote.certificate.queue', 'remote.certificate.trust'],
    ]);
  });

  test('takes the root of this appliance, which is the first choice once there is one', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    expect(walk.html).toMatch(/value="own"[^>]*disabled/);
    await walk.send('Certificate', { from: 'own' });
    expect([walk.shown.status, walk.step]).toEqual([422, 'certificate']);
    expect(walk.words).toContain('has no root certificate yet');
    const { services } = house;
    const root = await services.store.write(async (tx) => {
      const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
      await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
      return createRoot(tx, services, 'ada');
    });
    const again = await loggedIn(house, admin, TRUST, fake);
    expect(again.html).toMatch(/value="own"[^>]*checked/);
    await again.send('Certificate', { from: 'own' });
    expect([again.step, again.words.includes(root.sha256)]).toEqual(['review', true]);
    await again.send('Trust', { password: fake.account.password });
    expect((await jobOf(again)).result).toMatchObject({ outcome: 'added', sha256: root.sha256 });
  });

  test.each([
    ['nothing', '', 'Paste the certificate.'],
    ['a private key', `${CA.cert}${CA.key}`, 'This holds a private key.'],
    ['two', `${CA.cert}${CA.cert}`, 'There are 2 certificates'],
    ['words', 'hello', 'This is no certificate'],
    ['a cut one', CA.cert.replace(/\n.{20}/, '\n'), 'cannot be read'],
  ])('does not take %s for a certificate', async (_what, certificate, says) => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    await walk.send('Certificate', { from: 'paste', certificate });
    expect([walk.shown.status, walk.step]).toEqual([422, 'certificate']);
    expect(walk.words).toContain(says);
    expect(walk.html).not.toContain('PRIVATE KEY-----');
  });

  test('does not take the certificate of a machine, nor one that expired', async () => {
    const fake = await appliance();
    const walk = await loggedIn(house, admin, TRUST, fake);
    await walk.send('Certificate', { from: 'paste', certificate: LEAF });
    expect(walk.words).toContain('not of an authority');
    const late = new Date(Date.now() + 30 * 86_400_000);
    expect(() => readCaCertificate(CA.cert, late)).toThrow('This certificate expired at');
  });

  test('after a restart the job fails with that cause, and goes on once the login is typed again', async () => {
    const fake = await appliance();
    const other = await House.open();
    let mine = other;
    try {
      const who = await other.actor('admin');
      await permitLoopback(other, who);
      const walk = await (await loggedIn(other, who, TRUST, fake)).send('Certificate', {
        from: 'paste',
        certificate: CA.cert,
      });
      // Nobody runs it before the service stops.
      other.services.notify = () => undefined;
      await walk.send('Trust', { password: fake.account.password });
      const path = walk.at;
      await other.close(true);
      mine = await House.open({ data: other.data });
      await mine.appliance.runner.idle();
      const look = await new Walk(mine, who).open(path);
      expect(look.words).toContain('remote_credential_gone');
      expect(look.words).toContain('kept in memory only');
      await look.send('Continue', { username: fake.account.username, password: 'a wrong one' });
      await mine.appliance.runner.idle();
      await look.open(path);
      expect(look.words).toContain('remote_login_refused');
      expect(look.html).not.toContain('a wrong one');
      await look.send('Continue', fake.account);
      await mine.appliance.runner.idle();
      await look.open(path);
      expect([look.words.includes('Succeeded'), fake.trusted.length]).toEqual([true, 1]);
      expect(look.html).not.toContain('aria-label="Continue"');
    } finally {
      await mine.close();
    }
  });

  test('with a stored credential it just goes on after a restart', async () => {
    const fake = await appliance();
    const other = await House.open();
    let mine = other;
    try {
      const who = await other.actor('admin');
      await permitLoopback(other, who);
      const { vault_id, choice_id } = await stored(other, who, fake, name());
      const query = new URLSearchParams({ step: 'server', vault_id, choice_id });
      const walk = await new Walk(other, who).open(`${TRUST}?${query}`);
      await walk.send('Server');
      await walk.send('Fingerprint', { confirm: 'yes' });
      await walk.send('Certificate', { from: 'paste', certificate: CA.cert });
      other.services.notify = () => undefined;
      await walk.send('Trust');
      await other.close(true);
      mine = await House.open({ data: other.data });
      await mine.appliance.runner.idle();
      const job = (await mine.send('GET', walk.at.replace('/ui/management/', '/api/v1/'), { token: who.token })).body;
      expect([job.state, fake.trusted.length]).toEqual(['succeeded', 1]);
      expect(await mine.audited()).toContain('vault.entry.use');
    } finally {
      await mine.close();
    }
  });

  test('a certificate that changes between the review and the job fails it, and nothing is sent', async () => {
    const fake = await appliance();
    const walk = await review(admin, fake);
    const seen = fake.requests.length;
    await fake.changeCertificate(true);
    await walk.send('Trust', { password: fake.account.password });
    const job = await jobOf(walk);
    expect([job.state, job.error.error_code, fake.requests.length]).toEqual(['failed', 'certificate_changed', seen]);
    await walk.open(walk.at);
    expect(walk.html).not.toContain('aria-label="Continue"');
  });

  test('a job that does not wait for a login takes none; nor from who may not', async () => {
    const fake = await appliance();
    const walk = await (await review(admin, fake)).send('Trust', { password: fake.account.password });
    await jobOf(walk);
    for (const [who, status] of [
      [admin, 409],
      [viewer, 403],
    ] as const) {
      const answer = await house.send('POST', `${walk.at}/continue`, { session: who, form: fake.account });
      expect(answer.status).toBe(status);
    }
  });
});
