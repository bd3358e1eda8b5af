// A separate program: keeps the questions of clients while the name server restarts, and asks them when it is back. It
// binds the same addresses, which both sides permit: the kernel gives a datagram to the socket that was bound last. So it
// gets every question from its own binding on, until the new server has bound. It runs where the service answers, also
// inside a network namespace. Arguments: port, servers separated by commas. Prints `holding` when it has bound and the
// server has read what came before, and at the end how many questions waited and how many were answered, as JSON.
//
// Anybody on the network may send it what they like: it has no rights once it has bound, keeps so many bytes at most, and
// answers nobody but with what the server says. Whoever started it may be killed: it gives the addresses back at once then,
// since the server may never have been ended.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { encode } from 'dns-packet';

export interface Waited {
  held: number;
  answered: number;
}

/** Milliseconds between two looks whether the server is back, and for which it may be away. */
const LOOK_MS = 10;
const AWAY_MS = 10_000;
/** Milliseconds that answers may take once the server is back: of names that it has to ask others for. */
const ANSWER_MS = 2_000;
/** Milliseconds in which questions are still read that came before the server was back. */
const LAST_MS = 100;
/** Questions of a server that are kept, at most. Their numbers are their ids; that of the look is beyond. */
const MOST = 16_384;
/** Bytes of a question that is kept: nobody’s is as long, and dnsmasq reads no more (its `edns-packet-max`). */
const LONGEST = 1_232;
/** Bytes of questions that are kept, of all servers together. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Milliseconds after which it ends, whatever it waits for. */
const END_MS = 20_000;
/** The account `nobody`. */
const NOBODY = 65_534;
const LOOK_ID = 0xffff;
/** Bytes of the header of a DNS message, which begins with its id. */
const HEADER = 12;
/** The bit of the third byte that an answer has, and a question has not (RFC 1035, 4.1.1). */
const ANSWER = 0x80;

let bytes = 0;

/** A name that dnsmasq answers by itself: it is never forwarded. */
const LOOK = encode({
  type: 'query',
  id: LOOK_ID,
  questions: [{ type: 'A', name: `held-${process.pid}.groundcrew.invalid` }],
});

const withId = (message: Buffer, id: number): Buffer => {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id, 0);
  return copy;
};

/** Who started it. */
const PARENT = process.ppid;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The questions to one address of the server. */
class Holder {
  readonly #server: string;
  readonly #port: number;
  readonly #socket: Socket;
  readonly #asker: Socket;
  readonly #waiting = new Map<number, { question: Buffer; from: RemoteInfo }>();
  readonly #back = Promise.withResolvers<void>();
  #isBack = false;
  #held = 0;
  #answered = 0;

  constructor(server: string, port: number) {
    this.#server = server;
    this.#port = port;
    const type = isIPv6(server) ? 'udp6' : 'udp4';
    this.#socket = createSocket({ type, reuseAddr: true, ipv6Only: type === 'udp6' });
    this.#asker = createSocket(type);
    for (const socket of [this.#socket, this.#asker]) socket.on('error', () => undefined);
    this.#socket.on('message', (question, from) => this.#keep(question, from));
    this.#asker.on('message', (answer) => this.#hear(answer));
  }

  /** Whether it could bind: not where the address is gone. */
  begin(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.once('error', () => resolve(false));
      this.#asker.connect(this.#port, this.#server, (error?: Error) => {
        if (error) resolve(false);
        else this.#socket.bind(this.#port, this.#server, () => resolve(true));
      });
    });
  }

  #keep(question: Buffer, from: RemoteInfo): void {
    // An answer is never answered: two servers would answer each other without an end.
    if (question.length < HEADER || question.length > LONGEST || (question.readUInt8(2) & ANSWER) !== 0) return;
    if (question.equals(LOOK) || this.#held === MOST || bytes + question.length > MOST_BYTES) return;
    bytes += question.length;
    this.#waiting.set(this.#held, { question, from });
    if (this.#isBack) this.#ask(this.#held);
    this.#held += 1;
  }

  #ask(number: number): void {
    this.#asker.send(withId(this.#waiting.get(number)!.question, number), () => undefined);
  }

  #hear(answer: Buffer): void {
    if (answer.length < HEADER) return;
    const id = answer.readUInt16BE(0);
    // Only a server that was started after this program gets the look.
    if (id === LOOK_ID && !this.#isBack) {
      this.#isBack = true;
      this.#back.resolve();
      for (const number of this.#waiting.keys()) this.#ask(number);
    }
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    bytes -= waiting.question.length;
    this.#answered += 1;
    const { question, from } = waiting;
    this.#socket.send(withId(answer, question.readUInt16BE(0)), from.port, from.address, () => undefined);
  }

  /** Until the server is back and has answered, or its time is over. */
  async end(): Promise<Waited> {
    const orphaned = Promise.withResolvers<void>();
    const looking = setInterval(() => {
      if (process.ppid !== PARENT) orphaned.resolve();
      this.#asker.send(LOOK, () => undefined);
    }, LOOK_MS);
    await Promise.race([this.#back.promise, orphaned.promise, pause(AWAY_MS)]);
    clearInterval(looking);
    const since = performance.now();
    if (this.#isBack) await pause(LAST_MS);
    while (this.#isBack && this.#waiting.size > 0 && performance.now() - since < ANSWER_MS) await pause(LOOK_MS);
    // What was sent last leaves with the loop's turn.
    await pause(0);
    for (const socket of [this.#socket, this.#asker]) socket.close();
    return { held: this.#held, answered: this.#answered };
  }
}

/** Milliseconds for the server that still runs to read what it got before. */
const READ_MS = 1_000;

/** Whether questions wait in a socket of the port (proc_net(5): the queues of each socket in hexadecimal). */
async function waitingAt(port: number): Promise<boolean> {
  const place = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = ['/proc/net/udp', '/proc/net/udp6'].map((table) => readFile(table, 'utf8').catch(() => ''));
  return (await Promise.all(tables))
    .join('\n')
    .split('\n')
    .some((line) => {
      const [, local = '', , , queues = ''] = line.trim().split(/\s+/);
      return local.endsWith(place) && Number.parseInt(queues.split(':')[1] ?? '0', 16) > 0;
    });
}

/** A server that is ended leaves the questions that it has not read: on a busy machine those of several milliseconds. */
async function untilRead(port: number): Promise<void> {
  for (const end = performance.now() + READ_MS; performance.now() < end && (await waitingAt(port)); ) await pause(1);
}

/** What it binds takes rights; what it hears comes from anybody. */
function dropRights(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY);
  process.setuid!(NOBODY);
}

if (import.meta.main) {
  // Nobody has to be able to end it: whoever started it may not end another account’s processes.
  setTimeout(() => process.exit(1), END_MS).unref();
  const [port = '53', servers = ''] = process.argv.slice(2);
  const all = servers.split(',').map((server) => new Holder(server, Number(port)));
  const bound = await Promise.all(all.map((one) => one.begin()));
  dropRights();
  await untilRead(Number(port));
  process.stdout.write('holding\n');
  const waited = await Promise.all(all.filter((_one, at) => bound[at]).map((one) => one.end()));
  const sum = (of: (one: Waited) => number) => waited.reduce((total, one) => total + of(one), 0);
  process.stdout.write(`${JSON.stringify({ held: sum(({ held }) => held), answered: sum((one) => one.answered) })}\n`);
  process.exit(0);
}
