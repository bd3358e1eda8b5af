// Values of vaults in Kickstarts: saved as names, opened once for each retrieval, recorded before they leave, found
// nowhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { refusal } from '../../../runtime/boot-plane.ts';
import { createEntry } from '../../../shared/platform/vaults/entry-store.ts';
import { BootScene, MACHINE } from '../../setup/boot-scene.ts';
import type { Credentials } from '../../setup/house.ts';

const VALUES = { first: 'CanaryVaultRootQWZX', later: 'CanaryVaultLaterQWZX', join: 'CanaryVaultJoinQWZX' };
const NAMES = ['lab.esx01.root', 'lab.join'];
const TEXT = `vmaccepteula
install --firstdisk=local --overwritevmfs
rootpw {{ vault.lab.esx01.root }}
reboot
%firstboot --interpreter=busybox
join {{vault.lab.join}} {{ host.hostname }}
again {{ vault.lab.join }}
`;
const UI = '/ui/management/network-boot';

let scene: BootScene;
let service: Credentials;
let vault_id: string;
const entries: Record<string, string> = {};

const vaults = (method: string, path: string, body?: unknown, token = scene.admin.token) =>
  scene.house.send(method, `/api/v1/vaults${path}`, { token, ...(body !== undefined && { body }) });
const entry = (key: string): string => `/${vault_id}/entries/${entries[key]}`;
const page = async (path: string): Promise<string> =>
  (await scene.house.send('GET', `${UI}${path}`, { session: scene.admin })).text;
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

async function addEntry(key: string, value?: string): Promise<void> {
  const { body } = await vaults('POST', `/${vault_id}/entries`, { key, ...(value && { value }) });
  entries[key] = body.id;
}

/** Sealed as a release without the rule would have taken it. */
async function addRaw(key: string, value: string): Promise<void> {
  const { services } = scene.house;
  const { entry: made } = await services.store.write((tx) => createEntry(tx, services, vault_id, { key, value }));
  entries[key] = made.id;
}

/** Audit events that the work writes. */
async function audited(work: () => Promise<unknown>) {
  const before = await scene.house.lastAudit();
  await work();
  const rows = await scene.house.services.store.all<{ action: string; detail: string }>(
    'SELECT action, outcome, actor_name, resource_id, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [before],
  );
  return rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as Record<string, unknown> }));
}

/** The Kickstart of the host gets this text, which is applied. */
async function give(text: string): Promise<void> {
  const saved = await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text });
  if (saved.status !== 200) throw new Error(saved.text);
  await scene.apply();
}

beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
  service = await scene.house.actor('service-admin');
  vault_id = (await vaults('POST', '', { name: 'lab' })).body.id;
  await addEntry('esx01.root', VALUES.first);
  await addEntry('join', VALUES.join);
  await addEntry('empty');
  await give(TEXT);
});
afterAll(() => scene.house.close());
beforeEach(() => scene.write('DELETE FROM boot_attempt'));

