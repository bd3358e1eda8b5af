// The page that imports records: its preview, what waits until it is saved, and what is refused at which field.
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';
import { until } from '../../../setup/until.ts';
import { furnishDns } from './scenarios.ts';

const HEAD = 'fqdn,type,value\r\n';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
});
afterAll(() => house.close());
beforeEach(() => furnishDns(house));

const jobOf = async (id: string) => (await house.send('GET', `/api/v1/jobs/${id}`, { token: admin.token })).body;

async function ended(id: string) {
  await until(async () => ['succeeded', 'failed', 'cancelled'].includes((await jobOf(id)).state));
  const job = await jobOf(id);
  // What a job leaves is swept after its end.
  await until(async () => waiting().length === 0);
  return job;
}

const waiting = (): string[] => {
  const folder = join(house.data, 'imports');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const saved = async () =>
  (
    await house.services.store.all<{ line: string }>(
      "SELECT fqdn || ' ' || type || ' ' || value AS line FROM dns_record ORDER BY rowid",
    )
  ).map(({ line }) => line);

const csvOf = (count: number, from = 0) =>
  HEAD +
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return `h${n}.lab.test,A,10.${50 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}\r\n`;
  }).join('');

const FORM = '/ui/management/dns/zones/zone_lab/import';
const post = (fields: Record<string, string>, file?: string | Buffer) => {
  const sent = file === undefined ? {} : { file: Buffer.from(file).toString('base64') };
  return house.send('POST', FORM, { session: admin, form: { csv: '', ...sent, ...fields } });
};
const preview = (file: string | Buffer, fields = {}) => post({ dry_run: 'true', ...fields }, file);
const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
const tied = (text: string) => ({ previewed: hidden(text, 'previewed'), held: hidden(text, 'held') });

test('of many rows, it previews a file that waits, and a job saves it', async () => {
  const before = await saved();
  const seq = await house.lastAudit();
  const shown = await preview(csvOf(1_500, 9_000));
  expect([shown.status, shown.text.includes('1500 new, 0 changed, 0 same, 0 refused')]).toEqual([200, true]);
  expect([shown.text.includes('The first 200 of 1,500 rows'), await saved(), waiting().length]).toEqual([
    true,
    before,
    1,
  ]);
  expect(await house.audited(seq)).toEqual([]);
  const { status, headers } = await post(tied(shown.text));
  expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/ui\/management\/jobs\/job_/)]);
  const job = await ended(headers.location!.split('/').pop()!);
  expect(job).toMatchObject({ state: 'succeeded', result: { rows: 1_500, saved: 1_500 } });
  const page = await house.send('GET', headers.location!, { session: admin });
  for (const words of ['Import a file of DNS records', '1500 rows']) expect(page.text).toContain(words);
  expect((await saved()).length).toBe(before.length + 1_500);
  const gone = await post(tied(shown.text));
  expect([gone.status, gone.text.includes('The file of this import is gone. Send it again.')]).toEqual([409, true]);
});

test('what is there stays, also of many; one that somebody adds after the preview is not what was looked at', async () => {
  const rows = Array.from({ length: 3 }, (_, n) =>
    csvOf(1, 11_000 + n)
      .split('\r\n')[1]!
      .split(','),
  );
  const records = rows.map(([fqdn, type, value]) => ({ fqdn, type, value }));
  const made = await house.send('POST', '/api/v1/dns/records/bulk', { token: admin.token, body: { records } });
  expect(made.status).toBe(201);
  const shown = await preview(csvOf(1_200, 11_000));
  expect(shown.text).toContain('1197 new, 0 changed, 0 same, 3 left as they are, 0 refused');
  const body = { fqdn: 'h11900.lab.test', type: 'A', value: `10.50.${11_900 >> 8}.${11_900 & 255}` };
  expect((await house.send('POST', '/api/v1/dns/records', { token: admin.token, body })).status).toBe(201);
  const before = await saved();
  const late = await post(tied(shown.text));
  const job = await ended(late.headers.location!.split('/').pop()!);
  expect([job.state, job.error.error_code]).toEqual(['failed', 'state_conflict']);
  expect(job.error.detail).toContain('look at the preview again');
  expect(await saved()).toEqual(before);
  const again = await preview(csvOf(1_200, 11_000));
  const job2 = await ended((await post(tied(again.text))).headers.location!.split('/').pop()!);
  expect(job2).toMatchObject({ state: 'succeeded', result: { rows: 1_200, saved: 1_196 } });
});

