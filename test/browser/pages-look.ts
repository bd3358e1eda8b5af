// Every page in a real browser, wide in light and narrow in dark: accessible by axe's rules, readable, nothing wider than
// the window, nothing that the content security policy blocks, no error in the console. Each is measured at 320 px and in
// forced colours too. From 390 px on no select cuts what is chosen in it, and on a phone two thirds of the first screen are the
// page's own: it begins within the first third, below the strips, its title and what narrows its list. The pictures are kept for people to look at; with
// LOOKS=all those of the other theme of each size as well, and axe sees each page in all of them.
// A page without a sample address fails.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { pages } from '../../runtime/generated/pages.ts';
import { violations } from '../setup/axe.ts';
import { takePicture } from '../setup/browser.ts';
import { startShell } from '../setup/browser-shell.ts';
import { type Furnished, furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'test/browser/screenshots');
/** Its own name, over plain HTTP: of loopback a browser says nothing, wherever the appliance is met over a network it does. */
const NAME = 'gc01.lab.example';
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
/** Where on a phone a page has begun with what it is about, px from the top; the test's has both strips. */
const FIRST_THIRD = Math.floor(SIZES.narrow.height / 3);
/** The narrowest window that every page is made for; the narrow tab is made smaller, so that no page is loaded for it. */
const SMALLEST = { width: 320, height: 700 };
const SIZE_NAMES = Object.keys(SIZES) as (keyof typeof SIZES)[];
/**
 * Of each size. Each theme and each size once: what a rule sees of one it does not see of the other, and the four take
 * twice as long.
 */
const ALL = process.env.LOOKS === 'all';
const THEMES = ALL
  ? ({ wide: ['light', 'dark'], narrow: ['dark', 'light'] } as const)
  : ({ wide: ['light'], narrow: ['dark'] } as const);
/** The navigation is the same everywhere, and a third of what axe looks at: it is seen on two pages of so many, in both sizes. */
const NAVIGATION_EVERY = 8;
/** A third-party document: its contrast and landmarks are its authors', and it takes as long as twenty pages. */
const FOREIGN = new Set(['/api/redoc']);
/** Pages that are only ever shown in place of another, or are no documents. */
const ELSEWHERE = new Set([
  // Answers 409 where nothing has drifted, as here: test/handlers/apply/adopt-drift.test.ts looks at it.
  '/ui/management/appliance-apply/drift/{unit}/adopt',
  // Answers 404 where no directory is in force, as in a rehearsal: test/system/directory-own-password.test.ts looks at it.
  '/ui/public/directory/password',
  '/ui/management/problem',
  // In the middle of a sign-in: test/browser/second-factor.test.ts looks at them.
  '/ui/management/sign-in/second-factor',
  '/ui/management/sign-in/enrol',
  // On the way back from an external provider, and gone at once: test/browser/external-sign-in.test.ts looks at it.
  '/ui/management/sign-in/external/callback',
  '/ui/public/problem',
  // Of a host that mounts: test/browser/storage.test.ts looks at it.
  '/ui/management/storage/hosts/tasks/{job_id}',
  // Of a terminal that was recorded: test/browser/web-terminal.test.ts looks at them.
  '/ui/management/web-terminal/recordings/{recording_id}',
  '/ui/management/web-terminal/recordings/{recording_id}/delete',
  // Of another machine that was met: test/browser/terminal-files.test.ts looks at them.
  '/ui/management/web-terminal/files/{visit_id}',
  '/ui/management/web-terminal/hosts/{host_key_id}/delete',
]);

let house: House;
let admin: Credentials;
let browser: Browser;
let things: Furnished;
/**
 * Of each size one tab, which goes from page to page: a tab of its own for each takes as long again as its page. A page is
 * loaded once in each; the theme changes under it, as it does with the system's.
 */
let tabs: Record<keyof typeof SIZES, Tab>;

const templates = [...new Set(pages.map(({ spec }) => spec.path))].filter((path) => !ELSEWHERE.has(path));

const sizesOf = (template: string): readonly (keyof typeof SIZES)[] =>
  FOREIGN.has(template) && !ALL ? ['wide'] : SIZE_NAMES;

const pictureOf = (template: string, size: string, theme: string): string => {
  const name = template.replaceAll(/[{}]/g, '').replaceAll('/', '-').slice(1) || 'root';
  return join(PICTURES, `${name}.${size}.${theme}.png`);
};
/** What a tab shows once more after its themes: the smallest window, and a system whose few colours stand for ours. */
const AGAIN = { wide: ['wide', 'forced'], narrow: ['smallest', 'light'] } as const;
const picturesOf = (template: string): string[] =>
  sizesOf(template).flatMap((size) =>
    [...THEMES[size].map((theme) => [size, theme] as const), AGAIN[size]].map(([of, theme]) =>
      pictureOf(template, of, theme),
    ),
  );

async function showAgain(page: Page, size: keyof typeof SIZES): Promise<void> {
  if (size === 'wide') await page.emulateMedia({ forcedColors: 'active' });
  else {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(SMALLEST);
  }
}

async function showAsBefore(page: Page, size: keyof typeof SIZES): Promise<void> {
  if (size === 'wide') await page.emulateMedia({ forcedColors: 'none' });
  else await page.setViewportSize(SIZES.narrow);
}

function addressOf(template: string): string {
  const own = things.addresses[template];
  if (own !== undefined) return own;
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = things.parameters[name];
    if (value === undefined) throw new Error(`No sample for {${name}} of ${template}; add one to furnish.ts.`);
    return encodeURIComponent(value);
  });
  return path + (things.queries[template] ?? '');
}

