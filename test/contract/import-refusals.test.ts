// What a file of rows is refused for, and that nothing of it is saved then: broken and hostile CSV, columns that are not taken,
// rows that the rules refuse, rights, the mutation lock, and rows that somebody changed after the preview.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { instant } from '../../shared/ground/clock.ts';
import { releaseLocks, takeLock } from '../../shared/kernel/access/mutation-lock.ts';
import { IMPORT_BYTES, IMPORT_ROWS_MOST } from '../../shared/platform/units/import-rows.ts';
import { type Credentials, House } from '../setup/house.ts';

jest.setTimeout(120_000);

const SOURCES = '/api/v1/ntp/sources';
const IMPORT = `${SOURCES}/import`;
const FORM = '/ui/management/ntp/sources/import';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
});
afterAll(() => house?.close());

const send = (csv: string, more: object = {}, query = '', path = IMPORT) =>
  house.send('POST', `${path}${query}`, { token: admin.token, body: { csv, ...more } });
const dry = (csv: string, more: object = {}, path = IMPORT) => send(csv, more, '?dry_run=true', path);
const sources = async (): Promise<{ id: string; address: string; description: string; revision: number }[]> =>
  (await house.send('GET', `${SOURCES}?limit=100`, { token: admin.token })).body.items;
const details = (heard: { body: { errors?: { pointer: string; detail: string }[] } }): string[] =>
  (heard.body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`);
const audits = async (): Promise<string[]> => {
  const { body } = await house.send('GET', '/api/v1/audit?limit=100', { token: admin.token });
  return body.items
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action.startsWith('ntp.'));
};

describe('a file that can’t be read', () => {
  const REFUSED: readonly (readonly [what: string, csv: string, fault: string])[] = [
    ['nothing but blanks', ' \n \n', '/csv Line 1, column 1: There is no line with the names of the columns.'],
    ['an open quote', 'address\n"a.test\n', '/csv Line 2, column 1: A quote is not closed.'],
    [
      'text after a quote',
      'address,kind\n"a.test"x,pool\n',
      '/csv Line 2, column 1: Expected a comma after the quote.',
    ],
    [
      'another column',
      'address,secret\na.test,x\n',
      '/csv Line 1, column 2: There is no column "secret": there are address, kind,',
    ],
    ['a column twice', 'address,Address\na.test,b.test\n', '/csv Line 1, column 2: The column address is there twice.'],
    ['no key', 'kind\npool\n', '/csv Line 1, column 1: The column address is missing: rows are known by it.'],
    [
      'more cells than columns can be',
      `address${',x'.repeat(64)}\n`,
      '/csv Line 1, column 65: At most 64 cells in a line.',
    ],
    [
      'a row cut off',
      'address,kind\na.test\n',
      '/csv Line 2, column 2 (kind): The row ends before the columns of the head.',
    ],
    ['a row too long', 'address\na.test,x\n', '/csv Line 2, column 2: The head has no such column.'],
    ['a prototype', '__proto__,address\nx,a.test\n', '/csv Line 1, column 1: There is no column "__proto__"'],
  ];
  test.each(REFUSED)('%s', async (_what, csv, fault) => {
    for (const heard of [await send(csv), await dry(csv)]) {
      expect(heard.status).toBe(422);
      expect(details(heard)[0]).toContain(fault);
    }
  });

  test('too many rows and too many bytes, with the limit', async () => {
    const rows = Array.from({ length: IMPORT_ROWS_MOST + 1 }, (_, n) => `t${n}.test`).join('\n');
    expect(details(await dry(`address\n${rows}\n`))).toEqual([
      `/csv Line ${IMPORT_ROWS_MOST + 2}, column 1: At most ${IMPORT_ROWS_MOST} rows at once.`,
    ]);
    const wide = `address,description\na.test,${'ä'.repeat(IMPORT_BYTES / 2)}\n`;
    expect(details(await dry(wide))).toEqual([`/csv At most ${IMPORT_BYTES} bytes.`]);
  });
});

test('marks, CR LF, semicolons, tabs, quotes over lines and words of German spreadsheets are read', async () => {
  const files = [
    '\ufeffaddress;prefer;description\r\nsemi.test;WAHR;"a;b ""c"""\r\n',
    'address\tprefer\tdescription\nsemi.test\tTRUE\ta;b "c"\n',
    '"description","prefer","address"\n"a;b ""c""","true","SEMI.test."\n',
  ];
  for (const csv of files) {
    const heard = await dry(csv);
    expect([heard.body.faults, heard.body.new]).toEqual([[], 1]);
    const { previewed } = heard.body;
    expect((await dry(files[0]!)).body.previewed === previewed || csv === files[2]).toBe(true);
  }
  await send(files[0]!);
  for (const csv of files) expect((await send(csv)).body).toMatchObject({ new: 0, changed: 0, same: 1 });
  expect((await sources()).find(({ address }) => address === 'semi.test')!.description).toBe('a;b "c"');
});

test('a preview has every fault with line, column and reason; saving is refused as a whole, and writes no audit event', async () => {
  const csv = [
    'address,kind,nts,prefer',
    'good.test,server,false,true',
    'not a name,server,false,true',
    '10.0.0.9,pool,maybe,true',
    'good.test,server,false,true',
    'other.test,wrong,false,true',
    ',server,false,true',
  ].join('\n');
  const before = [await sources(), await audits()];
  const { body } = await dry(csv);
  expect(body).toMatchObject({ new: 1, changed: 0, refused: 5, fault_count: 5 });
  expect(
    body.faults.map(({ line, column, name }: { line: number; column: number; name: string }) => [line, column, name]),
  ).toEqual([
    [3, 1, 'address'],
    [4, 3, 'nts'],
    [5, 1, 'address'],
    [6, 2, 'kind'],
    [7, 1, 'address'],
  ]);
  expect(body.faults[2].detail).toBe('This row is on line 2 already.');
  const heard = await send(csv);
  expect(heard.status).toBe(422);
  expect(
    details(heard).some((detail) => detail.startsWith('/csv Line 4, column 3 (nts): Must be true or false.')),
  ).toBe(true);
  expect([await sources(), await audits()]).toEqual(before);
});

test('what every object of a program has is no truth', async () => {
  const { body } = await dry('address,nts\na.test,constructor\nb.test,__proto__\n');
  expect(body.faults.map(({ line, detail }: { line: number; detail: string }) => [line, detail])).toEqual([
    [2, 'Must be true or false.'],
    [3, 'Must be true or false.'],
  ]);
});

test('what changes is said member by member; add only leaves what is there', async () => {
  await send('address,description\nold.test,before\n');
  const csv = 'address,description,prefer\nold.test,after,true\nnew.test,,\n';
  const kept = await dry(csv, { mode: 'add' });
  expect(kept.body).toMatchObject({ new: 1, changed: 0, kept: 1 });
  const { body } = await dry(csv);
  expect(body).toMatchObject({ new: 1, changed: 1 });
  expect(body.rows[0].changes).toEqual([
    { member: 'prefer', before: 'false', after: 'true' },
    { member: 'description', before: 'before', after: 'after' },
  ]);
  const before = await audits();
  expect((await send(csv, { previewed: body.previewed })).status).toBe(200);
  expect((await audits()).slice(0, -before.length).sort()).toEqual(['ntp.source.create', 'ntp.source.update']);
});

test('a row that somebody changed, made or deleted after the preview is not overwritten', async () => {
  await send('address,description\nraced.test,first\n');
  const csv = 'address,description\nraced.test,mine\nfresh.test,mine\n';
  const { previewed } = (await dry(csv)).body;
  const { id } = (await sources()).find(({ address }) => address === 'raced.test')!;
  await house.send('PATCH', `${SOURCES}/${id}`, { token: admin.token, body: { description: 'theirs' } });
  const refused = await send(csv, { previewed });
  expect([refused.status, details(refused)[0]]).toEqual([409, expect.stringContaining('/previewed')]);
  const next = (await dry(csv)).body.previewed;
  await house.send('POST', SOURCES, { token: admin.token, body: { address: 'fresh.test' } });
  expect((await send(csv, { previewed: next })).status).toBe(409);
  const last = (await dry(csv)).body.previewed;
  await house.send('DELETE', `${SOURCES}/${id}`, { token: admin.token });
  expect((await send(csv, { previewed: last })).status).toBe(409);
  expect((await sources()).map(({ description }) => description)).not.toContain('mine');
});

test('a preview knows no hour: what it was of is saved whichever way the clock went, and once', async () => {
  const real = house.services.clock;
  for (const minutes of [-50, 50]) {
    const csv = `address\njumped${minutes + 50}.test\n`;
    const { previewed } = (await dry(csv)).body;
    house.services.clock = { ...real, now: () => new Date(real.now().getTime() + minutes * 60_000) };
    try {
      expect((await send(csv, { previewed })).body).toMatchObject({ new: 1 });
      expect((await send(csv, { previewed })).status).toBe(409);
    } finally {
      house.services.clock = real;
    }
  }
});

test('a hurried operator: what no file should have is told at its place, what was pasted stays, and nothing is saved', async () => {
  const before = [await sources(), await audits()];
  const posted = (form: Record<string, string>) =>
    house.send('POST', FORM, { session: admin, form: { csv: '', dry_run: 'true', ...form } });
  const file = (bytes: string | Buffer) => ({ file: Buffer.from(bytes).toString('base64') });
  const CASES: readonly (readonly [form: Record<string, string>, words: string, field: string])[] = [
    [{}, 'The file is missing or empty.', 'csv'],
    [file('\ufeff'), 'The file is missing or empty.', 'csv'],
    [{ csv: ' \n \n' }, 'There is no line with the names of the columns.', 'csv'],
    [file(Buffer.from('\ufeffaddress\na.test\n', 'utf16le')), 'The file is not UTF-8 text.', 'file'],
    [file(Buffer.from('address\na.test\n', 'utf16le')), 'The file is not UTF-8 text.', 'file'],
    [file('x'.repeat((10 << 20) + 1)), 'It is too large: at most 1 MiB.', 'file'],
    [{ csv: 'address|kind\na.test|pool\n' }, 'There is no column', 'csv'],
    [file('address\ra.test\r'), 'The line ends in CR alone', 'csv'],
    [{ csv: 'address,kind\n"a.test,pool\n' }, 'Line 2, column 1: A quote is not closed.', 'csv'],
  ];
  for (const [form, words, field] of CASES) {
    const { status, text } = await posted(form);
    expect([status >= 400 && status < 500, text.includes(words) ? words : text]).toEqual([true, words]);
    expect(text).toContain(`href="#${field}"`);
    expect(text).not.toContain('>Import</button>');
    const [, line] = (form.csv ?? '').split('\n');
    if (line) expect(text).toContain(line.replaceAll('"', '&quot;').slice(0, 12));
  }
  // Rows of their own: what a spreadsheet made of them is refused at its cell, and a head alone has no row.
  const { body } = await dry('address,prefer\n=cmd|calc,true\n27.11.2026,true\n,true\nok.test,1.0\n');
  expect([body.refused, body.new]).toEqual([4, 0]);
  const empty = await posted({ csv: 'address,prefer\n' });
  expect([empty.status, empty.text.includes('The file has no row.')]).toEqual([200, true]);
  expect(empty.text).not.toContain('>Import</button>');
  expect([await sources(), await audits()]).toEqual(before);
});

test('rights are those of each row, and the mutation lock holds', async () => {
  const reader = await house.actor('admin', ['read:ntp'], 'reads');
  const csv = 'address\nrights.test\n';
  for (const query of ['', '?dry_run=true'])
    expect((await house.send('POST', `${IMPORT}${query}`, { token: reader.token, body: { csv } })).status).toBe(403);
  expect((await house.send('GET', FORM, { session: await house.actor('viewer', undefined, 'looks') })).status).toBe(
    403,
  );
  const now = instant(house.services.clock.now());
  await house.services.store.write((tx) => takeLock(tx, 'all', 'test:other', now));
  expect((await send(csv)).status).toBe(423);
  expect((await dry(csv)).status).toBe(200);
  await house.services.store.write((tx) => releaseLocks(tx, 'test:other'));
  expect((await send(csv)).status).toBe(200);
});

test('no secret is taken: a column of one is refused, and what is sealed stays as it is', async () => {
  const USERS = '/api/v1/ldap/users';
  const post = (path: string, body: object) => house.send('POST', path, { token: admin.token, body });
  await post('/api/v1/ldap/organizations', { slug: 'lab', suffix: 'dc=lab,dc=test' });
  const canary = 'canary-in-a-csv-file-41c7';
  const refused = await send(`organization,uid,surname,password\nlab,ada,L,${canary}\n`, {}, '', `${USERS}/import`);
  expect([refused.status, refused.text.includes(canary)]).toEqual([422, false]);
  expect(details(refused)[0]).toContain('There is no column "password"');
  const host = { hostname: 'v.lab.test', mac_address: '00:50:56:00:00:99', variables: { rack: canary } };
  const { body } = await post('/api/v1/network-boot/esxi-hosts', host);
  const csv = 'hostname,mac_address,description,variable_names\nv.lab.test,00:50:56:00:00:99,changed,\n';
  const heard = await send(csv, {}, '', '/api/v1/network-boot/esxi-hosts/import');
  expect([heard.body.changed, heard.text.includes(canary)]).toEqual([1, false]);
  const after = await house.send('GET', `/api/v1/network-boot/esxi-hosts/${body.id}`, { token: admin.token });
  expect(after.body).toMatchObject({ description: 'changed', variable_names: ['rack'] });
});

test('the form previews a file, then saves what was shown; a line end of the browser makes no difference', async () => {
  const file = Buffer.from('address;description\r\nform.test;=1+1\r\n').toString('base64');
  const shown = await house.send('POST', FORM, { session: admin, form: { file, csv: '', dry_run: 'true' } });
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('1 new, 0 changed');
  const previewed = /name="previewed" value="([0-9a-f]{64})"/.exec(shown.text)![1]!;
  const csv = 'address;description\r\nform.test;=1+1\r\n';
  const without = await house.send('POST', FORM, { session: admin, form: { csv } });
  expect([without.status, without.text.includes('Look at the preview first')]).toEqual([422, true]);
  const done = await house.send('POST', FORM, { session: admin, form: { csv, previewed } });
  expect([done.status, done.headers.location]).toEqual([303, '/ui/management/ntp']);
  expect((await sources()).find(({ address }) => address === 'form.test')!.description).toBe('=1+1');
  const bad = Buffer.from([0x61, 0xff, 0xfe]).toString('base64');
  const refused = await house.send('POST', FORM, { session: admin, form: { file: bad, csv: '', dry_run: 'true' } });
  expect([refused.status, refused.text.includes('not UTF-8')]).toEqual([422, true]);
});
