// Every operation and every page succeeds with its smallest request, runs no more statements than its kind may, and writes
// exactly the audit events that it should; whatever is refused writes none. An operation that no scenario covers fails here.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { enforcedStandings } from '../../shared/appliance/states/standing.ts';
import { type AnySpec, takesDryRun } from '../../shared/kernel/operation/operation.ts';
import { type Heard, House } from '../setup/house.ts';
import { budgetOf, counted, observe } from './budget.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { EVERYTHING, filled, newScene, play, type Scenario, type Scene, scenarioOf } from './scenarios/scenario.ts';

const specs = EVERYTHING.map(({ spec }) => spec).filter(({ plane }) => plane !== 'public' && plane !== 'boot');
const covered = specs.filter((spec) => scenarioOf(SCENARIOS, spec)).map((spec) => [spec.id, spec] as const);
const mutations = covered.filter(([, { effect }]) => effect !== 'read');
const dry = covered.filter(([, spec]) => takesDryRun(spec) && spec.plane === 'api');

let house: House;
let scene: Scene;

beforeAll(async () => {
  house = await House.open({ observe });
  scene = newScene(house, await house.actor('admin', undefined, 'ada'));
});
// Nobody may look at so many servers in a row as the scenarios do together.
beforeEach(async () => {
  scene = newScene(house, await house.actor('admin'), scene);
});
afterAll(() => house.close());

/** Events of one request: a job that it started writes events of its own. */
async function auditedBy(request_id: string): Promise<string[]> {
  const rows = await house.services.store.all<{ action: string }>(
    'SELECT action FROM audit_event WHERE request_id = ? ORDER BY seq',
    [request_id],
  );
  return rows.map(({ action }) => action);
}

function expected(spec: AnySpec, scenario: Scenario): number {
  if (scenario.status) return scenario.status;
  return Number(Object.keys(spec.answers)[0]);
}

function declared(spec: AnySpec): string[] {
  return spec.effect === 'read' || spec.audit === 'none' ? [] : [...spec.audit];
}

test('every operation and page has a scenario', () => {
  expect(specs.filter((spec) => !scenarioOf(SCENARIOS, spec)).map(({ id }) => id)).toEqual([]);
});

test('every scenario is of an operation or page', () => {
  expect(Object.keys(SCENARIOS).filter((id) => !EVERYTHING.some(({ spec }) => spec.id === id))).toEqual([]);
});

test('ids are unique, and so are method and path within a plane', () => {
  const ids = EVERYTHING.map(({ spec }) => spec.id);
  const routes = EVERYTHING.map(({ spec }) => {
    const plane = spec.plane === 'api' ? 'management' : spec.plane;
    return `${plane} ${spec.method} ${spec.path.replaceAll(/\{\w+\}/g, '{}')}`;
  });
  for (const all of [ids, routes]) expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
});

describe('with its smallest request', () => {
  test.each(covered)('%s succeeds within its statements, and is audited exactly', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    // Made once for each saved change, by whichever page comes first.
    await enforcedStandings(house.services);
    const { heard, statements } = await counted(() => play(scene, spec, scenario, given));
    const events = await auditedBy(heard.headers['x-request-id']!);
    await scenario.after?.(scene, given);
    expect({
      status: heard.status,
      events,
      said: heard.status >= 400 ? heard.text.replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ').slice(0, 400) : '',
    }).toEqual({
      status: expected(spec, scenario),
      events: scenario.audit ?? [],
      said: '',
    });
    const budget = budgetOf(spec, scenario);
    expect(statements.length > budget ? { budget, statements } : 'within').toBe('within');
    expect(declared(spec)).toEqual(expect.arrayContaining(events));
    if (spec.effect !== 'read' && spec.audit !== 'none') expect(events.length).toBeGreaterThan(0);
    if (/^text\/html/.test(heard.headers['content-type'] ?? '')) expect(faultsOf(heard)).toEqual([]);
  });
});