describe('a text with values of vaults', () => {
  test('is saved with their names, which its page, its preview and the plan show', async () => {
    const { body } = await scene.call('GET', `/kickstarts/${scene.kickstart_id}`);
    expect(body).toMatchObject({ vault_values: NAMES, variables: [], host_fields: ['hostname'] });
    const shown = await page(`/kickstarts/${scene.kickstart_id}`);
    expect(words(shown)).toContain('lab.esx01.root lab.join Looked up and recorded when the text is handed out');
    expect(words(shown)).toContain('3 rootpw [vault lab.esx01.root]');
    // As the page of the entry offers it.
    const offered = await scene.house.send('GET', `/ui/management/vaults${entry('esx01.root')}`, {
      session: scene.admin,
    });
    const [marker = ''] = /\{\{ vault\.[^}]+\}\}/.exec(offered.text) ?? [];
    expect(TEXT).toContain(marker || 'a marker');
    const saved = await audited(() => scene.call('POST', '/kickstarts', { name: 'Copy', text: TEXT }));
    expect(saved).toMatchObject([{ action: 'network-boot.kickstart.create', detail: { vault_values: NAMES } }]);
  });

  const cases: [string, string, string][] = [
    ['a vault that does not exist', 'nowhere.esx01.root', 'There is no vault nowhere.'],
    ['a key that does not exist', 'lab.esx02.root', 'The vault lab has no key esx02.root.'],
    ['a key without a value', 'lab.empty', 'The key empty of the vault lab has no value.'],
    ['no key', 'lab', 'A marker of vaults names a vault and a key, as in {{ vault.lab.esx01.root }}.'],
    ['another spelling', 'Lab.esx01.root', 'A marker of vaults names a vault and a key'],
  ];
  test.each(cases)('is refused at its line for %s', async (_what, name, detail) => {
    const text = TEXT.replace('lab.esx01.root', name);
    const errors = [{ pointer: '/text', detail: expect.stringContaining(`Line 3: ${detail}`) }];
    expect((await scene.call('POST', '/kickstarts', { name: 'Other', text })).body).toMatchObject({ errors });
    const changed = await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text });
    expect([changed.status, changed.body.errors]).toEqual([422, errors]);
    const looked = await scene.call('POST', '/kickstarts/validate', { text });
    expect(looked.body).toMatchObject({ valid: false, faults: [{ line: 3, detail: expect.stringContaining(detail) }] });
  });

  test('takes no more than 32 of them', async () => {
    const lines = Array.from({ length: 33 }, (_each, n) => `{{ vault.lab.k${n} }} {{ vault.lab.k0 }}`);
    const { body } = await scene.call('POST', '/kickstarts/validate', { text: `${TEXT}${lines.join('\n')}\n` });
    expect(body.faults).toContainEqual({
      line: 38,
      severity: 'error',
      detail: 'A text takes at most 32 values of vaults.',
    });
  });

  test('is not for a service administrator, who hears nothing of what there is', async () => {
    const detail = 'Saving a text with vault values needs read:vaults: ask an administrator.';
    for (const name of ['lab.esx01.root', 'nowhere.esx01.root']) {
      const text = TEXT.replace('reboot', '# changed').replace('lab.esx01.root', name);
      const lines = [3, 6, 7].map((line) => ({ pointer: '/text', detail: `Line ${line}: ${detail}` }));
      for (const [method, path, more] of [
        ['POST', '/kickstarts', { name: 'Other' }],
        ['PATCH', `/kickstarts/${scene.kickstart_id}`, {}],
      ] as const) {
        const heard = await scene.call(method, path, { text, ...more }, service.token);
        expect([heard.status, heard.body.errors]).toEqual([422, lines]);
      }
      const looked = await scene.call('POST', '/kickstarts/validate', { text }, service.token);
      expect(looked.body.faults.map(({ line }: { line: number }) => line)).toEqual([3, 6, 7]);
    }
    const path = `/kickstarts/${scene.kickstart_id}`;
    const described = await scene.call('PATCH', path, { description: 'By somebody else' }, service.token);
    expect([described.status, described.body.vault_values]).toEqual([200, NAMES]);
  });
});

