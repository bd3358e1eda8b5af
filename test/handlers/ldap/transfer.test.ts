// Files of users and groups over REST, and test users: all or nothing, faults by line and column, and no password in a file.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCsv } from '../../../shared/ground/csv.ts';
import { testUsers } from '../../../shared/services/ldap/transfer/test-users.ts';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;
let organization_id: string;

const send = (method: string, path: string, body?: unknown) =>
  house.send(method, `/api/v1/ldap/${path}`, { token: admin.token, body });
const within = (path: string) => `organizations/${organization_id}/${path}`;
const bring = (kind: 'users' | 'groups', lines: string[], more: object = {}, query = '') =>
  send('POST', `${within('import')}${query}`, { kind, csv: `${lines.join('\n')}\n`, ...more });
const faults = ({ body }: { body: { errors?: { pointer: string; detail: string }[] } }) =>
  (body.errors ?? []).map(({ pointer, detail }) => {
    expect(pointer).toBe('/csv');
    return detail;
  });
const count = async (table: 'ldap_user' | 'ldap_group' | 'ldap_password' | 'audit_event') =>
  (await house.services.store.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n;
const exported = async (kind: string) => (await send('GET', `${within('export')}?kind=${kind}`)).text;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
  organization_id = (await send('POST', 'organizations', { slug: 'lab', suffix: 'dc=lab,dc=test' })).body.id;
});
afterAll(() => house.close());

describe('CSV', () => {
  test('quotes, broken lines within them, both ends of lines, and the line where each row begins', () => {
    const { rows, fault } = readCsv('\ufeffa,b\r\n"x ""y"", z","1\n2"\n\n, \n\'=1,\'a\n');
    expect(fault).toBeNull();
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x "y", z', '1\n2'] },
      { line: 6, cells: ['=1', "'a"] },
    ]);
  });

  test.each([
    ['a,"b', 1, 2],
    ['a\nb,"c"d', 2, 2],
  ])('%j is refused where it is wrong', (text, line, column) => {
    expect(readCsv(text).fault).toMatchObject({ line, column });
  });
});

describe('importing', () => {
  test('a dry run says what would become of each row, and saves nothing', async () => {
    const lines = ['uid,surname,mail', 'ada,Lovelace,', 'grace,Hopper,grace@lab.test'];
    const before = await count('audit_event');
    const answer = await bring('users', lines, { passwords: 'each' }, '?dry_run=true');
    expect(answer.body).toMatchObject({ created: 2, changed: 0, passwords: [], rows: [{ line: 2, name: 'ada' }, {}] });
    expect([await count('ldap_user'), await count('audit_event')]).toEqual([0, before]);
    expect((await bring('users', lines)).body).toMatchObject({ created: 2, changed: 0, unchanged: 0 });
    expect(await count('audit_event')).toBe(before + 1);
  });

  test('who is there is changed where the file says something else, and keeps what it does not say', async () => {
    const answer = await bring('users', ['uid,given_name,enabled', 'ADA,Ada,', 'grace,,no']);
    expect(answer.body).toMatchObject({
      created: 0,
      changed: 2,
      rows: [{ members: ['given_name'] }, { members: ['enabled'] }],
    });
    const { items } = (await send('GET', 'users?uid=grace')).body;
    expect(items[0]).toMatchObject({ surname: 'Hopper', mail: 'grace@lab.test', enabled: false });
    const before = await count('audit_event');
    expect((await bring('users', ['uid,enabled', 'grace,false'])).body).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await count('audit_event')).toBe(before);
  });

  test('a row that ends early is refused, and empties nothing', async () => {
    const before = await exported('users');
    const answer = await bring('users', ['uid,surname,mail', 'grace,Hopper']);
    expect([answer.status, faults(answer)]).toEqual([
      422,
      ['Line 2, column 3 (mail): The row ends before the columns of the head.'],
    ]);
    expect(await exported('users')).toBe(before);
  });

  test('every wrong cell is named by line and column, and nothing of the file is saved', async () => {
    const before = await count('ldap_user');
    const answer = await bring('users', [
      'uid,surname,mail,enabled',
      'fine,Fine,,',
      '"bad, name",X,no address,perhaps',
      'grace,,,true',
      'fine,Again,,',
    ]);
    expect(answer.status).toBe(422);
    expect(faults(answer).map((detail) => detail.slice(0, 30))).toEqual([
      'Line 3, column 1 (uid): Lower-',
      'Line 3, column 3 (mail): An ad',
      'Line 3, column 4 (enabled): Ex',
      'Line 4, column 2 (surname): A ',
      'Line 5, column 1 (uid): This r',
    ]);
    expect(faults(await bring('users', ['uid,given_name', 'new,New']))).toEqual([
      'Line 2, column 1 (uid): surname: a new row needs it.',
    ]);
    expect(await count('ldap_user')).toBe(before);
  });

  test.each([
    ['no line of names', [''], 'There is no line with the names'],
    ['a column that there is not', ['uid,userPassword', 'a,b'], 'Line 1, column 2: There is no column "userpassword"'],
    ['a column twice', ['uid,uid', 'a,b'], 'Line 1, column 2: The column uid is there twice'],
    ['no names', ['surname', 'b'], 'The column uid is missing'],
    ['more cells than names', ['uid', 'a,b'], 'Line 2, column 2: The head has no such column'],
    ['a quote without end', ['uid', '"a'], 'Line 2, column 1: A quote is not closed'],
    ['too many', ['uid', ...Array.from({ length: 2001 }, (_, at) => `u${at}`)], 'Line 2002, column 1: At most 2000'],
  ])('%s is refused', async (_what, lines, said) => {
    const answer = await bring('users', lines);
    expect([answer.status, faults(answer).join()]).toEqual([422, expect.stringContaining(said)]);
  });

  test('groups name each other in any order; a circle and a stranger are faults of their lines', async () => {
    const head = 'name,member_users,member_groups';
    const circle = await bring('groups', [head, 'one,,two', 'two,,three', 'three,nobody,one']);
    expect(faults(circle).join()).toMatch(/Line 4, column 2 \(member_users\): There is no user "nobody"/);
    expect(await count('ldap_group')).toBe(0);
    expect((await bring('groups', [head, 'one,,two', 'two,,three', 'three,,one'])).status).toBe(422);
    expect(await count('ldap_group')).toBe(0);
    const made = await bring('groups', [head, 'one,ada,two;three', 'two,,three', 'three,ada; grace,']);
    expect(made.body).toMatchObject({ created: 3 });
    const { items } = (await send('GET', 'groups?name=one')).body;
    expect(items[0]).toMatchObject({ member_users: ['ada'], member_groups: ['three', 'two'] });
  });

  test('passwords of new users are in one answer, and nowhere else', async () => {
    const lines = ['uid,surname', 'ada,Lovelace', 'eve,Eve', 'mallory,Mallory'];
    const { body } = await bring('users', lines, { passwords: 'each' });
    expect(body.passwords.map(({ uid }: { uid: string }) => uid)).toEqual(['eve', 'mallory']);
    expect(await count('ldap_password')).toBe(2);
    const rows = await house.services.store.all<{ told: string }>(
      'SELECT hash || former AS told FROM ldap_password UNION ALL SELECT detail FROM audit_event',
    );
    const all = rows.map(({ told }) => told).join('\n') + (await exported('users'));
    for (const { password } of body.passwords) expect(all).not.toContain(password);
    expect(await exported('users')).not.toContain('ARGON2');
    const many = ['uid,surname', ...Array.from({ length: 201 }, (_, at) => `p${at},P`)];
    expect((await bring('users', many, { passwords: 'each' })).status).toBe(422);
  });
});

