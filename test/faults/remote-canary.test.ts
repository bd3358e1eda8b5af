// Secrets that pass through the service on the way between a person, an appliance and a vault: in one run over import and
// trust with every kind of login and refusal, a new key and a Kickstart between them, and after a kill at each step, none
// of them is to be found anywhere.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCertificate } from '../fakes/tls-target.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { House } from '../setup/house.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { IMPORT, loggedIn, manager, permitLoopback, serverOf, stored, TRUST, toLogin } from '../setup/remote-scene.ts';
import { Walk } from '../setup/wizard-walk.ts';

const CA = makeCertificate({ subject: '/CN=Lab root', names: '' });
const MISTYPED = 'Mistyped-canary-4711!';
const IN_VAULT = 'Typed-into-a-vault-canary-1!';
const OWN = 'Own-password-canary-2342!';
const VARIABLE = 'Kickstart-variable-canary-1871!';
const COMMENT = 'Kickstart-comment-canary-0042!';

let fake: VcfAppliance;
let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/remote-canary-program.ts');
  fake = await manager({ account: { username: 'admin@local', password: 'Account-canary-0815!' } });
});
afterAll(async () => {
  rmSync(join(program, '..'), { recursive: true, force: true });
  await fake.stop();
});

/** As it is, and in the spellings in which it could be written down. */
const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll('!', '&#33;'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
];

/** Where a secret is found: `place`, never the secret. */
function found(places: ReadonlyMap<string, string | Buffer>, secrets: readonly string[]): string[] {
  const wanted = [...new Set(secrets)].flatMap((secret, at) => spellings(secret).map((text) => [at, text] as const));
  return [...places].flatMap(([place, content]) =>
    wanted.filter(([, text]) => content.includes(text)).map(([at]) => `${place}: secret ${at}`),
  );
}

function filesOf(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path))]));
}

async function rowsOf(house: House): Promise<Map<string, string>> {
  const tables = await house.services.store.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    rows.set(`table ${name}`, JSON.stringify(await house.services.store.all(`SELECT * FROM "${name}"`)));
  }
  return rows;
}

/** A Kickstart and the host that installs with it, each of them looked at as far as the API goes. */
async function kickstart(house: House, token: string): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const heard = await house.send(method, `/api/v1/network-boot${path}`, {
      token,
      ...(body !== undefined && { body }),
    });
    if (heard.status >= 300) throw new Error(`${path}: ${heard.status}`);
    return heard.body;
  };
  const text = `# ${COMMENT}\nvmaccepteula\ninstall --firstdisk=local\nrootpw {{ var.root_password }}\nreboot\n`;
  const { id: kickstart_id } = await call('POST', '/kickstarts', { name: 'Lab hosts', text });
  const machine = { hostname: 'esx01.lab.test', mac_address: '00:50:56:01:02:03', kickstart_id };
  const { id } = await call('POST', '/esxi-hosts', { ...machine, variables: { root_password: VARIABLE } });
  await call('GET', `/kickstarts/${kickstart_id}/preview?host_id=${id}`);
  await call('GET', `/kickstarts/${kickstart_id}`);
  await call('GET', `/esxi-hosts/${id}`);
}

