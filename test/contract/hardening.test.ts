// What an attacker tried and what a clock did, kept from coming back: bodies that cost more to read than to send, guesses
// sent at once, answers many times the size of their requests, retries that race, pages that keep a session alive.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scheduled as pollJobs } from '../../handlers/scheduled/poll-jobs.ts';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
});
afterAll(() => house.close());

const HTML = { accept: 'text/html' };

describe('a posted form', () => {
  const post = (raw: string) =>
    house.send('POST', '/ui/management/sign-in', {
      raw,
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    });

  // Work is counted in processor time of this process: a slow machine is not a slow input.
  test.each([
    ['of a megabyte', 'a&'.repeat(500_000)],
    ['of many fields within the limit', 'a&'.repeat(30_000)],
  ])('%s is refused without being read', async (_name, raw) => {
    const before = process.cpuUsage();
    expect((await post(raw)).status).toBe(413);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(500);
  });
});

describe('sign-ins sent at once', () => {
  const signIn = (username: string, password: string) =>
    house.send('POST', '/ui/management/sign-in', { form: { username, password } });

  test('are not all the first one: most are told to wait, none is let in by a flood', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => signIn('ada', `wrong ${n}`)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(3);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(17);
    for (const answer of answers.filter(({ status }) => status === 429))
      expect(answer.headers['retry-after']).toBeDefined();
  });

  test('and the account is not locked: its owner signs in afterwards', async () => {
    expect((await signIn('ada', PASSWORD)).status).toBe(303);
  });
});

describe('a sign-in that a browser sends', () => {
  const shown = () => house.send('GET', '/ui/management/sign-in', { headers: HTML });
  const post = (csrf: string, cookies: string[]) => {
    const event = house.event('POST', '/ui/management/sign-in', {
      form: { csrf, username: 'ada', password: PASSWORD },
      headers: { origin: house.origin },
    });
    event.cookies = cookies;
    return house.appliance.answer(event);
  };

  test('needs the token of the page that this browser was given', async () => {
    const [one, other] = [await shown(), await shown()];
    const token = (page: { text: string }) => /name="csrf" value="([\w-]+)"/.exec(page.text)![1]!;
    const cookie = (page: { cookies: string[] }) => [page.cookies[0]!.split(';')[0]!];
    expect((await post(token(one), [])).statusCode).toBe(403);
    expect((await post('', cookie(one))).statusCode).toBe(403);
    expect((await post(token(other), cookie(one))).statusCode).toBe(403);
    expect((await post(token(one), cookie(one))).statusCode).toBe(303);
  });
});

test('a refusal is never much larger than a page, however many faults a body has', async () => {
  const scopes = Array.from({ length: 1000 }, () => 0);
  const long = await house.send('POST', '/api/v1/tokens', { token: admin.token, body: { name: 'x', scopes } });
  expect(long.status).toBe(422);
  expect(long.body.errors).toHaveLength(100);
  const longer = await house.send('POST', '/api/v1/tokens', {
    token: admin.token,
    body: { name: 'x', scopes: [...scopes, 0] },
  });
  expect(longer.body.errors).toEqual([{ pointer: '/scopes', detail: 'At most 1000 items.' }]);
  const twice = Array.from({ length: 150 }, (_none, n) => `a${n}&a${n}`).join('&');
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_none, n) => [`a${n}`, 0]));
  const query = await house.send('POST', `/api/v1/tokens?dry_run=1&${twice}`, { token: admin.token, body: unknown });
  expect(query.status).toBe(422);
  expect(query.body.errors).toHaveLength(100);
});

test.each(['__proto__', 'constructor', 'toString'])('a member named %s is told, whoever inherits it', async (name) => {
  const refusal = async (target: string, method: string, raw?: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await house.send(method, target, { token: admin.token, headers, ...(raw && { raw }) });
    return [answer.status, answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)];
  };
  const raw = `{"${name}":{"name":"x"},"role":"viewer"}`;
  expect(await refusal('/api/v1/users', 'POST', raw)).toEqual([422, expect.arrayContaining([`/${name}`])]);
  expect(await refusal(`/api/v1/users?${name}=1`, 'GET')).toEqual([422, [`?${name}`]]);
});

test('a job that failed where nobody asked names the kind of its problem by a whole URL', async () => {
  await house.services.store.write((tx) =>
    tx.run(
      `INSERT INTO job (id, kind, state, input, created_by, created_at, finished_at, error)
       VALUES ('job_failed', 'apply', 'failed', '{}', 'ada', '2026-03-02T09:41:07.512Z', '2026-03-02T09:41:07.512Z', ?)`,
      [JSON.stringify({ type: '/problems/conflict', status: 409 })],
    ),
  );
  const type = `${house.origin}/problems/conflict`;
  const one = await house.send('GET', '/api/v1/jobs/job_failed', { token: admin.token });
  const list = await house.send('GET', '/api/v1/jobs?state=failed', { token: admin.token });
  expect([one.body.error.type, list.body.items[0].error.type]).toEqual([type, type]);
});

test('ten requests with one Idempotency-Key, sent at once, have one effect and one answer', async () => {
  await house.send('POST', '/api/v1/dns/zones', { token: admin.token, body: { name: 'race.example' } });
  const body = { fqdn: 'q.race.example', type: 'A', value: '192.0.2.9' };
  const headers = { 'idempotency-key': 'race-1' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => house.send('POST', '/api/v1/dns/records', { token: admin.token, body, headers })),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  const list = await house.send('GET', '/api/v1/dns/records?fqdn=q.race.example', { token: admin.token });
  expect(list.body.items).toHaveLength(1);
});

test('a page that refreshes itself does not keep its session from running idle; a person does', async () => {
  const noted: string[] = [];
  const { lastUse } = house.services;
  const note = lastUse.note.bind(lastUse);
  lastUse.note = (table, ...rest) => {
    noted.push(table);
    note(table, ...rest);
  };
  await house.send('GET', '/ui/management/jobs', { session: admin, headers: { 'groundcrew-refresh': 'true' } });
  expect(noted).toEqual([]);
  await house.send('GET', '/ui/management/jobs', { session: admin });
  expect(noted).toEqual(['session']);
});

test('looking for jobs by the clock wakes the runner and no page', async () => {
  const topics: string[] = [];
  const services = { ...house.services, notify: (topic: string) => void topics.push(topic) };
  await pollJobs.handler({ source: 'groundcrew.ticker', id: 'pollJobs', time: '' }, { services });
  expect(topics).toEqual(['queue']);
});

test('the audit filter takes its characters literally, and instants of any spelling', async () => {
  const count = async (query: string) =>
    (await house.send('GET', `/api/v1/audit?${query}`, { token: admin.token })).body.items.length as number;
  expect(await count('action=%25')).toBe(0);
  expect(await count('action=dns.record.create')).toBe(1);
  expect(await count('action=dns_record')).toBe(0);
  const [first] = (await house.send('GET', '/api/v1/audit?action=dns.record.create', { token: admin.token })).body
    .items;
  const second = first.at.replace(/\.\d+Z$/, 'Z');
  expect(await count(`action=dns.record.create&since=${second}`)).toBe(1);
  expect(await count(`action=dns.record.create&until=${second}`)).toBe(0);
});
