// The paths of the service itself: its bare address, health and API documents, and what the public listener has of them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { House } from '../../setup/house.ts';

const UI = '/ui/management';
let house: House;

beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

const browser = { accept: 'text/html' };
describe('the service itself', () => {
  test('the bare address leads to the application', async () => {
    const heard = await house.send('GET', '/');
    expect([heard.status, heard.headers.location]).toEqual([303, UI]);
  });

  test('health tells nothing but health', async () => {
    expect((await house.send('GET', '/healthz')).text).toBe('{"status":"ok"}');
  });

  test('health is 503 when the database cannot be read', async () => {
    const { store } = house.services;
    const { one } = store;
    store.one = () => Promise.reject(new Error('disk I/O error'));
    try {
      const heard = await house.send('GET', '/healthz');
      expect([heard.status, heard.text]).toEqual([503, '{"status":"unavailable"}']);
    } finally {
      store.one = one;
    }
  });

  test('the OpenAPI document is served as JSON and needs no session', async () => {
    const heard = await house.send('GET', '/openapi.json');
    expect(heard.headers['content-type']).toBe('application/json');
    expect(heard.body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(heard.body.paths)).toContain('/api/v1/tokens');
  });

  test('the reference names the document, and the explorer shows it', async () => {
    expect((await house.send('GET', '/api/redoc')).text).toContain('data-spec-url="/openapi.json"');
    expect((await house.send('GET', '/api/docs?group=ntp')).text).toContain('/api/v1/ntp/sources/{source_id}');
  });
});

describe('the public listener', () => {
  const ask = async (path: string) => {
    const { port } = house.appliance.public!;
    return fetch(`http://127.0.0.1:${port}${path}`, { headers: browser, redirect: 'manual' });
  };

  test('its bare address leads to the public home, which tells nothing of the program', async () => {
    const root = await ask('/');
    expect([root.status, root.headers.get('location')]).toEqual([303, '/ui/public']);
    const text = await (await ask('/ui/public')).text();
    expect(text).toContain('gc01.lab.example');
    expect(text).toContain('No service is offered to this network yet.');
    expect(text).not.toContain(house.services.settings.version);
    expect(text).not.toMatch(/Rehearsal|management/);
  });

  test.each([UI, `${UI}/sign-in`, '/openapi.json', '/api/docs', '/api/v1/users', `${UI}/problem`])(
    '%s does not exist there',
    async (path) => {
      const heard = await ask(path);
      expect(heard.status).toBe(404);
    },
  );

  test('health and problem kinds do', async () => {
    expect(await (await ask('/healthz')).text()).toBe('{"status":"ok"}');
    expect((await ask('/problems/not-found')).status).toBe(200);
  });
});
