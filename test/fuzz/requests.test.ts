// Whole requests with generated Authorization and Cookie headers, paths, queries and JSON bodies: 10,000 of each. No
// answer is a 500, every refusal is a problem document, and none takes long.

import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatewayEvent } from '../../runtime/gateway-event.ts';
import { acceptsOrRefuses, nearly, RUNS } from '../setup/fuzz.ts';
import { type Credentials, House, type Send } from '../setup/house.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

/** Sends and holds the answer to what every answer must be; keeps nothing, ten thousand answers would be much. */
async function ask(method: string, target: string, send: Send): Promise<number> {
  const answer = await house.appliance.answer(house.event(method, target, send));
  expect(answer.statusCode).toBeLessThan(500);
  if (answer.statusCode >= 400) expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  return answer.statusCode;
}

const header = (of: fc.Arbitrary<string>) => of.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?'));

test(`Authorization: ${RUNS} headers, none lets anybody in`, async () => {
  const almost = nearly(
    `Bearer ${admin.token}`,
    'Bearer ',
    'Basic YTpi',
    `bearer ${admin.token.slice(0, -1)}`,
    admin.token,
  );
  await acceptsOrRefuses(header(almost), async (authorization) => {
    const status = await ask('GET', '/api/v1/jobs', { headers: { authorization } });
    const genuine =
      new RegExp(`^Bearer +${admin.token} *$`, 'i').test(authorization) && authorization.includes(admin.token);
    expect(status).toBe(genuine ? 200 : 401);
  });
}, 300_000);

test(`Cookie: ${RUNS} headers, none lets anybody in`, async () => {
  const almost = nearly(admin.cookie, 'groundcrew_session=', '__proto__=x', 'a=b', `${admin.cookie}x`, '=;=');
  await acceptsOrRefuses(header(almost), async (cookie) => {
    const event = house.event('GET', '/ui/management/api-tokens');
    event.cookies = cookie.split(';').map((part) => part.trim());
    const answer = await house.appliance.answer(event);
    expect(answer.statusCode).toBe(
      event.cookies.find((each) => each.startsWith('groundcrew_session=')) === admin.cookie ? 200 : 401,
    );
  });
}, 300_000);

test(`paths and queries: ${RUNS}`, async () => {
  const path = nearly(
    '/api/v1/jobs',
    '/api/v1/tokens/tok_abc',
    '/api/v1/interfaces/physical/ens192',
    '/api/v1/dns/records?limit=5&cursor=W10',
    '/ui/management',
    '/problems/validation',
    '/../../etc/passwd',
    '/%2e%2e/%00',
    '/api/v1/audit?since=2026-01-01T00:00:00Z',
  );
  await acceptsOrRefuses(header(path), async (text) => {
    const url = `/${text.replaceAll(' ', '%20')}`.replace(/^\/+/, '/');
    const request = { url, method: 'GET', headers: {}, httpVersion: '1.1', socket: { remoteAddress: '127.0.0.1' } };
    const { rawPath, rawQueryString } = gatewayEvent(request as unknown as IncomingMessage, null);
    await ask('GET', rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath, { token: admin.token });
  });
}, 300_000);

test(`JSON bodies: ${RUNS}`, async () => {
  const text = fc.oneof(
    fc.json(),
    nearly(
      '{"name":"ci","scopes":["read:dns"]}',
      '{"__proto__":{"admin":true}}',
      '[[[[',
      '{"name":1e999}',
      '"\\ud800"',
      '{"a":{"constructor":{}}}',
    ),
  );
  await acceptsOrRefuses(text, async (raw) => {
    const headers = { 'content-type': 'application/json' };
    const status = await ask('PATCH', `/api/v1/users/${admin.user.id}?`, { token: admin.token, raw, headers });
    expect([200, 400, 422]).toContain(status);
  });
}, 300_000);
