// Registering at a vCenter, in a real browser: in place from the page of key management to the end of the job, and the warning
// about keys without a copy on every page; accessible in both themes, wide and narrow. With SHOTS naming a folder, each step
// is left there as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { startVcenterKms, type VcenterKms } from '../fakes/vcenter-kms.ts';
import { violations } from '../setup/axe.ts';
import { atStep as at, startBrowser, takePicture } from '../setup/browser.ts';
import { PASSWORD } from '../setup/house.ts';
import { hurry, keyProviderScene, loggedIn, registered, reviewed, serverOf } from '../setup/key-provider-scene.ts';
import { asked, CREATE, request } from '../setup/kmip-messages.ts';
import type { KmsScene } from '../setup/kms-scene.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const { SHOTS } = process.env;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

jest.setTimeout(300_000);

let scene: KmsScene;
let fake: VcenterKms;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  hurry();
  scene = await keyProviderScene({ assets: loadAssets(ASSETS) });
  fake = await startVcenterKms({ providers: [{ id: 'old-kms' }] });
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const [name = '', value = ''] = scene.admin.cookie.split('=');
  await context.addCookies([{ name, value, url: scene.house.origin }]);
});
afterAll(async () => {
  await browser?.close();
  await fake?.stop();
  await scene?.close();
});

async function look(state: string, path: string, page: Page): Promise<void> {
  await page.goto(scene.house.origin + path);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (SHOTS) {
        mkdirSync(SHOTS, { recursive: true });
        await takePicture(page, { path: join(SHOTS, `${state}-${size.width}-${colorScheme}.png`), fullPage: true });
      }
      const found = await violations(page);
      expect({ state, size, colorScheme, found }).toEqual({ state, size, colorScheme, found: [] });
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect({ state, size, wider }).toEqual({ state, size, wider: false });
  }
}

test('in place, from the page of key management to the end of the job', async () => {
  const page = await context.newPage();
  await page.goto(`${scene.house.origin}/ui/management/kms`);
  await page.click('a:has-text("Register at vCenter")');
  await at(page, 'server');
  await page.fill('#server', serverOf(fake));
  await page.click('text=Look at its certificate');
  await at(page, 'tls');
  await page.check('#confirm');
  await page.click('text=Confirm and continue');
  await at(page, 'login');
  await page.fill('#username', fake.account.username);
  await page.fill('#password', fake.account.password);
  await page.click('button:has-text("Log in")');
  await at(page, 'provider');
  await page.fill('#provider_name', 'in-place');
  await page.fill('#cluster', 'OLD-KMS');
  await page.click('.wizard-work button:has-text("Review")');
  await page.waitForSelector('#cluster-error');
  await page.fill('#cluster', 'in-place');
  await page.click('.wizard-work button:has-text("Review")');
  await at(page, 'review');
  await page.fill('#own_password', PASSWORD);
  await page.click('.wizard-work button:has-text("Register")');
  await page.waitForURL(/\/kms\/vcenter\/tasks\/job_/);
  await page.waitForSelector('text=The vCenter is connected to the key provider in-place');
  await page.close();
});

test('each step fits and is accessible; the warning stands on every page from the first key on', async () => {
  const { house, admin } = scene;
  const page = await context.newPage();
  await page.goto(`${house.origin}/ui/management`);
  expect(await page.locator('.strip-keys').count()).toBe(0);
  await look('1-provider', (await loggedIn(house, admin, fake)).at, page);
  await look('2-review', (await reviewed(house, admin, fake, { provider_name: 'seen' })).at, page);
  const done = await registered(house, admin, fake, { provider_name: 'seen' });
  await house.appliance.runner.idle();
  await look('3-done', done.at, page);
  fake.faults.push({ method: 'RetrieveKmipServerCert', answer: { type: 'RuntimeFault', message: 'No route to host' } });
  const refused = await registered(house, admin, fake, { provider_name: 'refused', cluster: 'refused' });
  await house.appliance.runner.idle();
  await look('4-refused', refused.at, page);
  const socket = await fake.kmip('lab-keys');
  expect(await asked(socket, request([{ operation: 'Create', payload: CREATE }]))).not.toBeNull();
  socket.destroy();
  await look('5-overview', '/ui/management', page);
  expect(await page.locator('.strip-keys').textContent()).toContain('in no verified copy');
  await look('6-kms', '/ui/management/kms', page);
  await page.goto(`${house.origin}/ui/management/dns`);
  expect(await page.locator('.strip-keys a').getAttribute('href')).toBe('/ui/management/archives');
  await page.close();
});
