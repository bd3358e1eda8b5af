// The pages in a real browser, but for those of services, and what holds of all together.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { NAVIGATION } from '../../pages/layout/navigation.ts';
import { loadAssets } from '../../runtime/assets.ts';
import { leads } from '../setup/browser.ts';
import { PASSWORD } from '../setup/house.ts';
import { lookAtPages } from './pages-look.ts';

const ROOT = resolve(import.meta.dirname, '../..');

jest.setTimeout(300_000);

const look = lookAtPages('others');

test('the first load of script and style stays within 150 kB compressed', () => {
  const { manifest } = loadAssets(join(ROOT, 'dist/assets'));
  const bytes = ['app.css', 'app.js']
    .map((asset) => manifest[asset]!)
    .map((file) => readFileSync(join(ROOT, 'dist/assets', `${file}.gz`)).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
});

test('each page of the navigation comes cold within 60 kB on the wire: the page, its style and its script', async () => {
  const context = await look.withoutScript();
  const { manifest } = loadAssets(join(ROOT, 'dist/assets'));
  const assets = ['app.css', 'app.js'].map(
    (asset) => readFileSync(join(ROOT, 'dist/assets', `${manifest[asset]!}.br`)).length,
  );
  const cold = assets.reduce((sum, each) => sum + each, 0);
  const large: [string, number][] = [];
  const page = await context.newPage();
  for (const { href } of NAVIGATION) {
    const answer = (await page.goto(look.origin() + href))!;
    const headers = await answer.allHeaders();
    expect([href, answer.status(), headers['content-encoding']]).toEqual([
      href,
      200,
      expect.stringMatching(/^(?:br|gzip)$/),
    ]);
    const bytes = cold + Number(headers['content-length']);
    if (bytes > 60_000) large.push([href, bytes]);
  }
  expect(large).toEqual([]);
  await context.close();
});

test('pages can be read and a form sent with scripting off', async () => {
  const context = await look.withoutScript();
  const page = await context.newPage();
  await page.goto(`${look.origin()}/ui/management/users/new`);
  await page.getByLabel('Name').fill('nora');
  await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
  await page.getByLabel('Your password').fill(PASSWORD);
  const create = page.getByRole('main').getByRole('button', { name: /create|add/i });
  await leads(page, () => create.click());
  expect(new URL(page.url()).pathname).toBe('/ui/management/users');
  expect(await page.getByRole('main').textContent()).toContain('nora');
  await page.locator('.account summary').click();
  await leads(page, () => page.getByRole('link', { name: 'Your account' }).click());
  const change = async (once_more: string) => {
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('another long enough secret');
    await page.getByLabel('Repeat password').fill(once_more);
    await page.getByLabel('Keep my API tokens').check();
    await leads(page, () => page.getByRole('button', { name: 'Change password' }).press('Enter'));
    return page.getByRole('main').textContent();
  };
  expect(await change('not the same at all')).toContain('The two new passwords differ.');
  // Those that furnishing the house left: on the public pages somebody signed in.
  expect(await change('another long enough secret')).toMatch(
    /Your password is changed\. Ended: 4 sessions and 0 API tokens\. 1 API token was kept\./,
  );
  await context.close();
});
