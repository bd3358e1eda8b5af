// The pages of the vaults: who sees them, what they say, what their forms refuse; a value comes onto a page only for who
// said the own password again, once, and after that is recorded. Values carry canaries: every answer is looked through.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemActor } from '../../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../../shared/kernel/audit/audit.ts';
import { createEntry } from '../../../shared/platform/vaults/entry-store.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const UI = '/ui/management/vaults';
const CANARY = 'C4nary value <&">';
const CANARY_MARK = 'C4nary';
const CANARY_HTML = 'C4nary value &lt;&amp;&quot;>';

let house: House;
let admin: Credentials;
let vault_id: string;
let entry_id: string;
const lines: string[] = [];

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  vault_id = (await api('POST', '', { name: 'site-a', description: 'The lab in building A' })).id;
  entry_id = await newEntry('esx01.root', { username: 'root', uris: ['https://esx01.lab.example', 'ssh://esx01'] });
});
afterAll(() => house.close());

async function api(method: string, path: string, body?: object) {
  const heard = await house.send(method, `/api/v1/vaults${path}`, { token: admin.token, ...(body && { body }) });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
}
const newEntry = async (key: string, more: object = {}, vault = vault_id): Promise<string> =>
  (await api('POST', `/${vault}/entries`, { key, value: CANARY, ...more })).id;
const entry = (path = '', id = entry_id): string => `${UI}/${vault_id}/entries/${id}${path}`;
const get = (path: string, session: Credentials = admin) => house.send('GET', path, { session });
const post = (path: string, form: Record<string, string> = {}, session: Credentials = admin) =>
  house.send('POST', path, { session, form });
const words = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
const main = (html: string): string => words(html.slice(html.indexOf('<main')));
const flash = (cookies: string[]): string => decodeURIComponent(cookies.join());
const fault = (html: string, field: string): string =>
  words(new RegExp(`id="${field}-error">(.*?)</p>`, 's').exec(html)?.[1] ?? '').trim();
const row = async () => api('GET', `/${vault_id}/entries/${entry_id}`);

/** Audit events that the work writes: actions, outcomes and details. */
async function audited(work: () => Promise<unknown>): Promise<[string, string, object][]> {
  const before = await house.lastAudit();
  await work();
  const rows = await house.services.store.all<{ action: string; outcome: string; detail: string }>(
    'SELECT action, outcome, detail FROM audit_event WHERE seq > ? ORDER BY seq',
    [before],
  );
  return rows.map(({ action, outcome, detail }) => [action, outcome, JSON.parse(detail)]);
}