test('what was exported changes nothing when it is imported, whatever a spreadsheet would take it for', async () => {
  const formulas = ['=HYPERLINK("x")', '+1', '-1', '@x', 'a;b, "c"', "'quoted", "'=1", "''-1", "'+'", "''"];
  for (const [at, surname] of formulas.entries())
    await send('POST', 'users', { organization_id, uid: `odd${at}`, surname, telephone: '+1 555 0100' });
  const text = await exported('users');
  for (const line of text.split('\r\n')) expect(line).not.toMatch(/(?:^|,)"?[=+\-@]/);
  const again = await send('POST', within('import'), { kind: 'users', csv: text });
  expect(again.body).toMatchObject({ created: 0, changed: 0 });
  // Into another organization, they are the same there.
  const copy = (await send('POST', 'organizations', { slug: 'copy', suffix: 'o=copy' })).body.id;
  await send('POST', `organizations/${copy}/import`, { kind: 'users', csv: text });
  const surnames = (await send('GET', `users?organization_id=${copy}&limit=200`)).body.items;
  expect(surnames.map(({ surname }: { surname: string }) => surname)).toEqual(expect.arrayContaining(formulas));
  const groups = await send('POST', within('import'), { kind: 'groups', csv: await exported('groups') });
  expect(groups.body).toMatchObject({ created: 0, changed: 0, unchanged: 3 });
});

describe('the page', () => {
  let copy: string;
  let page: string;
  const post = (fields: Record<string, string>, file?: string) => {
    const sent = file === undefined ? {} : { file: Buffer.from(file).toString('base64') };
    return house.send('POST', page, { session: admin, form: { kind: 'users', csv: '', ...sent, ...fields } });
  };
  const preview = (fields: Record<string, string>, file?: string) => post({ dry_run: 'true', ...fields }, file);
  const tied = (text: string) => /name="previewed" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
  const users = async () => (await send('GET', `users?organization_id=${copy}&limit=200`)).body.items;
  beforeAll(async () => {
    copy = (await send('POST', 'organizations', { slug: 'paged', suffix: 'o=paged' })).body.id;
    page = `/ui/management/ldap/organizations/${copy}/import`;
  });

  test('previews a file, says each fault at its cell, and saves what was shown', async () => {
    const bad = await preview({}, 'uid;surname;enabled\r\nann;Ann;WAHR\r\n=cmd;B;x\r\nann;Twice;\r\n');
    expect(bad.text).toContain('1 new, 0 changed, 0 same, 2 refused. Nothing is saved yet');
    expect(bad.text).toContain('This row is on line 2 already.');
    expect(bad.text).not.toContain('>Import</button>');
    const shown = await preview({}, 'uid;surname;enabled\r\nann;Ann;WAHR\r\n');
    expect([shown.text.includes('1 new, 0 changed'), await users()]).toEqual([true, []]);
    const csv = 'uid;surname;enabled\r\nann;Ann;WAHR\r\n';
    const without = await post({ csv });
    expect([without.status, without.text.includes('Look at the preview first')]).toEqual([422, true]);
    const done = await post({ csv, previewed: tied(shown.text) });
    expect([done.status, done.headers.location]).toEqual([303, `/ui/management/ldap/organizations/${copy}`]);
    expect(await users()).toMatchObject([{ uid: 'ann', surname: 'Ann', enabled: true }]);
  });

  test('a change is shown member by member; add only leaves who is there; a row that others changed is not overwritten', async () => {
    const csv = 'uid,surname\nann,Other\nbea,Bea\n';
    expect((await preview({ csv, mode: 'add' })).text).toContain('1 new, 0 changed, 0 same, 1 left as they are');
    const shown = await preview({ csv });
    expect(shown.text).toContain('1 new, 1 changed');
    expect(shown.text).toMatch(/<code>surname<\/code>: <del>Ann<\/del> → <ins>Other<\/ins>/);
    const [{ id }] = await users();
    await send('PATCH', `users/${id}`, { given_name: 'Anna' });
    const late = await post({ csv, previewed: tied(shown.text) });
    expect([late.status, late.text.includes('look at the preview again')]).toEqual([409, true]);
    expect((await users()).map(({ surname }: { surname: string }) => surname)).toEqual(['Ann']);
  });

  test('passwords of new users are shown once, in place of the next page', async () => {
    const csv = 'uid,surname\neve,Eve\n';
    const shown = await preview({ csv, passwords: 'on' });
    expect(shown.text).not.toContain('Passwords of new users');
    const done = await post({ csv, passwords: 'on', previewed: tied(shown.text) });
    expect([done.status, done.text.includes('Copy the passwords now.')]).toEqual([200, true]);
    expect(done.text).toMatch(/eve,[a-z2-9-]{12}/);
    expect((await house.send('GET', page, { session: admin })).text).not.toContain('eve,');
  });

  test.each([
    ['nothing', '', 'The file is missing or empty.', 'csv'],
    ['a password', 'uid,surname,password\nx,X,secret-9\n', 'There is no column', 'csv'],
    ['a file that is too large', 'x'.repeat(5 << 20), 'It is too large: at most 1 MiB.', 'file'],
    ['UTF-16', Buffer.from('uid,surname\n', 'utf16le').toString(), 'The file is not UTF-8 text.', 'file'],
  ])('%s is refused at its field', async (_what, file, words, field) => {
    const { text, status } = await preview({}, file);
    expect([status >= 400 && status < 500, text.includes(words) ? words : text]).toEqual([true, words]);
    expect([text.includes(`href="#${field}"`), text.includes('secret-9')]).toEqual([true, false]);
  });
});

describe('test users', () => {
  test('the same seed gives the same names, and another one others', () => {
    expect(testUsers('a', 5)).toEqual(testUsers('a', 9).slice(0, 5));
    expect(testUsers('a', 50).map(({ surname }) => surname)).not.toEqual(
      testUsers('b', 50).map(({ surname }) => surname),
    );
  });

  test('are made with their groups and one password; a seed is used once', async () => {
    const wish = { count: 7, groups: 2, seed: 'lab1', passwords: 'same' };
    const { body } = await send('POST', within('test-users'), wish);
    expect([body.users.length, body.groups]).toEqual([7, ['test-lab1-1', 'test-lab1-2']]);
    expect(body.password).toMatch(/^[a-z2-9-]{24}$/);
    const { items } = (await send('GET', 'groups?name=test-lab1-1')).body;
    expect(items[0].member_users).toHaveLength(4);
    const before = await count('ldap_user');
    const again = await send('POST', within('test-users'), { count: 9, seed: 'lab1' });
    expect([again.status, again.body.errors[0].pointer]).toEqual([422, '/seed']);
    expect(again.body.errors[0].detail).toBe(
      `There is a user ${body.users.toSorted()[0]} in this organization already. Take another seed.`,
    );
    // Nobody used this seed: a group has one of its names.
    await send('POST', 'groups', { organization_id, name: 'Test-lab2-1' });
    const other = await send('POST', within('test-users'), { count: 1, groups: 1, seed: 'lab2' });
    expect(other.body.errors).toEqual([
      { pointer: '/seed', detail: 'There is a group Test-lab2-1 in this organization already. Take another seed.' },
    ]);
    expect(await count('ldap_user')).toBe(before);
    for (const wrong of [{ count: 0 }, { count: 2001 }, { groups: 51 }, { seed: 'A b' }])
      expect((await send('POST', within('test-users'), { ...wish, ...wrong })).status).toBe(422);
  });
});
