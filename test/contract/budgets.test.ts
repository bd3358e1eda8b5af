// What a request may cost and what it may leave behind: statements of every read are counted with few rows and with many, and
// planted secrets are looked for in the log, the database, the data folder and other answers.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enforcedStandings } from '../../shared/appliance/states/standing.ts';
import { Tables } from '../../shared/ground/store/bounded-reader.ts';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import { House, PASSWORD } from '../setup/house.ts';
import { counted, observe } from './budget.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { EVERYTHING, newScene, play, type Scene, scenarioOf } from './scenarios/scenario.ts';

const specs = EVERYTHING.map(({ spec }) => spec).filter(({ plane }) => plane === 'api' || plane === 'management');
const covered = specs.filter((spec) => scenarioOf(SCENARIOS, spec)).map((spec) => [spec.id, spec] as const);

const lines: string[] = [];
let house: House;
let scene: Scene;

beforeAll(async () => {
  house = await House.open({
    observe,
    log: (line) => void lines.push(line),
  });
  scene = newScene(house, await house.actor('admin', undefined, 'ada'));
});
afterAll(() => house.close());

async function statementsOf(spec: AnySpec): Promise<string[]> {
  const scenario = scenarioOf(SCENARIOS, spec)!;
  // Nobody may look at so many servers in a row as the scenarios do together.
  if (scenario.given) scene = newScene(house, await house.actor('admin'), scene);
  const given = (await scenario.given?.(scene)) ?? {};
  // Made once for each saved change, by whichever page comes first.
  await enforcedStandings(house.services);
  const { heard, statements } = await counted(() => play(scene, spec, scenario, given));
  await scenario.after?.(scene, given);
  expect(heard.status).toBeLessThan(400);
  return statements;
}

describe('statements of reads', () => {
  test('do not grow with the rows that there are', async () => {
    const reads = covered.filter(([, { effect }]) => effect === 'read');
    const grows = ['createApiToken', 'createVlan', 'createDnsZone', 'createDnsRecord', 'getJob'];
    const before = new Map<string, number>();
    // Each once beforehand: what one scenario makes, such as the first user of the depot, the page of another looks at.
    for (const [, spec] of reads) await statementsOf(spec);
    for (const [id, spec] of reads) before.set(id, (await statementsOf(spec)).length);
    for (const [id, spec] of covered) {
      for (let more = 0; grows.includes(id) && more < 8; more++) await statementsOf(spec);
    }
    const grown: Record<string, unknown> = {};
    for (const [id, spec] of reads) {
      const statements = await statementsOf(spec);
      // A file is read page by page: from the second one on by one statement more, whichever page it is.
      const allowed = before.get(id)! + (spec.path.endsWith('.csv') ? 1 : 0);
      const counted = spec.path.endsWith('.csv') ? new Set(statements).size : statements.length;
      if (counted > allowed) grown[id] = [before.get(id), statements];
    }
    expect(grown).toEqual({});
  }, 300_000);
});

/** They count what belongs to the one: on a thread when there is much of it. `unit_state` has as many rows as there are units. */
const COUNTS = ['getKeyProvider', 'getPlan', 'getVault'];

test('what reads one finds it by keys: nothing that waits for a thread, however many rows there are', async () => {
  const database = new DatabaseSync(house.services.store.file, { readOnly: true });
  const tables = new Tables(database);
  const through: string[] = [];
  for (const [id, spec] of covered) {
    if (spec.effect !== 'read' || !(spec.method === 'GET' && spec.plane === 'api' && spec.path.endsWith('}'))) continue;
    for (const sql of await statementsOf(spec))
      if (tables.reading(sql).whole) through.push(COUNTS.includes(id) ? id : `${id}: ${sql}`);
  }
  database.close();
  expect(through.sort()).toEqual(COUNTS);
}, 60_000);

