// A value that was typed into a form which was refused: it is not kept, and nothing is saved without it by mistake.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../setup/house.ts';

const VALUE = 'C4nary value';
const AGAIN = 'Type it again';

let house: House;
let admin: Credentials;
let vault_id: string;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  vault_id = (await api('POST', '', { name: 'site-a' })).id;
});
afterAll(() => house.close());

const api = async (method: string, path: string, body?: object) =>
  (await house.send(method, `/api/v1/vaults${path}`, { token: admin.token, ...(body && { body }) })).body;
const post = (path: string, form: Record<string, string>) =>
  house.send('POST', `/ui/management/vaults/${vault_id}/entries/${path}`, { session: admin, form });
const fault = (html: string): string => /id="value-error">(.*?)<\/p>/s.exec(html)?.[1] ?? '';
const saved = async (wanted: string) =>
  (await api('GET', `/${vault_id}/entries`)).items.find(({ key }: { key: string }) => key === wanted);

test('a new entry is not sent without it until that is said', async () => {
  const wrong = await post('new', { key: 'lost-value', value: VALUE });
  expect([wrong.status, fault(wrong.text)]).toEqual([422, expect.stringContaining(AGAIN)]);
  expect(wrong.text).toContain('href="#value"');
  expect(wrong.text).toMatch(/name="value_lost" value="true"/);
  const again = { key: 'lost.value', value_lost: 'true', value: '' };
  const empty = await post('new', again);
  expect([empty.status, fault(empty.text)]).toEqual([422, expect.stringContaining(AGAIN)]);
  const both = await post('new', { ...again, key: 'Not a key' });
  expect([both.text.includes('id="key-error"'), both.text.includes('id="value-error"')]).toEqual([true, true]);
  expect((await post('new', { ...again, value: VALUE })).status).toBe(303);
  expect((await post('new', { ...again, key: 'none.wanted', no_new_value: 'true' })).status).toBe(303);
  expect([(await saved('lost.value')).has_value, (await saved('none.wanted')).has_value]).toEqual([true, false]);
});

test('an edit without it keeps the stored value only when that is said, or when none was typed', async () => {
  const { id, value_changed_at } = await api('POST', `/${vault_id}/entries`, { key: 'kept.value', value: VALUE });
  const refused = await post(id, { key: 'Not a key', value: 'another', revision: '1' });
  expect(refused.text).toContain('Keep the stored value instead');
  const form = { key: 'kept.value', username: 'root', value: '', revision: '1' };
  expect((await post(id, { ...form, value_lost: 'true' })).status).toBe(422);
  expect((await post(id, { ...form, value_lost: 'true', no_new_value: 'true' })).status).toBe(303);
  const untouched = await post(id, { ...form, key: 'Not a key', revision: '2' });
  expect([untouched.status, fault(untouched.text)]).toEqual([422, '']);
  expect(await saved('kept.value')).toMatchObject({ username: 'root', has_value: true, value_changed_at });
});
