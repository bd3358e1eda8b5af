// What the listener does with HTTP itself, over real sockets: broken requests, limits, slow clients, the headers that
// every answer carries, and a stop that lets a running request finish.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../runtime/listener.ts';
import { SECURITY_HEADERS } from '../../runtime/security-headers.ts';
import { PROBLEM_KINDS } from '../../shared/ground/problems.ts';
import { problemFaults } from '../setup/document-check.ts';
import { type Credentials, House, LINKS } from '../setup/house.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;
const ordinary = { ...LIMITS };

beforeAll(async () => {
  // Read when a listener starts; put back at the end.
  Object.assign(LIMITS, { headersTimeout: 1_500, requestTimeout: 2_000, keepAliveTimeout: 300, linger: 20 });
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(async () => {
  Object.assign(LIMITS, ordinary);
  await house.close();
});

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are and reads until the connection ends, or until one answer is whole. */
function raw(bytes: string | Buffer, port = house.appliance.management.port): Promise<Answer & { closed: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    const finish = (closed: boolean) => {
      socket.destroy();
      if (received === '') reject(new Error('no answer'));
      else resolve({ ...parsed(received), closed });
    };
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('end', () => finish(true));
    socket.on('error', (error) => (received === '' ? reject(error) : finish(true)));
    socket.setTimeout(10_000, () => finish(false));
  });
}

function parsed(text: string): Answer {
  const cut = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, cut).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(cut + 4) };
}

