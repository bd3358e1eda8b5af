// The terminal in a real browser: sign-in, a wrong password, size, much output, a reload, what is pasted, the way out for
// keyboards; and the strict policy of content has nothing to report.
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { MACHINE_PASSWORD, MACHINE_USER, SshMachine } from '../fakes/ssh-machine.ts';
import { ACCOUNT, OS_PASSWORD } from '../fakes/ssh-shell.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser } from '../setup/browser.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { TerminalScene } from '../setup/terminal-scene.ts';
import { until } from '../setup/until.ts';

const ASSETS = join(resolve(import.meta.dirname, '../..'), 'dist/assets');
const SHELL = '/ui/management/web-terminal/shell';

jest.setTimeout(300_000);

let scene: TerminalScene;
let admin: Credentials;
let browser: Browser;
let context: BrowserContext;
let faults: string[] = [];

beforeAll(async () => {
  scene = await TerminalScene.open({}, { assets: loadAssets(ASSETS) });
  await scene.apply({ sessions: 16, sessions_per_user: 4 });
  browser = await startBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await scene?.close();
});
afterEach(async () => {
  await context.close();
  expect(faults).toEqual([]);
});

async function open(): Promise<Page> {
  faults = [];
  admin = await scene.house.actor('admin');
  context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: scene.house.origin }]);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(scene.house.origin + SHELL);
  return page;
}

async function enter(page: Page, password = PASSWORD): Promise<void> {
  await page.fill('#account', ACCOUNT);
  await page.fill('#own_password', password);
  await page.keyboard.press('Enter');
}

async function answer(page: Page, password = OS_PASSWORD): Promise<void> {
  await page.fill('#terminal-answer-0', password);
  await page.keyboard.press('Enter');
}

const says = (page: Page, text: string | RegExp) => page.locator('[data-terminal-status]', { hasText: text }).waitFor();

async function shell(): Promise<Page> {
  const page = await open();
  await enter(page);
  await answer(page);
  await says(page, 'The terminal is open');
  return page;
}
const channel = () => scene.fake.channels.at(-1)!;
const reads = (page: Page, text: string) => page.locator('.xterm-rows', { hasText: text }).waitFor();

test('own password, then that of the operating system; what is typed arrives, what is printed is shown, in colours', async () => {
  const page = await open();
  expect(await violations(page)).toEqual([]);
  await enter(page, 'wrong');
  await says(page, 'This is not your password.');
  await enter(page);
  await page.waitForSelector('#terminal-answer-0');
  expect(await page.getAttribute('#terminal-answer-0', 'type')).toBe('password');
  expect(await violations(page)).toEqual([]);
  await answer(page);
  await says(page, 'The terminal is open');
  expect(await page.content()).not.toContain(OS_PASSWORD);
  await page.keyboard.type('uptime');
  await until(() => scene.fake.typed.endsWith('uptime'));
  channel().write('\x1b[31mprinted red\x1b[0m');
  await reads(page, 'printed red');
  // The theme came through the policy: text is not black on black.
  const colour = await page
    .locator('.xterm-rows span', { hasText: 'printed red' })
    .first()
    .evaluate((span) => getComputedStyle(span).color);
  expect(colour).not.toBe('rgb(0, 0, 0)');
  expect(await violations(page)).toEqual([]);
});

test('a wrong password of the operating system opens nothing, and says so', async () => {
  const page = await open();
  await enter(page);
  await answer(page, 'wrong');
  await says(page, 'does not accept this account');
  expect(await page.isVisible('#account')).toBe(true);
});

test('its size follows the window', async () => {
  const page = await shell();
  const before = scene.fake.sizes.at(-1);
  await page.setViewportSize({ width: 700, height: 500 });
  await until(() => scene.fake.sizes.at(-1) !== before);
  expect(Number(scene.fake.sizes.at(-1)!.split('x')[0])).toBeLessThan(Number(before!.split('x')[0]));
});

