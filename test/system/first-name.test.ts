// From the first sign-in to the first name that is answered, counted in clicks: the pages lead there, and never by an
// address that is typed. A network namespace is the appliance, another is the operator's machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { leads, startBrowser } from '../setup/browser.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { until } from '../setup/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'ready the ground first';
const ORIGIN = 'http://10.77.0.1:8080';
const MOST_CLICKS = 11;

let lab: Lab;
let data: string;
let service: ChildProcess;
let browser: Browser;
let page: Page;
let log = '';
let clicks = 0;

beforeAll(async () => {
  lab = makeLab('name');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-name-'));
  service = spawn('ip', ['netns', 'exec', lab.appliance, process.execPath, 'dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GROUNDCREW_DATA: data,
      GROUNDCREW_LISTEN: '10.77.0.1:8080',
      GROUNDCREW_HOST: `namespace:${lab.appliance}`,
      GROUNDCREW_ADMIN_PASSWORD: PASSWORD,
    },
  });
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  await until(() => log.includes('"started"'));
  browser = await startBrowser(lab.client);
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  const ended = new Promise((done) => service.on('exit', done));
  service.kill('SIGTERM');
  await ended;
  lab.remove();
  rmSync(data, { recursive: true, force: true });
});

const main = () => page.getByRole('main');
const firstSteps = () => main().getByRole('list', { name: 'First steps' });

/** One click, on what leads to another page. */
async function click(what: Locator): Promise<void> {
  clicks += 1;
  await leads(page, () => what.click());
}

const answer = (): string =>
  lab.inClient('dig', '+short', '+time=2', '+tries=3', '@10.77.0.1', 'vc01.lab.example', 'A');

test(`the first name is answered after ${MOST_CLICKS} clicks at most`, async () => {
  await page.goto(`${ORIGIN}/ui/management`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await click(page.getByRole('button', { name: 'Sign in' }));
  // What was found on the host is saved, and not in force by an apply.
  expect(await firstSteps().getByRole('listitem').first().textContent()).toContain('Saved, not applied.');
  await click(
    firstSteps()
      .getByRole('link', { name: /^Switch it on/ })
      .first(),
  );
  await click(main().getByRole('button', { name: /^Save/ }));
  await click(main().getByRole('link', { name: /^Add zone/ }));
  await page.locator('input[name="name"]').fill('lab.example');
  await click(main().getByRole('button', { name: /^(?:Add|Create) zone/ }));
  await click(main().getByRole('link', { name: /^Add record/ }));
  await page.locator('input[name="fqdn"]').fill('vc01');
  await page.locator('input[name="value"], textarea[name="value"]').first().fill('10.77.0.10');
  await click(
    main()
      .getByRole('button', { name: /^(?:Add|Create|Save)/ })
      .first(),
  );
  await click(page.getByRole('button', { name: 'Review changes' }).first());
  await click(page.getByRole('button', { name: /^Apply \d unit/ }));
  // The first apply touches the interface that the operator came in on, so it waits for a confirmation.
  await page.getByRole('button', { name: 'Confirm' }).click();
  clicks += 1;
  await until(async () =>
    /applied$/i.test(
      (await page
        .locator('h1')
        .textContent()
        .catch(() => '')) ?? '',
    ),
  );
  await until(() => answer() === '10.77.0.10');
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  // What is in force is ticked now.
  await page.goto(`${ORIGIN}/ui/management`);
  const said = await firstSteps().getByRole('listitem').allTextContents();
  expect(said.filter((text) => text.startsWith('done:')).map((text) => text.replace(/^done: /, ''))).toEqual([
    expect.stringContaining('Network'),
    expect.stringContaining('Names'),
    expect.stringContaining('First apply'),
  ]);
}, 300_000);