test('one run over import and trust: no secret in logs, rows, audit, pages, answers, jobs, problems or files', async () => {
  const logs: string[] = [];
  const house = await House.open({ log: (line) => void logs.push(line) });
  try {
    const admin = await house.actor('admin');
    await permitLoopback(house, admin);
    fake.behaviour.echo = true;
    for (const path of [IMPORT, TRUST]) {
      const wrong = await toLogin(house, admin, path, fake);
      await wrong.send('Login', { username: 'admin@local', password: MISTYPED });
      expect([wrong.shown.status, wrong.step]).toEqual([409, 'login']);
      // The password where the user name belongs: what comes back does not repeat it either.
      await wrong.send('Login', { username: 'somebody', password: MISTYPED });
    }
    const typed = await loggedIn(house, admin, IMPORT, fake);
    await typed.send('Passwords', { into: '', new_vault: 'first' });
    await typed.send('Import', { password: MISTYPED });
    await typed.send('Import', { password: fake.account.password });
    expect(typed.step).toBe('done');
    const choice = await stored(house, admin, fake, 'second');
    const { vault_id, choice_id } = choice;
    const with_vault = async (path: string) => {
      const query = new URLSearchParams({ step: 'server', vault_id, choice_id });
      const walk = await new Walk(house, admin).open(`${path}?${query}`);
      await walk.send('Server');
      return walk.send('Fingerprint', { confirm: 'yes' });
    };
    const picked = await with_vault(IMPORT);
    await picked.send('Read');
    await picked.send('Passwords', { into: vault_id });
    await picked.send('Import');
    expect(picked.step).toBe('done');
    const certificate = CA.cert;
    for (const password of [MISTYPED, fake.account.password]) {
      const walk = await (await loggedIn(house, admin, TRUST, fake)).send('Certificate', { certificate });
      await walk.send('Trust', { password });
      await house.appliance.runner.idle();
      await walk.open(walk.at);
      expect(walk.words).toContain(password === MISTYPED ? 'remote_login_refused' : 'Succeeded');
    }
    const job = await (await with_vault(TRUST)).send('Certificate', { certificate });
    await job.send('Trust');
    await house.appliance.runner.idle();
    const token = admin.token;
    await kickstart(house, token);
    // Under a new key the stored passwords are what they were: the next login still opens one.
    const rotated = await house.send('POST', '/api/v1/vaults/rotate-key', { token });
    await house.appliance.runner.idle();
    const rotation = await house.send('GET', `/api/v1/jobs/${rotated.body.job_id}`, { token });
    expect([rotated.status, rotation.body.state]).toEqual([202, 'succeeded']);
    // A value is not shown to who does not know the own password.
    const reveal = `/ui/management/vaults/${vault_id}/entries/${choice.entry_id}/reveal`;
    const before = await house.lastAudit();
    const revealed = await house.send('POST', reveal, { session: admin, form: { password: OWN } });
    expect([revealed.status, await house.audited(before)]).toEqual([422, ['vault.entry.reveal']]);
    // A stored password that the appliance refuses.
    const body = { value: IN_VAULT };
    await house.send('PATCH', `/api/v1/vaults/${vault_id}/entries/${choice.entry_id}`, { token, body });
    const refused = await with_vault(IMPORT);
    await refused.send('Read');
    expect([refused.shown.status, refused.step]).toEqual([409, 'credential']);
    for (const path of ['/api/v1/jobs', '/api/v1/audit-events', '/ui/management/jobs', '/ui/management/audit-log']) {
      await house.send('GET', path, path.startsWith('/api') ? { token } : { session: admin });
    }

    const answers = house.heard.map(({ method, path, answer }, at): [string, string] => [
      `${at} ${method} ${path.split('?')[0]}`,
      JSON.stringify(answer),
    ]);
    const addresses = house.heard.map(({ method, path }, at): [string, string] => [`address ${at} ${method}`, path]);
    const places = new Map<string, string | Buffer>([
      ...answers,
      ...addresses,
      ['logs', logs.join('\n')],
      ...(await rowsOf(house)),
      ...filesOf(house.data),
    ]);
    expect(places.size).toBeGreaterThan(150);
    const secrets = [...fake.secrets(), MISTYPED, IN_VAULT, OWN, VARIABLE, COMMENT];
    expect(secrets.length).toBeGreaterThan(30);
    // The search itself finds what is there.
    expect(found(new Map([['x', `a${encodeURIComponent(MISTYPED)}b`]]), secrets).length).toBeGreaterThan(0);
    expect(found(places, secrets)).toEqual([]);
  } finally {
    fake.behaviour.echo = false;
    await house.close();
  }
}, 300_000);

async function life(step: number): Promise<{ said: string; data: string; signal: string | null }> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-canary-'));
  const { username, password } = fake.account;
  // What an earlier life added must not spare this one its steps.
  fake.trusted.length = 0;
  const env = { FAKE_PASSWORD: password, CERTIFICATE: CA.cert };
  const run = startProgram(program, [data, `${step}`, serverOf(fake), username], { env });
  const { lines, stderr, signal } = await run.ended;
  return { said: `${lines.join('\n')}\n${stderr}`, data, signal };
}

test('killed at each step: nothing is left behind that could be read', async () => {
  const whole = await life(0);
  expect(whole.said).toContain('done');
  expect(whole.said).toContain('200 done');
  const steps = whole.said.split('\n').filter((line) => /^\d+ (?:remote|import|trust)\./.test(line)).length;
  expect(steps).toBeGreaterThanOrEqual(12);
  const places = new Map<string, string | Buffer>();
  const take = ({ said, data }: { said: string; data: string }, life: number) => {
    places.set(`${life} printed`, said);
    for (const [path, content] of filesOf(data)) places.set(`${life} ${path}`, content);
    rmSync(data, { recursive: true, force: true });
  };
  take(whole, 0);
  for (let step = 1; step <= steps; step++) {
    const killed = await life(step);
    expect(killed.signal).toBe('SIGKILL');
    take(killed, step);
  }
  expect(found(places, fake.secrets())).toEqual([]);
}, 300_000);