async function ask(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const { headers = {}, body } = options;
  const answer = await fetch(`${house.origin}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: body as never }),
  });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
}

/** The head of a request with a body, but for its length. */
const post = (header: string): string =>
  `POST /api/v1/users HTTP/1.1\r\nHost: gc01\r\nContent-Type: application/json\r\n${header ? `${header}\r\n` : ''}`;
const asAdmin = () => ({ authorization: `Bearer ${admin.token}` });
const json = { 'content-type': 'application/json' };

/** Status, error code, and nothing wrong with the document. */
function problem(answer: Answer): unknown[] {
  const { error_code } = JSON.parse(answer.body) as { error_code: string };
  return [
    answer.status,
    error_code,
    problemFaults({ statusCode: answer.status, headers: answer.headers, body: answer.body }),
  ];
}

describe('a request that leads nowhere', () => {
  test.each([
    '/nothing',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v2/users',
    '/ui',
    '/assets/none.js',
    '/API/V1/users',
  ])('answers 404 at %s', async (path) => {
    expect(problem(await ask('GET', path, { headers: asAdmin() }))).toEqual([404, 'route_not_found', []]);
  });

  test.each([
    ['PUT', '/api/v1/users', 'GET, HEAD, POST'],
    ['DELETE', '/api/v1/audit', 'GET, HEAD'],
    ['GET', '/ui/management/sign-out', 'POST'],
    ['OPTIONS', '/api/v1/users', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v1/users', 'GET, HEAD, POST'],
  ])('answers 405 to %s %s, with the methods that there are', async (method, path, allow) => {
    const answer = await raw(`${method} ${path} HTTP/1.1\r\nHost: gc01\r\nConnection: close\r\n\r\n`);
    expect([...problem(answer), answer.headers.allow]).toEqual([405, 'method_not_allowed', [], allow]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a body', () => {
  test.each(['{', '{"name": "a",}', 'name=a', '\u0000', '{"a":1}{"a":1}'])(
    'that is not JSON is refused: %j',
    async (body) => {
      expect(problem(await ask('POST', '/api/v1/users', { headers: { ...asAdmin(), ...json }, body }))).toEqual([
        400,
        'malformed_json',
        [],
      ]);
    },
  );

  test.each(['[]', '"text"', '1', 'null', 'true'])('that is JSON but no object is refused: %s', async (body) => {
    expect(problem(await ask('POST', '/api/v1/users', { headers: { ...asAdmin(), ...json }, body }))).toEqual([
      422,
      'request_validation_failed',
      [],
    ]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x'])(
    'of type %s is refused by the API',
    async (type) => {
      const answer = await ask('POST', '/api/v1/users', {
        headers: { ...asAdmin(), 'content-type': type },
        body: '{}',
      });
      expect(problem(answer)).toEqual([415, 'media_type_unsupported', []]);
    },
  );

  test('without a type is refused', async () => {
    const answer = await ask('POST', '/api/v1/users', { headers: asAdmin(), body: Buffer.from('{}') });
    expect(problem(answer)).toEqual([415, 'media_type_unsupported', []]);
  });

  test('may name its charset', async () => {
    const headers = { ...asAdmin(), 'content-type': 'application/json; charset=utf-8' };
    expect((await ask('POST', '/api/v1/users', { headers, body: '{}' })).status).toBe(422);
  });

  test('that says it is too large is refused before it is sent', async () => {
    const answer = await raw(`${post(`Authorization: Bearer ${admin.token}`)}Content-Length: 9999999\r\n\r\n`);
    expect([...problem(answer), answer.headers.connection, answer.closed]).toEqual([
      413,
      'body_too_large',
      [],
      'close',
      true,
    ]);
  });

  test('that grows too large without saying so is refused while it arrives', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = `${post(`Authorization: Bearer ${admin.token}`)}Transfer-Encoding: chunked\r\n\r\n`;
    expect(problem(await raw(head + chunk.repeat(2)))).toEqual([413, 'body_too_large', []]);
  });

  test.each<[string, () => string, number, string]>([
    ['nobody', () => '', 401, 'credentials_missing'],
    ['a token that is not known', () => `Authorization: Bearer ${admin.token}x`, 401, 'credentials_invalid'],
    ['a token without the scope', () => `Authorization: Bearer ${viewer.token}`, 403, 'insufficient_scope'],
  ])('of %s is not waited for, however it is announced', async (_who, header, status, code) => {
    for (const length of ['Content-Length: 9999999', 'Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const answer = await raw(`${post(header())}${length}\r\n\r\n`);
      expect([length, ...problem(answer), answer.headers.connection, answer.closed]).toEqual([
        length,
        status,
        code,
        [],
        'close',
        true,
      ]);
    }
  });

  test('that was not asked for is not read: who waits for 100 Continue hears of it after the scope', async () => {
    const length = 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n';
    expect((await raw(post('') + length)).status).toBe(401);
    expect((await raw(post(`Authorization: Bearer ${admin.token}`) + length)).status).toBe(100);
  });

  test('of anybody is limited to 4 KiB', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask('POST', '/ui/management/sign-in', { headers, body: `username=${'x'.repeat(4 << 10)}` });
    expect(problem(answer)).toEqual([413, 'body_too_large', []]);
  });
});

describe('a path', () => {
  test.each([
    '/api/v1/users/%',
    '/api/v1/users/%zz',
    '/api/v1/users/%c3%28',
    '/api/v1/users/%00',
    '/api/v1/users/a%0d%0ab',
    '/%',
  ])('that is badly encoded is refused: %s', async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: gc01\r\nConnection: close\r\n\r\n`);
    expect(problem(answer)).toEqual([400, 'malformed_request', []]);
  });

  test('that is encoded well reaches its operation decoded', async () => {
    expect(problem(await ask('GET', '/api/v1/users/caf%C3%A9%2F%3F', { headers: asAdmin() }))).toEqual([
      404,
      'resource_not_found',
      [],
    ]);
  });

  test('that is too long, and a target that is not a path, are refused', async () => {
    expect(problem(await ask('GET', `/${'a'.repeat(LIMITS.urlLength)}`))).toEqual([400, 'malformed_request', []]);
    for (const target of ['http://gc/healthz', '*']) {
      const method = target === '*' ? 'OPTIONS' : 'GET';
      const answer = await raw(`${method} ${target} HTTP/1.1\r\nHost: gc01\r\nConnection: close\r\n\r\n`);
      expect(problem(answer)).toEqual([400, 'malformed_request', []]);
    }
  });

  test.each(['/api/v1/users/../audit', '/./healthz', '//healthz', '/api//v1/users'])(
    'is taken as it is written: %s',
    async (path) => {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nHost: gc01\r\nAuthorization: Bearer ${admin.token}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(404);
    },
  );
});

