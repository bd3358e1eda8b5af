// A reader that goes away in the middle: the pump ends, so that the file is closed and its buffers and seat are given back.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pump } from '../../runtime/file-pump.ts';

const BYTES = 4 << 20;

test('the pump ends when the client ended the connection just before a piece is sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-pump-'));
  const path = join(folder, 'file.bin');
  await writeFile(path, Buffer.alloc(BYTES));
  const file = await open(path);
  let pumped: (how: Promise<string>) => void;
  const ended = new Promise<string>((resolve) => {
    pumped = (how) => void how.then(resolve);
  });
  const server = createServer((_request, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': BYTES });
    // As node:http does when the client ends its side: what is written from here on reaches nobody.
    const going = pump(file, response, 0, BYTES - 1).then(
      () => 'sent',
      () => 'gone',
    );
    response.socket!.end();
    pumped(going);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('hangs'), 100_000).unref());
  const how = await Promise.race([ended, late]);
  client.destroy();
  server.close();
  await file.close();
  await rm(folder, { recursive: true });
  expect(how).toBe('gone');
}, 120_000);
