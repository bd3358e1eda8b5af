// Who may use the wizard that deploys a service manager, with whose login, draft and confirmed certificate; and where no
// password may ever be.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LAB, type VsphereLite } from '../../fakes/vsphere-lite.ts';
import { ANSWERS, DEPLOY, OVA, SECRETS, sentBy, walkOn, walkTo } from '../../setup/deployment-scene.ts';
import { DEPOT_PASSWORD } from '../../setup/depot.ts';
import { signers } from '../../setup/make-ova/sign.ts';
import { Walk } from '../../setup/wizard-walk.ts';
import { jobsOf, onlyOva, passwords, vsphere, wizardScene } from './wizard-scene.ts';

const scene = wizardScene();
const PLACED = { pool_id: 'domain-c1-pool', host_id: '', datastore_id: 'datastore-1', net0: 'network-1' };

describe('a stored login', () => {
  async function keyOf(fake: VsphereLite): Promise<Record<string, string>> {
    const { token } = scene.admin;
    const vault = await scene.house.send('POST', '/api/v1/vaults', { token, body: { name: `lab-${fake.port}` } });
    const body = {
      ...{ key: 'vc01.admin', username: fake.account.username, value: fake.account.password },
      uris: [`https://${fake.host}:${fake.port}`],
    };
    await scene.house.send('POST', `/api/v1/vaults/${vault.body.id}/entries`, { token, body });
    const choices = await scene.house.send('GET', `/api/v1/vaults/${vault.body.id}/credentials`, { token });
    return { vault_id: vault.body.id, choice_id: choices.body.items[0].choice_id };
  }

  test('needs no login step, names its user, and is opened for each use, which is recorded', async () => {
    const fake = await vsphere();
    const stored = await keyOf(fake);
    const walk = await new Walk(scene.house, scene.admin).open(
      `${DEPLOY}?${new URLSearchParams({ step: 'server', ...stored })}`,
    );
    await walk.send('Server');
    await walk.send('Fingerprint', { confirm: 'yes' });
    expect([walk.step, fake.calls]).toEqual(['appliance', []]);
    expect(walk.words).toContain(fake.account.username);
    const before = await scene.house.lastAudit();
    await walk.send('Read');
    expect(walk.html).not.toMatch(/step=login/);
    await walkOn(walk, fake, 'review');
    expect(walk.words).toContain(`${fake.account.username} with vc01.admin of the vault`);
    expect(walk.html).not.toMatch(/id="password"/);
    await walk.send('Deploy', SECRETS);
    expect(walk.at).toContain('/tasks/job_');
    await scene.house.appliance.runner.idle();
    const uses = await scene.house.services.store.all<{ detail: string }>(
      "SELECT detail FROM audit_event WHERE seq > ? AND action = 'vault.entry.use'",
      [before],
    );
    expect(uses.length).toBeGreaterThanOrEqual(2);
    expect([...new Set(uses.map(({ detail }) => JSON.parse(detail).purpose))]).toEqual(['appliance-deployment']);
  });

  test('is for administrators: a service administrator is not offered one and can’t name one', async () => {
    const fake = await vsphere();
    const stored = await keyOf(fake);
    const walk = await new Walk(scene.house, scene.service).open(DEPLOY);
    expect(walk.html).not.toContain('name="vault_id"');
    const place = { ...stored, server: `${fake.host}:${fake.port}` };
    for (const step of ['server', 'login', 'review']) {
      const heard = await scene.house.send('GET', `${DEPLOY}?${new URLSearchParams({ step, ...stored })}`, {
        session: scene.service,
      });
      expect([step, heard.status]).toEqual([step, 403]);
    }
    for (const form of ['server', 'inventory']) {
      const login = { ...place, trust: '', username: '', password: '' };
      const heard = await scene.house.send('POST', `${DEPLOY}/${form}`, {
        session: scene.service,
        form: form === 'server' ? place : login,
      });
      expect([form, heard.status]).toEqual([form, 403]);
    }
    expect(fake.calls).toEqual([]);
  });
});

