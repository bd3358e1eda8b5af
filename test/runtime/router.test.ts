// The router: which operation answers, and what is said where none does.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createRouter } from '../../runtime/router.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { House } from '../setup/house.ts';

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

const read = (id: string, path: string, params?: Record<string, v.GenericSchema>) =>
  defineOperation({
    id,
    method: 'GET',
    path,
    plane: 'public',
    access: 'public',
    effect: 'read',
    tag: 'Service',
    summary: 'Says its parameters.',
    description: 'Says its parameters.',
    answers: { 200: { description: 'The parameters.' } },
    ...(params && { params: v.strictObject(params) }),
    run: async (context: { params: unknown }) => ({ text: JSON.stringify([id, context.params]) }),
  } as never);

const router = createRouter(
  [
    read('listThings', '/things'),
    read('getThing', '/things/{name}', { name: v.string() }),
    read('getPart', '/things/{thing}/parts/{part}', { thing: v.string(), part: v.string() }),
    read('getSpecial', '/things/special'),
  ],
  ['public'],
);
const ask = async (method: string, path: string) => {
  const { answer } = await router.route(house.event(method, path), house.services);
  return answer.statusCode === 200
    ? JSON.parse(answer.body)
    : [answer.statusCode, JSON.parse(answer.body).error_code, answer.headers.allow];
};

test.each([
  ['/things', 'listThings', {}],
  ['/things/', 'listThings', {}],
  ['/things/special', 'getSpecial', {}],
  ['/things/a%20b', 'getThing', { name: 'a b' }],
  ['/things/constructor', 'getThing', { name: 'constructor' }],
  ['/things/__proto__', 'getThing', { name: '__proto__' }],
  ['/things/toString/parts/valueOf', 'getPart', { thing: 'toString', part: 'valueOf' }],
])('%s is answered by %s', async (path, id, params) => {
  expect(await ask('GET', path)).toEqual([id, params]);
  expect(await ask('HEAD', path)).toEqual([id, params]);
});

test.each([
  '/',
  '/thing',
  '/things/a/parts',
  '/constructor',
  '/__proto__',
  '/things/a/constructor',
  '/toString/valueOf',
])('nothing answers at %s', async (path) => {
  expect(await ask('GET', path)).toEqual([404, 'route_not_found', undefined]);
  expect(await ask('DELETE', path)).toEqual([404, 'route_not_found', undefined]);
});

test('another method is told which there are', async () => {
  expect(await ask('POST', '/things')).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
  expect(await ask('OPTIONS', '/things/constructor')).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
});
