// Asks one service every few milliseconds from inside a client's namespace and prints how the answers came. Arguments:
// what to ask (`dns`, `dhcp`, `ntp`, `tcp`), the server's address, milliseconds to run. Prints `asking` when the first
// answer has come, and at the end one line of JSON.
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { decode, encode } from 'dns-packet';
import { decodeAnswer, encodeQuestion } from '../../shared/services/ntp/ntp-packet.ts';

/** What a service is asked, every `every` milliseconds. `send` throws where nothing can be sent. */
interface Question {
  every: number;
  /** Resolves when questions can be sent; `heard` is told the number of the question that an answer belongs to. */
  open(heard: (number: number) => void): Promise<{ send(number: number): void; close(): void }>;
}

const [kind = 'dns', server = '', milliseconds = '3000'] = process.argv.slice(2);
const EVERY = 5;
/** The name and the card that the benchmark has saved. */
const NAME = 'steady.lab.example';
const CARD = Buffer.from([2, 0, 0, 0, 0x5e, 0x01]);
const ECHO_PORT = 7007;

/** Datagrams to one port; `read` finds the number of the question in an answer, null in what is none. */
function datagrams(
  { port, own = 0, to = server }: { port: number; own?: number; to?: string },
  write: (number: number) => Buffer,
  read: (answer: Buffer) => number | null,
): Question['open'] {
  return async (heard) => {
    const socket = createSocket('udp4');
    socket.on('error', () => undefined);
    socket.on('message', (answer) => {
      const number = read(answer);
      if (number !== null) heard(number);
    });
    await new Promise<void>((done) => socket.bind(own, done));
    socket.setBroadcast(true);
    return {
      send: (number) => socket.send(write(number), port, to, () => undefined),
      close: () => void socket.close(),
    };
  };
}

/** DHCPDISCOVER of a card that has a reservation, so that the server need not try whether the address is free. */
function discover(number: number): Buffer {
  const packet = Buffer.alloc(244);
  packet.set([1, 1, 6, 0]);
  packet.writeUInt32BE(number, 4);
  // The answer is to be a broadcast: this machine has another address.
  packet.writeUInt16BE(0x8000, 10);
  packet.set(CARD, 28);
  packet.writeUInt32BE(0x63825363, 236);
  packet.set([53, 1, 1, 255], 240);
  return packet;
}

const nonce = (number: number): Buffer => {
  const own = Buffer.from('gcsteady');
  own.writeUInt32BE(number, 4);
  return own;
};

/** One connection for the whole time, through which each question comes back as it is. */
async function echo(heard: (number: number) => void): Promise<{ send(number: number): void; close(): void }> {
  const socket: Socket = connect(ECHO_PORT, server);
  socket.setNoDelay(true);
  await new Promise<void>((done, failed) => socket.once('connect', done).once('error', failed));
  let rest = Buffer.alloc(0);
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (; rest.length >= 4; rest = rest.subarray(4)) heard(rest.readUInt32BE());
  });
  const bytes = (number: number): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(number);
    return buffer;
  };
  return { send: (number) => void socket.write(bytes(number)), close: () => void socket.destroy() };
}

/** A connection of its own for each question. */
async function connections(heard: (number: number) => void): Promise<{ send(number: number): void; close(): void }> {
  return {
    send(number) {
      const socket = connect(ECHO_PORT, server);
      socket.on('error', () => undefined);
      socket.setTimeout(2_000, () => socket.destroy());
      socket.on('connect', () => socket.write('x'));
      socket.on('data', () => {
        heard(number);
        socket.destroy();
      });
    },
    close: () => undefined,
  };
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  dns: {
    every: EVERY,
    open: datagrams(
      { port: 53 },
      (id) => encode({ type: 'query', id: id & 0xffff, flags: 0x0100, questions: [{ type: 'A', name: NAME }] }),
      (answer) => {
        const { id, answers } = decode(answer);
        return answers?.length === 1 ? (id ?? null) : null;
      },
    ),
  },
  dhcp: {
    every: 20,
    open: datagrams({ port: 67, own: 68, to: server.replace(/\d+$/, '255') }, discover, (answer) =>
      answer.length > 240 && answer[0] === 2 ? answer.readUInt32BE(4) : null,
    ),
  },
  ntp: {
    every: EVERY,
    open: datagrams(
      { port: 123 },
      (number) => encodeQuestion(nonce(number)),
      // The answer repeats what it was asked with.
      (answer) => (decodeAnswer(answer, nonce(answer.readUInt32BE(28))) ? answer.readUInt32BE(28) : null),
    ),
  },
  tcp: { every: EVERY, open: echo },
  connect: { every: 20, open: connections },
};

const sent = new Map<number, number>();
const latencies: number[] = [];
let asked = 0;
let last = 0;
let longestSilence = 0;

const question = QUESTIONS[kind]!;
const { send, close } = await question.open((number) => {
  const now = performance.now();
  const start = sent.get(number);
  if (start === undefined) return;
  sent.delete(number);
  latencies.push(now - start);
  if (last === 0) console.log('asking');
  else longestSilence = Math.max(longestSilence, now - last);
  last = now;
});
const began = performance.now();
const asking = setInterval(() => {
  asked += 1;
  sent.set(asked, performance.now());
  send(asked);
}, question.every);
setTimeout(() => {
  clearInterval(asking);
  setTimeout(() => {
    latencies.sort((one, other) => one - other);
    const [median = 0, longest = 0] = [latencies[latencies.length >> 1], latencies.at(-1)];
    const seconds = (performance.now() - began) / 1000;
    console.log(JSON.stringify({ asked, answered: latencies.length, median, longest, longestSilence, seconds }));
    close();
    process.exit(0);
  }, 1_000);
}, Number(milliseconds));