interface Tab {
  page: Page;
  /** What is wrong with the page that it shows. */
  faults: string[];
  /** Where its page may ask for something. */
  origin: string;
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const tab: Tab = { page, faults: [], origin: '' };
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/i.test(message.text())) tab.faults.push(message.text());
  });
  page.on('pageerror', (error) => tab.faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(tab.origin) && !request.url().startsWith('data:'))
      tab.faults.push(`asked for ${request.url()}`);
  });
  return tab;
}

async function visit(tab: Tab, template: string): Promise<void> {
  tab.faults = [];
  tab.origin = origin(template);
  const answer = await tab.page.goto(tab.origin + addressOf(template), { waitUntil: 'load' });
  if (answer?.status() !== 200) tab.faults.push(`answered ${answer?.status()}`);
}

/** Pages of the public plane are on their own listener. */
function origin(template: string): string {
  const isPublic = pages.some(
    ({ spec }) => spec.path === template && spec.plane === 'public' && template.startsWith('/ui/public'),
  );
  const { port } = isPublic ? house.appliance.public! : house.appliance.management;
  return `http://${NAME}:${port}`;
}

async function contextOf(size: keyof typeof SIZES, script = true): Promise<BrowserContext> {
  // Without motion, so that no colour is measured on its way to another.
  const context = await browser.newContext({
    viewport: SIZES[size],
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  for (const { cookie } of [admin, await house.guest(admin)]) {
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: `http://${NAME}` }]);
  }
  return context;
}

interface Measured {
  small: string[];
  cut: string[];
  /** Where it begins, if too late. */
  late: number;
  overflow: number;
}

const MEASURE = `(() => {
  const small = [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
    .filter((e) => e.getClientRects().length > 0 && parseFloat(getComputedStyle(e).fontSize) < 14).map((e) => e.outerHTML.slice(0, 80));
  const pen = document.createElement('canvas').getContext('2d');
  const cut = innerWidth < ${SIZES.narrow.width} ? [] : [...document.querySelectorAll('select:not([multiple])')].filter((e) => e.getClientRects().length > 0).flatMap((e) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(e);
    pen.font = font;
    const chosen = e.selectedOptions[0]?.textContent.trim() ?? '';
    return pen.measureText(chosen).width > e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) ? [e.name + ': ' + chosen] : [];
  });
  const main = document.querySelector('.shell main');
  const own = innerWidth !== ${SIZES.narrow.width} || main === null ? undefined : [...main.children].find((e) =>
    e.getClientRects().length > 0 && !e.matches('.head, .flash, .tools, .standing, .note:not(:has(+ .actions)), nav'));
  const late = own === undefined || own.getBoundingClientRect().top <= ${FIRST_THIRD} ? 0 : Math.round(own.getBoundingClientRect().top);
  return { small, cut, late, overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth };
})()`;

const OF_A_SERVICE =
  /^\/ui\/management\/(?:dhcp|dns|firewall|kms|ldap|management-tls|network-boot|ntp|offline-depot|oidc|storage|web-terminal)(?:\/|$)/;

/** Declares the tests of the pages of services, or of all others. */
export function lookAtPages(which: 'services' | 'others'): {
  withoutScript(): Promise<BrowserContext>;
  origin(): string;
} {
  const looked = templates.filter((template) => OF_A_SERVICE.test(template) === (which === 'services'));

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    for (const picture of looked.flatMap(picturesOf)) rmSync(picture, { force: true });
    house = await House.open({ assets: loadAssets(join(ROOT, 'dist/assets')) });
    admin = await house.actor('admin', undefined, 'admin');
    things = await furnish(house, admin);
    browser = await startShell(NAME);
    tabs = { wide: await openTab(await contextOf('wide')), narrow: await openTab(await contextOf('narrow')) };
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  for (const [at, template] of looked.entries()) {
    // Two thirds of a look are axe's: it sees one page wide and light, the next narrow and dark. The parts are the same.
    const bySize = SIZE_NAMES[at % SIZE_NAMES.length];
    const without = ALL || at % NAVIGATION_EVERY < SIZE_NAMES.length ? [] : ['nav'];
    test(`${template} in ${sizesOf(template).join(' and ')}`, async () => {
      const foreign = FOREIGN.has(template);
      const seen = async (tab: Tab, [size, theme]: readonly [string, string], judged: boolean): Promise<void> => {
        const { page } = tab;
        await takePicture(page, { path: pictureOf(template, size, theme), fullPage: false });
        const measured = (await page.evaluate(MEASURE)) as Measured;
        const broken = judged && !foreign ? await violations(page, without) : [];
        expect({ size, theme, faults: tab.faults, broken, ...(foreign ? {} : measured) }).toEqual({
          size,
          theme,
          faults: [],
          broken: [],
          ...(foreign ? {} : { small: [], cut: [], late: 0, overflow: 0 }),
        });
      };
      const look = async (size: keyof typeof SIZES): Promise<void> => {
        const tab = tabs[size];
        await visit(tab, template);
        for (const theme of THEMES[size]) {
          await tab.page.emulateMedia({ colorScheme: theme });
          await seen(tab, [size, theme], theme === THEMES[size][0] && (ALL || size === bySize));
        }
        await showAgain(tab.page, size);
        try {
          await seen(tab, AGAIN[size], ALL);
        } finally {
          await showAsBefore(tab.page, size);
        }
      };
      // Side by side: each waits for the browser most of the time.
      await Promise.all(sizesOf(template).map(look));
    }, 300_000);
  }

  test('the pictures are there', () => {
    for (const picture of looked.flatMap(picturesOf)) expect([picture, existsSync(picture)]).toEqual([picture, true]);
  });

  return { withoutScript: () => contextOf('wide', false), origin: () => origin('') };
}
