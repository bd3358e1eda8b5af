// A separate program: queries the DHCP server of this machine, and releases leases. It runs where the server does, also
// inside a network namespace. A broadcast or multicast also reaches the machine that sends it, on the same interface:
// so the server receives it like one of a client in that network. Argument: a list of requests as JSON. Prints the list
// of answers as JSON.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

/** A request for information (RFC 2131 3.4, RFC 8415 18.2.6), which changes nothing in the server. */
export interface Inform {
  kind: 'inform';
  /** User class by which the server recognizes this program. */
  user_class: string;
  /** Codes of the requested options. */
  codes: number[];
}

export interface Release {
  kind: 'release';
  address: string;
  /** Hex with colons; IPv6: the DUID. */
  client_id: string | null;
  /** IPv4. */
  mac_address: string | null;
  /** IPv6: identity association. */
  iaid: number | null;
  /** IPv6: the server's DUID. */
  server_id: string | null;
}

/** Where to reach the server: over IPv4 its address, with the broadcast address of its network; over IPv6 a link. */
export type Place = { family: 4; server: string; broadcast: string } | { family: 6; link: string };
export type Request = Place & (Inform | Release);

/** `options`: code → text, of the answer with the most requested options. Null: no answer. */
export interface Answer {
  options: Record<number, string> | null;
  error: string | null;
}

const WAIT_MS = 700;
/** Milliseconds to wait after a release over IPv4, which is not answered. */
const SENT_MS = 50;
const NOBODY = Buffer.from([2, 0, 0, 0, 0, 0x67]);
const COOKIE = 0x63825363;

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(':', ''), 'hex');

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => void buffer.writeUInt16BE(value, at * 2));
  return buffer;
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => void buffer.writeUInt32BE(value, at * 4));
  return buffer;
}

const option4 = (code: number, value: Buffer): Buffer => Buffer.concat([Buffer.from([code, value.length]), value]);
const option6 = (code: number, value: Buffer): Buffer => Buffer.concat([u16(code, value.length), value]);
const octets = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function groups(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return u16(...[...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16)));
}

/** The fixed part of a message (RFC 2131 2), with the option of its `kind`. */
function message4(id: number, client: string, mac: Buffer, kind: number, options: Buffer[]): Buffer {
  const head = Buffer.alloc(240);
  head.set([1, 1, 6]);
  head.writeUInt32BE(id, 4);
  octets(client).copy(head, 12);
  mac.copy(head, 28);
  head.writeUInt32BE(COOKIE, 236);
  return Buffer.concat([head, option4(53, Buffer.from([kind])), ...options, Buffer.from([255])]);
}

function packet4(request: Extract<Request, { family: 4 }>, id: number): Buffer {
  if (request.kind === 'inform') {
    const asked = [option4(55, Buffer.from(request.codes)), option4(77, Buffer.from(request.user_class))];
    return message4(id, request.server, NOBODY, 8, asked);
  }
  const told = [option4(54, octets(request.server))];
  if (request.client_id !== null) told.push(option4(61, hex(request.client_id)));
  return message4(id, request.address, request.mac_address === null ? NOBODY : hex(request.mac_address), 7, told);
}

function packet6(request: Extract<Request, { family: 6 }>, id: number): Buffer {
  const head = (kind: number): Buffer => u32((kind << 24) | (id & 0xffffff));
  if (request.kind === 'inform') {
    const { user_class, codes } = request;
    const named = Buffer.concat([u16(user_class.length), Buffer.from(user_class)]);
    const own = Buffer.concat([u16(3, 1), NOBODY]);
    return Buffer.concat([
      head(11),
      option6(1, own),
      option6(6, u16(...codes)),
      option6(8, u16(0)),
      option6(15, named),
    ]);
  }
  const address = option6(5, Buffer.concat([groups(request.address), u32(0, 0)]));
  const association = option6(3, Buffer.concat([u32(request.iaid ?? 0, 0, 0), address]));
  return Buffer.concat([
    head(8),
    option6(1, hex(request.client_id ?? '')),
    option6(2, hex(request.server_id ?? '')),
    option6(8, u16(0)),
    association,
  ]);
}

/** Code → text of the options from `at` on. */
function optionsIn(message: Buffer, at: number, family: 4 | 6): Record<number, string> {
  const found: Record<number, string> = {};
  const wide = family === 6;
  for (let place = at; place + 1 < message.length; ) {
    const code = wide ? message.readUInt16BE(place) : message.readUInt8(place);
    if (!wide && code === 255) break;
    if (!wide && code === 0) {
      place += 1;
      continue;
    }
    if (wide && place + 4 > message.length) break;
    const length = wide ? message.readUInt16BE(place + 2) : message.readUInt8(place + 1);
    const start = place + (wide ? 4 : 2);
    found[code] = message.subarray(start, start + length).toString('latin1');
    place = start + length;
  }
  return found;
}

const isAnswer = (request: Request, id: number, message: Buffer, from: RemoteInfo): boolean =>
  request.family === 4
    ? message.length >= 240 &&
      message.readUInt8(0) === 2 &&
      message.readUInt32BE(4) === id &&
      from.address === request.server
    : message.length >= 4 && message.readUInt8(0) === 7 && message.readUIntBE(1, 3) === (id & 0xffffff);

function send(socket: Socket, request: Request, packet: Buffer, failed: (error: Error) => void): void {
  const sent = (error: Error | null) => void (error && failed(error));
  try {
    if (request.family === 4) {
      socket.setBroadcast(true);
      socket.send(packet, 67, request.broadcast, sent);
    } else {
      socket.setMulticastInterface(`::%${request.link}`);
      socket.send(packet, 547, `ff02::1:2%${request.link}`, sent);
    }
  } catch (error) {
    failed(error as Error);
  }
}

/**
 * One request; never rejects. Other servers of the network may answer too: an answer with the requested options counts.
 */
export function ask(request: Request, id: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: request.family === 4 ? 'udp4' : 'udp6', reuseAddr: true });
    let heard: Record<number, string> | null = null;
    const done = (error: string | null) => {
      clearTimeout(over);
      socket.close();
      resolve({ options: heard, error: heard ? null : error });
    };
    const silent = request.family === 4 && request.kind === 'release';
    const over = setTimeout(() => done(silent ? null : 'no answer in time'), silent ? SENT_MS : WAIT_MS);
    socket.on('error', (error) => done(error.message));
    socket.on('message', (message, from) => {
      if (!isAnswer(request, id, message, from)) return;
      const options = optionsIn(message, request.family === 4 ? 240 : 4, request.family);
      const asked = request.kind === 'inform' ? request.codes : [];
      heard ??= options;
      if (!asked.every((code) => code in options)) return;
      heard = options;
      done(null);
    });
    const bound = () => send(socket, request, packet(request, id), (error) => done(error.message));
    if (request.family === 4) socket.bind(68, request.server, bound);
    else socket.bind(546, bound);
  });
}

const packet = (request: Request, id: number): Buffer =>
  request.family === 4 ? packet4(request, id) : packet6(request, id);

if (import.meta.main) {
  const requests = JSON.parse(process.argv[2] ?? '[]') as Request[];
  const answers: Answer[] = [];
  // One at a time: requests share the client's port.
  for (const [at, request] of requests.entries()) answers.push(await ask(request, ((process.pid & 0xffff) << 8) + at));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