describe('a service administrator', () => {
  const sent = (method: string, path: string, body: object) => scene.call(method, path, body, service.token);
  const asAdmin = (path: string, body: object) => scene.call('PATCH', path, body);
  const other = () => ({ hostname: 'mine.lab.example', mac_address: '02:00:00:00:00:09' });
  const refused = async (asked: ReturnType<typeof sent>, ...pointers: string[]) => {
    const { status, body, headers } = await asked;
    const told = body.errors?.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, body.error_code, body.scope, told]).toEqual([403, 'insufficient_scope', 'read:vaults', pointers]);
    expect(headers['www-authenticate']).toContain('scope="read:vaults"');
  };

  test('gives it to no machine of his own, by whichever way', async () => {
    const { kickstart_id, host_id } = scene;
    const host = `/esxi-hosts/${host_id}`;
    await refused(sent('POST', '/esxi-hosts', { ...other(), kickstart_id }), '/kickstart_id');
    const own = await sent('POST', '/esxi-hosts', other());
    expect(own.status).toBe(201);
    await refused(sent('PATCH', `/esxi-hosts/${own.body.id}`, { kickstart_id }), '/kickstart_id');
    await refused(sent('PATCH', host, { mac_address: '02:00:00:00:00:0a' }), '/mac_address');
    await scene.write(
      "INSERT INTO network_boot_medium SELECT 'medium_own', 'Own', source, state, fault, product, size_bytes, file_count, content_digest, loaders, boot_config, description, enabled, revision, created_at, updated_at FROM network_boot_medium WHERE id = 'medium_test'",
    );
    await refused(sent('PATCH', host, { media_id: 'medium_own' }), '/media_id');
    await refused(sent('PATCH', host, { variables: { motd: '$(curl http://10.0.0.9)' } }), '/variables');
    expect((await sent('PATCH', host, { enabled: false, description: 'Off' })).status).toBe(200);
    await refused(sent('PATCH', host, { mac_address: '02:00:00:00:00:0a' }), '/mac_address');
    await refused(sent('PATCH', host, { enabled: true }), '/enabled');
    expect((await asAdmin(host, { enabled: true, description: '' })).status).toBe(200);
    expect((await asAdmin(`/esxi-hosts/${own.body.id}`, { kickstart_id })).status).toBe(200);
    expect((await scene.call('DELETE', `/esxi-hosts/${own.body.id}`)).status).toBe(204);
  });

  test('gives it to no other segment, and lets no other boot program ask for it', async () => {
    const { body } = await scene.call('GET', '/settings');
    const listen_interfaces = [...body.listen_interfaces, 'ens224'];
    const at = `/listen_interfaces/${body.listen_interfaces.length}`;
    await refused(sent('PATCH', '/settings', { listen_interfaces }), at);
    await refused(sent('PATCH', '/settings', { uefi_http_url: 'http://10.0.0.9/own.efi' }), '/uefi_http_url');
    expect((await sent('PATCH', '/settings', { hostname: 'boot.lab.example' })).status).toBe(200);
    expect((await sent('PATCH', '/settings', { hostname: body.hostname })).status).toBe(200);
  });

  test('is told on the page of the host, at the field', async () => {
    const path = `${UI}/hosts/${scene.host_id}`;
    const shown = await scene.house.send('GET', path, { session: service });
    expect(words(shown.text)).toContain('The Kickstart of this host takes values of vaults');
    expect(words(shown.text)).toContain('Lab hosts (takes values of vaults)');
    expect(words(await page(`/hosts/${scene.host_id}`))).not.toContain('Only an administrator');
    const form = { hostname: 'esx01.lab.example', mac_address: '02-00-00-00-00-0a', enabled: 'on', revision: '99' };
    const { revision } = (await scene.call('GET', `/esxi-hosts/${scene.host_id}`)).body;
    const posted = await scene.house.send('POST', path, {
      session: service,
      form: { ...form, ip_address: '10.10.0.21', revision: String(revision) },
    });
    expect([posted.status, words(posted.text)]).toEqual([
      403,
      expect.stringContaining('changing the MAC address needs read:vaults'),
    ]);
  });
});

test('a marker in a variable is no marker: it is handed out as it was typed', async () => {
  const variables = { serial: '{{ vault.lab.join }}' };
  const saved = await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables });
  expect(saved.status).toBe(200);
  await give(TEXT.replace('reboot', 'serialnum --esx={{ var.serial }}'));
  const { path } = await scene.ready();
  expect((await scene.boot(path)).body).toContain('\nserialnum --esx={{ vault.lab.join }}\n');
  await give(TEXT);
});