test('eight megabytes of output come through to their end', async () => {
  const page = await shell();
  const line = `${'y'.repeat(78)}\r\n`;
  const all = Buffer.from(line.repeat(Math.ceil((8 << 20) / line.length)));
  const target = channel();
  let at = 0;
  const began = performance.now();
  const print = () => {
    while (at < all.length) {
      const more = target.write(all.subarray(at, at + (32 << 10)));
      at += 32 << 10;
      if (!more) return void target.once('drain', print);
    }
    target.write('the very end');
  };
  print();
  await reads(page, 'the very end');
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`8 MB in ${seconds.toFixed(1)} s\n`);
});

test('a reload comes back to the same shell, with what it showed', async () => {
  const page = await shell();
  channel().write('before the reload');
  await reads(page, 'before the reload');
  const open = scene.fake.channels.length;
  await page.reload();
  await says(page, 'The terminal is open');
  await reads(page, 'before the reload');
  expect(scene.fake.channels).toHaveLength(open);
  channel().exit(0);
  channel().end();
  await says(page, 'The shell has ended.');
  await page.reload();
  expect(await page.isVisible('#account')).toBe(true);
});

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document
      .querySelector('.xterm-helper-textarea')!
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

test('one plain line is pasted at once; lines and control characters only after a question, which shows what is left', async () => {
  const page = await shell();
  await paste(page, 'plain line');
  await until(() => scene.fake.typed.endsWith('plain line'));
  await paste(page, 'echo 1\r\nrm \x1b[201~\u202e-rf\x00\n');
  await page.waitForSelector('dialog[open]');
  expect(await page.textContent('[data-terminal-pasted]')).toBe('echo 1\nrm [201~-rf\n');
  expect(await page.textContent('[data-terminal-why]')).toMatch(/^3 lines.*3 hidden or control characters/);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  expect(scene.fake.typed.endsWith('plain line')).toBe(true);
  await paste(page, 'echo 2\x1b\n');
  await page.click('dialog[open] button[value="paste"]');
  await until(() => scene.fake.typed.endsWith('echo 2\r'));
});

test('Tab belongs to the shell; Shift+F6 leaves it, and the button there ends it', async () => {
  const page = await shell();
  await page.keyboard.press('Tab');
  await until(() => scene.fake.typed.endsWith('\t'));
  await page.keyboard.press('Shift+F6');
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('End the terminal');
  await page.keyboard.press('Enter');
  await says(page, 'The shell has ended.');
});

/** Rows are drawn anew whenever something changes. */
async function placeOf(page: Page, text: string): Promise<{ x: number; y: number }> {
  const span = page.locator('.xterm-rows span', { hasText: text }).first();
  let box: { x: number; y: number } | null = null;
  await until(async () => {
    box = await span.boundingBox();
    return box !== null;
  });
  return box!;
}

test('the other side sets no title, writes no clipboard, and opens no link', async () => {
  const page = await shell();
  const title = await page.title();
  channel().write(
    '\x1b]0;stolen\x07\x1b]52;c;c3RvbGVu\x07\x1b]8;;javascript:alert(1)\x07script\x1b]8;;\x07 \x1b]8;;https://elsewhere.example/\x07address\x1b]8;;\x07 done',
  );
  await reads(page, 'done');
  expect(await page.title()).toBe(title);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  for (const link of ['script', 'address']) {
    const box = await placeOf(page, link);
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.move(box.x + 8, box.y + 6);
    await page.mouse.click(box.x + 8, box.y + 6);
  }
  await until(() => asked.length > 0);
  expect([asked, context.pages().length]).toEqual([['Open https://elsewhere.example/?'], 1]);
});