describe('who may', () => {
  const FORMS = ['server', 'confirm', 'inventory', 'appliance', 'placement', 'properties', 'after', 'check', 'deploy'];

  test.each(['viewer', 'network-admin'] as const)('not %s: neither the page nor one of its forms', async (role) => {
    const who = await scene.house.actor(role);
    const opened = await scene.house.send('GET', DEPLOY, { session: who });
    const sent = await Promise.all(
      FORMS.map((form) => scene.house.send('POST', `${DEPLOY}/${form}`, { session: who, form: {} })),
    );
    expect([opened.status, ...sent.map(({ status }) => status)]).toEqual([403, ...FORMS.map(() => 403)]);
  });

  test('nobody without the session’s own mark', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const form: Record<string, string> = { ...sentBy(walk, 'Deploy'), ...passwords(fake) };
    const before = await jobsOf(scene);
    const foreign = { cookie: scene.admin.cookie, csrf: scene.service.csrf };
    for (const path of ['deploy', 'check', 'after']) {
      const heard = await scene.house.send('POST', `${DEPLOY}/${path}`, { session: foreign, form });
      expect([path, heard.status]).toEqual([path, 403]);
    }
    expect(await jobsOf(scene)).toBe(before);
  });

  test('not with the draft or the confirmed certificate of another session', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const form: Record<string, string> = { ...sentBy(walk, 'Deploy'), ...passwords(fake) };
    const before = await jobsOf(scene);
    const calls = fake.calls.length;
    const heard = await scene.house.send('POST', `${DEPLOY}/deploy`, { session: scene.service, form });
    expect([heard.status, heard.text.includes('data-wizard="server"')]).toEqual([409, true]);
    // With a certificate that it confirmed itself, the draft is still the other one's.
    const own = await walkTo(scene.house, scene.service, fake, 'login');
    const { trust } = sentBy(own, 'Login');
    for (const path of ['appliance', 'placement', 'properties', 'after', 'check', 'deploy']) {
      const fields = { ...FIELDS[path], ...(path === 'check' || path === 'deploy' ? form : {}) };
      const stolen = { ...fields, server: form.server!, draft: form.draft!, trust: trust! };
      const answer = await scene.house.send('POST', `${DEPLOY}/${path}`, { session: scene.service, form: stolen });
      expect([path, answer.status]).toEqual([path, 409]);
      expect(answer.text).not.toContain('sddc01');
    }
    expect([await jobsOf(scene), fake.calls.length]).toEqual([before, calls]);
  });

  test('not with a guessed or altered ticket: nothing is sent to the machine', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'login');
    const form: Record<string, string> = { ...sentBy(walk, 'Login'), ...fake.account };
    const [prefix, payload, signature] = form.trust!.split('.') as [string, string, string];
    const other = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('"127.0.0.1"', '"127.0.0.2"'),
    ).toString('base64url');
    for (const trust of [
      '',
      'trust1',
      `${prefix}.${payload}`,
      `${prefix}.${other}.${signature}`,
      `${prefix}.${payload}.${'A'.repeat(43)}`,
    ]) {
      const heard = await scene.house.send('POST', `${DEPLOY}/inventory`, {
        session: scene.admin,
        form: { ...form, trust },
      });
      expect([trust.slice(0, 20), heard.status]).toEqual([trust.slice(0, 20), 409]);
      expect(heard.text).not.toContain(fake.account.password);
    }
    expect(fake.calls).toEqual([]);
  });

  const FIELDS: Record<string, Record<string, string>> = {
    appliance: { file: OVA, name: 'sddc01', eula: 'yes' },
    placement: { ...PLACED, folder_id: '', deployment_option: '', disk_provisioning: 'thin' },
    properties: {},
    after: { power_on: 'yes' },
  };
});

test('the draft is gone: nothing is done, and the login is where it begins again', async () => {
  const fake = await vsphere();
  const walk = await walkTo(scene.house, scene.admin, fake, 'properties');
  const form = { ...sentBy(walk, 'Properties'), draft: 'draft_gone' };
  await walk.post(`${DEPLOY}/properties`, Object.entries(form));
  expect([walk.shown.status, walk.step]).toEqual([409, 'login']);
  expect(walk.words).toContain('no longer kept');
});

