// temporary
import { join, resolve } from 'node:path';
import { jest, test } from '@jest/globals';
import { loadAssets } from '../../runtime/assets.ts';
import { makeCertificate } from '../fakes/tls-target.ts';
import { startBrowser } from '../setup/browser.ts';
import { House } from '../setup/house.ts';
import { IMPORT, loggedIn, manager, permitLoopback, stored, toTls, TRUST, toLogin } from '../setup/remote-scene.ts';
import { Walk } from '../setup/wizard-walk.ts';
const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
jest.setTimeout(120_000);
test('shots', async () => {
  const house = await House.open({ assets: loadAssets(ASSETS) });
  const admin = await house.actor('admin', undefined, 'ada');
  await permitLoopback(house, admin);
  const fake = await manager({ hosts: 4 });
  const { vault_id, choice_id } = await stored(house, admin, fake, 'management-domain');
  const imp = await loggedIn(house, admin, IMPORT, fake);
  const select = imp.at;
  await imp.send('Passwords', { into: vault_id });
  const review = imp.at;
  const imp2 = await loggedIn(house, admin, IMPORT, fake);
  await imp2.send('Passwords', { into: vault_id });
  await imp2.send('Import', { password: fake.account.password });
  const done = imp2.at;
  const trust = await loggedIn(house, admin, TRUST, fake);
  const certificate = trust.at;
  await trust.send('Certificate', { certificate: makeCertificate({ subject: '/O=Lab/CN=Lab root', names: '' }).cert });
  const trustReview = trust.at;
  await trust.send('Trust', { password: 'wrong' });
  await house.appliance.runner.idle();
  const job = trust.at;
  const login = (await toLogin(house, admin, IMPORT, fake)).at;
  const tls = (await toTls(house, admin, IMPORT, fake)).at;
  const pages = {
    credential: IMPORT,
    picked: `${IMPORT}?step=credential&vault_id=${vault_id}&choice_id=${choice_id}`,
    vault: `${IMPORT}?step=credential&vault_id=${vault_id}`,
    server: `${IMPORT}?step=server`, tls, login, select, review, done, certificate, trustReview, job,
    read: '', settings: '/ui/management/settings/remote', helper: '/ui/management/vcf-helper', sett: '/ui/management/settings',
  };
  const browser = await startBrowser();
  for (const [width, height] of [[1440, 900], [390, 844]] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
      const [name = '', value = ''] = admin.cookie.split('=');
      await context.addCookies([{ name, value, url: house.origin }]);
      const page = await context.newPage();
      for (const [label, path] of Object.entries(pages)) {
        if (path === '') continue;
        if (colorScheme === 'dark' && !['tls', 'select', 'picked', 'job'].includes(label)) continue;
        await page.goto(house.origin + path);
        await page.screenshot({ path: `/tmp/v4bshots/${label}-${width}-${colorScheme}.png`, fullPage: width < 500 });
      }
      await context.close();
    }
  await browser.close();
  await fake.stop();
  await house.close();
});
void Walk;