describe('the pages', () => {
  const pages = (): string[] => [
    UI,
    `${UI}/new`,
    `${UI}/key`,
    `${UI}/${vault_id}`,
    `${UI}/${vault_id}/edit`,
    `${UI}/${vault_id}/delete`,
    `${UI}/${vault_id}/entries/new`,
    entry(),
    entry('/delete'),
    entry('/reveal'),
  ];

  test('are for administrators: others neither see them in the navigation nor get them', async () => {
    expect((await get('/ui/management')).text).toContain(`href="${UI}"`);
    for (const role of ['service-admin', 'network-admin', 'viewer'] as const) {
      const other = await house.actor(role);
      expect((await get('/ui/management', other)).text).not.toContain(`href="${UI}"`);
      for (const path of pages()) expect([role, path, (await get(path, other)).status]).toEqual([role, path, 403]);
      const revealed = await post(entry('/reveal'), { password: PASSWORD }, other);
      expect([revealed.status, revealed.text.includes(CANARY_MARK)]).toEqual([403, false]);
    }
  });

  test('render without inline styles, are stored nowhere, and hold no value', async () => {
    for (const path of pages()) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
      expect(text).not.toMatch(/ style=| onclick=/);
      expect(text).not.toContain(CANARY_MARK);
      expect(headers.refresh).toBeUndefined();
    }
  });

  test('the list counts entries, and says what lacks a value and what was used', async () => {
    expect(main((await get(UI)).text)).toMatch(/site-a The lab in building A 1 All stored never .*(now|ago) by ada/);
    const { id } = await api('POST', '', { name: 'site-b' });
    await newEntry('a', { value: undefined }, id);
    expect(main((await get(UI)).text)).toContain('site-b 1 1 without a value');
    await api('DELETE', `/${id}?with_entries=true`);
  });

  test('a vault shows what its entries are for, by key, and finds them', async () => {
    const more = [
      await newEntry('vcenter.sso', { username: 'administrator@vsphere.local', uris: ['https://vc01.lab.example/ui'] }),
      await newEntry('nsx.audit', { value: undefined, description: 'Read only' }),
    ];
    const { text } = await get(`${UI}/${vault_id}`);
    expect(main(text)).toMatch(/esx01\.root root Copy https:\/\/esx01\.lab\.example ssh:\/\/esx01 Typed Stored/);
    expect(text.indexOf('>esx01.root<')).toBeLessThan(text.indexOf('>nsx.audit<'));
    expect(main(text)).toContain('Any state (3) Without a value (1) Never used (2)');
    const ROW = /<th scope="row"[^>]*>(?:<input[^>]*>)?<a[^>]*>([^<]+)</g;
    const found = async (query: string) =>
      [...(await get(`${UI}/${vault_id}?${query}`)).text.matchAll(ROW)].map(([, key]) => key);
    expect(await found('search=VC01')).toEqual(['vcenter.sso']);
    expect(await found('search=ROOT')).toEqual(['esx01.root']);
    expect(await found('show=without-value')).toEqual(['nsx.audit']);
    expect(await found('source=manual&show=unused')).toEqual(['esx01.root', 'vcenter.sso']);
    expect(await found('source=vcf-installer')).toEqual([]);
    expect(await found('sort=-key')).toEqual(['vcenter.sso', 'nsx.audit', 'esx01.root']);
    expect((await get(`${UI}/${vault_id}?cursor=esx01.root`)).status).toBe(400);
    expect(main((await get(`${UI}/${vault_id}?search=%25`)).text)).toContain('No entry matches this filter.');
    for (const id of more) await api('DELETE', `/${vault_id}/entries/${id}`);
  });

  test('one with more entries than a page goes on at the next', async () => {
    const { id } = await api('POST', '', { name: 'large' });
    for (let n = 0; n < 101; n++) await newEntry(`k${String(n).padStart(3, '0')}`, {}, id);
    const first = (await get(`${UI}/${id}`)).text;
    expect(first).toContain('>k099<');
    expect(first).not.toContain('>k100<');
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
    expect((await get(next)).text).toContain('>k100<');
    await api('DELETE', `/${id}?with_entries=true`);
  });
});