/** What a page must not have. */
function faultsOf({ text }: Heard): string[] {
  const FORBIDDEN: [string, RegExp][] = [
    ['an inline style', /<[^>]+ style=/],
    ['an inline handler', /<[^>]+ on[a-z]+=/],
    ['an inline script', /<script(?![^>]* src=)[^>]*>[^<]/],
    ['an unrendered value', />(?:undefined|NaN|\[object Object\])</],
  ];
  return FORBIDDEN.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}

describe('no audit event is written', () => {
  test.each(dry)('by a dry run of %s, and nothing changes', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const before = await versions();
    const dryRun = { ...scenario, query: `${scenario.query ? `${scenario.query}&` : '?'}dry_run=true` };
    const heard = await play(scene, spec, dryRun, given);
    expect([heard.status, heard.text]).toEqual([scenario.dry ?? expected(spec, scenario), heard.text]);
    expect(await auditedBy(heard.headers['x-request-id']!)).toEqual([]);
    expect(await versions()).toEqual(before);
  });

  test.each(mutations.filter(([, { plane, body }]) => plane === 'api' && body))(
    'by %s with an unknown member',
    async (_id, spec) => {
      const scenario = scenarioOf(SCENARIOS, spec)!;
      const given = scenario.unseen ?? (await scenario.given?.(scene)) ?? {};
      const body = { ...(scenario.send?.(given).body as object), surprise: 1 };
      const heard = await play(scene, spec, scenario, given, { body });
      await scenario.after?.(scene, given);
      expect([heard.status, heard.body.error_code]).toEqual([422, 'request_validation_failed']);
      expect(heard.body.errors).toContainEqual({ pointer: '/surprise', detail: 'This property is not supported.' });
      expect(await auditedBy(heard.headers['x-request-id']!)).toEqual([]);
    },
  );

  const ofOne = mutations.filter(([, { path }]) => path.includes('{'));

  test.each(ofOne)('by %s of something that does not exist', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = scenario.unseen ?? (await scenario.given?.(scene)) ?? {};
    const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const heard = await play(scene, spec, scenario, {
      ...given,
      ...Object.fromEntries(names.map((name) => [name, 'nobody'])),
    });
    await scenario.after?.(scene, given);
    expect(heard.status).toBe(404);
    expect(await auditedBy(heard.headers['x-request-id']!)).toEqual([]);
  });

  test.each(mutations)('by %s while another job owns all mutations, unless it goes on then', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const { store } = house.services;
    const hold =
      "INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_other', '2026-01-01T00:00:00.000Z') ON CONFLICT DO NOTHING";
    await store.write((tx) => tx.run(hold));
    const heard = await play(scene, spec, scenario, given, { headers: { accept: 'application/json' } });
    await store.write((tx) => tx.run("DELETE FROM mutation_lock WHERE job_id = 'job_other'"));
    await scenario.after?.(scene, given);
    const events = await auditedBy(heard.headers['x-request-id']!);
    if (spec.effect !== 'read' && spec.guarded === false) {
      expect([heard.status, events]).toEqual([expected(spec, scenario), scenario.audit ?? []]);
    } else {
      expect([heard.status, heard.body?.error_code, events]).toEqual([423, 'mutation_locked', []]);
      expect(heard.body.owner).toEqual({ job_id: 'job_other', since: '2026-01-01T00:00:00.000Z' });
    }
  });
});

/** Revisions of everything that is desired state. */
async function versions(): Promise<unknown> {
  return house.services.store.all('SELECT unit, desired_version FROM unit_state ORDER BY unit');
}