/** Where somebody wants to look at the pages: wide and narrow, light and dark. */
async function shots(page: Page, name: string): Promise<void> {
  const folder = process.env.TERMINAL_SHOTS;
  if (!folder) return;
  const before = page.viewportSize()!;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1100, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

test('a recorded terminal says so before the password; its recording is replayed and exported', async () => {
  await scene.apply({ sessions: 16, sessions_per_user: 4, recording: { days: 30, megabytes: 64 } });
  const page = await open();
  expect(await page.textContent('form[aria-label="Open the terminal"]')).toMatch(/kept, sealed, for 30 days/);
  await enter(page);
  await page.waitForSelector('#terminal-answer-0');
  expect(await page.textContent('[data-terminal-recorded]')).toMatch(/is recorded.*for 30 days/);
  await shots(page, 'recorded-prompt');
  await answer(page);
  await says(page, 'The terminal is open');
  channel().write('\x1b[32mprinted for the record\x1b[0m\r\nand one more line\r\n');
  await reads(page, 'one more line');
  await shots(page, 'recorded-shell');
  await page.click('[data-terminal-end]');
  await says(page, 'The shell has ended.');
  await page.goto(`${scene.house.origin}/ui/management/web-terminal/recordings`);
  expect(await violations(page)).toEqual([]);
  await shots(page, 'recordings');
  await page.click('tbody a');
  await page.waitForSelector('[data-replay]');
  expect(await violations(page)).toEqual([]);
  await page.fill('#own_password', PASSWORD);
  await page.click('button:has-text("Replay")');
  await page.locator('[data-replay-status]', { hasText: 'The recording is replayed.' }).waitFor();
  await reads(page, 'printed for the record');
  await page.locator('[data-replay-clock]', { hasText: 'of' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shots(page, 'replay');
  const download = page.waitForEvent('download');
  await page.fill('#own_password', PASSWORD);
  await page.click('[data-replay-export]');
  const stream = await (await download).createReadStream();
  let text = '';
  for await (const piece of stream) text += String(piece);
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ version: 2 });
  expect(text).toContain('printed for the record');
  await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}/delete`);
  expect(await page.innerText('main')).toContain('Delete');
  expect(await violations(page)).toEqual([]);
  await shots(page, 'recording-delete');
  await scene.apply({ sessions: 16, sessions_per_user: 4 });
});

test('another machine: its host key is compared and confirmed on the page, and its shell opens without a second password', async () => {
  const machine = await new SshMachine().start();
  const { token } = await scene.house.actor('admin');
  const api = async (method: string, path: string, body: unknown) =>
    (await scene.house.send(method, path, { token, body })).body;
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const vault = await api('POST', '/api/v1/vaults', { name: 'machines' });
  const uris = [`ssh://127.0.0.1:${machine.port}`];
  const draft = { key: 'esx01.root', username: MACHINE_USER, value: MACHINE_PASSWORD, uris };
  await api('POST', `/api/v1/vaults/${vault.id}/entries`, draft);
  const page = await open();
  await page.selectOption('#target', { index: 1 });
  expect(await page.isVisible('#account')).toBe(false);
  await page.click('[data-terminal-host-look]');
  await page.locator('[data-terminal-host-shown]', { hasText: machine.fingerprint }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shots(page, 'host-key');
  await page.fill('#own_password', PASSWORD);
  await page.click('[data-terminal-host-confirm]');
  await says(page, 'The host key is confirmed');
  await page.focus('#own_password');
  await page.keyboard.press('Enter');
  await says(page, 'The terminal is open');
  machine.channels.at(-1)!.write('printed by the other machine');
  await reads(page, 'printed by the other machine');
  expect(await page.content()).not.toContain(MACHINE_PASSWORD);
  await machine.stop();
});

test('a terminal that is open in another browser is taken over, and the former one says so', async () => {
  const former = await shell();
  channel().write('printed before');
  await reads(former, 'printed before');
  const second = await scene.anotherBrowser(admin);
  const other = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  try {
    const [name = '', value = ''] = second.cookie.split('=');
    await other.addCookies([{ name, value, url: scene.house.origin }]);
    const page = await other.newPage();
    await page.goto(scene.house.origin + SHELL);
    await enter(page);
    await page.waitForSelector('[data-terminal-take]');
    expect(await violations(page)).toEqual([]);
    await shots(page, 'take-over');
    await page.click('[data-terminal-take]');
    await says(page, 'The terminal is open');
    await reads(page, 'printed before');
    await says(former, 'was taken over in another browser');
  } finally {
    await other.close();
  }
});