describe('a vault', () => {
  test('is created, renamed and deleted, each without script', async () => {
    const made = await post(`${UI}/new`, { name: 'site-c', description: 'Third' });
    const at = made.headers.location!;
    expect([made.status, at]).toEqual([303, expect.stringMatching(/^\/ui\/management\/vaults\/vault_\w+$/)]);
    expect(flash(made.cookies)).toContain('Vault site-c is created.');
    const saved = await post(`${at}/edit`, { name: 'site-d', description: '', revision: '1' });
    expect([saved.status, saved.headers.location]).toEqual([303, at]);
    expect((await get(at)).text).toContain('site-d');
    const gone = await post(`${at}/delete`, { revision: '2' });
    expect([gone.status, gone.headers.location]).toEqual([303, UI]);
    expect((await get(at)).status).toBe(404);
  });

  test('a name that is wrong or taken is refused at its field, with what was typed', async () => {
    const wrong = await post(`${UI}/new`, { name: 'Site A', description: 'Kept <text>' });
    expect(wrong.status).toBe(422);
    expect(fault(wrong.text, 'name')).toMatch(/Lower-case/);
    expect(wrong.text).toMatch(/id="name"[^>]*value="Site A"/);
    expect(wrong.text).toContain('value="Kept &lt;text>"');
    const taken = await post(`${UI}/new`, { name: 'site-a', description: '' });
    expect([taken.status, fault(taken.text, 'name')]).toEqual([409, 'Another vault has this name.']);
  });

  test('an edit that came too late says who saved, and what', async () => {
    const { id } = await api('POST', '', { name: 'late' });
    await api('PATCH', `/${id}`, { description: 'Saved first' });
    const { status, text } = await post(`${UI}/${id}/edit`, { name: 'late', description: 'Mine', revision: '1' });
    expect(status).toBe(412);
    expect(main(text)).toMatch(/late changed after you opened it ada .*saved it just now/);
    expect(main(text)).toContain('Description Saved first Mine');
    expect(text).toMatch(/name="revision" value="2"/);
    await api('DELETE', `/${id}`);
  });

  test('one with entries is deleted only when that is ticked', async () => {
    const { id } = await api('POST', '', { name: 'full', description: '' });
    await newEntry('a', {}, id);
    const events = await audited(async () => {
      const refused = await post(`${UI}/${id}/delete`, { revision: '1' });
      expect(refused.status).toBe(409);
      expect(main(refused.text)).toContain('Nothing was deleted The vault full still has one entry.');
      expect(fault(refused.text, 'with_entries')).toContain('tick this');
      expect(refused.text).not.toContain('with_entries=true');
      const stale = await post(`${UI}/${id}/delete`, { revision: '7', with_entries: 'true' });
      expect([stale.status, main(stale.text).includes('full changed after you opened it')]).toEqual([412, true]);
      const gone = await post(`${UI}/${id}/delete`, { revision: '1', with_entries: 'true' });
      expect([gone.status, gone.headers.location]).toEqual([303, UI]);
    });
    expect(events).toEqual([['vault.delete', 'success', { name: 'full', entries: 1 }]]);
  });
});

