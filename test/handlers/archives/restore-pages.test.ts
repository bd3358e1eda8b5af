// Restoring from an archive on its pages: upload, compare, choose, dry run, confirm.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../../shared/ground/clock.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';

const UI = '/ui/management/archives';
const VALUE = 'C4nary-Value';
const OWNER = newIdentity(systemEntropy);

let house: House;
let admin: Credentials;
let file: string;
let href: string;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  await done('/api/v1/dns/zones', { name: 'lab.example' });
  const vault = await done('/api/v1/vaults', { name: 'lab' });
  await done(`/api/v1/vaults/${vault.id}/entries`, { key: 'esx01.root', value: VALUE });
  const { id } = await done('/api/v1/archives', { encryption: 'recipients', recipients: [OWNER.recipient] });
  file = (await readFile(join(house.data, 'archives', `${id}.gcarchive`))).toString('base64');
  await done('/api/v1/dns/records', { fqdn: 'late.lab.example', type: 'A', value: '10.10.0.11' });
});
afterAll(() => house.close());

async function done(path: string, body: object) {
  const heard = await house.send('POST', path, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(`${path}: ${heard.text}`);
  return heard.body;
}
const get = (path: string) => house.send('GET', path, { session: admin });
const post = (path: string, form: Record<string, string | string[]>) =>
  house.send('POST', path, { session: admin, form });
const words = (html: string): string =>
  html
    .slice(html.indexOf('<main'))
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
const fieldsOf = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<input[^>]*name="${name}"[^>]*>`, 'g'))].map(([tag]) =>
    (/value="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'),
  );
const late = async () =>
  (await house.services.store.all("SELECT 1 FROM dns_record WHERE fqdn = 'late.lab.example'")).length;

test('what is no archive is refused at the field; an archive is kept, and its page of the restore comes next', async () => {
  const refused = await post(`${UI}/upload`, { file: Buffer.from('hello').toString('base64') });
  expect(refused.status).toBe(422);
  expect(words(refused.text)).toContain('This file is no archive.');
  const empty = await post(`${UI}/upload`, {});
  expect(words(empty.text)).toContain('Choose a file.');
  const sent = await post(`${UI}/upload`, { file });
  expect(sent.status).toBe(303);
  href = sent.headers.location!.replace(/\/restore$/, '');
  const page = await get(sent.headers.location!);
  expect(words(page.text)).toContain('Compare');
  expect(page.text).toContain('name="identity"');
  expect(page.text).not.toContain('name="passphrase"');
});

test('compared: what differs, what may be chosen, and no secret; another identity is refused at its field', async () => {
  const other = newIdentity(systemEntropy).identity;
  const refused = await post(`${href}/inspect`, { identity: other });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('id="identity-error"');
  expect(refused.text).not.toContain(other);
  const { status, text } = await post(`${href}/inspect`, { identity: OWNER.identity });
  expect(status).toBe(200);
  expect(words(text)).toContain('DNS records: 1 removed');
  expect(text).toContain('late.lab.example');
  expect(fieldsOf(text, 'units')).toEqual(['dns-dhcp/dns_records']);
  expect(text).not.toContain(VALUE);
  expect(text).not.toContain(OWNER.identity);
});

test('a dry run shows what would be saved; what was chosen stays; nothing is saved', async () => {
  const opened = await post(`${href}/inspect`, { identity: OWNER.identity });
  const form = {
    units: fieldsOf(opened.text, 'units'),
    offered: fieldsOf(opened.text, 'offered'),
    mode: 'replace',
    identity: OWNER.identity,
  };
  const dry = await post(`${href}/restore`, { ...form, dry_run: 'true' });
  expect(dry.status).toBe(200);
  expect(words(dry.text)).toContain('A dry run: nothing was saved.');
  expect(words(dry.text)).toContain('DNS records: 1 removed');
  expect(fieldsOf(dry.text, 'offered')).toEqual(form.offered);
  expect(await late()).toBe(1);

  const before = await house.lastAudit();
  const stolen = await post(`${href}/restore`, { ...form, confirm: 'restore', own_password: 'C4nary of a guess' });
  expect(stolen.status).toBe(422);
  expect(stolen.text).toContain('id="own_password-error"');
  expect(words(stolen.text)).toContain('This is not your password.');
  expect(stolen.text).not.toContain('C4nary of a guess');
  expect(fieldsOf(stolen.text, 'units')).toEqual(form.units);
  expect(await late()).toBe(1);
  const [guess] = await house.services.store.all<{ outcome: string; detail: string }>(
    "SELECT outcome, detail FROM audit_event WHERE seq > ? AND action = 'archive.restore'",
    [before],
  );
  expect(guess).toEqual({ outcome: 'failure', detail: '{"refused":"password"}' });

  const own_password = PASSWORD;
  const unsure = await post(`${href}/restore`, { ...form, confirm: 'yes', own_password });
  expect(unsure.status).toBe(422);
  expect(words(unsure.text)).toContain('Type restore to confirm.');
  expect(fieldsOf(unsure.text, 'units')).toEqual(form.units);
  const none = await post(`${href}/restore`, { ...form, units: [], confirm: 'restore', own_password });
  expect(none.text).toContain('id="units-error"');
  expect(await late()).toBe(1);

  const since = await house.lastAudit();
  const restored = await post(`${href}/restore`, { ...form, confirm: 'restore', own_password });
  expect([restored.status, restored.headers.location]).toEqual([303, '/ui/management/appliance-apply']);
  expect(decodeURIComponent(restored.cookies.join())).toContain('The archive is restored.');
  expect(await house.audited(since)).toEqual(['archive.restore']);
  expect(await late()).toBe(0);
  const after = await post(`${href}/inspect`, { identity: OWNER.identity });
  expect(words(after.text)).toContain('Nothing differs');
});

test('rows that are ticked are all that is taken of their list, and a refused form keeps them', async () => {
  const names = ['one.lab.example', 'other.lab.example'];
  for (const fqdn of names) await done('/api/v1/dns/records', { fqdn, type: 'A', value: '10.10.0.12' });
  const saved = () => house.services.store.all("SELECT fqdn FROM dns_record WHERE value = '10.10.0.12' ORDER BY fqdn");
  const opened = await post(`${href}/inspect`, { identity: OWNER.identity });
  expect(words(opened.text)).toContain('Tick rows in the lists above');
  const ticks = fieldsOf(opened.text, 'rows');
  expect(ticks).toHaveLength(2);
  for (const tag of opened.text.match(/<input[^>]*name="rows"[^>]*>/g)!)
    expect([tag, /form="([^"]*)"/.exec(tag)?.[1]]).toEqual([tag, /<form[^>]* id="([^"]*)"/.exec(opened.text)?.[1]]);
  const rows = ticks.filter((value) => value.includes('one.lab.example'));
  const form = { offered: fieldsOf(opened.text, 'offered'), rows, mode: 'replace', identity: OWNER.identity };
  const unsure = await post(`${href}/restore`, { ...form, confirm: 'no', own_password: PASSWORD });
  expect(unsure.status).toBe(422);
  expect(fieldsOf(unsure.text, 'rows')).toEqual(rows);
  expect(words(unsure.text)).toContain('DNS records: one.lab.example');
  const unknown = await post(`${href}/restore`, { ...form, rows: ['dns-dhcp/dns_records/%/x'], dry_run: 'true' });
  expect(words(unknown.text)).toContain('Nothing would change.');
  const restored = await post(`${href}/restore`, { ...form, confirm: 'restore', own_password: PASSWORD });
  expect(restored.status).toBe(303);
  expect(await saved()).toEqual([{ fqdn: 'other.lab.example' }]);
});

test('guesses of the own password are slowed as at a sign-in; nothing is owned meanwhile', async () => {
  const opened = await post(`${href}/inspect`, { identity: OWNER.identity });
  expect(opened.status).toBe(200);
  const form = { units: ['dns-dhcp/dns_records'], mode: 'replace', identity: OWNER.identity, confirm: 'restore' };
  const said: number[] = [];
  for (let left = 12; left > 0 && !said.includes(429); left--) {
    said.push((await post(`${href}/restore`, { ...form, own_password: `guess ${left}` })).status);
    expect(await house.services.store.all('SELECT * FROM mutation_lock')).toEqual([]);
  }
  expect(said).toContain(429);
});
