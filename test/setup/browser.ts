// Debian's Chromium, driven by playwright-core; in a network namespace when one is named.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
  type PageScreenshotOptions,
} from 'playwright-core';

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long a page may take for whatever is waited for: it tells that a page hangs, not that the machine is busy. */
const PATIENCE_MS = 120_000;

/** Starts the program that the options name, with our flags and patience. */
export async function launch(options: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch({ args: FLAGS, timeout: PATIENCE_MS, ...options });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/**
 * Starts a browser. In a namespace it runs under `ip netns exec`, so that it is another host of the network. `home`: of its
 * user, where it looks for what the user trusts.
 */
export async function startBrowser(namespace?: string, home?: string): Promise<Browser> {
  const user = home === undefined ? {} : { env: { ...process.env, HOME: home } };
  if (namespace === undefined) return launch({ executablePath: PROGRAM, ...user });
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-browser-'));
  const wrapper = join(folder, 'chromium');
  writeFileSync(wrapper, `#!/bin/sh\nexec ip netns exec ${namespace} ${PROGRAM} "$@"\n`);
  chmodSync(wrapper, 0o755);
  const browser = await launch({ executablePath: wrapper, ...user });
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/**
 * Does what leads to another page, and ends when that one is there with its script. A click ends as soon as it was made, or
 * when the next page begins: what is looked for right after it may be looked for on the page before, or on half a page.
 */
export async function leads(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()]);
}

/**
 * From here on the clock of all pages of a context stands still, but for `page.clock.runFor`: what a page does after a while
 * it does when the test says so, however long a busy machine takes from one step of the test to the next.
 */
export async function stopClock({ clock }: BrowserContext): Promise<void> {
  await clock.install({ time: '2001-01-01T00:00:00Z' });
  await clock.pauseAt('2001-01-01T01:00:00Z');
}

/**
 * Waits for a step of a wizard, whether it came in place or as a page of its own, and then with its script; says what is
 * shown instead.
 */
export async function atStep(page: Page, step: string): Promise<void> {
  try {
    await page.waitForSelector(`[data-wizard="${step}"]:not([aria-busy="true"])`);
  } catch {
    throw new Error(`Not at ${step}, but at ${page.url()}: ${await page.innerText('main')}`);
  }
  await page.waitForLoadState('load');
}

/** Chromium says so now and then of a page that it is just drawing anew. */
const NOT_DRAWN = /Unable to capture screenshot/;
const PICTURES_TRIED = 5;
const EVERY_MS = 200;

/** Takes a picture of a page; where the browser has nothing drawn to take it of, once more a little later. */
export async function takePicture(page: Page, options: PageScreenshotOptions): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await page.screenshot(options);
      return;
    } catch (error) {
      if (tried === PICTURES_TRIED || !NOT_DRAWN.test((error as Error).message)) throw error;
      await pause(EVERY_MS);
    }
  }
}