describe('an entry', () => {
  test('is added with a value that is sealed and shown nowhere', async () => {
    const sent = await post(`${UI}/${vault_id}/entries/new`, {
      key: 'sddc.vcf',
      username: 'vcf',
      description: 'Shell',
      uris: ' https://sddc.lab.example/a,b \n ssh://sddc.lab.example',
      value: ` ${CANARY} `,
    });
    expect([sent.status, sent.headers.location]).toEqual([303, `${UI}/${vault_id}`]);
    expect(flash(sent.cookies)).toContain('Entry sddc.vcf is added.');
    const [made] = (await api('GET', `/${vault_id}/entries?key=sddc.vcf`)).items;
    expect(made).toMatchObject({
      username: 'vcf',
      has_value: true,
      uris: ['https://sddc.lab.example/a,b', 'ssh://sddc.lab.example'],
    });
    const shown = await post(entry('/reveal', made.id), { password: PASSWORD });
    expect(shown.text).toContain(`<code id="revealed-value"> ${CANARY_HTML} </code>`);
    const gone = await post(entry('/delete', made.id), { revision: '1' });
    expect([gone.status, gone.headers.location]).toEqual([303, `${UI}/${vault_id}`]);
  });

  test('refused, it comes back with what was typed, but never with the value', async () => {
    const refused = await post(`${UI}/${vault_id}/entries/new`, {
      key: 'Esx 01',
      username: 'root',
      uris: `https://ok.lab.example\nhttps://root:${CANARY_MARK}@h.lab.example/x\nftp://h`,
      value: CANARY,
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/id="key"[^>]*value="Esx 01"/);
    expect(refused.text).toMatch(/<input id="value"[^>]* type="password" value class/);
    expect(refused.text).toContain('Type it again');
    const uris = await post(`${UI}/${vault_id}/entries/new`, {
      key: 'esx02.root',
      uris: `https://ok.lab.example\nhttps://root:${CANARY_MARK}@h.lab.example/x\nftp://h`,
      value: CANARY,
    });
    expect(uris.status).toBe(422);
    expect(fault(uris.text, 'uris')).toBe('https://h.lab.example/x: Must not hold a user name or a password.');
    expect(main(uris.text)).toContain('ftp://h: Must begin with');
    const taken = await post(`${UI}/${vault_id}/entries/new`, { key: 'esx01.root', value: CANARY });
    expect([taken.status, fault(taken.text, 'key')]).toEqual([409, 'Another entry of this vault has this key.']);
    const long = await post(`${UI}/${vault_id}/entries/new`, { key: 'a', value: CANARY.repeat(100) });
    expect([long.status, fault(long.text, 'value')]).toEqual([422, 'At most 1024 characters.']);
    for (const { text, cookies } of [refused, uris, taken, long]) {
      expect(text + cookies.join()).not.toContain(CANARY_MARK);
    }
  });

  test('an empty value field keeps the stored value; a new one replaces it, a tick removes it', async () => {
    const fields = { key: 'esx01.root', username: 'root', description: '', uris: 'https://esx01.lab.example' };
    const before = await row();
    const events = await audited(async () => {
      const saved = await post(entry(), { ...fields, revision: String(before.revision), value: '' });
      expect([saved.status, saved.headers.location]).toEqual([303, entry()]);
      expect(await row()).toMatchObject({ has_value: true, value_changed_at: before.value_changed_at });
      await post(entry(), { ...fields, value: CANARY });
      const both = await post(entry(), { ...fields, value: CANARY, remove_value: 'true' });
      expect([both.status, fault(both.text, 'remove_value')]).toEqual([422, expect.stringContaining('Either')]);
      expect(both.text).not.toContain(CANARY_MARK);
      await post(entry(), { ...fields, remove_value: 'true' });
      expect((await row()).has_value).toBe(false);
      expect(main((await get(entry())).text)).toContain('No value');
      expect((await post(entry('/reveal'), { password: PASSWORD })).status).toBe(409);
      await post(entry(), { ...fields, value: CANARY });
    });
    expect(events.map(([action, , detail]) => [action, (detail as { changed: string[] }).changed])).toEqual([
      ['vault.entry.update', ['uris']],
      ['vault.entry.update', ['value']],
      ['vault.entry.update', ['value']],
      ['vault.entry.update', ['value']],
    ]);
  });

  test('one that came too late is shown with what was typed and what is saved, never with a value', async () => {
    const { revision } = await row();
    await api('PATCH', `/${vault_id}/entries/${entry_id}`, { username: 'saved-first' });
    await post(entry('/reveal'), { password: PASSWORD });
    const sent = { key: 'esx01.root', username: 'mine', description: '', uris: 'https://esx01.lab.example' };
    const { status, text } = await post(entry(), { ...sent, value: CANARY, revision: String(revision) });
    expect(status).toBe(412);
    expect(main(text)).toMatch(/esx01\.root changed after you opened it ada .*saved it/);
    expect(main(text)).toContain('User name saved-first mine');
    expect(text).toMatch(/id="username"[^>]*value="mine"/);
    expect(text).toContain('Type it again');
    expect(text).not.toContain(CANARY_MARK);
    const gone = await post(entry('/delete'), { revision: String(revision) });
    expect([gone.status, main(gone.text).includes('changed after you opened it')]).toEqual([412, true]);
  });

  test('one that was imported says from where, in its history as well', async () => {
    const { services } = house;
    const at = await services.store.write(async (tx) => {
      const imported = { source: 'sddc-manager' as const, endpoint: 'sddcm.lab.example' };
      const { entry: made } = await createEntry(tx, services, vault_id, { key: 'nsx.admin', value: CANARY, imported });
      const keys = { created: ['nsx.admin'], rotated: ['vcenter.root'], unchanged: [] };
      const detail = { server: imported.endpoint, keys };
      const who = { at: made.created_at, actor: systemActor('ada'), request_id: 'r', source_address: '10.0.0.9' };
      const event = { action: 'vault.import', resource_type: 'vault', resource_id: vault_id, detail };
      await appendAudit(tx, services.keys, who, event);
      return made.id;
    });
    const shown = main((await get(entry('', at))).text);
    expect(shown).toContain('Source SDDC Manager sddcm.lab.example Imported');
    expect(shown).toMatch(/Added from sddcm\.lab\.example ada 10\.0\.0\.9/);
    expect(shown).not.toContain('vcenter.root');
    await api('DELETE', `/${vault_id}/entries/${at}`);
  });

  test('of another vault, or gone: 404, whatever is posted', async () => {
    const other = (await api('POST', '', { name: 'other' })).id;
    for (const path of ['', '/delete', '/reveal']) {
      const strange = `${UI}/${other}/entries/${entry_id}${path}`;
      expect((await get(strange)).status).toBe(404);
      const { status, text } = await post(strange, { password: PASSWORD, key: 'a', value: CANARY });
      expect([path, status, text.includes(CANARY_MARK)]).toEqual([path, 404, false]);
    }
    await api('DELETE', `/${other}`);
  });
});

describe('revealing', () => {
  test('asks for the own password, records, and only then shows the value, for 15 seconds', async () => {
    const events = await audited(async () => {
      const { status, text, headers } = await post(entry('/reveal'), { password: PASSWORD });
      expect([status, headers['cache-control'], headers.refresh]).toEqual([200, 'no-store', `15; url=${entry()}`]);
      expect(text).toContain(`<code id="revealed-value">${CANARY_HTML}</code>`);
      expect(text.split(CANARY_MARK)).toHaveLength(2);
      expect(text).toMatch(/data-revealed="15"/);
      expect(text).toMatch(/<text [^>]*data-until="15">/);
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toMatch(/ style=/);
    });
    expect(events).toEqual([
      ['vault.entry.reveal', 'success', { purpose: 'reveal', vault: 'site-a', key: 'esx01.root' }],
    ]);
    const after = await get(entry());
    expect(after.text).not.toContain(CANARY_MARK);
    expect(main(after.text)).toMatch(/Last used (?:just now|\d s ago)/);
    expect(main(after.text)).toMatch(/(?:just now|\d s ago) Shown to a person ada 127\.0\.0\.1/);
  });

  test('a wrong password shows nothing, is recorded, and slows whoever goes on', async () => {
    const eve = await house.actor('admin', undefined, 'eve');
    const events = await audited(async () => {
      const wrong = await post(entry('/reveal'), { password: 'not this one' }, eve);
      expect([wrong.status, fault(wrong.text, 'password'), wrong.headers.refresh]).toEqual([
        422,
        'This is not your password.',
        undefined,
      ]);
      expect(wrong.text).not.toContain('not this one');
      for (let n = 0; n < 5; n++) await post(entry('/reveal'), { password: 'not this one' }, eve);
      const right = await post(entry('/reveal'), { password: PASSWORD }, eve);
      expect([right.status, main(right.text).includes('The value was not shown')]).toEqual([429, true]);
      expect(wrong.text + right.text).not.toContain(CANARY_MARK);
    });
    expect(new Set(events.map(([action, outcome]) => `${action} ${outcome}`))).toEqual(
      new Set(['vault.entry.reveal failure']),
    );
    expect(main((await get(entry())).text)).toContain('Not shown: wrong password eve');
  });

  test('the password of somebody else, no password, no session and no CSRF token show nothing', async () => {
    for (const [send, status] of [
      [{ session: admin, form: {} }, 422],
      [{ session: { ...admin, csrf: 'wrong' }, form: { password: PASSWORD } }, 403],
      [{ form: { password: PASSWORD } }, 401],
      [{ token: admin.token, form: { password: PASSWORD } }, 401],
    ] as const) {
      const heard = await house.send('POST', entry('/reveal'), send as never);
      expect([heard.status, heard.text.includes(CANARY_MARK)]).toEqual([status, false]);
    }
  });

  test('what can’t be recorded is not shown', async () => {
    const write = (sql: string) => house.services.store.write((tx) => tx.run(sql));
    await write(`CREATE TRIGGER no_reveal BEFORE INSERT ON audit_event WHEN NEW.action = 'vault.entry.reveal'
      BEGIN SELECT RAISE(ABORT, 'no space'); END`);
    const before = (await row()).last_used_at;
    const { status, text } = await post(entry('/reveal'), { password: PASSWORD });
    expect([status, text.includes(CANARY_MARK)]).toEqual([500, false]);
    expect((await row()).last_used_at).toBe(before);
    await write('DROP TRIGGER no_reveal');
  });

  test('a value that can’t be opened is said to be, and recorded as a failure', async () => {
    const id = await newEntry('broken');
    await house.services.store.write((tx) =>
      tx.run('UPDATE vault_entry SET sealed_value = (SELECT sealed_value FROM vault_entry WHERE id = ?) WHERE id = ?', [
        entry_id,
        id,
      ]),
    );
    const events = await audited(async () => {
      const { status, text } = await post(entry('/reveal', id), { password: PASSWORD });
      expect([status, main(text).includes('can’t be opened')]).toEqual([409, true]);
      expect(text).not.toContain(CANARY_MARK);
    });
    expect(events.map(([action, outcome]) => [action, outcome])).toEqual([['vault.entry.reveal', 'failure']]);
    expect(main((await get(entry('', id))).text)).toContain('Not shown: it can’t be opened');
    await api('DELETE', `/${vault_id}/entries/${id}`);
  });
});

describe('the key', () => {
  test('is named with what it seals; rotating queues a job, and a second one has to wait', async () => {
    const before = (await get(`${UI}/key`)).text;
    const [old] = await house.services.keyring.ids();
    expect(main(before)).toContain(`${old} Current 1 entry`);
    const sent = await post(`${UI}/key`);
    expect([sent.status, sent.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/ui\/management\/jobs\/job_\w+$/),
    ]);
    await house.appliance.runner.idle();
    const after = main((await get(`${UI}/key`)).text);
    const ids = await house.services.keyring.ids();
    expect([ids.length, ids.includes(old!)]).toEqual([1, false]);
    expect(after).toContain(`${ids[0]} Current 1 entry`);
    expect(after).toMatch(/job_\w+ Succeeded ada (?:just now|\d s ago)/);
    expect((await post(entry('/reveal'), { password: PASSWORD })).text).toContain(CANARY_MARK);
    await house.services.store.write((tx) =>
      tx.run(
        "INSERT INTO job (id, kind, state, input, created_by, created_at) VALUES ('job_x', 'vault-rotate', 'waiting', '{}', 'ada', ?)",
        ['2026-01-01T00:00:00.000Z'],
      ),
    );
    const again = await post(`${UI}/key`);
    expect([again.status, main(again.text).includes('rotates the key of the vaults already')]).toEqual([409, true]);
    expect(main((await get(`${UI}/key`)).text)).toContain('A rotation is under way.');
    await house.services.store.write((tx) => tx.run("DELETE FROM job WHERE id = 'job_x'"));
  });

  test('one that the file lacks is told, with the values that hang on it', async () => {
    const write = (kek: string) =>
      house.services.store.write((tx) => tx.run('UPDATE vault_entry SET kek_id = ? WHERE id = ?', [kek, entry_id]));
    const [current] = await house.services.keyring.ids();
    expect(main((await get(UI)).text)).not.toContain('can’t be opened');
    await write('kek_lost');
    const page = main((await get(`${UI}/key`)).text);
    expect(page).toContain('kek_lost Missing: its values can’t be opened 1 entry');
    expect(page).toContain('1 entry can’t be opened The file vault.keys lacks kek_lost');
    expect(main((await get(UI)).text)).toContain('1 entry can’t be opened');
    await write(current!);
  });
});

test('values are on no answer but the reveals that succeeded, in no redirect, cookie or log line', () => {
  const shown = house.heard.filter(({ answer }) => JSON.stringify(answer).includes(CANARY_MARK));
  expect(shown.length).toBeGreaterThan(2);
  for (const { method, path, answer } of shown) {
    expect([method, path.endsWith('/reveal'), answer.statusCode]).toEqual(['POST', true, 200]);
    expect(JSON.stringify([answer.headers, answer.cookies])).not.toContain(CANARY_MARK);
  }
  expect(lines.filter((line) => line.includes(CANARY_MARK) || line.includes(PASSWORD))).toEqual([]);
});
