// An address and port that the management UI and a service share: who answers to which name, what one may do to the
// other, and how they come and go.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DepotListener } from '../../runtime/depot-listener.ts';
import type { Listener } from '../../runtime/listener.ts';
import { TlsDoors } from '../../runtime/tls-doors.ts';
import { certificates, type Pair } from '../setup/certificates.ts';
import { until } from '../setup/until.ts';
import { ask, DEPOT_NAME, OWN_NAME, services, startDepot, startManagement, warned } from './doors-scene.ts';

const made = certificates(OWN_NAME, DEPOT_NAME, 'renewed.lab.example');
const [own] = made.paths as [Pair];
const [, depotPair, renewedPair] = made.texts as [Pair, Pair, Pair];
const QUICK = { hello_ms: 1_000, unnamed: { all: 128, reserved: 32, each: 64, network: 96, known: 16 } };

let doors: TlsDoors;
let management: Listener;
let depot: DepotListener | null;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  doors = new TlsDoors({ services, own: () => [OWN_NAME], limits: QUICK });
  management = await startManagement(doors, own, { host: '127.0.0.1', port: 0 });
  port = management.address.port;
  doors.reserve('offline-depot', [{ host: '127.0.0.1', port }], DEPOT_NAME);
  depot = await startDepot(doors, depotPair, { host: '127.0.0.1', port });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all([management.stop(0), depot?.stop(0)]);
  warned.length = 0;
});
afterAll(() => made.remove());

const MANAGED = `200 management ${OWN_NAME}`;
const SERVED = `200 depot ${DEPOT_NAME}`;
/** Of TLS (RFC 6066, 3). */
const UNRECOGNIZED = 'alert 112';
const misdirected = (name: string): string => `421 ${name}`;

