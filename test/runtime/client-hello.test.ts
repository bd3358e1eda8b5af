// The name in a client's first message: of real clients whole and in pieces, and of whoever sends anything else.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { HELLO_MOST, nameIn } from '../../runtime/client-hello.ts';

/** The first bytes that a client sends. */
async function helloOf(servername: string, maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3'): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const client = connect({ host: '127.0.0.1', port, servername, maxVersion });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  let bytes = Buffer.alloc(0);
  while (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) {
    bytes = Buffer.concat([bytes, (await once(socket, 'data'))[0] as Buffer]);
  }
  socket.destroy();
  server.close();
  return bytes;
}

const NAME = 'depot.lab.example';
let hello: Buffer;
beforeAll(async () => {
  hello = await helloOf(NAME);
});

/** The same message in records of so many bytes. */
function spread(size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    const head = Buffer.from(hello.subarray(0, 5));
    head.writeUInt16BE(part.length, 3);
    records.push(head, part);
  }
  return Buffer.concat(records);
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s: the name in lower case, or none', async (version) => {
  expect(nameIn(await helloOf('Depot.Lab.EXAMPLE', version))).toEqual({ name: NAME });
  expect(nameIn(await helloOf('', version))).toBe('none');
});

test('in pieces, there is more to come until all is there', () => {
  for (let length = 0; length < hello.length; length += 1) expect(nameIn(hello.subarray(0, length))).toBe('more');
  expect(nameIn(Buffer.concat([hello, Buffer.from('what follows')]))).toEqual({ name: NAME });
});

test.each([1, 3, 7, 100])('in records of %i bytes it is the same, and more to come until the last', (size) => {
  const bytes = spread(size);
  expect(nameIn(bytes)).toEqual({ name: NAME });
  expect(nameIn(bytes.subarray(0, -1))).toBe('more');
});

describe('no hello', () => {
  test.each<[string, string | Buffer]>([
    ['HTTP', 'GET / HTTP/1.1\r\n'],
    ['an alert', '\x15\x03\x03\x00\x02\x02\x28'],
    ['a record without content', '\x16\x03\x01\x00\x00'],
    ['a server hello', '\x16\x03\x01\x00\x04\x02\x00\x00\x00'],
    ['too long a message', '\x16\x03\x01\x00\x04\x01\xff\xff\xff'],
    ['too long a record', '\x16\x03\x01\xff\xff\x01'],
    ['an empty hello', '\x16\x03\x01\x00\x04\x01\x00\x00\x00'],
  ])('%s names nobody', (_what, bytes) => {
    expect(nameIn(Buffer.from(bytes as string, 'latin1'))).toBe('none');
  });

  test('no byte of it, changed, makes the reader fail or want more than a hello can have', () => {
    for (let at = 0; at < hello.length; at += 1) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(hello);
        changed[at] = value;
        const long = Buffer.concat([changed, Buffer.alloc(HELLO_MOST + 16, 0x16)]);
        expect(nameIn(long)).not.toBe('more');
      }
    }
  });
});