describe('a retrieval', () => {
  test('has the values, each recorded once with host and attempt', async () => {
    const { path } = await scene.ready();
    const attempt = (await scene.last()).id;
    let body = '';
    const events = await audited(async () => {
      body = (await scene.boot(path)).body;
    });
    expect(body).toContain(`\nrootpw ${VALUES.first}\n`);
    expect(body).toContain(`\njoin ${VALUES.join} esx01.lab.example\nagain ${VALUES.join}\n`);
    const about = { purpose: 'kickstart', vault: 'lab', host: 'esx01.lab.example', attempt };
    const authorized_by = expect.stringContaining('admin');
    expect(events).toMatchObject([
      { action: 'vault.entry.use', outcome: 'success', resource_id: entries['esx01.root'] },
      { action: 'vault.entry.use', outcome: 'success', resource_id: entries.join },
      { action: 'network-boot.attempt.consume', outcome: 'success', resource_id: attempt },
    ]);
    expect(events.slice(0, 2).map(({ detail }) => detail)).toEqual([
      { ...about, key: 'esx01.root', authorized_by },
      { ...about, key: 'join', authorized_by },
    ]);
    expect((await vaults('GET', entry('join'))).body.last_used_at).not.toBeNull();
    const uses = await scene.house.send('GET', `/ui/management/vaults${entry('join')}`, { session: scene.admin });
    expect(words(uses.text)).toContain('Written into a Kickstart, esx01.lab.example');
    expect((await scene.boot(path)).statusCode).toBe(404);
  });

  test('has the value of that moment: another one is no drift', async () => {
    const { code, claim } = await scene.start();
    await vaults('PATCH', entry('esx01.root'), { value: VALUES.later });
    expect((await scene.authorize(code)).status).toBe(202);
    expect((await scene.boot(await scene.kickstartPath(claim))).body).toContain(`\nrootpw ${VALUES.later}\n`);
  });

  test('that shows another revision opens none of them', async () => {
    const { path } = await scene.ready();
    const events = await audited(async () => {
      await scene.boot(path.replace(/[0-9a-f]{64}/, 'f'.repeat(64)));
    });
    expect(events.map(({ action }) => action)).toEqual(['network-boot.attempt.alarm']);
  });

  /** Sets the value up after the authorization; what is recorded of uses besides the end of the attempt. */
  const lost: [string, string, () => Promise<unknown>, object[]][] = [
    ['was taken away', 'lab.gone1', () => vaults('PATCH', entry('gone1'), { value: null }), []],
    ['was deleted', 'lab.gone2', () => scene.write("DELETE FROM vault_entry WHERE key = 'gone2'"), []],
    [
      'can’t be opened',
      'lab.gone3',
      () => scene.write("UPDATE vault_entry SET sealed_value = sealed_key WHERE key = 'gone3'"),
      [
        { action: 'vault.entry.use', outcome: 'success', detail: { key: 'esx01.root', handed_out: false } },
        { action: 'vault.entry.use', outcome: 'failure', detail: { key: 'gone3', handed_out: false } },
      ],
    ],
    [
      'would break the line',
      'lab.gone4',
      () => addRaw('gone4', `${VALUES.first}\nreboot`),
      [
        { action: 'vault.entry.use', outcome: 'success', detail: { key: 'esx01.root', handed_out: false } },
        { action: 'vault.entry.use', outcome: 'success', detail: { key: 'gone4', handed_out: false } },
      ],
    ],
  ];
  test.each(lost)('gives nothing when a value %s, and its attempt ends', async (_how, name, lose, uses) => {
    await addEntry(name.replace('lab.', ''), VALUES.join);
    await give(TEXT.replace('lab.join', name));
    const { path, claim } = await scene.ready();
    if (name === 'lab.gone4') await scene.write("DELETE FROM vault_entry WHERE key = 'gone4'");
    await lose();
    let answer: unknown;
    const events = await audited(async () => {
      const { statusCode, headers, body } = await scene.boot(path);
      const { 'x-request-id': _own, ...rest } = headers;
      answer = { statusCode, headers: rest, body };
    });
    expect(answer).toEqual(refusal());
    expect(events).toMatchObject([
      ...uses,
      { action: 'network-boot.attempt.burn', outcome: 'failure', detail: { reason: 'vault-value', vault_value: name } },
    ]);
    const last = await scene.last();
    expect(last).toMatchObject({ state: 'burnt', ended_reason: 'vault-value', ended_from: expect.any(String) });
    expect((await scene.call('GET', '/attempts')).body.items[0]).toMatchObject({ ended_reason: 'vault-value' });
    const waiting = await page('/waiting');
    expect(words(waiting)).toContain('Nothing was handed out: a value of a vault is missing');
    expect(waiting).toContain(`/ui/management/audit-log?resource_id=${last.id}`);
    expect((await scene.boot(path)).statusCode).toBe(404);
    expect((await scene.poll(claim)).body).not.toContain('vault');
    expect((await scene.boot(`/boot/menu.ipxe?mac=${MACHINE.mac}&firmware=efi`)).statusCode).toBe(200);
    await give(TEXT);
  });
});