describe('which plane answers, by the name that TLS and the name that HTTP asks for', () => {
  test.each<[sni: string, host: string | null, answer: string]>([
    [DEPOT_NAME, DEPOT_NAME, SERVED],
    [DEPOT_NAME, `${DEPOT_NAME.toUpperCase()}.:443`, SERVED],
    ['DEPOT.lab.example', DEPOT_NAME, SERVED],
    [DEPOT_NAME, null, SERVED],
    [DEPOT_NAME, OWN_NAME, misdirected(DEPOT_NAME)],
    [DEPOT_NAME, '127.0.0.1', misdirected(DEPOT_NAME)],
    [DEPOT_NAME, 'other.example', misdirected(DEPOT_NAME)],
    [DEPOT_NAME, 'not a name', misdirected(DEPOT_NAME)],
    [OWN_NAME, OWN_NAME, MANAGED],
    [OWN_NAME, DEPOT_NAME, misdirected(OWN_NAME)],
    [OWN_NAME, '127.0.0.1', misdirected(OWN_NAME)],
    ['', '127.0.0.1', MANAGED],
    ['', OWN_NAME, MANAGED],
    ['', DEPOT_NAME, misdirected(OWN_NAME)],
    ['', `${DEPOT_NAME}.:8443`, misdirected(OWN_NAME)],
    ['other.example', 'other.example', MANAGED],
    ['other.example', DEPOT_NAME, misdirected(OWN_NAME)],
  ])('%j and %j', async (sni, host, answer) => {
    expect(await ask({ port, sni, host })).toBe(answer);
  });

  test('a target with a host of its own is for that host', async () => {
    const socket = connectTls({ port, host: '127.0.0.1', servername: DEPOT_NAME, rejectUnauthorized: false });
    sockets.push(socket);
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.write(`GET https://${OWN_NAME}/ HTTP/1.1\r\nhost: ${DEPOT_NAME}\r\nconnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 421 /);
  });
});

test('a connection that is kept is no way to another name', async () => {
  const socket = connectTls({ port, host: '127.0.0.1', servername: DEPOT_NAME, rejectUnauthorized: false });
  sockets.push(socket);
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  const statuses = () => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  for (const [at, host] of [DEPOT_NAME, OWN_NAME, '127.0.0.1', DEPOT_NAME].entries()) {
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    await until(() => statuses().length > at);
  }
  expect(statuses()).toEqual(['200', '421', '421', '200']);
});

test('a session of one name is nothing to the other plane', async () => {
  const open = (servername: string, session?: Buffer) =>
    connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false, ...(session && { session }) });
  const first = open(DEPOT_NAME);
  sockets.push(first);
  first.write(`GET / HTTP/1.1\r\nhost: ${DEPOT_NAME}\r\n\r\n`);
  const [session] = (await once(first, 'session')) as [Buffer];
  const [again, other] = [open(DEPOT_NAME, session), open(OWN_NAME, session)];
  sockets.push(again, other);
  await Promise.all([once(again, 'secureConnect'), once(other, 'secureConnect')]);
  expect([again.isSessionReused(), other.isSessionReused()]).toEqual([true, false]);
  expect(other.getPeerCertificate().subject.CN).toBe(OWN_NAME);
});

describe('who comes and goes', () => {
  test('without its certificate a service loses its name, and nobody else answers by it', async () => {
    await depot!.stop(0);
    depot = null;
    expect(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(UNRECOGNIZED);
    expect(await ask({ port, sni: '', host: DEPOT_NAME })).toBe(misdirected(OWN_NAME));
    expect(await ask({ port })).toBe(MANAGED);
    await expect(
      startDepot(doors, { ...depotPair, cert: 'no certificate' }, { host: '127.0.0.1', port }),
    ).rejects.toThrow();
    expect(await ask({ port, sni: OWN_NAME, host: OWN_NAME })).toBe(MANAGED);
    depot = await startDepot(doors, depotPair, { host: '127.0.0.1', port });
    expect(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(SERVED);
  });

  test('the one that stays keeps its connections, and what waits to be let in', async () => {
    const kept = connectTls({ port, host: '127.0.0.1', servername: DEPOT_NAME, rejectUnauthorized: false });
    sockets.push(kept);
    await once(kept, 'secureConnect');
    const asked = Array.from({ length: 20 }, () => ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME }));
    await management.stop(0);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([SERVED]));
    kept.write(`GET / HTTP/1.1\r\nhost: ${DEPOT_NAME}\r\n\r\n`);
    expect(String((await once(kept, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
    management = await startManagement(doors, own, { host: '127.0.0.1', port });
    expect(await ask({ port })).toBe(MANAGED);
  });

  test('a service that is alone answers to every name, but to none that TLS was not asked for', async () => {
    await management.stop(0);
    expect(await ask({ port })).toBe(SERVED);
    expect(await ask({ port, sni: 'other.example', host: 'other.example' })).toBe(SERVED);
    expect(await ask({ port, sni: DEPOT_NAME, host: 'other.example' })).toBe(misdirected(DEPOT_NAME));
    doors.reserve('another service', [{ host: '127.0.0.1', port }], 'id.lab.example');
    expect(await ask({ port })).toBe(UNRECOGNIZED);
    expect(await ask({ port, sni: 'other.example', host: 'other.example' })).toBe(UNRECOGNIZED);
    expect(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(SERVED);
  });

  test('a new certificate is shown from the next connection on, and no connection breaks', async () => {
    const answers: string[] = [];
    let going = true;
    const asking = Array.from({ length: 4 }, async () => {
      while (going) answers.push(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME }));
    });
    await until(() => answers.length > 20);
    depot!.show(renewedPair);
    const renewed = '200 depot renewed.lab.example';
    await until(() => answers.filter((each) => each === renewed).length > 20);
    going = false;
    await Promise.all(asking);
    expect(new Set(answers)).toEqual(new Set([SERVED, renewed]));
    expect(await ask({ port })).toBe(MANAGED);
  });
});

describe('on another address of the port', () => {
  test('the name of a service is nobody’s, unless the appliance calls itself so', async () => {
    const elsewhere = await startManagement(doors, own, { host: '127.0.0.2', port });
    try {
      const place = { port, address: '127.0.0.2' };
      expect(await ask({ ...place, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(misdirected(OWN_NAME));
      expect(await ask(place)).toBe(MANAGED);
      doors.reserve('offline-depot', [{ host: '127.0.0.1', port }], OWN_NAME);
      expect(await ask({ ...place, sni: OWN_NAME, host: OWN_NAME })).toBe(MANAGED);
    } finally {
      await elsewhere.stop(0);
    }
  });

  test('a management UI on all addresses answers where a service has an address of its own', async () => {
    const shared = { reusePort: true, ipv6Only: false };
    const everywhere = await startManagement(doors, own, { host: '0.0.0.0', port: 0 }, { sharing: shared });
    const place = { port: everywhere.address.port, address: '127.0.0.3' };
    doors.reserve('offline-depot', [{ host: place.address, port: place.port }], DEPOT_NAME);
    const beside = await startDepot(doors, depotPair, { host: place.address, port: place.port });
    try {
      expect(await ask({ ...place, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(SERVED);
      expect(await ask(place)).toBe(MANAGED);
      expect(await ask({ ...place, address: '127.0.0.4', sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(
        misdirected(OWN_NAME),
      );
      await beside.stop(0);
      expect(await ask({ ...place, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(UNRECOGNIZED);
      expect(await ask(place)).toBe(MANAGED);
    } finally {
      await Promise.all([everywhere.stop(0), beside.stop(0)]);
    }
  });
});

test('who came in by a socket on all addresses that closes is let in by the one on its address', async () => {
  const shared = { reusePort: true, ipv6Only: false };
  const everywhere = await startManagement(doors, own, { host: '0.0.0.0', port: 0 }, { sharing: shared });
  const place = { host: '127.0.0.3', port: everywhere.address.port };
  doors.reserve('offline-depot', [place], DEPOT_NAME);
  // Its hello comes when the socket is closed.
  const socket = connect(place);
  sockets.push(socket);
  await once(socket, 'connect');
  expect(await ask({ port: place.port, address: place.host })).toBe(MANAGED);
  const closer = await startManagement(doors, own, place, { sharing: shared });
  try {
    await everywhere.stop(0);
    const secure = connectTls({ socket, servername: OWN_NAME, rejectUnauthorized: false });
    sockets.push(secure);
    secure.write(`GET / HTTP/1.1\r\nhost: ${OWN_NAME}\r\n\r\n`);
    expect(String((await once(secure, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
  } finally {
    await closer.stop(0);
  }
});

describe('what one client does', () => {
  /** Raw connections from one address. */
  function flood(count: number, bytes: string | Buffer = '', from = '127.0.0.9'): Socket[] {
    const opened = Array.from({ length: count }, () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from });
      socket.on('error', () => undefined);
      if (bytes.length > 0) socket.write(bytes);
      return socket;
    });
    sockets.push(...opened);
    return opened;
  }

  test.each<[string, string]>([
    ['says nothing', ''],
    ['sends one byte', '\x16'],
    ['sends a piece of a hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('who %s takes few places for a short time, and is told once in the log', async (_what, bytes) => {
    const opened = flood(300, bytes);
    let ended = 0;
    for (const socket of opened) socket.on('close', () => (ended += 1));
    // Those beyond what one address may have end at once, the others when their time is over.
    expect(await ask({ port })).toBe(MANAGED);
    expect(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(SERVED);
    await until(() => ended === opened.length);
    expect(warned.filter(({ said }) => said === 'too many connections')).toHaveLength(1);
    expect(await ask({ port, from: '127.0.0.9' })).toBe(MANAGED);
  });

  test('a full plane keeps nobody from the other', async () => {
    await Promise.all([depot!.stop(0), management.stop(0)]);
    const few = { maxConnections: 8, connectionsReserved: 0, connectionsEach: 4, connectionsNetwork: 8 };
    management = await startManagement(doors, own, { host: '127.0.0.1', port }, { limits: few });
    depot = await startDepot(doors, depotPair, { host: '127.0.0.1', port }, { limits: few });
    for (const [sni, host, answer] of [
      [DEPOT_NAME, '127.0.0.1', MANAGED],
      ['', DEPOT_NAME, SERVED],
    ] as const) {
      const held = ['127.0.0.11', '127.0.0.12', '127.0.0.13'].flatMap((localAddress) =>
        Array.from({ length: 4 }, () => {
          const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
          return connectTls({ socket, servername: sni, rejectUnauthorized: false }).on('error', () => undefined);
        }),
      );
      sockets.push(...held);
      let ready = 0;
      for (const socket of held) socket.once('secureConnect', () => (ready += 1)).once('close', () => (ready += 1));
      await until(() => ready >= held.length);
      expect(held.filter((socket) => socket.destroyed || socket.readyState === 'closed').length).toBeGreaterThan(0);
      const other = sni === '' ? { sni: DEPOT_NAME, host } : { host };
      for (let at = 0; at < 10; at += 1) expect(await ask({ port, ...other, from: '127.0.0.11' })).toBe(answer);
      for (const socket of held) socket.destroy();
    }
  });

  test('plain HTTP, and a hello that goes on for ever, get no answer', async () => {
    await management.stop(0);
    const limits = { handshakeTimeout: 200 };
    management = await startManagement(doors, own, { host: '127.0.0.1', port }, { limits });
    const heard = async (bytes: string): Promise<string> => {
      const [socket] = flood(1, bytes) as [Socket];
      let text = '';
      socket.on('data', (part) => (text += part.toString('latin1')));
      await once(socket, 'close');
      return text;
    };
    expect(await heard('GET / HTTP/1.1\r\nhost: x\r\n\r\n')).not.toContain('HTTP');
    expect(await heard('\x16\x03\x01\x00\x01\x01'.repeat(4_000))).not.toContain('HTTP');
    expect(await ask({ port })).toBe(MANAGED);
  });

  test('half a head is refused in its time, whichever plane it is for', async () => {
    await Promise.all([depot!.stop(0), management.stop(0)]);
    const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
    management = await startManagement(doors, own, { host: '127.0.0.1', port }, { limits });
    depot = await startDepot(doors, depotPair, { host: '127.0.0.1', port }, { limits });
    for (const servername of [DEPOT_NAME, '']) {
      const socket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
      sockets.push(socket);
      socket.write('GET / HTTP/1.1\r\nhost:');
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
    }
  });
});
