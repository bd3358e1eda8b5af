// Over TLS the session cookie is bound to the host, browsers are told to stay on TLS, and nothing older than TLS 1.2 is
// spoken. Without TLS neither is claimed.
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/tls');

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open({ tls: { cert: join(FIXTURES, 'cert.pem'), key: join(FIXTURES, 'key.pem') } });
  admin = await house.actor('admin');
});
afterAll(() => house.close());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function send(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = house.appliance.management;
    const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false };
    const asked = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on('error', reject).end(body);
  });
}

test('signing in gives a __Host- cookie that works, and a cookie without the prefix does not', async () => {
  const origin = `https://127.0.0.1:${house.appliance.management.port}`;
  const shown = await send('GET', '/ui/management/sign-in', { accept: 'text/html' });
  const [visitor] = shown.headers['set-cookie'] as string[];
  expect(visitor).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  const csrf = /name="csrf" value="([\w-]+)"/.exec(shown.text)![1]!;
  const form = new URLSearchParams({ csrf, username: admin.user.name, password: PASSWORD }).toString();
  const visited = visitor!.split(';')[0]!;
  const headers = { origin, cookie: visited, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send('POST', '/ui/management/sign-in', headers, form);
  expect(answer.status).toBe(303);
  const [cookie] = answer.headers['set-cookie'] as string[];
  expect(cookie).toMatch(/^__Host-groundcrew_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const value = cookie!.split(';')[0]!;
  expect((await send('GET', '/ui/management/jobs', { cookie: value })).status).toBe(200);
  expect((await send('GET', '/ui/management/jobs', { cookie: value.replace('__Host-', '') })).status).toBe(401);
});

test('a page of the same name without TLS is a foreign origin', async () => {
  const origin = `http://127.0.0.1:${house.appliance.management.port}`;
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  expect((await send('POST', '/ui/management/sign-in', headers, 'username=a&password=b')).status).toBe(403);
});

test('browsers are told to stay on TLS', async () => {
  const answer = await send('GET', '/healthz');
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'self'/);
});

test('TLS 1.1 is refused', async () => {
  const { port } = house.appliance.management;
  const refused = await new Promise<string>((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      rejectUnauthorized: false,
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('secureConnect', () => resolve('connected'));
  });
  expect(refused).not.toBe('connected');
});
