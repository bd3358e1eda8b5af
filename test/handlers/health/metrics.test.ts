// Metrics as a scraper gets them: who may, that promtool accepts them, that their series are bounded, and what never is in
// them.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { takeSamples } from '../../../shared/appliance/metrics/sampled.ts';
import { type Credentials, House } from '../../setup/house.ts';

const statements: string[] = [];
let house: House;
let admin: Credentials;
let scraper: Credentials;

beforeAll(async () => {
  house = await House.open({ observe: (sql) => void statements.push(sql), ticker: false });
  admin = await house.actor('admin', undefined, 'canary-admin');
  scraper = await house.actor('viewer', ['read:metrics'], 'canary-scraper');
  await takeSamples(house.services);
});
afterAll(() => house.close());

const scrape = async (headers: Record<string, string> = {}) => {
  const heard = await house.send('GET', '/metrics', { token: scraper.token, headers });
  expect(heard.status).toBe(200);
  return heard;
};

const series = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));

test('a token needs the scope, a session is none, and nobody else gets anything', async () => {
  const { token } = await house.actor('admin', ['read:dns'], 'other');
  expect((await house.send('GET', '/metrics', { token })).status).toBe(403);
  expect((await house.send('GET', '/metrics')).status).toBe(401);
  expect((await house.send('GET', '/metrics', { session: admin })).status).toBe(401);
});

test('promtool finds nothing to say about them', async () => {
  const { text } = await scrape();
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('OpenMetrics for whoever accepts it', async () => {
  const { headers, text } = await scrape({ accept: 'application/openmetrics-text; version=1.0.0' });
  expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(text.endsWith('\n# EOF\n')).toBe(true);
});

test('they tell units, jobs, disks and requests', async () => {
  const { text } = await scrape();
  for (const one of [
    'groundcrew_build_info{version="0.0.0-test"} 1',
    'groundcrew_unit_pending{unit="dns-dhcp"} ',
    'groundcrew_jobs_unfinished{state="running"} 0',
    'groundcrew_disk_free_bytes{holds="data"} ',
    'groundcrew_http_requests_total{plane="api",status="2xx"} ',
    'groundcrew_archive_overdue 0',
    'process_resident_memory_bytes ',
  ])
    expect(text).toContain(`\n${one}`);
});

test('a thousand paths that nobody knows make no new series', async () => {
  await scrape();
  await house.send('GET', '/nowhere');
  const before = series((await scrape()).text);
  for (let at = 0; at < 1_000; at++) await house.send('GET', `/nowhere/${at}`);
  const after = series((await scrape()).text);
  expect(after).toEqual(before);
  expect(new Set(after).size).toBe(after.length);
});

test('no name, no address and no secret is in them, and they are small', async () => {
  const { text } = await scrape();
  for (const secret of ['canary', scraper.token, admin.cookie, '127.0.0.1', '10.10.0.'])
    expect(text).not.toContain(secret);
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
});

test('a scrape runs no program and asks few statements', async () => {
  const { exec } = house.services.host;
  house.services.host.exec = () => Promise.reject(new Error('a scrape started a program'));
  try {
    statements.length = 0;
    await scrape();
    expect(statements.length).toBeLessThanOrEqual(14);
  } finally {
    house.services.host.exec = exec;
  }
});
