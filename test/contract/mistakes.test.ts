// Every operation of the document × every mistake that a caller can make about it: refused with the problem that the document
// promises, at the field that is wrong, and nothing is saved. Which mistakes an operation has, the document says.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OperationObject } from 'openapi3-ts/oas31';
import { operations } from '../../runtime/generated/operations.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { House, type Send } from '../setup/house.ts';
import { type Mistake, mistakesOf } from './mistakes.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { filled, type Given, newScene, type Scene, scenarioOf } from './scenarios/scenario.ts';

const document = openApiDocument(operations, { base_url: '', version: '1', tags: {}, legacy: true });
const table = Object.values(document.paths ?? {}).flatMap((methods) =>
  Object.values(methods as Record<string, OperationObject>).map((operation) => {
    const { spec } = operations.find(({ spec }) => spec.id === operation.operationId)!;
    return [spec.id, spec, mistakesOf(document, operation)] as const;
  }),
);

let house: House;
let scene: Scene;
/** Write transactions that the request of this context committed. */
const asking = new AsyncLocalStorage<{ saved: number }>();

beforeAll(async () => {
  house = await House.open();
  const { store } = house.services;
  const write = store.write.bind(store);
  store.write = async (work, options) => {
    const answer = await write(work, options);
    const asked = asking.getStore();
    if (asked && !options?.rollBack) asked.saved += 1;
    return answer;
  };
  scene = newScene(house, await house.actor('admin'));
});
beforeEach(async () => {
  scene = newScene(house, await house.actor('admin'), scene);
});
afterAll(() => house.close());

type Spec = (typeof table)[number][1];

/** The smallest request that succeeds, with the mistake in it. */
function withMistake(spec: Spec, given: Given, mistake: Mistake): { target: string; send: Send } {
  const scenario = scenarioOf(SCENARIOS, spec)!;
  const { body, headers, ...own } = scenario.send?.(given) ?? {};
  const { query, members, path, raw } = mistake;
  const asked = [scenario.query?.slice(1), query].filter((part) => part !== undefined).join('&');
  const sent: Send = { token: scene.admin.token, ...own, headers: { ...headers, ...mistake.headers } };
  if (spec.body) sent.body = { ...(body as object), ...members };
  if (raw !== undefined) sent.raw = raw;
  if (raw !== undefined) sent.headers = { 'content-type': 'application/json', ...sent.headers };
  if (raw !== undefined) delete sent.body;
  return { target: `${filled(spec.path, { ...given, ...path })}${asked && `?${asked}`}`, send: sent };
}

/** What came of the mistake instead of its refusal; null when it was refused as it should be. */
async function unrefused(spec: Spec, given: Given, mistake: Mistake): Promise<object | null> {
  const { target, send } = withMistake(spec, given, mistake);
  const asked = { saved: 0 };
  const { status, body } = await asking.run(asked, () => house.send(spec.method, target, send));
  const { refused } = mistake;
  const pointers = (body?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  const missed = (refused.pointers ?? []).filter((pointer) => !pointers.includes(pointer));
  const right = status === refused.status && body.error_code === refused.error_code && missed.length === 0;
  return right && asked.saved === 0 ? null : { mistake, status, body, saved: asked.saved };
}

describe('is refused, and nothing is saved: each mistake about', () => {
  test.each(table)('%s', async (_id, spec, mistakes) => {
    const scenario = scenarioOf(SCENARIOS, spec)!;
    const given = (await scenario.given?.(scene)) ?? {};
    const wrong = [];
    for (const mistake of mistakes) wrong.push(await unrefused(spec, given, mistake));
    await scenario.after?.(scene, given);
    expect(wrong.filter((each) => each !== null)).toEqual([]);
  });
});

test('what is saved is seen', async () => {
  const asked = { saved: 0 };
  const zone = { token: scene.admin.token, body: { name: `mistakes-${scene.next()}.example` } };
  expect((await asking.run(asked, () => house.send('POST', '/api/v1/dns/zones', zone))).status).toBe(201);
  expect(asked.saved).toBe(1);
});

test('every operation has mistakes, and every kind of mistake has operations', () => {
  const kinds: Record<string, number> = {};
  for (const [, , mistakes] of table) {
    for (const kind of new Set(mistakes.map((mistake) => mistake.kind))) kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  const withBody = table.filter(([, spec]) => spec.body).length;
  const mutations = table.filter(([, { effect }]) => effect !== 'read').length;
  expect(kinds).toMatchObject({
    'unknown query parameter': table.length,
    'misspelt dry_run': table.length,
    'body that is not JSON': withBody,
    'two unknown members': withBody,
    'body where none is taken': mutations - withBody - table.filter(([, { binary }]) => binary).length,
    'If-Match that is refused with 400': mutations,
    'If-Match that is refused with 412': table.filter(([, { problems }]) => problems?.includes('revision_stale'))
      .length,
    'Idempotency-Key that is refused with 400': table.filter(([, { method }]) => method === 'POST').length,
    'path parameter that cannot be': expect.any(Number),
    'query value beyond its schema': expect.any(Number),
    'two unknown members within': expect.any(Number),
  });
});