describe('no password is anywhere', () => {
  const CANARIES = {
    hypervisor: 'canary-of-the-hypervisor-1',
    wrong: 'canary-of-a-refused-login-2',
    root: 'canary-of-the-root-user-3',
    local: 'canary-of-the-local-user-4',
    appliance: 'canary-of-the-appliance-5',
    depot: 'canary-of-a-wrong-depot-6',
  };

  test('in a page, an address, an answer, the log, the data folder: over a whole walk with its refusals', async () => {
    scene.house.heard.splice(0);
    const fake = await vsphere({ account: { username: 'root', password: CANARIES.hypervisor } });
    const walk = await walkTo(scene.house, scene.admin, fake, 'login');
    await walk.send('Login', { username: 'root', password: CANARIES.wrong });
    await walk.send('Login', { username: '', password: CANARIES.hypervisor });
    const after = { depot: 'yes', trust_root: 'yes' };
    await walkOn(walk, fake, 'review', { after });
    const typed = { password: CANARIES.hypervisor, s0: CANARIES.root, s1: CANARIES.local };
    // Each way to be refused: a fault at a field, a wrong login, a wrong depot password, a stale review, a look that refuses.
    await walk.send('Deploy', { ...typed, s1: 'x', appliance_password: CANARIES.appliance });
    await walk.send('Deploy', { ...typed, password: CANARIES.wrong, depot_password: CANARIES.depot });
    await walk.send('Deploy', { ...typed, depot_password: CANARIES.depot });
    await walk.send('Deploy', { ...typed, depot_password: CANARIES.depot, reviewed: 'another' });
    await walk.send('Deploy', { ...typed, depot_password: CANARIES.depot, username: CANARIES.hypervisor.repeat(12) });
    const check = Object.entries({ ...sentBy(walk, 'Deploy'), ...typed, depot_password: DEPOT_PASSWORD });
    await walk.post(`${DEPLOY}/check`, check);
    await walk.send('Deploy', { ...typed, depot_password: DEPOT_PASSWORD });
    expect(walk.at).toContain('/tasks/job_');
    await scene.house.appliance.runner.idle();
    await walk.open(walk.at);
    const job = walk.at.split('/').at(-1)!;
    await scene.house.send('GET', `/api/v1/jobs/${job}`, { token: scene.admin.token });
    await scene.house.send('GET', '/api/v1/audit/events?limit=100', { token: scene.admin.token });
    expect(await foundIn([...Object.values(CANARIES), DEPOT_PASSWORD])).toEqual([]);
  });

  async function foundIn(secrets: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    const look = (where: string, content: string | Buffer) => {
      for (const secret of secrets) if (content.includes(secret)) found.push(`${where}: ${secret}`);
    };
    for (const line of scene.lines) look('log', line);
    for (const { method, path, answer } of scene.house.heard)
      look(`${method} ${path}`, `${path}\n${JSON.stringify(answer)}`);
    const files = await readdir(scene.house.data, { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      look(file.name, await readFile(join(file.parentPath, file.name)));
    }
    return found;
  }
});

describe('the pre-flight', () => {
  const audited = (since: number) =>
    scene.house.services.store.all<{ outcome: string; detail: string }>(
      "SELECT outcome, detail FROM audit_event WHERE seq > ? AND action = 'vcf-helper.deployment.check' ORDER BY seq",
      [since],
    );

  test('looks at four hosts of an inventory, counts each among the servers of a user, and names what it asked', async () => {
    const hosts = (turn: number) => ({
      ...LAB,
      compute: [
        {
          ...LAB.compute[0]!,
          hosts: Array.from({ length: 16 }, (_none, n) => ({ id: `host-${n + 1}`, name: `10.9.${turn}.${n + 1}` })),
        },
      ],
    });
    const fake = await vsphere({ datacenters: [hosts(0)] });
    const walk = await walkTo(scene.house, scene.service, fake, 'review', { placement: PLACED });
    const form = Object.entries({ ...sentBy(walk, 'Deploy'), ...passwords(fake) });
    const before = await scene.house.lastAudit();
    const answers: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      fake.datacenters = [hosts(turn)];
      await walk.post(`${DEPLOY}/check`, form);
      answers.push(walk.shown.status);
    }
    // The target itself is one of the twenty.
    expect(answers).toEqual([200, 200, 200, 200, 429, 429]);
    expect(walk.words).toContain('You have looked at 20 servers');
    const rows = (await audited(before)).map(({ outcome, detail }) => ({ outcome, ...JSON.parse(detail) }));
    expect(rows.map(({ looked_at }) => Object.keys(looked_at.upload_hosts ?? {}).length)).toEqual([4, 4, 4, 4, 0, 0]);
    expect(rows[3]!.looked_at).toEqual({
      upload_hosts: Object.fromEntries([1, 2, 3, 4].map((n) => [`10.9.3.${n}`, 'answered'])),
      name_servers: ['10.20.0.2'],
      // The lab has one address for all names.
      time_servers: [ANSWERS['vami.ip0.SDDC-Manager']],
      addresses: [ANSWERS['vami.ip0.SDDC-Manager']],
    });
    expect(rows.at(-1)).toMatchObject({ outcome: 'failure', refused: 'too_many_attempts' });
  });

  test('runs once at a time for a user', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.service, fake, 'review', { placement: PLACED });
    const form: Record<string, string> = { ...sentBy(walk, 'Deploy'), ...passwords(fake) };
    const before = await scene.house.lastAudit();
    const send = () => scene.house.send('POST', `${DEPLOY}/check`, { session: scene.service, form });
    const answers = await Promise.all(Array.from({ length: 6 }, send));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, 429, 429, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)!.text).toContain('A pre-flight of yours is still running.');
    expect(await audited(before)).toHaveLength(1);
    expect((await send()).status).toBe(303);
  });
});

