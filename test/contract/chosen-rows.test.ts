// What is done with the chosen rows of a list, by people who may not, with rows that changed meanwhile, with rows of elsewhere,
// and with places and texts that nobody's browser sends.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Credentials, House } from '../setup/house.ts';

jest.setTimeout(300_000);

const NTP = '/ui/management/ntp';
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
}, 300_000);
afterAll(() => house?.close());

const chosen = (form: Record<string, string | string[]>, session: Pick<Credentials, 'cookie' | 'csrf'> = admin) =>
  house.send('POST', `${NTP}/sources/chosen`, { session, form });
const api = async (method: string, path: string, body?: object) =>
  house.send(method, `/api/v1${path}`, { token: admin.token, ...(body && { body }) });
const add = async (address: string, description = ''): Promise<string> =>
  (await api('POST', '/ntp/sources', { address, description })).body.id as string;
const status = async (id: string): Promise<number> => (await api('GET', `/ntp/sources/${id}`)).status;
const shown = (query: string, session: Pick<Credentials, 'cookie' | 'csrf'> = admin) =>
  house.send('GET', `${NTP}${query}`, { session });

describe('rows that others changed', () => {
  test('are not deleted by who saw them before, and nor are the rows chosen with them', async () => {
    const [one, two] = [await add('seen1.lab.example'), await add('seen2.lab.example')];
    expect((await shown('')).text).toContain(`value="${two}@1"`);
    await api('PATCH', `/ntp/sources/${two}`, { description: 'of a colleague' });
    const form = { ids: [`${one}@1`, `${two}@1`], verb: 'delete', confirm: 'on', at: 'search=seen&sort=-address' };
    const refused = await chosen(form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('seen2.lab.example: somebody changed it meanwhile.');
    expect(refused.text).toContain(`href="#choose-${two}"`);
    expect(refused.text).toContain(`value="${two}@2"`);
    expect([await status(one), await status(two)]).toEqual([200, 200]);
    const gone = await chosen({ ...form, ids: [`${one}@1`, `${two}@2`] });
    expect([gone.status, gone.headers.location]).toEqual([303, `${NTP}?search=seen&sort=-address`]);
    expect([await status(one), await status(two)]).toEqual([404, 404]);
    const again = await chosen({ ...form, ids: [`${one}@1`, `${two}@2`] });
    expect(again.status).toBe(422);
    expect(again.text).toContain('One of the chosen rows is gone');
  });

  test('are enabled and disabled all the same: nothing that others changed is touched', async () => {
    const id = await add('switched.lab.example');
    await api('PATCH', `/ntp/sources/${id}`, { description: 'kept' });
    expect((await chosen({ ids: `${id}@1`, verb: 'disable' })).status).toBe(303);
    expect((await api('GET', `/ntp/sources/${id}`)).body).toMatchObject({ enabled: false, description: 'kept' });
    await chosen({ ids: id, verb: 'delete', confirm: 'on' });
  });

  test('are not asked about when none of them is left', async () => {
    const id = await add('left.lab.example');
    await api('DELETE', `/ntp/sources/${id}`);
    await add('stays.lab.example');
    const asked = await chosen({ ids: `${id}@1`, verb: 'delete' });
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('None of the rows that you chose is on this page');
    expect(asked.text).not.toContain('Delete these 0');
  });
});

describe('who may not', () => {
  test('has no boxes, and is refused', async () => {
    const viewer = await house.actor('viewer');
    const id = await add('viewed.lab.example');
    const page = await shown('', viewer);
    expect(page.status).toBe(200);
    expect(page.text).toContain('viewed.lab.example');
    expect(page.text).not.toContain('name="ids"');
    expect((await chosen({ ids: id, verb: 'delete', confirm: 'on' }, viewer)).status).toBe(403);
    expect((await chosen({ ids: id, verb: 'delete', confirm: 'on' }, { ...admin, csrf: viewer.csrf })).status).toBe(
      403,
    );
    expect(await status(id)).toBe(200);
    expect((await house.send('GET', `${NTP}/sources.csv`, { session: viewer })).status).toBe(200);
  });
});

describe('what nobody’s browser sends', () => {
  test.each([
    ['a row twice', ['ntp_1@1', 'ntp_1@2'], 'Names a row twice.'],
    [
      'more rows than one request takes',
      Array.from({ length: 501 }, (_, at) => `ntp_${at}`),
      'At most 500 rows at once.',
    ],
    ['no row', [], 'Choose at least one row.'],
    ['a row of another list', ['rec_0000000000000000'], 'One of the chosen rows is gone'],
  ])('%s is refused in words', async (_name, ids, words) => {
    const refused = await chosen({ ids, verb: 'delete', confirm: 'on' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(words);
  });

  test('ten thousand boxes are more than a form may have', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `ntp_${at}`);
    expect([400, 413]).toContain((await chosen({ ids, verb: 'disable' })).status);
  });

  test.each([
    ['state=bogus&sort=nothing'],
    [`cursor=${'a'.repeat(5000)}`],
    [`search=${'a'.repeat(300)}`],
    ['%ff%00=&&'],
  ])('a place such as “%s” is the beginning of the list', async (at) => {
    const id = await add('placed.lab.example');
    const asked = await chosen({ ids: id, verb: 'delete', at });
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('Delete this source?');
    await chosen({ ids: id, verb: 'delete', confirm: 'on', at });
  });

  test('a page whose rows were all deleted leads to the first one', async () => {
    const cursor = Buffer.from(JSON.stringify(['zzz', 'zzz'])).toString('base64url');
    const { text } = await shown(`?cursor=${cursor}`);
    expect(text).toContain('There is nothing on this page of the list.');
    expect(text).not.toContain('There is no time source yet');
  });
});

describe('a search and an order', () => {
  test('take signs for what they are, and are shown as text', async () => {
    await add('percent.lab.example', '50% of_it');
    expect((await shown('?search=50%25')).text).toContain('>percent.lab.example</a>');
    expect((await shown('?search=5_%25')).text).not.toContain('>percent.lab.example</a>');
    const { text } = await shown(`?search=${encodeURIComponent('"><script>alert(1)</script>')}&sort=nothing`);
    expect(text).not.toContain('<script>alert(1)');
    expect(text).toContain('No source matches this filter.');
  });

  test('a cursor of another order is refused', async () => {
    const cursor = Buffer.from(JSON.stringify(['kind', 'server', 'a', 'b'])).toString('base64url');
    expect((await shown(`?sort=-kind&cursor=${cursor}`)).status).toBe(400);
    expect((await shown(`?sort=kind&cursor=${cursor}`)).status).toBe(200);
    expect((await shown(`?cursor=${cursor}`)).status).toBe(400);
  });

  test('a file says no formula', async () => {
    await add('formula.lab.example', '=HYPERLINK("http://x","ü")');
    const { text } = await house.send('GET', `${NTP}/sources.csv?search=formula`, { session: admin });
    expect(text).toContain(`"'=HYPERLINK(""http://x"",""ü"")"`);
  });
});

test('records of another zone stay', async () => {
  const zones: string[] = [];
  for (const name of ['here.chosen.test', 'there.chosen.test'])
    zones.push((await api('POST', '/dns/zones', { name })).body.id as string);
  const record = { fqdn: 'a.there.chosen.test', type: 'A', value: '10.9.9.9' };
  const { id } = (await api('POST', '/dns/records', record)).body as { id: string };
  const form = { ids: id, verb: 'delete', confirm: 'on' };
  const place = (zone: string) => `/ui/management/dns/zones/${zone}/records/chosen`;
  expect((await house.send('POST', place(zones[0]!), { session: admin, form })).status).toBe(422);
  expect((await api('GET', `/dns/records/${id}`)).status).toBe(200);
  expect((await house.send('POST', place(zones[1]!), { session: admin, form })).status).toBe(303);
});
