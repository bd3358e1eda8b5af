// What is the same for everybody leaves compressed, is not sent to whoever has it, and waits for its reader.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadAssets } from '../../runtime/assets.ts';
import { codingOf, sendBody } from '../../runtime/constant-answer.ts';
import { House } from '../setup/house.ts';
import { until } from '../setup/until.ts';

let house: House;
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-assets-'));
const SCRIPT = 'const ground = "crew";'.repeat(99);

beforeAll(async () => {
  writeFileSync(join(folder, 'app.js'), SCRIPT);
  writeFileSync(join(folder, 'app.js.gz'), gzipSync(SCRIPT));
  house = await House.open({ assets: loadAssets(folder) });
});
afterAll(async () => {
  await house.close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}) {
  const sent = request(`${house.origin}${path}`, { headers, agent: false }).end();
  const [answer] = await once(sent, 'response');
  const { statusCode: status, headers: heard } = answer;
  return { status, headers: heard as Record<string, string>, bytes: await buffer(answer) };
}

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1, gzip', 'gzip'],
  ['*', 'br'],
  ['GZIP;q=1.0', 'gzip'],
  ['identity, zstd', 'identity'],
])('Accept-Encoding %s is answered in %s', (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding);
});

describe.each([
  ['/openapi.json', ['identity', 'gzip', 'br']],
  ['/api/redoc', ['identity', 'gzip', 'br']],
  ['/assets/app.js', ['identity', 'gzip']],
])('%s', (path, codings) => {
  const decode = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync };

  test('is the same text in each coding, each with a strong tag of its own that is answered with 304', async () => {
    const texts = new Set<string>();
    const tags = new Set<string>();
    for (const coding of codings as (keyof typeof decode)[]) {
      const accept = { 'accept-encoding': coding };
      const whole = await ask(path, accept);
      expect([whole.status, whole.headers['content-encoding'] ?? 'identity']).toEqual([200, coding]);
      expect(whole.headers.vary).toContain('accept-encoding');
      expect(whole.headers.etag).toMatch(/^"[\w-]+"$/);
      texts.add(decode[coding](whole.bytes).toString());
      tags.add(whole.headers.etag!);
      const known = await ask(path, { ...accept, 'if-none-match': `"other", W/${whole.headers.etag}` });
      expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, whole.headers.etag]);
      expect((await ask(path, { ...accept, 'if-none-match': '"other"' })).status).toBe(200);
    }
    expect([texts.size, tags.size]).toEqual([1, codings.length]);
  });
});

test('the theme that a browser chose has a page of its own', async () => {
  const [light, dark] = [
    await ask('/api/redoc', { cookie: 'groundcrew_theme=light' }),
    await ask('/api/redoc', { cookie: 'groundcrew_theme=dark' }),
  ];
  expect(light.headers.etag).not.toBe(dark.headers.etag);
  expect(dark.headers.vary).toContain('cookie');
});

test('a reader who takes nothing has next to nothing waiting for him, and one who reads gets every byte', async () => {
  const body = Buffer.alloc(16 << 20, 'x');
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    void sendBody(response, body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: gc\r\nConnection: close\r\n\r\n');
  await until(() => (responses[0]?.writableLength ?? 0) > 0);
  expect(responses[0]!.writableLength).toBeLessThan(256 << 10);
  const heard = await buffer(client);
  expect(heard.length - heard.indexOf('\r\n\r\n')).toBeGreaterThanOrEqual(body.length);
  server.close();
});
