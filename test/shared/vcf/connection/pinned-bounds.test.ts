// Bounds on everything that the other side could stretch: answers, uploads that it does not take, connections and memory
// over many requests.
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { TlsTargetOptions } from '../../../fakes/tls-target.ts';
import { liveMemory } from '../../../setup/live-memory.ts';
import { client, faultOf, login, SECRET, target, until, wait } from './pinned-scene.ts';

/** Answers each request with raw bytes. */
const raw =
  (write: (socket: NodeJS.WritableStream) => void): NonNullable<TlsTargetOptions['raw']> =>
  (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => write(socket));
  };

describe('an answer', () => {
  const stream = (socket: NodeJS.WritableStream, head: string, piece: string) => {
    socket.write(head);
    const more = () => {
      while ((socket as unknown as { destroyed: boolean }).destroyed === false) if (!socket.write(piece)) return;
    };
    socket.on('drain', more);
    more();
  };

  test.each<[what: string, write: (socket: NodeJS.WritableStream) => void, code: string, says: RegExp]>([
    [
      'of more bytes than the limit',
      (s) => void s.write(`HTTP/1.1 200 OK\r\ncontent-length: 4097\r\n\r\n${'x'.repeat(4097)}`),
      'remote_answer_unusable',
      /more than 4096 bytes/,
    ],
    [
      'that announces terabytes',
      (s) => void s.write('HTTP/1.1 200 OK\r\ncontent-length: 9000000000000\r\n\r\n'),
      'remote_answer_unusable',
      /more than 4096 bytes/,
    ],
    [
      'in pieces without end',
      (s) => stream(s, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `1000\r\n${'x'.repeat(4096)}\r\n`),
      'remote_answer_unusable',
      /more than 4096 bytes/,
    ],
    [
      'until the connection ends',
      (s) => stream(s, 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(4096)),
      'remote_answer_unusable',
      /more than 4096 bytes/,
    ],
    [
      'with one huge header',
      (s) => void s.write(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`),
      'remote_answer_unusable',
      /headers/,
    ],
    [
      'with headers without end',
      (s) => stream(s, 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'.repeat(500)),
      'remote_answer_unusable',
      /headers/,
    ],
    ['that is not HTTP', (s) => void s.write('220 mail.lab.example ESMTP\r\n'), 'remote_answer_unusable', /not HTTP/],
    [
      'with two lengths',
      (s) => void s.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
      'remote_answer_unusable',
      /not HTTP/,
    ],
    [
      'that ends in the middle',
      (s) => void s.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'),
      'remote_unreachable',
      /ended the connection/,
    ],
    ['that never comes', () => undefined, 'remote_timeout', /did not answer within/],
    ['that hangs up', (s) => void s.end(), 'remote_unreachable', /ended the connection/],
    [
      'that only ever says wait',
      (s) => stream(s, '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10)),
      'remote_timeout',
      /did not answer within/,
    ],
    [
      'that becomes another protocol',
      (s) => void s.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'remote_answer_unusable',
      /another protocol/,
    ],
  ])('%s is refused', async (_what, write, code, says) => {
    const fake = await target({ raw: raw(write) });
    const timeout = code === 'remote_timeout' ? 400 : 10_000;
    const fault = await faultOf(client(fake, { timeout }).request({ ...login, limit: 4096 }));
    expect(fault).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(JSON.stringify({ ...fault, message: fault.message })).not.toContain(SECRET);
    await until(() => fake.open === 0);
  });

  test('that drips is refused when its time is over, however often something comes', async () => {
    const fake = await target({
      raw: raw((socket) => {
        // It would go on for hours.
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
        const timer = setInterval(() => void socket.write('x'), 10);
        socket.on('close', () => clearInterval(timer));
      }),
    });
    expect((await faultOf(client(fake, { timeout: 200 }).request(login))).code).toBe('remote_timeout');
  });

  test('of exactly the limit is taken', async () => {
    const fake = await target({
      answer: (request, response) => void request.resume().on('end', () => response.end('x'.repeat(4096))),
    });
    expect((await client(fake).request({ ...login, limit: 4096 })).body).toHaveLength(4096);
    // What HEAD tells of a large body is no body.
    const head = await client(fake).request({ method: 'HEAD', path: '/', limit: 10 });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  test('is not waited for once the signal says so, nor after close()', async () => {
    const fake = await target({ answer: () => undefined });
    const stop = new AbortController();
    const made = client(fake);
    const asked = faultOf(made.request({ ...login, signal: stop.signal }));
    await until(() => fake.requests.length === 1);
    stop.abort(new Error('enough'));
    expect(await asked).toMatchObject({ message: 'enough' });
    expect(await faultOf(made.request({ ...login, signal: stop.signal }))).toMatchObject({ message: 'enough' });
    const last = faultOf(made.request(login));
    await until(() => fake.requests.length === 2);
    made.close();
    expect((await last).code).toBe('remote_unreachable');
    expect((await faultOf(made.request(login))).message).toBe('The client was closed.');
    await until(() => fake.open === 0);
  });
});

describe('an upload', () => {
  const PIECE = Buffer.alloc(1 << 16, 7);
  /** Counts what was taken from it. */
  function source(pieces: number): Readable & { taken: number } {
    let taken = 0;
    const readable = new Readable({
      highWaterMark: 1 << 16,
      read() {
        if (taken >= pieces) return void this.push(null);
        taken++;
        this.push(PIECE);
      },
    });
    return Object.defineProperty(readable, 'taken', { get: () => taken }) as Readable & { taken: number };
  }
  const put = (pieces: number) => ({
    method: 'PUT',
    path: '/disk',
    headers: { 'content-length': `${pieces * PIECE.length}` },
  });

  test('goes no faster than the other side takes it, and memory stays flat', async () => {
    let received = 0;
    let resume = () => undefined as unknown;
    const fake = await target({
      answer: (request, response) => {
        request.on('data', (data: Buffer) => {
          received += data.length;
        });
        request.pause();
        resume = () => request.resume();
        request.on('end', () => response.end(`${received}`));
      },
    });
    const pieces = 6400;
    const body = source(pieces);
    const progress: number[] = [];
    let before = Number.POSITIVE_INFINITY;
    let most = 0;
    const onProgress = (bytes: number) => {
      // Looked at each 16 MiB, while the other side takes what it is sent.
      if (Number.isFinite(before) && bytes >> 24 > (progress.at(-1) ?? 0) >> 24) most = Math.max(most, liveMemory());
      progress.push(bytes);
    };
    const sent = client(fake).upload({ ...put(pieces), body, onProgress });
    await until(() => fake.requests.length === 1);
    let paused = -1;
    while (paused !== body.taken) {
      paused = body.taken;
      await wait(150);
    }
    // Of 400 MiB only what fits into the buffers of two sockets is under way.
    expect(paused * PIECE.length).toBeLessThan(24 << 20);
    before = liveMemory();
    resume();
    const answer = await sent;
    expect([answer.status, `${answer.body}`]).toEqual([200, `${pieces * PIECE.length}`]);
    expect(progress.at(-1)).toBe(pieces * PIECE.length);
    expect(most).toBeGreaterThan(0);
    // Of 400 MiB, what the two sockets and TLS have in hand between themselves, both of which are in this process.
    expect(most - before).toBeLessThan(96 << 20);
  });

  test('to a machine that changed its certificate in the middle of the task is not begun: no byte leaves, no byte is read', async () => {
    const fake = await target({ change_at: 2 });
    const made = client(fake);
    const small = source(3);
    expect((await made.upload({ ...put(3), body: small })).status).toBe(200);
    const before = fake.application_bytes;
    fake.cut();
    await until(() => fake.open === 0);
    await wait(50);
    const body = source(100);
    expect((await faultOf(made.upload({ ...put(100), body }))).code).toBe('certificate_changed');
    expect([body.taken, body.destroyed]).toEqual([0, true]);
    expect([fake.application_bytes, fake.bytes_after_change]).toEqual([before, 0]);
  });

  test('that is refused early gives the refusal, and the rest stays unread', async () => {
    const fake = await target({
      answer: (_request, response) => void response.writeHead(413, { connection: 'close' }).end('too large'),
    });
    const body = source(10_000);
    const answer = await client(fake)
      .upload({ ...put(10_000), body })
      .catch((error) => error);
    expect([413, undefined]).toContain(answer.status);
    if (answer.status === undefined) expect(answer.code).toBe('remote_unreachable');
    expect(body.destroyed).toBe(true);
    expect(body.taken).toBeLessThan(1000);
  });

  test.each<[what: string, options: TlsTargetOptions, code: string]>([
    ['that the other side stops taking', { answer: (request) => void request.pause() }, 'remote_timeout'],
    [
      'that the other side cuts',
      { answer: (request) => void request.once('data', () => request.socket.destroy()) },
      'remote_unreachable',
    ],
  ])('%s ends as a problem', async (_what, options, code) => {
    const fake = await target(options);
    const body = source(10_000);
    const timeout = code === 'remote_timeout' ? 300 : 10_000;
    expect((await faultOf(client(fake, { timeout }).upload({ ...put(10_000), body }))).code).toBe(code);
    expect(body.destroyed).toBe(true);
    // Who does not read does not see the end either.
    fake.cut();
    await until(() => fake.open === 0);
  });

  test('takes as long as it needs while something moves', async () => {
    const fake = await target();
    async function* slowly() {
      for (let turn = 0; turn < 6; turn++) {
        await wait(250);
        yield PIECE;
      }
    }
    const slow = { ...put(6), body: Readable.from(slowly()) };
    expect((await client(fake, { timeout: 1000 }).upload(slow)).status).toBe(200);
  });

  test('whose source fails gives the source’s own error', async () => {
    const fake = await target();
    async function* broken() {
      yield PIECE;
      throw new Error('the disk is gone');
    }
    const fault = await faultOf(client(fake).upload({ ...put(6), body: Readable.from(broken()) }));
    expect(fault.message).toBe('the disk is gone');
    await until(() => fake.open === 0);
  });

  test('of more or less than it announced is no other request, and ends', async () => {
    const fake = await target();
    const made = client(fake, { timeout: 1500 });
    const smuggled = Readable.from(['aaaa', 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n']);
    const announced = { method: 'PUT', path: '/disk', headers: { 'content-length': '4' } };
    await made.upload({ ...announced, body: smuggled }).catch(() => undefined);
    await wait(50);
    await faultOf(made.upload({ ...put(4), body: source(3) }));
    expect(fake.requests.filter((each) => each !== 'PUT /disk')).toEqual([]);
    expect((await made.request(login)).status).toBe(200);
  });
});

describe('many requests', () => {
  test('leave neither connections nor memory behind', async () => {
    const fake = await target();
    const made = client(fake);
    const signal = new AbortController().signal;
    const rounds = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await made.request({ ...login, signal });
    };
    await rounds(200);
    const before = liveMemory();
    await rounds(1500);
    expect(liveMemory() - before).toBeLessThan(8 << 20);
    expect(fake.connections).toBe(1);
    made.close();
    await until(() => fake.open === 0);
  });
});
