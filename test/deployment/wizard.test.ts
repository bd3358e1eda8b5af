// The deployment in a real browser: from the helper's page through every step to a service manager that answers, trusts our
// authority and has our depot; by hand of nobody but the wizard. The pictures are kept for people to look at.
import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';
import { deploymentShell, replaceInShell } from '../../shared/vcf/deployment/shell.ts';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { DEPOT_SUCCESS } from '../../shared/vcf/vcf-api/depot.ts';
import { violations } from '../setup/axe.ts';
import { atStep as at, leads, startBrowser, takePicture } from '../setup/browser.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import type { Credentials } from '../setup/house.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { APPLIANCE, NAME } from './deploy-request.ts';
import { DeployScene, type SceneOptions } from './deploy-scene.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'test/browser/screenshots');
const WIDE = { width: 1440, height: 900 };
const LOOKS = [
  ['wide', WIDE, 'light'],
  ['narrow', { width: 390, height: 844 }, 'dark'],
] as const;

jest.setTimeout(300_000);

let scene: DeployScene | null = null;
let browser: Browser;
const faults: string[] = [];
const answers = sddcManagerAnswers();
const TYPED = { ...answers, 'vami.ip0.SDDC-Manager': APPLIANCE };

beforeAll(async () => {
  PACE.every_ms = 100;
  mkdirSync(PICTURES, { recursive: true });
  browser = await startBrowser();
});
afterEach(async () => {
  await scene?.close();
  scene = null;
});
afterAll(() => browser?.close());

async function opened(mode: 'vc' | 'esx', options: SceneOptions = {}): Promise<DeployScene> {
  const assets = loadAssets(join(ROOT, 'dist/assets'));
  scene = await DeployScene.open({ mode, depot: true, house: { assets, depot: true }, ...options });
  // What a lab would answer: its names both ways, its clock, and nobody at the new address.
  const { questions } = deploymentShell(scene.services);
  const dns = async (server: string, asked: readonly string[]) => {
    const names: Record<string, string> = { A: APPLIANCE, PTR: answers['vami.hostname']! };
    return asked.map((question) => ({
      ...{ server, question, rcode: 'NOERROR', error: null },
      answers: [names[question.split('/').at(-1)!]].filter((answer) => answer !== undefined),
    }));
  };
  const { sha256 } = scene.vsphere;
  replaceInShell(scene.services, {
    questions: { ...questions, dns, tls: async () => ({ sha256 }), time: async () => [], inUse: async () => [] },
  });
  return scene;
}

async function open({ house }: DeployScene, who: Credentials, path: string, script = true): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE, javaScriptEnabled: script, reducedMotion: 'reduce' });
  const [name = '', value = ''] = who.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(house.origin + path);
  return page;
}

