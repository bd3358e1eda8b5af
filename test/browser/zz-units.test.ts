import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from '@jest/globals';
import { loadAssets } from '../../runtime/assets.ts';
import { startBrowser } from '../setup/browser.ts';
import { furnish } from '../setup/furnish.ts';
import { House } from '../setup/house.ts';
const ROOT = resolve(import.meta.dirname, '../..');
const OUT = '/tmp/e-shots';
test('shots', async () => {
  mkdirSync(OUT, { recursive: true });
  const house = await House.open({ assets: loadAssets(join(ROOT, 'dist/assets')) });
  const admin = await house.actor('admin', undefined, 'admin');
  const browser = await startBrowser();
  const go = async (list: string[], size: any, theme: any, tag: string) => {
    const context = await browser.newContext({ viewport: size, colorScheme: theme });
    const [name, value] = admin.cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: house.origin }]);
    for (const path of list) {
      const page = await context.newPage();
      const answer = await page.goto(house.origin + path);
      if (answer?.status() !== 200) console.log(path, answer?.status(), (await page.textContent('main'))?.slice(0, 300));
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (over) console.log(path, tag, 'overflow', over);
      await page.screenshot({ path: join(OUT, `${path.slice(15).replaceAll('/', '-')}.${tag}.png`), fullPage: true });
      await page.close();
    }
    await context.close();
  };
  const M = '/ui/management/';
  const W = { width: 1440, height: 900 }, N = { width: 390, height: 844 };
  const tops = ['certificate-authority', 'kms', 'ldap', 'oidc', 'offline-depot', 'web-terminal', 'firewall', 'settings', 'ntp', 'ntp/settings', 'ntp/sources/new', 'storage', 'storage/settings', 'storage/volumes/new', 'storage/datastores/new', 'network-boot', 'network-boot/settings', 'network-boot/hosts/new', 'dns/settings'].map((p) => M + p);
  if (process.env.EMPTY) await go(tops, W, 'light', 'empty');
  const { parameters: p } = await furnish(house, admin);
  const items = [`ntp/sources/${p.source_id}`, `ntp/sources/${p.source_id}/delete`, `storage/volumes/${p.volume_id}`, `storage/volumes/${p.volume_id}/delete`, `storage/datastores/${p.datastore_id}`, `network-boot/hosts/${p.host_id}`].map((x) => M + x);
  await go([...tops, ...items], W, 'light', 'wide');
  if (process.env.MORE) { await go([...tops, ...items], N, 'light', 'narrow'); await go([...tops, ...items], W, 'dark', 'dark'); await go([M+'kms', M+'storage'], N, 'dark', 'narrowdark'); }
  await browser.close();
  await house.close();
}, 300_000);