test('an OVA that is damaged, or signed by another, while the wizard is open: the same at its next step', async () => {
  const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'placement');
  await onlyOva(scene, {
    certificate: (_manifest, name) => `SHA256(${name})= ${'ab'.repeat(256)}\n${signers().alone}`,
  });
  await walk.open(walk.at);
  expect(walk.words).toContain('does not match its signature (.cert)');
  expect(walk.html).not.toContain('aria-label="Placement"');
});

test('none that is sound: why, for each, and nothing to send', async () => {
  await writeFile(join(scene.folder, OVA), 'no tar');
  const walk = await new Walk(scene.house, scene.admin).open(DEPLOY);
  expect(walk.words).toContain('The OVA in the depot can’t be deployed.');
  expect(walk.words).toContain('The file is no tar archive');
  expect(walk.html).not.toContain('aria-label="Credential"');
});

describe('properties that are proposed', () => {
  const KEY = /id="(p\d+)-help">[\s\S]*?<code>([^<]*)<\/code>(?:<span class="proposed[^>]*>([\s\S]*?)<\/span>)?/g;
  /** Key → its field, and what is said of where its value is from. */
  const shown = ({ html }: Walk) =>
    new Map([...html.matchAll(KEY)].map(([, field, key, from]) => [key!, { field: field!, from: from ?? null }]));
  const HOSTNAME = 'vami.hostname';

  test('are filled in and marked; what was sent is the operator’s own', async () => {
    const { house, admin } = scene;
    const api = (path: string, body: object) => house.send('POST', `/api/v1/dns/${path}`, { token: admin.token, body });
    await api('zones', { name: 'lab.test' });
    await api('records', { fqdn: 'sddc01.lab.test', type: 'A', value: '10.10.0.15' });
    const walk = await walkTo(house, admin, await vsphere(), 'properties');
    const fields = shown(walk);
    expect(fields.get(HOSTNAME)!.from).toContain('Proposed, from the record sddc01.lab.test.');
    const value = (key: string) => sentBy(walk, 'Properties')[fields.get(key)!.field];
    expect([value(HOSTNAME), value('vami.ip0.SDDC-Manager')]).toEqual(['sddc01.lab.test', '10.10.0.15']);
    expect([value('vami.netmask0.SDDC-Manager'), value('vami.domain.SDDC-Manager')]).toEqual([
      '255.255.255.0',
      'lab.test',
    ]);
    expect(walk.words).toMatch(/\d fields are filled in with what this appliance knows/);
    expect(Object.keys(sentBy(walk, 'Properties')).filter((name) => /^s\d/.test(name))).toEqual([]);
    // Refused for one field: another that was changed is not a proposal any more.
    const [host, address] = [fields.get(HOSTNAME)!.field, fields.get('vami.ip0.SDDC-Manager')!.field];
    await walk.send('Properties', { [host]: 'other.lab.test', [address]: 'no address' });
    expect([walk.shown.status, shown(walk).get(HOSTNAME)!.from]).toEqual([422, null]);
    await walk.send('Properties', { [host]: '', [address]: '' });
    expect(walk.step).toBe('after');
    const { server, trust, draft } = sentBy(walk, 'After the start');
    const place = { step: 'properties', server: server!, trust: trust!, draft: draft! };
    await walk.open(`${DEPLOY}?${new URLSearchParams(place)}`);
    expect([sentBy(walk, 'Properties')[host], walk.words.includes('Proposed')]).toEqual(['', false]);
  });
});
