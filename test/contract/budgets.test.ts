// What a request may cost and what it may leave behind: statements are counted for every operation and page, with few
// rows and with many, and planted secrets are looked for in the log, the database, the data folder and other answers.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enforcedStandings } from '../../shared/appliance/states/standing.ts';
import type { AnySpec } from '../../shared/kernel/operation/operation.ts';
import { House, PASSWORD } from '../setup/house.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { EVERYTHING, newScene, play, type Scenario, type Scene, scenarioOf } from './scenarios/scenario.ts';

const specs = EVERYTHING.map(({ spec }) => spec).filter(({ plane }) => plane === 'api' || plane === 'management');
const covered = specs.filter((spec) => scenarioOf(SCENARIOS, spec)).map((spec) => [spec.id, spec] as const);

/**
 * Statements by kind; one of them recognises the caller, a mutation has BEGIN, its audit row and COMMIT besides. A page has one
 * that looks for keys without a copy.
 */
const BUDGETS: readonly [string, number, (spec: AnySpec) => boolean][] = [
  ['a page', 11, ({ plane, effect }) => plane === 'management' && effect === 'read'],
  ['reading one', 2, ({ method, path }) => method === 'GET' && path.endsWith('}')],
  ['a list', 3, ({ method }) => method === 'GET'],
  ['a change of one', 6, ({ method, form }) => (method === 'PATCH' || method === 'PUT') && !form],
  ['a removal', 7, ({ method }) => method === 'DELETE'],
  // A form that is answered with a page loads that page.
  ['another mutation', 7, () => true],
];

/** In the transaction of a mutation: whether who was let in still is. */
const STILL_LET_IN = 1;
/** The own password: is it slowed, the user, the failures forgotten (of the network and of the session) in a transaction. */
const CONFIRMING = 6;

/**
 * Where a request looks at several tables of a subject, it reads each by a plain statement, in a process that holds its
 * database: what that takes beyond the one statement that a kind’s budget has for it. The number is the code’s own; that it
 * does not grow with the rows is what the test below holds.
 */
const TABLES: readonly [number, RegExp][] = [
  // Interfaces and scopes around a subnet, or around the address of a host.
  [2, /^(?:PATCH|POST|DELETE) \S+\/dhcp\/(?:scopes|legacy-binding)\b/],
  [2, /^POST \S+\/network-boot\/(?:esxi-hosts|hosts\/new)$/],
  // The overview: the schedule of archives and the newest verified copy at each target; whether anything was saved yet.
  [5, /^GET \/ui\/management$/],
  // The page of DHCP: what the services that clients are told of listen on.
  [1, /^GET \S+\/management\/dhcp$/],
  // Zone, records, interfaces, scopes and settings around names; names, reservations and reverses of addresses.
  [6, /^POST \S+\/generated-fqdns$/],
  [5, /^GET \S+\/generated-fqdns\//],
  [3, /^POST \S+\/generated-fqdns\/delete$/],
  // Settings, whether they are in force, identity, root and certificate of the depot.
  [4, /^POST \S+\/vcf-helper\/offline-depot\/depot$/],
  [3, /\/private-cloud-services\/status$/],
  [2, /\/offline-depot\/inspect-target$/],
];

function budgetOf(spec: AnySpec, scenario: Scenario): number {
  const own = scenario.statements ?? BUDGETS.find(([, , fits]) => fits(spec))![1];
  const changes = spec.effect !== 'read' && spec.access !== 'public';
  const tables = TABLES.find(([, place]) => place.test(`${spec.method} ${spec.path}`))?.[0] ?? 0;
  return own + tables + (changes ? STILL_LET_IN : 0) + (spec.form?.confirms ? CONFIRMING : 0);
}

/** Statements of the request in whose call chain they run: the ticker's and the job runner's are not among them. */
const counting = new AsyncLocalStorage<string[]>();
const lines: string[] = [];
let house: House;
let scene: Scene;

beforeAll(async () => {
  house = await House.open({
    observe: (sql) => void counting.getStore()?.push(sql),
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
  const statements: string[] = [];
  const heard = await counting.run(statements, () => play(scene, spec, scenario, given));
  // What the request started goes on in its call chain: only what it waited for counts.
  const counted = [...statements];
  await scenario.after?.(scene, given);
  expect(heard.status).toBeLessThan(400);
  return counted.map((sql) => sql.replaceAll(/\s+/g, ' ').slice(0, 90));
}

describe('statements', () => {
  test.each(covered)('of %s stay within the budget of its kind', async (_id, spec) => {
    const statements = await statementsOf(spec);
    const budget = budgetOf(spec, scenarioOf(SCENARIOS, spec)!);
    expect(statements.length > budget ? { budget, statements } : 'within').toBe('within');
  });

  test('of reads do not grow with the rows that there are', async () => {
    const reads = covered.filter(([, { effect }]) => effect === 'read');
    const grows = ['createApiToken', 'createVlan', 'createDnsZone', 'createDnsRecord', 'getJob'];
    const before = new Map<string, number>();
    for (const [id, spec] of reads) before.set(id, (await statementsOf(spec)).length);
    for (const [id, spec] of covered) {
      for (let more = 0; grows.includes(id) && more < 8; more++) await statementsOf(spec);
    }
    const grown: Record<string, unknown> = {};
    for (const [id, spec] of reads) {
      const statements = await statementsOf(spec);
      if (statements.length > before.get(id)!) grown[id] = [before.get(id), statements];
    }
    expect(grown).toEqual({});
  }, 300_000);
});

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
