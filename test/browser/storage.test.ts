// The pages of storage with hosts that use it, and mounting on hosts up to the end of the job, in a real browser: accessible in both
// themes, wide and narrow. With SHOTS naming a folder, each is left there as a picture.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { rememberGrowth } from '../../shared/appliance/metrics/growth.ts';
import { startVsphereNas, type VsphereNas } from '../fakes/vsphere-nas.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser, takePicture } from '../setup/browser.ts';
import { datastoreInForce, mountLoggedIn, toMountLogin } from '../setup/datastore-mount-scene.ts';
import { type Credentials, House } from '../setup/house.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const { SHOTS } = process.env;
const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;
/** Two hosts at the address of ens192, as the kernel prints connections. */
const TABLES = `  sl  local_address rem_address   st
   0: 05000A0A:0801 32000A0A:0399 01
   1: 05000A0A:0801 33000A0A:0399 01
`;

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
let fake: VsphereNas;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  house = await House.open({ assets: loadAssets(ASSETS) });
  admin = await house.actor('admin');
  await datastoreInForce(house, admin, 'lab-nfs-01');
  const { services } = house;
  const token = admin.token;
  await house.send('POST', '/api/v1/dns/zones', { token, body: { name: 'lab.test' } });
  const record = { fqdn: 'esx01.lab.test', type: 'A', value: '10.10.0.50' };
  await house.send('POST', '/api/v1/dns/records', { token, body: record });
  // From here on as if it were in force: the kernel is asked, and answers.
  const run = { code: 0, stdout: TABLES, stderr: '' };
  Object.assign(services.host, {
    enforces: true,
    kind: 'namespace',
    exec: async () => run,
    resolve: () => services.settings.data,
  });
  const gauge = (what: string, value: number) => ({
    ...{ name: `groundcrew_volume_${what}_bytes`, type: 'gauge' as const, help: '' },
    samples: [{ labels: { volume: 'disk-lab-nfs-01' }, value }],
  });
  const start = Date.now() - 20 * 86_400_000;
  for (let hour = 0; hour < 480; hour += 1) {
    const shell = { ...services, clock: { now: () => new Date(start + hour * 3_600_000) } };
    await rememberGrowth(shell as never, [gauge('size', 2 ** 40), gauge('free', 2 ** 40 - hour * 2 ** 30)]);
  }
  fake = await startVsphereNas(['esx01.lab.test', 'esx02.lab.test', 'esx03.lab.test']);
  fake.hosts[2]!.fault = { type: 'PlatformConfigFault', message: 'Unable to connect to NAS volume lab-nfs-01' };
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: house.origin }]);
});
afterAll(async () => {
  await browser?.close();
  await fake?.stop();
  await house?.close();
});

async function look(state: string, path: string, page: Page): Promise<void> {
  await page.goto(house.origin + path);
  for (const { width, height, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await takePicture(page, { path: join(SHOTS, `${state}-${width}.png`), fullPage: true });
    }
    // A table that does not fit any more gets a region that scrolls with the next frame: tables.css, `.fits`.
    const wider = await page
      .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, null, { timeout: 10_000 })
      .then(
        () => false,
        () => true,
      );
    expect({ state, width, wider, found: await violations(page) }).toEqual({ state, width, wider: false, found: [] });
  }
}

test('who uses storage, how full it is, and how it grows', async () => {
  const page = await context.newPage();
  await look('storage', '/ui/management/storage', page);
  expect(await page.innerText('main')).toMatch(/10\.10\.0\.50\s+esx01\.lab\.test/);
  const { items } = (await house.send('GET', '/api/v1/storage/datastores', { token: admin.token })).body;
  await look('datastore', `/ui/management/storage/datastores/${items[0].id}`, page);
  const words = await page.innerText('main');
  expect(words).toMatch(
    /esxcli storage nfs41 add --hosts=10\.10\.0\.5 --share=\/srv\/datastores\/disk-lab-nfs-01\/lab-nfs-01/,
  );
  expect(words).toMatch(/Get-VMHost \| New-Datastore/);
  await page.close();
});

test('mounting on hosts, up to one that refuses', async () => {
  const page = await context.newPage();
  await look('mount-login', (await toMountLogin(house, admin, fake)).at, page);
  const walk = await mountLoggedIn(house, admin, fake);
  await look('mount-hosts', walk.at, page);
  await walk.send('Hosts', { hosts: ['host-1', 'host-2', 'host-3'] });
  await look('mount-review', walk.at, page);
  await walk.send('Mount', { password: fake.account.password });
  await house.appliance.runner.idle();
  await look('mount-job', walk.at, page);
  expect(await page.innerText('main')).toMatch(/1 of 3 hosts did not mount it/);
  await page.close();
});