test('a slash at the end of a path is nothing', async () => {
  expect((await ask('GET', '/api/v1/users/', { headers: asAdmin() })).status).toBe(200);
});

describe('HEAD', () => {
  test.each(['/healthz', '/openapi.json', '/api/v1/users', '/ui/management/sign-in'])(
    'answers %s like GET, without the body',
    async (path) => {
      const headers = asAdmin();
      const [get, head] = [await ask('GET', path, { headers }), await ask('HEAD', path, { headers })];
      expect([head.status, head.body]).toEqual([200, '']);
      for (const name of ['content-type', 'content-length', 'cache-control'])
        expect(head.headers[name]).toBe(get.headers[name]);
    },
  );
});

describe('X-Request-ID', () => {
  test.each(['a', 'deploy-42', 'A.b_c-9', 'x'.repeat(64)])('is taken over: %s', async (id) => {
    for (const path of ['/api/v1/users', '/nothing', '/healthz']) {
      expect((await ask('GET', path, { headers: { ...asAdmin(), 'x-request-id': id } })).headers['x-request-id']).toBe(
        id,
      );
    }
  });

  test.each(['x'.repeat(65), 'a b', 'a/b', '<b>', 'é'])('is replaced: %s', async (id) => {
    for (const path of ['/api/v1/users', '/nothing']) {
      const text = `GET ${path} HTTP/1.1\r\nHost: gc01\r\nX-Request-ID: ${id}\r\nConnection: close\r\n\r\n`;
      expect((await raw(Buffer.from(text, 'latin1'))).headers['x-request-id']).toMatch(/^req_[a-z0-9]{16}$/);
    }
  });
});