describe('an entity tag', () => {
  const tagged = covered.filter(
    ([, { plane, answers, effect }]) =>
      plane === 'api' && effect === 'read' && answers[200]?.tagged && !answers[200].live,
  );

  test.each(tagged)('of %s answers 304 to a reader who has it', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const { etag } = (await play(scene, spec, scenario, given)).headers;
    const again = await play(scene, spec, scenario, given, { headers: { 'if-none-match': `"r0", ${etag}` } });
    expect([etag, again.status, again.headers.etag, again.text]).toEqual([
      expect.stringMatching(/^"r\d+"$/),
      304,
      etag,
      '',
    ]);
  });

  const conditional = mutations.filter(
    ([, { plane, problems }]) => plane === 'api' && problems?.includes('revision_stale'),
  );

  test.each(conditional)('that is not the current one refuses %s with 412 and the current one', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const send = (tags: string) => play(scene, spec, scenario, given, { headers: { 'if-match': tags } });
    const { etag = '' } = (await send('"r99999"')).headers;
    expect(etag).toMatch(/^"r\d+"$/);
    const old = `"r${Number(etag.slice(2, -1)) - 1}"`;
    for (const tags of ['"r99999"', old, '"another"', `W/${etag}`, `"another", ${old} , W/${etag}`]) {
      const stale = await send(tags);
      expect([tags, stale.status, stale.body.error_code, stale.headers.etag]).toEqual([
        tags,
        412,
        'revision_stale',
        etag,
      ]);
    }
    const malformed = await send('r1');
    expect([malformed.status, malformed.body.error_code]).toEqual([400, 'malformed_precondition']);
    expect((await send(`"another", ${etag}`)).status).toBe(expected(spec, scenario));
  });

  test.each(conditional)('need not be known where %s is sent with *', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const heard = await play(scene, spec, scenario, given, { headers: { 'if-match': '*' } });
    expect(heard.status).toBe(expected(spec, scenario));
  });

  test('is compared by every mutation that answers one of an existing resource', () => {
    const without = covered.filter(([, { plane, method, answers, problems }]) => {
      const tag = Object.values(answers).some((answer) => answer.tagged);
      return plane === 'api' && /PATCH|PUT/.test(method) && tag && !problems?.includes('revision_stale');
    });
    expect(without.map(([id]) => id)).toEqual([]);
  });
});

/** It ends every token, that of its caller too. */
const ENDS_ITS_TOKEN = 'factoryReset';

describe('an Idempotency-Key', () => {
  // What changes nothing has nothing to keep from happening twice.
  const posts = mutations.filter(
    ([, { plane, method, id, ...spec }]) =>
      plane === 'api' && method === 'POST' && 'audit' in spec && spec.audit !== 'none' && id !== ENDS_ITS_TOKEN,
  );

  test(`is not needed by ${ENDS_ITS_TOKEN}: sent again it is of nobody`, async () => {
    const [, spec] = mutations.find(([id]) => id === ENDS_ITS_TOKEN)!;
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const headers = { 'idempotency-key': `contract-${spec.id}` };
    expect((await play(scene, spec, scenario, given, { headers })).status).toBe(expected(spec, scenario));
    const second = await play(scene, spec, scenario, given, { headers });
    expect([second.status, await auditedBy(second.headers['x-request-id']!)]).toEqual([401, []]);
  });

  test.each(posts)('makes sending %s again safe', async (_id, spec) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const headers = { 'idempotency-key': `contract-${spec.id}` };
    const first = await play(scene, spec, scenario, given, { headers });
    const second = await play(scene, spec, scenario, given, { headers });
    expect([second.status, second.body, second.headers.location]).toEqual([
      first.status,
      first.body,
      first.headers.location,
    ]);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await auditedBy(second.headers['x-request-id']!)).toEqual([]);
    const other = await play(scene, spec, { ...scenario, send: (facts) => changed(scenario, facts) }, given, {
      headers,
    });
    await scenario.after?.(scene, given);
    if (spec.body)
      expect([other.status, other.body.error_code]).toEqual([
        422,
        expect.stringMatching(/idempotency_key_reused|request_validation_failed/),
      ]);
  });
});

function changed(scenario: Scenario, facts: Record<string, string>): object {
  const { body } = scenario.send?.(facts) ?? {};
  const [name, value] = Object.entries((body ?? {}) as object)[0] ?? [];
  return name && typeof value === 'string'
    ? { body: { ...(body as object), [name]: `${value}x` } }
    : { body: { other: true } };
}

test('every scenario says what its path stands for', () => {
  // Paths are filled from what scenarios made: a parameter that they forgot would silently test a 404.
  const forgotten = covered
    .filter(([, { path }]) => path.includes('{'))
    .filter(([, spec]) => !scenarioOf(SCENARIOS, spec)!.given);
  expect(forgotten.map(([id, spec]) => `${id} ${filled(spec.path)}`)).toEqual([]);
});
