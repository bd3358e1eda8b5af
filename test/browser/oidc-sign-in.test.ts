// Signing in to a client in Chromium, without script: from the product to the provider and back, through the policy of the page.
// axe and the pictures are taken where scripts may run, since both need them.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadAssets } from '../../runtime/assets.ts';
import { later } from '../../shared/ground/clock.ts';
import { authenticatorCode } from '../setup/authenticator.ts';
import { violations } from '../setup/axe.ts';
import { FLAGS, launch } from '../setup/browser.ts';
import { certificates, type Pair } from '../setup/certificates.ts';
import { PASSWORD } from '../setup/house.ts';
import { CALLBACK, ID_NAME, ISSUER, OidcScene, type Registered } from '../setup/oidc-scene.ts';

const APP = new URL(CALLBACK).hostname;
const AFTER = `https://${APP}/bye`;
const PICTURES = join(import.meta.dirname, 'screenshots');
const SLOW = 300_000;

const made = certificates(APP);
let scene: OidcScene;
let app: Registered;
let product: Server;
let browser: Browser;

beforeAll(async () => {
  scene = await OidcScene.open({ assets: loadAssets(resolve(import.meta.dirname, '../../dist/assets')) });
  app = await scene.register({ name: 'vCenter of the lab', preset: 'vcenter', logout_uris: [AFTER] });
  const [{ cert, key }] = made.paths as [Pair];
  product = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Product</title><h1>Back at the product</h1><p>${request.url!.replaceAll('&', ' ')}`,
    );
  });
  await new Promise<void>((listening) => product.listen(0, '127.0.0.1', listening));
  const { port } = product.address() as AddressInfo;
  const map = `MAP ${ID_NAME}:443 127.0.0.1:${scene.port}, MAP ${APP}:443 127.0.0.1:${port}`;
  browser = await launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, '--ignore-certificate-errors', `--host-resolver-rules=${map}`],
  });
  mkdirSync(PICTURES, { recursive: true });
}, SLOW);
afterAll(async () => {
  await browser?.close();
  product?.close();
  await scene?.close();
  made.remove();
});

function asked(more: Record<string, string> = {}): string {
  const sent = {
    client_id: app.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid groups',
    state: 'kept',
  };
  return `${ISSUER}/auth?${new URLSearchParams({ ...sent, ...more })}`;
}

async function within(
  options: BrowserContextOptions,
  walk: (page: Page, said: string[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  try {
    await walk(page, said);
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, password = PASSWORD, name = scene.admin.user.name, code = ''): Promise<void> {
  await page.keyboard.press('Tab');
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  if (code !== '') await page.getByLabel(CODE).fill(code);
  const next = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await next;
}

const CODE = 'Code, if your account has a second factor';
const FACTORS = '/api/v1/account/second-factors';

/** Somebody with an authenticator, of which one code is used. */
async function withAuthenticator() {
  const { house } = scene;
  const { user, token } = await house.actor('viewer');
  const body = { name: 'Phone', own_password: PASSWORD };
  const { secret, factor_id } = (await house.send('POST', `${FACTORS}/totp`, { token, body })).body;
  const code = (seconds: number) => authenticatorCode(secret, later(house.services.clock.now(), seconds));
  const used = code(0);
  const confirmed = await house.send('POST', `${FACTORS}/${factor_id}/confirm`, { token, body: { code: used } });
  const recovery = confirmed.body.recovery_codes as string[];
  return { name: user.name, used, next: () => code(30), recovery };
}

const backAt = (page: Page) => page.getByRole('heading', { name: 'Back at the product' }).waitFor();
const alert = (page: Page) => page.getByRole('alert').innerText();

test(
  'without script: refused with a wrong password, back at the product with the right one, silent after that, and out',
  () =>
    within({ javaScriptEnabled: false }, async (page, said) => {
      await page.goto(asked());
      await page.getByRole('heading', { name: 'Sign in to vCenter of the lab' }).waitFor();
      await signIn(page, 'not the password');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('is wrong');
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      await signIn(page);
      await page.getByRole('heading', { name: 'Back at the product' }).waitFor();
      const back = new URL(page.url());
      expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([CALLBACK, 'kept']);
      await page.goto(asked());
      await page.getByRole('heading', { name: 'Back at the product' }).waitFor();
      const out = new URLSearchParams({ client_id: app.client_id, post_logout_redirect_uri: AFTER });
      await page.goto(`${ISSUER}/session/end?${out}`);
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { name: 'Back at the product' }).waitFor();
      expect(page.url()).toBe(AFTER);
      await page.goto(asked());
      await page.getByLabel('Password').waitFor();
      // The browser says so where an answer is an error, and nothing of a policy.
      expect(said.filter((line) => !line.includes('401'))).toEqual([]);
    }),
  SLOW,
);

test(
  'without script: a second factor is a field beside the password; a wrong code and a used one are refused, the next one lets in',
  () =>
    within({ javaScriptEnabled: false }, async (page, said) => {
      const { name, used, next } = await withAuthenticator();
      await page.goto(asked());
      const field = page.getByLabel(CODE);
      expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
      expect(await field.getAttribute('required')).toBeNull();
      await signIn(page, PASSWORD, name);
      expect(await alert(page)).toContain('This account has a second factor.');
      expect([await page.getByLabel('User name').inputValue(), await field.inputValue()]).toEqual([name, '']);
      for (const code of ['not-a-code', used]) {
        await signIn(page, PASSWORD, name, code);
        expect(await alert(page)).toContain('This code is wrong');
        // Neither is sent back to the page.
        expect([await page.getByLabel('Password').inputValue(), await field.inputValue()]).toEqual(['', '']);
      }
      // Nor does a right code make up for a wrong password, or is used up by it.
      const code = next();
      await signIn(page, 'not the password', name, code);
      expect(await alert(page)).toContain('The user name or the password is wrong.');
      await signIn(page, PASSWORD, name, code);
      await backAt(page);
      expect(said.filter((line) => !line.includes('401'))).toEqual([]);
    }),
  SLOW,
);

test(
  'without script: a recovery code lets in once, by keyboard alone',
  async () => {
    const { name, recovery } = await withAuthenticator();
    const typed = async (page: Page) => {
      await page.goto(asked());
      await page.getByLabel('User name').focus();
      for (const text of [name, PASSWORD, recovery[0]!]) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in');
      await page.keyboard.press('Enter');
    };
    await within({ javaScriptEnabled: false }, async (page) => {
      await typed(page);
      await backAt(page);
    });
    await within({ javaScriptEnabled: false }, async (page) => {
      await typed(page);
      expect(await alert(page)).toContain('This code is wrong, or it was used before.');
    });
  },
  SLOW,
);

const WAYS = [
  ['wide', 'light', { width: 1280, height: 800 }],
  ['wide', 'dark', { width: 1280, height: 800 }],
  ['narrow', 'light', { width: 360, height: 740 }],
  ['narrow', 'dark', { width: 360, height: 740 }],
] as const;

test.each(WAYS)(
  'axe finds nothing on its pages: %s, %s',
  (size, colorScheme, viewport) =>
    within({ colorScheme, viewport }, async (page) => {
      const look = async (name: string) => {
        expect(await violations(page)).toEqual([]);
        await page.screenshot({ path: join(PICTURES, `oidc-${name}.${size}.${colorScheme}.png`), fullPage: true });
      };
      await page.goto(asked());
      await page.getByLabel('Password').waitFor();
      await look('sign-in');
      const { name } = await withAuthenticator();
      await signIn(page, PASSWORD, name);
      await page.getByRole('alert').waitFor();
      await look('second-factor');
      await page.goto(asked({ redirect_uri: 'https://evil.example/' }));
      await page.getByRole('heading', { name: 'Sign-in not possible' }).waitFor();
      expect(new URL(page.url()).host).toBe(ID_NAME);
      await look('not-possible');
      await page.goto(asked());
      await signIn(page);
      await page.getByRole('heading', { name: 'Back at the product' }).waitFor();
      await page.goto(`${ISSUER}/session/end`);
      await page.getByRole('button', { name: 'Sign out everywhere' }).waitFor();
      await look('sign-out');
    }),
  SLOW,
);
