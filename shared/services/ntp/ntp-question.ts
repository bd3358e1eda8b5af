// A separate program: queries time servers and prints their answers as JSON. It runs where the service answers, and
// sends from the loopback, which is always allowed. Arguments: port, or `keys` for the key exchange of NTS, and servers
// separated by commas.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { decodeAnswer, encodeQuestion, type NtpAnswer } from './ntp-packet.ts';

/** The result of one server; `answer` is null when there is an error. */
export interface AskedTime {
  server: string;
  answer: NtpAnswer | null;
  error: string | null;
}

const WAIT_MS = 1_000;
const RESEND_MS = 300;

/** Asks over UDP, from the address `from` if given, again and again until the time is over; never rejects. */
export function askTime(server: string, port: number, from?: string): Promise<AskedTime> {
  const nonce = randomBytes(8);
  const question = encodeQuestion(nonce);
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server) ? 'udp6' : 'udp4');
    let again: NodeJS.Timeout | undefined;
    let ended = false;
    let refused = '';
    const done = (answer: NtpAnswer | null, error: string | null) => {
      if (ended) return;
      ended = true;
      clearInterval(again);
      clearTimeout(over);
      socket.close();
      resolve({ server, answer, error });
    };
    const over = setTimeout(() => done(null, refused || 'no answer in time'), WAIT_MS);
    const send = () => socket.send(question, () => undefined);
    // A closed port answers at once, and may be open a moment later.
    socket.on('error', ({ message }) => {
      refused = message;
      if (again === undefined) done(null, message);
    });
    socket.on('message', (packet) => {
      const answer = decodeAnswer(packet, nonce);
      if (answer) done(answer, null);
    });
    const connect = () =>
      socket.connect(port, server, (error?: Error) => {
        if (error) return done(null, error.message);
        again = setInterval(send, RESEND_MS);
        send();
      });
    if (from === undefined) connect();
    else socket.bind({ port: 0, address: from }, connect);
  });
}

/** The certificate at the key exchange of one server (RFC 8915, 4); `sha256` is null when there is an error. */
export interface AskedKeys {
  server: string;
  sha256: string | null;
  error: string | null;
}

const KEY_EXCHANGE = { port: 4460, protocol: 'ntske/1' };

/** Which certificate it is matters, not who signed it; never rejects. */
export function askKeys(server: string): Promise<AskedKeys> {
  return new Promise((resolve) => {
    const { port, protocol } = KEY_EXCHANGE;
    const options = { host: server, port, ALPNProtocols: [protocol], rejectUnauthorized: false, minVersion: 'TLSv1.3' };
    const socket = connect(options as ConnectionOptions);
    const done = (sha256: string | null, error: string | null) => {
      socket.destroy();
      resolve({ server, sha256, error });
    };
    socket.setTimeout(WAIT_MS, () => done(null, 'no answer in time'));
    socket.on('error', ({ message }) => done(null, message));
    socket.on('secureConnect', () => {
      if (socket.alpnProtocol !== protocol) return done(null, 'it does not speak NTS');
      done(socket.getPeerCertificate().fingerprint256, null);
    });
  });
}

if (import.meta.main) {
  const [port = '123', servers = ''] = process.argv.slice(2);
  if (port === 'keys') {
    process.stdout.write(`${JSON.stringify(await Promise.all(servers.split(',').map(askKeys)))}\n`);
    process.exit(0);
  }
  const asked = servers.split(',').map((server) => askTime(server, Number(port), isIPv6(server) ? '::1' : '127.0.0.1'));
  process.stdout.write(`${JSON.stringify(await Promise.all(asked))}\n`);
}