test('many rows that were pasted stay on the page, also where one is refused, and a job saves them', async () => {
  const pasted = csvOf(1_001, 70_000).replaceAll('\r\n', '\n');
  const bad = await post({ csv: `${pasted}x,A,1\n`, dry_run: 'true' });
  expect([bad.text.includes('1 refused'), bad.text.includes('x,A,1\n</textarea>')]).toEqual([true, true]);
  const shown = await post({ csv: pasted, dry_run: 'true' });
  const { headers } = await post({ csv: pasted, previewed: tied(shown.text).previewed });
  const id = headers.location!.split('/').pop()!;
  await until(async () => (await jobOf(id)).state === 'succeeded');
  expect((await jobOf(id)).result).toMatchObject({ rows: 1_001, saved: 1_001 });
  for (const name of waiting()) rmSync(join(house.data, 'imports', name), { force: true });
});

test('files that were only looked at go after an hour, whichever way the clock went, and all but the last five at once', async () => {
  for (let round = 0; round < 7; round++) await preview(csvOf(1_001, 20_000 + round * 2_000));
  expect(waiting().length).toBe(5);
  const shown = await preview(csvOf(1_001, 40_000));
  for (const hours of [-2, 2]) {
    const at = house.services.clock.now().getTime() / 1_000 + hours * 3_600;
    for (const name of waiting()) utimesSync(join(house.data, 'imports', name), at, at);
    const next = await preview(csvOf(1_001, 50_000));
    expect(waiting()).toEqual([tied(next.text).held]);
  }
  const before = await saved();
  const late = await post(tied(shown.text));
  expect([late.status, late.text.includes('Send it again')]).toEqual([409, true]);
  expect(await saved()).toEqual(before);
  const done = await post(tied((await preview(csvOf(1_001, 60_000))).text));
  expect((await jobOf(done.headers.location!.split('/').pop()!)).kind).toBe('dns-records-import');
  await until(async () => (await jobOf(done.headers.location!.split('/').pop()!)).state === 'succeeded');
  // What nobody imports is not kept for those after it.
  for (const name of waiting()) rmSync(join(house.data, 'imports', name), { force: true });
});

test.each([
  ['JSON', JSON.stringify([{ fqdn: 'j.lab.test', type: 'A', value: '10.9.7.1' }]), '1 new, '],
  ['semicolons, marks, CR LF and WAHR', '\ufefffqdn;type;value;enabled\r\ns.lab.test;A;10.9.7.2;WAHR\r\n', '1 new, '],
  ['tabs', 'FQDN\tType\tValue\nt.lab.test\tA\t10.9.7.3\n', '1 new, '],
  ['lines with a mark and CR LF', '\ufeffl A 10.9.7.4\r\n10.9.7.5 m\r\n', '2 new, '],
  ['a formula', `${HEAD}=cmd|'/c calc'!A1,A,10.9.7.6\r\n`, '0 new, 0 changed, 0 same, 1 refused'],
  ['a name of nothing', `${HEAD},A,10.9.7.7\r\n`, '1 refused'],
  ['a date of a spreadsheet', `${HEAD}d.lab.test,A,27.11.2026\r\n`, '1 refused'],
])('%s is read', async (_what, file, words) => {
  const before = await saved();
  const { status, text } = await preview(file);
  expect([status, text.includes(words) ? words : text]).toEqual([200, words]);
  expect(await saved()).toEqual(before);
});

test.each([
  ['no file', '', 'The file is missing or empty.', 'csv'],
  ['a head alone', HEAD, 'The file has no rows.', 'csv'],
  ['other columns', 'name,type,value\r\na,A,10.0.0.1\r\n', 'Line 1: one of the columns is not known.', 'csv'],
  ['an open quote', `${HEAD}"a.lab.test,A,10.0.0.1\r\n`, 'Line 2: A quote is not closed.', 'csv'],
  ['UTF-16', Buffer.from(`\ufeff${HEAD}`, 'utf16le'), 'The file is not UTF-8 text.', 'file'],
  ['UTF-16 without a mark', Buffer.from(HEAD, 'utf16le'), 'The file is not UTF-8 text.', 'file'],
  ['a row too many', `${'a A 10.0.0.1\n'.repeat(100_001)}`, 'At most 100000 rows at once', 'csv'],
  ['a byte too many', 'x'.repeat((16 << 20) + (64 << 10)), 'It is too large: at most 16 MiB.', 'file'],
])('%s is refused at its field, and nothing is saved', async (_what, file, words, field) => {
  const before = [await saved(), waiting()];
  const { status, text } = await preview(file);
  expect([status >= 400 && status < 500, text.includes(words) ? words : text.slice(0, 5_000)]).toEqual([true, words]);
  expect(text).toContain(`href="#${field}"`);
  expect([await saved(), waiting()]).toEqual(before);
});