describe('while a Kickstart in use names it', () => {
  const refused = async (asked: ReturnType<typeof vaults>, reason: string) => {
    const { status, body } = await asked;
    const blockers = body.blockers?.filter(({ subject }: { subject: string }) => /^Kickstart /.test(subject));
    expect([status, body.error_code, blockers]).toEqual([
      409,
      'still_referenced',
      ['Copy', 'Lab hosts'].map((name) => expect.objectContaining({ subject: `Kickstart ${name}`, reason })),
    ]);
  };
  const ofVault = 'Its text takes a value of this vault.';
  const ofKey = 'Its text takes the value of this key.';

  test('a vault is neither renamed nor deleted', async () => {
    await refused(vaults('PATCH', `/${vault_id}`, { name: 'other' }), ofVault);
    await refused(vaults('DELETE', `/${vault_id}`), ofVault);
    await refused(vaults('DELETE', `/${vault_id}?with_entries=true`), ofVault);
    const form = { with_entries: 'on', revision: '1' };
    const path = `/ui/management/vaults/${vault_id}/delete`;
    const posted = await scene.house.send('POST', path, { session: scene.admin, form });
    expect([posted.status, words(posted.text)]).toEqual([409, expect.stringContaining('Kickstart Lab hosts')]);
    expect((await vaults('PATCH', `/${vault_id}`, { description: 'Ours' })).status).toBe(200);
  });

  test('nor a key of it, while its value and all others may change', async () => {
    await refused(vaults('PATCH', entry('join'), { key: 'join2' }), ofKey);
    await refused(vaults('DELETE', entry('join')), ofKey);
    expect((await vaults('PATCH', entry('join'), { username: 'joiner', value: VALUES.join })).status).toBe(200);
    // A key that only begins alike, and a vault.
    await addEntry('join.more', VALUES.join);
    expect((await vaults('DELETE', entry('join.more'))).status).toBe(204);
    const { body } = await vaults('POST', '', { name: 'lab-2' });
    expect((await vaults('DELETE', `/${body.id}`)).status).toBe(204);
  });

  test('one that is not in use keeps nothing, and can’t be used again without it', async () => {
    await addEntry('spare', VALUES.join);
    const text = TEXT.replace('lab.esx01.root', 'lab.spare');
    const { body } = await scene.call('POST', '/kickstarts', { name: 'Spare', text });
    expect((await vaults('DELETE', entry('spare'))).status).toBe(409);
    await scene.call('PATCH', `/kickstarts/${body.id}`, { enabled: false });
    expect((await vaults('DELETE', entry('spare'))).status).toBe(204);
    const again = await scene.call('PATCH', `/kickstarts/${body.id}`, { enabled: true });
    const errors = [{ pointer: '/enabled', detail: 'The vault lab has no key spare.' }];
    expect([again.status, again.body.errors]).toEqual([422, errors]);
  });
});

test('a value is in the one text that was handed out, and nowhere else', async () => {
  const { house } = scene;
  const { path } = await scene.ready();
  await scene.boot(path);
  for (const at of ['', '/waiting', '/kickstarts', `/kickstarts/${scene.kickstart_id}`, `/hosts/${scene.host_id}`]) {
    await page(at);
  }
  await scene.call('GET', `/kickstarts/${scene.kickstart_id}/preview?host_id=${scene.host_id}`);
  await house.send('GET', '/ui/management/audit-log', { session: scene.admin });
  await house.services.store.all('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const places: [string, string][] = [
    ...files.map(({ parentPath, name }): [string, string] => [name, readFileSync(join(parentPath, name), 'latin1')]),
    ['log', scene.log.join('\n')],
    ['audit', JSON.stringify(await house.services.store.all('SELECT * FROM audit_event'))],
    ...house.heard.map(({ method, path: asked, answer }): [string, string] => [
      `${method} ${asked}`,
      JSON.stringify([answer.headers, answer.cookies, answer.body]),
    ]),
  ];
  const forms = Object.values(VALUES).flatMap((value) => [
    value,
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('hex'),
  ]);
  const found = places.filter(([, text]) => forms.some((form) => text.includes(form)));
  expect(found.map(([where]) => where)).toEqual([]);
  expect(places.length).toBeGreaterThan(60);
});
