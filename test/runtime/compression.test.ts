// What leaves compressed, and what does not because a secret could stand beside what a stranger sends.
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { masked, unmasked } from '../../shared/kernel/access/csrf-mask.ts';
import { type Credentials, House } from '../setup/house.ts';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
});
afterAll(() => house.close());

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(`${house.origin}${path}`, {
    method,
    headers: { 'accept-encoding': 'br', ...headers },
    agent: false,
  }).end();
  const [answer] = await once(sent, 'response');
  const bytes = await buffer(answer);
  const coding = (answer.headers['content-encoding'] as string | undefined) ?? 'identity';
  const decode = { identity: (all: Buffer) => all, gzip: gunzipSync, br: brotliDecompressSync }[coding as 'br'];
  const text = bytes.length === 0 ? '' : decode(bytes).toString();
  return {
    status: answer.statusCode as number,
    headers: answer.headers as Record<string, string>,
    coding,
    bytes,
    text,
  };
}

const session = (): Record<string, string> => ({ cookie: admin.cookie, accept: 'text/html' });
const token = (): Record<string, string> => ({ authorization: `Bearer ${admin.token}` });
const PAGE = '/ui/management/audit-log';

describe('a page of a signed-in person', () => {
  test.each(['br', 'gzip'])('is compressed with %s, and the same page', async (coding) => {
    const plain = await ask(PAGE, { ...session(), 'accept-encoding': 'identity' });
    const small = await ask(PAGE, { ...session(), 'accept-encoding': coding });
    expect([plain.coding, small.coding, small.headers.vary]).toEqual(['identity', coding, 'accept-encoding']);
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3);
    const still = (text: string) => text.replaceAll(/name="csrf" value="[^"]*"/g, '').replaceAll(/\d\d:\d\d:\d\d/g, '');
    expect(still(small.text)).toBe(still(plain.text));
  });

  test('has another text for its CSRF token each time, never the token, and either is taken', async () => {
    const tokens: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { text } = await ask(PAGE, session());
      expect(text).not.toContain(admin.csrf);
      const own = new Set([...text.matchAll(/name="csrf" value="([^"]*)"/g)].map(([, value]) => value!));
      expect(own.size).toBe(1);
      tokens.push(...own);
    }
    expect(new Set(tokens).size).toBe(3);
    for (const csrf of tokens) {
      const form = { theme: 'dark', return_to: PAGE };
      const { status } = await house.send('POST', '/ui/management/theme', { session: { ...admin, csrf }, form });
      expect(status).toBe(303);
    }
    const wrong = { ...admin, csrf: `${tokens[0]!.slice(0, -2)}AA` };
    expect((await house.send('POST', '/ui/management/theme', { session: wrong, form: { theme: 'dark' } })).status).toBe(
      403,
    );
  });

  test.each([
    ['that another site asked for', PAGE, { 'sec-fetch-site': 'cross-site' }, 'identity'],
    ['that a site beside it asked for', PAGE, { 'sec-fetch-site': 'same-site' }, 'identity'],
    ['with a query, nobody knows from where', `${PAGE}?actor=guess`, {}, 'identity'],
    ['with a query, that was typed', `${PAGE}?actor=guess`, { 'sec-fetch-site': 'none' }, 'identity'],
    [
      'with a query, of a page that does not say which',
      `${PAGE}?actor=guess`,
      { 'sec-fetch-site': 'same-origin' },
      'identity',
    ],
    [
      'with a query, of a page of its own',
      `${PAGE}?actor=guess`,
      { 'sec-fetch-site': 'same-origin', referer: `https://gc01.lab.example${PAGE}` },
      'br',
    ],
    [
      'with a query, of a page that was opened with it and reads itself anew',
      `${PAGE}?actor=guess`,
      { 'sec-fetch-site': 'same-origin', referer: `https://gc01.lab.example${PAGE}?actor=guess` },
      'identity',
    ],
    ['that was typed', PAGE, { 'sec-fetch-site': 'none' }, 'br'],
  ])('%s', async (_name, path, headers, coding) => {
    const answer = await ask(path, { ...session(), ...(headers as Record<string, string>) });
    expect([answer.status, answer.coding]).toEqual([200, coding]);
  });

  test('HEAD has the headers of GET', async () => {
    const head = await ask(PAGE, session(), 'HEAD');
    expect([head.status, head.coding, head.bytes.length]).toEqual([200, 'br', 0]);
  });
});

test('what is asked for before a sign-in is not compressed', async () => {
  for (const path of ['/ui/management/sign-in', '/problems/conflict']) {
    expect((await ask(path, { accept: 'text/html' })).coding).toBe('identity');
  }
});

test('an answer to a form is not compressed', async () => {
  const headers = { ...session(), 'content-type': 'application/x-www-form-urlencoded', origin: house.origin };
  const { coding, status } = await ask('/ui/management/vlans/new', headers, 'POST');
  expect([coding, status >= 400]).toEqual(['identity', true]);
});

test('REST: a list is compressed, what has an entity tag and what is short are not', async () => {
  const list = await ask('/api/v1/audit?limit=50', token());
  const long = list.text.length >= 1_024;
  expect(list.coding).toBe(long ? 'br' : 'identity');
  expect((await ask('/api/v1/health', token())).coding).toBe('br');
  const tagged = await ask('/api/v1/ntp/settings', token());
  expect([tagged.coding, tagged.headers.etag]).toEqual(['identity', expect.stringMatching(/^"/)]);
  const refused = await ask('/api/v1/health', {});
  expect([refused.status, refused.coding]).toEqual([401, 'identity']);
});

test('a masked token is the token again, and nothing else is', () => {
  const secret = systemEntropy.bytes(24).toString('base64url');
  const [one, other] = [masked(secret, systemEntropy), masked(secret, systemEntropy)];
  expect(one).not.toBe(other);
  expect([unmasked(one, secret), unmasked(other, secret), unmasked(secret, secret)]).toEqual([secret, secret, secret]);
  for (const wrong of [
    '',
    'x',
    `${one}A`,
    one.slice(1),
    masked(systemEntropy.bytes(24).toString('base64url'), systemEntropy),
  ]) {
    expect(unmasked(wrong, secret)).not.toBe(secret);
  }
});
