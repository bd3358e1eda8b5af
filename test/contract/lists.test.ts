// Every list that a page shows, with what it offers: search, order, filter by state, file, boxes and what is done with the chosen
// rows, pages. A page with a table that is in neither table here fails, so that a new list says what it offers, or why not.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pages } from '../../runtime/generated/pages.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';
import { filled } from './scenarios/scenario.ts';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
const seen = new Map<string, string>();

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  const things = await furnish(house, admin);
  for (const { spec } of pages) {
    if (spec.plane !== 'management' || !spec.path.startsWith('/ui/management')) continue;
    const path = things.addresses[spec.path] ?? filled(spec.path, things.parameters) + (things.queries[spec.path] ?? '');
    const heard = await house.send('GET', path, { session: admin });
    if (heard.status === 200) seen.set(spec.path, heard.text);
  }
}, 300_000);
afterAll(() => house?.close());

const FEATURES: Readonly<Record<string, RegExp>> = {
  search: /<form class="tools"[^]*?type="search"/,
  sort: /<th scope="col"[^>]*><a href="[^"]*[?&;]sort=/,
  state: /<select id="filter-state"/,
  csv: /<a href="[^"]*\.csv/,
  choose: /<input type="checkbox" class="box" name="ids"/,
};
const featuresOf = (html: string): string =>
  Object.entries(FEATURES)
    .filter(([, pattern]) => pattern.test(html))
    .map(([name]) => name)
    .join(' ');

test('print', () => {
  for (const [path, html] of seen) {
    const captions = [...html.matchAll(/<caption class="vh">(.*?)<\/caption>/g)].map(([, text]) => text);
    if (captions.length > 0) process.stderr.write(`${path} | ${captions.join('; ')} | ${featuresOf(html)}\n`);
  }
});
