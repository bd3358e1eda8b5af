// A separate program: queries name servers and prints the answers as JSON. It runs where the service answers, also
// inside a network namespace, which a running process can't enter. Arguments: port, servers separated by commas, then
// questions `name/TYPE`, or `name/TXT/CH` for what a server tells of itself (class CHAOS).
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Answer, decode, encode, type RecordType } from 'dns-packet';

/** The answer of one server to one question. `answers` are texts: addresses, names, or the joined strings of a TXT. */
export interface Answered {
  server: string;
  question: string;
  rcode: string | null;
  answers: string[];
  error: string | null;
}

const WAIT_MS = 1_000;
const RESEND_MS = 300;

function textOf(answer: Answer): string {
  if (answer.type === 'OPT') return '';
  const { data } = answer as { data: unknown };
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return data.map(String).join('');
  return JSON.stringify(data);
}

/** Null for anything but a DNS message: a good one may still come. */
function readable(message: Buffer): (ReturnType<typeof decode> & { rcode: string }) | null {
  try {
    return decode(message) as ReturnType<typeof decode> & { rcode: string };
  } catch {
    return null;
  }
}

/** Asks one question over UDP, sending it again until the time is over; never rejects. */
export function ask(server: string, port: number, question: string): Promise<Answered> {
  const [name = '', type = 'A', own] = question.split('/');
  // The id need not be random: the socket takes packets of this server only, on the appliance's own link.
  const id = process.pid & 0xffff;
  const packet = encode({
    type: 'query',
    id,
    flags: 0x0100,
    questions: [{ type: type as RecordType, name, class: own === 'CH' ? 'CH' : 'IN' }],
  });
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server) ? 'udp6' : 'udp4');
    const send = () => socket.send(packet, () => undefined);
    let again: NodeJS.Timeout | undefined;
    const over = setTimeout(() => done({ error: 'no answer in time' }), WAIT_MS);
    const done = (part: Partial<Answered>) => {
      clearInterval(again);
      clearTimeout(over);
      socket.close();
      resolve({ server, question, rcode: null, answers: [], error: null, ...part });
    };
    socket.once('error', (error) => done({ error: error.message }));
    socket.on('message', (message) => {
      const answer = readable(message);
      if (answer?.id === id) done({ rcode: answer.rcode, answers: (answer.answers ?? []).map(textOf) });
    });
    socket.connect(port, server, (error?: Error) => {
      if (error) return done({ error: error.message });
      again = setInterval(send, RESEND_MS);
      send();
    });
  });
}

if (import.meta.main) {
  const [port = '53', servers = '', ...questions] = process.argv.slice(2);
  const asked = servers
    .split(',')
    .flatMap((server) => questions.map((question) => ask(server, Number(port), question)));
  process.stdout.write(`${JSON.stringify(await Promise.all(asked))}\n`);
}
