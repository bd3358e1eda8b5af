// The deployment in a real browser: from the helper's page through every step to a service manager that answers, trusts our
// authority and has our depot; by hand of nobody but the wizard. The pictures are kept for people to look at.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { PACE } from '../../shared/vcf-helper/remote-depot/patience.ts';
import { deploymentShell, replaceInShell } from '../../shared/vcf-helper/deployment/shell.ts';
import { startBrowser } from '../setup/browser.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import type { Credentials } from '../setup/house.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { APPLIANCE, NAME } from './deploy-request.ts';
import { DeployScene } from './deploy-scene.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'test/browser/screenshots');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };

jest.setTimeout(120_000);

let scene: DeployScene;
let admin: Credentials;
let browser: Browser;
const faults: string[] = [];
const answers = sddcManagerAnswers();

beforeAll(async () => {
  PACE.every_ms = 200;
  mkdirSync(PICTURES, { recursive: true });
  scene = await DeployScene.open({
    depot: true,
    house: { assets: loadAssets(join(ROOT, 'dist/assets')), depot: true },
  });
  // What a lab would answer: its names both ways, its clock, and nobody at the new address.
  const { questions } = deploymentShell(scene.services);
  const dns = async (server: string, asked: readonly string[]) => {
    const names: Record<string, string> = { A: APPLIANCE, PTR: answers['vami.hostname']! };
    return asked.map((question) => ({
      ...{ server, question, rcode: 'NOERROR', error: null },
      answers: [names[question.split('/').at(-1)!]].filter((answer) => answer !== undefined),
    }));
  };
  const tls = async () => ({ sha256: scene.vsphere.sha256 });
  replaceInShell(scene.services, {
    questions: { ...questions, dns, tls, time: async () => [], inUse: async () => [] },
  });
  admin = await scene.house.actor('admin', undefined, 'ada');
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});

async function contextOf(script = true): Promise<BrowserContext> {
  const made = await browser.newContext({ viewport: SIZES.wide, javaScriptEnabled: script, reducedMotion: 'reduce' });
  const [name = '', value = ''] = admin.cookie.split('=');
  await made.addCookies([{ name, value, url: scene.house.origin }]);
  return made;
}

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(scene.house.origin + path);
  return page;
}

/** Both sizes and themes of what is shown, and axe's word on it. */
async function picture(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `deployment-${name}.${size}.${colorScheme}.png`), fullPage: true });
    }
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect([name, size, wider]).toEqual([name, size, 0]);
  }
  await page.setViewportSize(SIZES.wide);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes[0].html.slice(0, 200)))",
  )) as string[];
  expect([name, ...found]).toEqual([name]);
}

/** Waits for a step; says what is shown instead. */
async function at(page: Page, step: string): Promise<void> {
  try {
    await page.waitForSelector(`[data-wizard="${step}"]:not([aria-busy="true"])`, { timeout: 8000 });
  } catch {
    throw new Error(`Not at ${step}, but at ${page.url()}: ${await page.innerText('main')}`);
  }
}

/** Everything up to the inventory. */
async function toAppliance(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await at(page, 'server');
  await page.fill('#server', `${scene.vsphere.host}:${scene.vsphere.port}`);
  await page.getByRole('button', { name: 'Look at its certificate' }).click();
  await at(page, 'tls');
  await page.check('#confirm');
  await page.getByRole('button', { name: 'Confirm and continue' }).click();
  await at(page, 'login');
  await page.fill('#username', scene.vsphere.account.username);
  await page.fill('#password', scene.vsphere.account.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await at(page, 'appliance');
}

async function fillProperties(page: Page): Promise<void> {
  for (const [key, value] of Object.entries({ ...answers, 'vami.ip0.SDDC-Manager': APPLIANCE })) {
    // Each field's help names the key.
    const row = page.locator('.field', { has: page.locator('code', { hasText: new RegExp(`^${escaped(key)}$`) }) });
    if ((await row.count()) === 0) continue;
    const select = row.locator('select');
    if ((await select.count()) > 0) await select.selectOption(value);
    else await row.locator('input').fill(value);
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('by the wizard alone: from the OVA to a service manager with trust and depot', async () => {
  const page = await open(await contextOf(), '/ui/management/vcf-helper');
  await page.getByRole('link', { name: 'Deploy SDDC Manager' }).click();
  await at(page, 'credential');
  await toAppliance(page);
  await page.fill('#name', NAME);
  await picture(page, 'appliance');
  await page.getByRole('button', { name: 'Continue' }).click();
  // The agreement has to be accepted.
  await page.waitForSelector('#eula[aria-invalid="true"]');
  await page.check('#eula');
  await page.getByRole('button', { name: 'Continue' }).click();
  await at(page, 'placement');
  const { placement } = scene.typed();
  await page.selectOption('#pool_id', placement.pool_id);
  await page.selectOption('#host_id', placement.host_id!);
  await page.selectOption('#datastore_id', placement.datastore_id);
  await page.selectOption('#net0', placement.networks['Network 1']!);
  await picture(page, 'placement');
  await page.getByRole('button', { name: 'Continue' }).click();
  await at(page, 'properties');
  await fillProperties(page);
  await picture(page, 'properties');
  await page.getByRole('button', { name: 'Continue' }).click();
  await at(page, 'after');
  await page.check('#trust_root');
  await page.check('#depot');
  await picture(page, 'after');
  await page.getByRole('button', { name: 'Review' }).click();
  await at(page, 'review');
  await fillProperties(page);
  await page.fill('#depot_password', DEPOT_PASSWORD);
  await picture(page, 'review');
  await page.getByRole('button', { name: 'Check only' }).click();
  await page.waitForSelector('.checks');
  await picture(page, 'checked');
  expect(await page.locator('.check-refused').allTextContents()).toEqual([]);
  // No secret comes back in a page.
  const html = await page.content();
  for (const secret of [DEPOT_PASSWORD, answers.ROOT_PASSWORD!, scene.vsphere.account.password]) {
    expect(html).not.toContain(secret);
  }
  await fillProperties(page);
  await page.fill('#depot_password', DEPOT_PASSWORD);
  if ((await page.locator('#accept_warnings').count()) > 0) await page.check('#accept_warnings');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/sddc-manager\/tasks\/job_/);
  await picture(page, 'task-running');
  await page.waitForSelector('#job[data-done]', { timeout: 60_000 });
  await picture(page, 'task-done');
  expect(await page.textContent('#job')).toContain('Succeeded');
  expect(scene.vsphere.uploads).toHaveLength(2);
  expect(faults).toEqual([]);
});
