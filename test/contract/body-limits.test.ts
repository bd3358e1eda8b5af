// Every operation that takes a body takes as many bytes as it says and none more, and reads none of them for somebody who
// may not call it. Generated from the declarations.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OperationObject } from 'openapi3-ts/oas31';
import { operations } from '../../runtime/generated/operations.ts';
import { LIMITS } from '../../runtime/listener.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../../shared/kernel/operation/event.ts';
import { BODY_LIMIT, bodyLimit, mediaOf, PUBLIC_BODY_LIMIT } from '../../shared/kernel/operation/middleware/body.ts';
import { openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { type Credentials, House } from '../setup/house.ts';
import { EVERYTHING } from './scenarios/scenario.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;
/** Sessions of the public pages, by user. */
const guests = new Map<string, string>();
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer', ['read:jobs']);
  for (const who of [admin, viewer]) guests.set(who.user.id, (await house.guest(who)).cookie);
});
afterAll(() => house.close());

const MUTATIONS = EVERYTHING.filter(({ spec }) => spec.effect !== 'read');
const named = (list: readonly Operation[]) => list.map((operation) => [operation.spec.id, operation] as const);

/** Bytes of the operation's own kind of body: JSON that is no object, one long field, or bytes. */
function bytesFor({ spec }: Operation, length: number): { type: string; bytes: Buffer } {
  if (spec.binary) return { type: mediaOf(spec)[0]!, bytes: Buffer.alloc(length) };
  if (spec.form)
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(`a=${'x'.repeat(length - 2)}`) };
  return { type: 'application/json', bytes: Buffer.from(`"${'x'.repeat(length - 2)}"`) };
}

/** An event for the operation that never gets as far as its `run`: what it needs besides a body and a caller is wrong. */
function eventFor(operation: Operation, length: number, who: Credentials | null): GatewayEvent {
  const { spec } = operation;
  const { type, bytes } = bytesFor(operation, length);
  const elsewhere = spec.plane === 'api' ? { 'if-match': 'none' } : { 'sec-fetch-site': 'cross-site' };
  const event = house.event(spec.method, spec.path, {
    headers: { 'content-type': type, ...elsewhere },
    ...(who && spec.plane === 'api' && { token: who.token }),
  });
  const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 'x']);
  return {
    ...event,
    pathParameters: Object.fromEntries(names),
    cookies: who && spec.plane !== 'api' ? [who.cookie, guests.get(who.user.id)!] : [],
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}

const codeOf = ({ body }: GatewayAnswer): string => (JSON.parse(body) as { error_code: string }).error_code;

describe('takes its limit, and not a byte more', () => {
  test.each(named(MUTATIONS))('%s', async (_id, operation) => {
    const limit = bodyLimit(operation.spec);
    const exact = await operation.handler(eventFor(operation, limit, admin), house);
    const beyond = await operation.handler(eventFor(operation, limit + 1, admin), house);
    expect(['malformed_precondition', 'request_validation_failed', 'foreign_origin']).toContain(codeOf(exact));
    expect([beyond.statusCode, codeOf(beyond)]).toEqual([413, 'body_too_large']);
  });
});

describe('is not read for whoever may not call it', () => {
  const guarded = MUTATIONS.filter(({ spec }) => spec.access !== 'public');
  /** Those that a viewer may call as well: a form that only shows something needs no more than reading it. */
  const forAll = ({ spec: { access } }: Operation) =>
    Object.entries(access).some(([by, scope]) => scope === 'any' || (by === 'session' && scope.startsWith('read:')));

  test.each(named(guarded))('%s', async (_id, operation) => {
    const untouched = {
      taken: null,
      read: () => {
        throw new Error('The body was read.');
      },
    };
    const callers = forAll(operation) ? [null] : [null, viewer];
    for (const who of callers) {
      const { body: _whole, ...event } = eventFor(operation, 10, who);
      const answer = await operation.handler({ ...event, body: null, incoming: untouched }, house);
      expect(answer.statusCode).toBe(who ? 403 : 401);
    }
  });
});

/** A file of many rows: two are read at a time. */
const BULK = new Set(['importDnsRecords', 'importDnsRecordsForm']);

test('only what takes bulk states a limit, and the document says it', () => {
  const document = openApiDocument(operations, { base_url: '', version: '1', tags: {} });
  const described = new Map(
    Object.values(document.paths ?? {}).flatMap((methods) =>
      (Object.values(methods) as OperationObject[]).map(({ operationId, description }) => [operationId, description]),
    ),
  );
  for (const { spec } of MUTATIONS) {
    expect(bodyLimit(spec)).toBeLessThanOrEqual(BULK.has(spec.id) ? LIMITS.bulk : LIMITS.body);
    // A passkey's answer has its signature and what the browser signed with it.
    const most = spec.id === 'passkeyForm' ? 4 * PUBLIC_BODY_LIMIT : PUBLIC_BODY_LIMIT;
    if (spec.access === 'public') expect([spec.id, bodyLimit(spec)]).toEqual([spec.id, most]);
    else if (spec.bodyLimit !== undefined) expect(spec.bodyLimit).toBeGreaterThan(BODY_LIMIT);
    if (spec.plane !== 'api' || spec.legacy) continue;
    const [, size, unit] = /The body is at most (\d+) ([KM])iB\./.exec(described.get(spec.id) ?? '') ?? [];
    const said = size === undefined ? BODY_LIMIT : Number(size) << (unit === 'K' ? 10 : 20);
    expect([spec.id, said]).toEqual([spec.id, bodyLimit(spec)]);
  }
  expect(document.info.description).toContain('at most 64 KiB');
});