describe('a planted secret', () => {
  const password = 'canary-Passw0rd-of-a-user-5f2c';
  const typed = 'canary-value-in-a-refused-body-91ab';
  const POINTED = new RegExp(`"pointer":"(?:/[a-z_]+)*/${typed}"`, 'g');
  const folder = async () => {
    const files = await readdir(house.data, { recursive: true, withFileTypes: true });
    return files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  };

  /** Where the text is, beside the answers in which it may be. */
  async function foundIn(secret: string): Promise<string[]> {
    const found = lines.filter((line) => line.includes(secret)).map((line) => `log: ${line.slice(0, 200)}`);
    for (const file of await folder())
      if ((await readFile(file)).includes(secret)) found.push(`file: ${file.slice(house.data.length)}`);
    for (const { method, path, answer } of house.heard) {
      if (JSON.stringify(answer).includes(secret)) found.push(`answer: ${method} ${path}`);
    }
    return found;
  }

  test('is nowhere but in the one answer that shows it: a token', async () => {
    house.heard.splice(0);
    const headers = { 'idempotency-key': 'canary' };
    const body = { name: 'canary', scopes: ['read:dns'] };
    const { secret } = (await house.send('POST', '/api/v1/tokens', { token: scene.admin.token, body, headers })).body;
    const form = { name: 'canary two', scopes: ['read:dns'], lifetime_days: '1', own_password: PASSWORD };
    const page = await house.send('POST', '/ui/management/api-tokens', { session: scene.admin, form });
    const [shown] = /gcr_tok_\w+/.exec(page.text)!;
    await readEverything();
    await house.send('GET', '/api/v1/tokens', { token: secret });
    expect(await foundIn(secret)).toEqual(['answer: POST /api/v1/tokens']);
    expect(await foundIn(secret.slice(24))).toEqual(['answer: POST /api/v1/tokens']);
    expect(await foundIn(shown!)).toEqual(['answer: POST /ui/management/api-tokens']);
  });

  test('is nowhere: a password, set or mistyped', async () => {
    house.heard.splice(0);
    const { token } = scene.admin;
    await house.send('POST', '/api/v1/users', { token, body: { name: 'canary', role: 'viewer', password } });
    await house.send('POST', '/api/v1/users', { token, body: { name: 'canary', role: 'nobody', password } });
    await house.send('POST', '/api/v1/users', {
      token,
      raw: `{"password": "${password}", }`,
      headers: { 'content-type': 'application/json' },
    });
    await house.send('POST', '/ui/management/users/new', {
      session: scene.admin,
      form: { name: 'Canary!', role: 'viewer', password, own_password: password },
    });
    await house.send('POST', '/ui/management/account/password', {
      session: scene.admin,
      form: { own_password: password, new_password: password, repeated_password: password },
    });
    for (const username of ['canary', 'nobody', password]) {
      const browser = { headers: { accept: 'text/html' } };
      await house.send('POST', '/ui/management/sign-in', { ...browser, form: { username, password: `${password}x` } });
      await house.send('POST', '/ui/management/sign-in', { form: { username, password } });
    }
    await readEverything();
    // A person who typed it into the wrong field sees it there again, and nobody else does.
    expect((await foundIn(password)).filter((place) => place !== 'answer: POST /ui/management/sign-in')).toEqual([]);
  });

  test('is nowhere: a session’s id and CSRF token in the log and the answers of programs', async () => {
    await readEverything();
    const id = scene.admin.cookie.split('=')[1]!;
    expect(await foundIn(id)).toEqual([]);
    expect(lines.filter((line) => line.includes(scene.admin.csrf))).toEqual([]);
  });

  test('is nowhere: what a refused body held', async () => {
    house.heard.splice(0);
    for (const [, spec] of covered.filter(([, { plane, body }]) => plane === 'api' && body)) {
      const scenario = scenarioOf(SCENARIOS, spec)!;
      const given = (await scenario.given?.(scene)) ?? {};
      const body = (scenario.send?.(given).body ?? {}) as Record<string, unknown>;
      for (const member of Object.keys(body)) {
        const heard = await play(scene, spec, scenario, given, { body: { ...body, [member]: { [typed]: typed } } });
        expect(heard.status).toBe(422);
      }
      await play(scene, spec, scenario, given, { body: { ...body, [typed]: typed } });
      await scenario.after?.(scene, given);
    }
    // The name of a member is not its value: it is what the pointer points with.
    const places = (await foundIn(typed)).filter((place) => !place.startsWith('answer:'));
    expect(places).toEqual([]);
    for (const { answer } of house.heard) {
      expect(answer.body.replaceAll(POINTED, '').includes(`${typed}"`) ? answer.body : '').toBe('');
    }
  });

  test('is nowhere in a log line: a query, a bearer token, a cookie', async () => {
    const from = lines.length;
    await house.send('GET', `/api/v1/users?name=${typed}`, { token: scene.admin.token });
    await house.send('GET', `/ui/management/search?q=${typed}`, { session: scene.admin });
    await house.send('GET', '/api/v1/users', { token: `${typed}` });
    await house.send('GET', '/ui/management', { session: { cookie: `groundcrew_session=${typed}`, csrf: '' } });
    expect(lines.slice(from).length).toBeGreaterThan(2);
    expect(lines.slice(from).filter((line) => line.includes(typed) || line.includes(scene.admin.token))).toEqual([]);
  });

  /** Every read there is: what one of them would show, the next test finds in an answer. */
  async function readEverything(): Promise<void> {
    for (const [, spec] of covered.filter(([, { effect, path }]) => effect === 'read' && !path.includes('{'))) {
      await play(scene, spec, {}, {});
    }
  }
});