describe('the headers of every kind of answer', () => {
  const kinds: [string, number, () => Promise<Answer>][] = [
    ['an answer of the API', 200, () => ask('GET', '/api/v1/users', { headers: asAdmin() })],
    ['a page', 200, () => ask('GET', '/ui/management/sign-in', { headers: { accept: 'text/html' } })],
    ['a redirect', 303, () => ask('GET', '/')],
    ['a redirect to the sign-in', 303, () => ask('GET', '/ui/management/users', { headers: { accept: 'text/html' } })],
    ['a refusal', 401, () => ask('GET', '/api/v1/users')],
    ['an unknown path', 404, () => ask('GET', '/nothing')],
    ['an unknown asset', 404, () => ask('GET', '/assets/nothing.js')],
    ['a page that says no', 404, () => ask('GET', '/nothing', { headers: { accept: 'text/html' } })],
    ['a wrong method', 405, () => ask('PUT', '/api/v1/users')],
    ['a path that is badly encoded', 400, () => raw('GET /% HTTP/1.1\r\nHost: gc01\r\nConnection: close\r\n\r\n')],
    [
      'too large a body',
      413,
      () => raw(`${post(`Authorization: Bearer ${admin.token}`)}Content-Length: 9999999\r\n\r\n`),
    ],
    [
      'too large headers',
      431,
      () => raw(`GET / HTTP/1.1\r\nHost: gc01\r\nX-A: ${'a'.repeat(LIMITS.maxHeaderSize)}\r\n\r\n`),
    ],
    ['bytes that are not HTTP', 400, () => raw('\x16\x03\x01\x02\x00\x01\x00\r\n\r\n')],
    [
      'a length that is sent twice',
      400,
      () => raw('POST / HTTP/1.1\r\nHost: gc01\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'),
    ],
    [
      'a length beside a chunked body',
      400,
      () => raw('POST / HTTP/1.1\r\nHost: gc01\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    ['no Host', 400, () => raw('GET / HTTP/1.1\r\n\r\n')],
  ];

  test.each(kinds)('%s', async (_what, status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    const expected = { ...SECURITY_HEADERS, 'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) };
    expect(answer.headers).toMatchObject(expected);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('server');
    if (answer.headers['content-type'] !== 'application/problem+json') return;
    const type = expect.stringMatching(/^http:\/\/[a-z0-9.:]+\/problems\/[a-z-]+$/);
    expect(JSON.parse(answer.body)).toMatchObject({ status, type });
  });

  test('a page forbids caches to keep it; an answer of the API too', async () => {
    for (const path of ['/api/v1/users', '/ui/management/sign-in', '/nothing']) {
      expect((await ask('GET', path, { headers: asAdmin() })).headers['cache-control']).toBe('no-store');
    }
  });
});

test.each([
  ['that is not HTTP', 'invalid-request', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
  ['without Host', 'invalid-request', 'GET / HTTP/1.1\r\n\r\n'],
  ['with a Host that is none', 'misdirected', 'GET /% HTTP/1.1\r\nHost: <b>\r\nConnection: close\r\n\r\n'],
])('a request %s is told of the problem at the address that it reached', async (_what, kind, bytes) => {
  const { type } = JSON.parse((await raw(bytes)).body) as { type: string };
  expect(type).toBe(`${house.origin}/problems/${kind}`);
  expect((await fetch(type, { headers: { accept: 'text/html' } })).status).toBe(200);
});

describe('the page of each kind of problem', () => {
  test.each(Object.keys(PROBLEM_KINDS))('%s exists on both listeners', async (kind) => {
    for (const { port } of [house.appliance.management, house.appliance.public!]) {
      const answer = await fetch(`http://127.0.0.1:${port}/problems/${kind}`, { headers: { accept: 'text/html' } });
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain(PROBLEM_KINDS[kind as keyof typeof PROBLEM_KINDS].title);
    }
  });

  test('of no kind does not exist', async () => {
    expect((await ask('GET', '/problems/nothing')).status).toBe(404);
  });
});

describe('a slow client', () => {
  /** When the other side ends the connection, which nobody else does. */
  function ends(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    return new Promise((resolve) => socket.on('close', () => resolve()));
  }

  test('that never finishes its headers is dropped', async () => {
    const socket = connect(house.appliance.management.port, '127.0.0.1', () =>
      socket.write('GET /healthz HTTP/1.1\r\nHost: gc01\r\n'),
    );
    socket.resume();
    await ends(socket);
  });

  test('that never finishes its body is dropped, and others are served meanwhile', async () => {
    const socket = connect(house.appliance.management.port, '127.0.0.1', () =>
      socket.write(
        'POST /api/v1/users HTTP/1.1\r\nHost: gc01\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    );
    socket.resume();
    const dropped = ends(socket);
    expect((await ask('GET', '/healthz')).status).toBe(200);
    await dropped;
  });
});

test('a stop lets a running request finish, and takes no new one', async () => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const stopping = await House.open({
    host: (rehearsal) => ({
      ...rehearsal,
      links: async () => {
        reached.resolve();
        await gate.promise;
        return LINKS;
      },
    }),
  });
  const { token } = await stopping.actor('admin');
  const headers = { authorization: `Bearer ${token}` };
  const running = fetch(`${stopping.origin}/api/v1/interfaces/refresh`, { method: 'POST', headers });
  await reached.promise;
  const stopped = stopping.close(true);
  await expect(fetch(`${stopping.origin}/healthz`)).rejects.toThrow();
  gate.resolve();
  const answer = await running;
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ changed: expect.any(Number) })]);
  await stopped;
  const again = await House.open({ data: stopping.data });
  expect(await again.audited()).toContain('network.interface.refresh');
  await again.close();
});
