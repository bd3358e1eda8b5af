// What the boot listener takes for a request of a booting machine, and for which of its listeners.
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { bootFiles, Seats } from '../../runtime/boot-files.ts';
import { refusal } from '../../runtime/boot-plane.ts';
import { type Listener, startListener } from '../../runtime/listener.ts';
import { BOOT_PROGRAMS, TFTP_FOLDER } from '../../shared/services/network-boot/files.ts';
import { BootScene, CANARIES, LISTENER, OTHER_LISTENER } from '../setup/boot-scene.ts';

let scene: BootScene;
let listener: Listener;
beforeAll(async () => {
  scene = await BootScene.open();
  const { services, answerBoot: answer } = scene.house.appliance;
  const assets = { manifest: {}, serve: () => false };
  listener = await startListener({
    listen: { host: '127.0.0.1', port: 0 },
    tls: null,
    services,
    assets,
    answer,
    refusal,
    stream: bootFiles(services),
  });
});
afterAll(async () => {
  await listener.stop(100);
  await scene.house.close();
});
beforeEach(() => scene.write('DELETE FROM boot_attempt'));

/** The request as it arrived at an address of the appliance. */
function arrived(path: string, local_address: string, host = LISTENER) {
  const event = scene.house.event('GET', path, { headers: { host } });
  const requestContext = { ...event.requestContext, connection: { local_address, open_ms: 0 } };
  return scene.house.appliance.answerBoot({ ...event, requestContext });
}

test('a capability shown at another applied listener is an alarm, whatever listener its Host names', async () => {
  const { path } = await scene.ready();
  expect(await arrived(path, OTHER_LISTENER.split(':')[0]!)).toEqual(refusal());
  expect(await scene.last()).toMatchObject({ state: 'burnt', ended_reason: 'mismatch' });
  expect(await arrived(path, LISTENER.split(':')[0]!)).toEqual(refusal());
});

test.each([
  ['its own listener', LISTENER.split(':')[0]!],
  ['an address that is no applied listener’s', '127.0.0.1'],
])('a capability shown at %s is taken by its Host', async (_where, address) => {
  const { path } = await scene.ready();
  expect((await arrived(path, address)).body).toContain(CANARIES.variable);
});

test.each([
  ['of an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n'],
  ['with a broken chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['in chunks', 'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ['of a length', 'Content-Length: 5\r\nConnection: close\r\n\r\nhello'],
])('a request with a body %s consumes nothing', async (_name, rest) => {
  const { path } = await scene.ready();
  const heard = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(listener.address.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${LISTENER}\r\n${rest}`),
    );
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
  expect(heard).toMatch(/^HTTP\/1\.1 40[04] /);
  expect((await scene.last()).state).toBe('issued');
  expect((await scene.boot(path)).body).toContain(CANARIES.variable);
});

test('one address has only so many streams at once, and all of them together', () => {
  const seats = new Seats({ each: 2, all: 3 });
  expect(['a', 'a', 'a', 'b', 'b', 'c'].map((address) => seats.take(address))).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  seats.giveBack('a');
  expect(['b', 'c'].map((address) => seats.take(address))).toEqual([true, false]);
});

test('files that are asked for behind another on their connection come in their turn, one read at a time', async () => {
  const taken: number[] = [];
  let reading = 0;
  const take = jest.spyOn(Seats.prototype, 'take').mockImplementation(() => taken.push(++reading) > 0);
  const giveBack = jest.spyOn(Seats.prototype, 'giveBack').mockImplementation(() => {
    reading -= 1;
  });
  const folder = scene.house.services.host.resolve(TFTP_FOLDER);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, BOOT_PROGRAMS[0]!), Buffer.alloc(8 << 20, 'x'));
  const request = `GET /boot/ipxe/${BOOT_PROGRAMS[0]} HTTP/1.1\r\nHost: ${LISTENER}\r\n\r\n`;
  const heard = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(listener.address.port, '127.0.0.1', () => socket.write(request.repeat(3)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });
  take.mockRestore();
  giveBack.mockRestore();
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
  expect(heard.match(/x{1024}/g)).toHaveLength(3 * (8 << 10));
  expect(taken).toEqual([1, 1, 1]);
});