/** Wide and light, narrow and dark, nothing wider than the window; axe's word, on both where it is `whole`. */
async function picture(page: Page, name: string, whole = false): Promise<void> {
  for (const [look, viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await takePicture(page, { path: join(PICTURES, `deployment-${name}.${look}.${colorScheme}.png`), fullPage: true });
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    const broken = whole || look === 'wide' ? await violations(page) : [];
    expect([name, look, wider, ...broken]).toEqual([name, look, 0]);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** As while nobody looks at it: the page does not read itself again, so that one state of it can be judged. */
async function stayAsItIs(page: Page, stays: boolean): Promise<void> {
  const hide = stays
    ? "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
    : 'delete document.hidden';
  await page.evaluate(`${hide}; document.dispatchEvent(new Event('visibilitychange'))`);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function confirm(page: Page, go = (name: string) => press(page, name)): Promise<void> {
  await go('Look at its certificate');
  await at(page, 'tls');
  await page.check('#confirm');
  await go('Confirm and continue');
}

async function fillProperties(page: Page): Promise<void> {
  for (const [key, value] of Object.entries(TYPED)) {
    // Each field's help names the key.
    const row = page.locator('.field', { has: page.locator('code', { hasText: new RegExp(`^${escaped(key)}$`) }) });
    if ((await row.count()) === 0) continue;
    const select = row.locator('select');
    if ((await select.count()) > 0) await select.selectOption(value);
    else await row.locator('input').fill(value);
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** No secret comes back in a page. */
async function keepsSilent(page: Page, { vsphere }: DeployScene): Promise<void> {
  const html = await page.content();
  for (const secret of [DEPOT_PASSWORD, answers.ROOT_PASSWORD!, vsphere.account.password]) {
    expect(html).not.toContain(secret);
  }
}

test('by the wizard alone: from the OVA to a service manager with trust and depot', async () => {
  const lab = await opened('vc', {
    // Large enough to be looked at on its way; an appliance that reaches the depot by the right password only.
    ova: { disks: [{ size: 40 << 20 }, { size: 5_000_001 }] },
    shell: { upload_idle_ms: 30_000 },
    appliance: { depot: { account: { username: 'depot', password: DEPOT_PASSWORD } } },
  });
  const admin = await lab.house.actor('admin', undefined, 'ada');
  const { vsphere, appliance } = lab;
  const page = await open(lab, admin, '/ui/management/vcf-helper');
  await page.getByRole('link', { name: 'Deploy SDDC Manager' }).click();
  await at(page, 'server');
  await page.fill('#server', `${vsphere.host}:${vsphere.port}`);
  await confirm(page);
  await at(page, 'login');
  await page.fill('#username', vsphere.account.username);
  await page.fill('#password', vsphere.account.password);
  await press(page, 'Log in');
  await at(page, 'appliance');
  await page.fill('#name', NAME);
  await press(page, 'Continue');
  // The agreement has to be accepted; the way to it leaves the page as it is.
  await page.waitForSelector('#eula[aria-invalid="true"]');
  await page.locator('.summary a').click();
  expect(await page.inputValue('#name')).toBe(NAME);
  expect(await page.locator('#eula[aria-invalid]').count()).toBe(1);
  await page.check('#eula');
  await picture(page, 'appliance');
  await press(page, 'Continue');
  await at(page, 'placement');
  const { placement } = lab.typed();
  await page.selectOption('#pool_id', placement.pool_id);
  await page.selectOption('#host_id', placement.host_id!);
  await page.selectOption('#datastore_id', placement.datastore_id);
  await page.selectOption('#net0', placement.networks['Network 1']!);
  await picture(page, 'placement');
  await press(page, 'Continue');
  await at(page, 'properties');
  await fillProperties(page);
  await picture(page, 'properties');
  await press(page, 'Continue');
  await at(page, 'after');
  await page.check('#trust_root');
  await page.check('#depot');
  await picture(page, 'after');
  await press(page, 'Review');
  await at(page, 'review');
  // The login is remembered by the page; what was never typed is not there.
  expect(await page.inputValue('#password')).toBe(vsphere.account.password);
  await fillProperties(page);
  await page.fill('#depot_password', DEPOT_PASSWORD);
  vsphere.behaviour.clock_skew_ms = 90_000;
  await press(page, 'Check only');
  await page.waitForSelector('.checks');
  // The eye is led to what needs it, and nothing has to be typed again.
  expect(await page.evaluate('document.activeElement.id')).toBe('looked');
  await page.locator('#looked a').click();
  expect(await page.inputValue('#depot_password')).toBe(DEPOT_PASSWORD);
  expect(await page.textContent('main')).not.toContain('Enter every password once more');
  expect(await page.locator('.check-refused').allTextContents()).toEqual([]);
  await picture(page, 'checked', true);
  await keepsSilent(page, lab);
  vsphere.behaviour.clock_skew_ms = 0;
  vsphere.behaviour.upload_rate = 1_000_000;
  await press(page, 'Deploy');
  await page.waitForURL(/sddc-manager\/tasks\/job_/);
  // Its figures, while the disks are sent: on the bar and beside it.
  const bar = page.locator('#job progress[aria-valuetext*="MiB/s"][aria-valuetext*=" left"]');
  await bar.waitFor();
  expect(await bar.locator('xpath=..').textContent()).toMatch(/ of [\d.]+ MiB.* MiB\/s.* left/);
  await stayAsItIs(page, true);
  await picture(page, 'task-running', true);
  vsphere.behaviour.upload_rate = null;
  await stayAsItIs(page, false);
  await page.waitForSelector('#job[data-done]');
  await picture(page, 'task-done');
  expect(await page.textContent('#job')).toContain('Succeeded');
  expect(vsphere.uploads.map(({ sha256 }) => sha256)).toEqual(await lab.disks());
  expect(await vsphere.machines()).toContain(NAME);
  const { url, username, ca_sha256 } = (await depotAvailability(lab.services)).endpoint!;
  const trusted = appliance.trusted.map(({ certificate }) => new X509Certificate(certificate).fingerprint256);
  expect(trusted).toEqual([ca_sha256]);
  expect(await lab.depotThere()).toMatchObject({ url, username, status: DEPOT_SUCCESS });
  expect(faults).toEqual([]);
});

test('to a lone ESX host, without script and with a stored login', async () => {
  const lab = await opened('esx');
  const admin = await lab.house.actor('admin', undefined, 'ada');
  const { host, port, account } = lab.vsphere;
  const { token } = admin;
  const vault = await lab.house.send('POST', '/api/v1/vaults', { token, body: { name: 'lab' } });
  const key = {
    key: 'esx.root',
    username: account.username,
    value: account.password,
    uris: [`https://${host}:${port}`],
  };
  await lab.house.send('POST', `/api/v1/vaults/${vault.body.id}/entries`, { token, body: key });
  const page = await open(
    lab,
    admin,
    `/ui/management/vcf-helper/sddc-manager?step=credential&vault_id=${vault.body.id}`,
    false,
  );
  const go = (name: string) => leads(page, () => press(page, name));
  await page.selectOption('#choice_id', { index: 1 });
  await go('Continue');
  expect(await page.inputValue('#server')).toBe(`${host}:${port}`);
  await confirm(page, go);
  expect(await page.locator('#password').count()).toBe(0);
  await go('Log in and read');
  await page.fill('#name', NAME);
  await page.check('#eula');
  await go('Continue');
  // One of everything: chosen already.
  await go('Continue');
  await fillProperties(page);
  await go('Continue');
  await go('Review');
  await fillProperties(page);
  await go('Check only');
  expect(await page.locator('.check-refused').allTextContents()).toEqual([]);
  await keepsSilent(page, lab);
  expect(await page.textContent('main')).toContain('Enter every password once more');
  await fillProperties(page);
  if ((await page.locator('#accept_warnings').count()) > 0) await page.check('#accept_warnings');
  await go('Deploy');
  expect(page.url()).toMatch(/sddc-manager\/tasks\/job_/);
  await lab.house.appliance.runner.idle();
  await page.reload();
  expect(await page.textContent('#job')).toContain('Succeeded');
  expect(await lab.vsphere.machines()).toContain(NAME);
});
