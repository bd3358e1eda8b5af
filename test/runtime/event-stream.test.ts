// Event streams are few, and nobody has all of them: what one session and one user may hold, and that a place comes back.
import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { EVENTS_PATH, MOST_STREAMS } from '../../runtime/event-stream.ts';
import { startSession } from '../../shared/kernel/access/session.ts';
import { type Credentials, House } from '../setup/house.ts';
import { until } from '../setup/until.ts';

let house: House;
let viewer: Credentials;
let admin: Credentials;
const open: IncomingMessage[] = [];

beforeAll(async () => {
  house = await House.open();
  viewer = await house.actor('viewer');
  admin = await house.actor('admin');
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.destroy();
});
afterAll(() => house.close());

/** Status of each of so many streams that are asked for at once, and stay open. */
async function follow(cookie: string, count = 1): Promise<number[]> {
  const asked = Array.from({ length: count }, () => {
    return new Promise<number>((resolve, reject) => {
      const headers = { cookie };
      get(`${house.origin}${EVENTS_PATH}`, { headers, agent: false }, (answer) => {
        open.push(answer);
        answer.on('error', () => undefined).resume();
        resolve(answer.statusCode!);
      }).on('error', reject);
    });
  });
  return (await Promise.all(asked)).sort();
}

const sessionOf = async ({ user }: Credentials): Promise<string> => {
  const { services } = house;
  const { id } = await services.store.write((tx) => startSession(tx, services, user.id, '127.0.0.1', null));
  return `groundcrew_session=${id}`;
};
const statuses = (served: number, refused: number): number[] => [
  ...Array(served).fill(200),
  ...Array(refused).fill(429),
];

test('one session has its share, one user another, and nobody else is refused for it', async () => {
  const { session, user } = MOST_STREAMS;
  expect(await follow(viewer.cookie, session + 3)).toEqual(statuses(session, 3));
  expect(await follow(await sessionOf(viewer), session)).toEqual(statuses(user - session, 2 * session - user));
  expect(await follow(await sessionOf(viewer))).toEqual([429]);
  expect(await follow(admin.cookie)).toEqual([200]);
});

test('a place is given back, and one without a session never had any', async () => {
  expect(await follow('', MOST_STREAMS.all + 1)).toEqual(Array(MOST_STREAMS.all + 1).fill(401));
  const { session } = MOST_STREAMS;
  await until(async () => (await follow(viewer.cookie))[0] === 200);
  expect(await follow(viewer.cookie, session)).toEqual(statuses(session - 1, 1));
  open.find(({ statusCode }) => statusCode === 200)!.destroy();
  await until(async () => (await follow(viewer.cookie))[0] === 200);
});
