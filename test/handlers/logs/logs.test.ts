// The page of the log, its files, and its twin in the API.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../shared/ground/clock.ts';
import { LogTail } from '../../../shared/kernel/operation/log-tail.ts';
import { type Credentials, House } from '../../setup/house.ts';

const PAGE = '/ui/management/logs';
const CANARY = 'canary-5d1c8';
const log_tail = new LogTail(systemClock);
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false, services: { log_tail } });
  admin = await house.actor('admin', undefined, 'admin');
  const at = Date.parse('2026-03-14T09:00:00.000Z');
  for (let number = 1; number <= 250; number++) {
    const line = {
      level: number === 200 ? 'ERROR' : 'INFO',
      message: `line ${number} <b>`,
      request_id: `req_${number}`,
    };
    log_tail.add(JSON.stringify({ ...line, password: CANARY }), at + 1000 * number);
  }
});
afterAll(() => house.close());

test('the API pages through the lines, newest first', async () => {
  const { status, body } = await house.send('GET', '/api/v1/logs?limit=2', { token: admin.token });
  expect([status, body.items[0].message]).toEqual([200, 'line 250 <b> password=[masked]']);
  expect(body.items[1].request_id).toBe('req_249');
  const next = await house.send('GET', `/api/v1/logs?limit=2&cursor=${body.next_cursor}`, { token: admin.token });
  expect(next.body.items[0].request_id).toBe('req_248');
  const bad = await house.send('GET', '/api/v1/logs?cursor=x', { token: admin.token });
  expect([bad.status, bad.body.error_code]).toEqual([400, 'invalid_cursor']);
  expect((await house.send('GET', `/api/v1/logs?text=${'x'.repeat(200)}`, { token: admin.token })).status).toBe(422);
});

test('only administrators read it', async () => {
  for (const role of ['service-admin', 'network-admin', 'viewer'] as const) {
    const other = await house.actor(role);
    expect((await house.send('GET', PAGE, { session: other })).status).toBe(403);
    expect((await house.send('GET', `${PAGE}/download`, { session: other })).status).toBe(403);
    expect((await house.send('GET', '/api/v1/logs', { token: other.token })).status).toBe(403);
    expect((await house.send('GET', '/ui/management', { session: other })).text).not.toContain(`href="${PAGE}"`);
  }
  const { token } = await house.actor('admin', ['read:audit'], 'auditor');
  expect((await house.send('GET', '/api/v1/logs', { token })).status).toBe(403);
});

test('the page shows, filters, follows and goes back', async () => {
  const first = await house.send('GET', PAGE, { session: admin });
  expect(first.status).toBe(200);
  expect(first.text).toContain('line 250 &lt;b>');
  expect(first.text).not.toContain('http-equiv="refresh"');
  expect(first.text.match(/<code class="log-line">/g)).toHaveLength(100);
  const older = /href="([^"]*cursor=[^"]*)"/.exec(first.text)![1]!.replaceAll('&amp;', '&');
  expect((await house.send('GET', older, { session: admin })).text).toContain('line 150 ');
  const graver = await house.send('GET', `${PAGE}?level=error`, { session: admin });
  expect(graver.text.match(/<code class="log-line">/g)).toHaveLength(1);
  const followed = await house.send('GET', `${PAGE}?follow=on`, { session: admin });
  expect(followed.text).toContain('http-equiv="refresh"');
  expect(followed.text).toContain('data-every="5"');
  const none = await house.send('GET', `${PAGE}?text=nothing+has+this&since=nonsense`, { session: admin });
  expect(none.text).toContain('No line matches this filter.');
  expect(none.text).toContain('From is not a date and time');
});

test('the files have the lines of the filter, the oldest first', async () => {
  const text = await house.send('GET', `${PAGE}/download?text=line+1+%3Cb`, { session: admin });
  expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text.text).toBe('2026-03-14T09:00:01.000Z service info req_1 line 1 <b> password=[masked]\n');
  const json = await house.send('GET', `${PAGE}/download?format=json`, { session: admin });
  const lines = json.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { request_id: string });
  expect(lines.map(({ request_id }) => request_id)).toEqual(
    Array.from({ length: 250 }, (_, index) => `req_${index + 1}`),
  );
});

test('no line of a message looks like an entry of the file', async () => {
  const forged = '2026-03-14T10:00:00.000Z service info req_9 nothing happened';
  log_tail.add(JSON.stringify({ message: `forging\u202e\n${forged}\u2028${forged}`, request_id: `req_8\n${forged}` }));
  const { text } = await house.send('GET', `${PAGE}/download?text=forging`, { session: admin });
  expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('2026-03-14'))).toEqual([]);
  expect(text).not.toContain('\u202e');
  expect(text).toContain(`\n\t${forged}`);
});

test('an instant that is none is refused by its field', async () => {
  const since = encodeURIComponent('2026-03-14T09:00:00+00');
  const { status, body } = await house.send('GET', `/api/v1/logs?since=${since}`, { token: admin.token });
  expect([status, body.errors[0].pointer]).toEqual([422, '?since']);
});

test('no answer has the secret that a line had', () => {
  for (const { answer } of house.heard) expect(answer.body).not.toContain(CANARY);
});
