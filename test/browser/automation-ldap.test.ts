// LDAP of VCF Automation, in a real browser: in place from the page of the directory to the end of the job; accessible in both
// themes, wide and narrow. With SHOTS naming a folder, each step is left there as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { ENTRIES_FILE } from '../../shared/services/ldap/files.ts';
import type { VcfAutomation } from '../fakes/vcf-automation.ts';
import {
  AUTOMATION,
  type AutomationScene,
  automationScene,
  CHOSEN,
  PASSWORDS,
  putInForce,
} from '../setup/automation-ldap-house.ts';
import {
  automation,
  configured,
  describedDirectory,
  loggedIn,
  OLD,
  reviewed,
  serverOf,
} from '../setup/automation-ldap-scene.ts';
import { violations } from '../setup/axe.ts';
import { atStep as at, startBrowser, takePicture } from '../setup/browser.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const { SHOTS } = process.env;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

jest.setTimeout(300_000);

let scene: AutomationScene;
let fake: VcfAutomation;
const directory = describedDirectory();
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  scene = await automationScene({ assets: loadAssets(ASSETS) });
  fake = await automation({ directory });
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const [name = '', value = ''] = scene.admin.cookie.split('=');
  await context.addCookies([{ name, value, url: scene.house.origin }]);
});
afterAll(async () => {
  await browser?.close();
  await fake?.stop();
  await scene?.house.close();
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

test('in place, from the page of the directory to the end of the job', async () => {
  const page = await context.newPage();
  await page.goto(`${scene.house.origin}/ui/management/ldap`);
  await page.click('a:has-text("Set at VCF Automation")');
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
  await at(page, 'directory');
  await page.fill('#user', 'grace');
  await page.click('.wizard-work button:has-text("Review")');
  await page.waitForSelector('#user-error');
  expect(await page.locator('#role-error').count()).toBe(1);
  await page.fill('#user', CHOSEN.user);
  await page.selectOption('#role', CHOSEN.role);
  await page.click('.wizard-work button:has-text("Review")');
  await at(page, 'review');
  await page.fill('#password', fake.account.password);
  await page.fill('#bind_password', PASSWORDS.bind_password);
  await page.fill('#user_password', PASSWORDS.user_password);
  await page.click('.wizard-work button:has-text("Set the LDAP settings")');
  await page.waitForURL(/\/ldap\/automation\/tasks\/job_/);
  await page.waitForSelector('text=Users of the group admins sign in to the organization acme');
  await page.close();
});

test('each step fits and is accessible, that of a replacement and of a refusal too', async () => {
  const { house, admin } = scene;
  const page = await context.newPage();
  const { host } = house.services;
  await host.remove(ENTRIES_FILE);
  await look('0-not-yet', AUTOMATION, page);
  await putInForce(house);
  fake.settings = OLD;
  await look('1-directory', (await loggedIn(house, admin, fake)).at, page);
  await look('2-review', (await reviewed(house, admin, fake)).at, page);
  const done = await configured(house, admin, fake);
  await house.appliance.runner.idle();
  await look('3-done', done.at, page);
  fake.settings = OLD;
  directory.groupsOf = async () => [];
  const refused = await configured(house, admin, fake);
  await house.appliance.runner.idle();
  await look('4-refused', refused.at, page);
  await look('5-ldap', '/ui/management/ldap', page);
  await page.close();
});
