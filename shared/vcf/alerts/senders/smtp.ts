// SMTP as far as a message needs it (RFC 5321): greeting, EHLO, STARTTLS (RFC 3207), AUTH (RFC 4954), one mail. Ours, since
// the certificate is held against the confirmed one before a login, which no library's STARTTLS can be told.
import type { Socket } from 'node:net';
import { Problem } from '../../../ground/problems.ts';
import { connectionFault } from '../../connection/faults.ts';
import { serverText, type Target } from '../../connection/target.ts';
import { pinned, plain, type Way } from './dial.ts';

/** Bytes of one reply. */
const REPLY_MOST = 16_384;

interface Reply {
  code: number;
  /** Without the codes. */
  lines: string[];
}

/** One side of the conversation: a command, and the reply to it. */
export class Conversation {
  readonly socket: Socket;
  readonly #server: Target;
  readonly #signal: AbortSignal;
  #read = '';
  #fault: Error | null = null;
  #ended = false;
  #wake: () => void = () => undefined;
  readonly #listeners = {
    data: (piece: Buffer) => {
      this.#read += piece.toString('latin1');
      if (this.#read.length > REPLY_MOST) this.socket.destroy();
      this.#wake();
    },
    error: (error: Error) => {
      this.#fault = error;
      this.#wake();
    },
    close: () => {
      this.#ended = true;
      this.#wake();
    },
  };

  constructor(socket: Socket, { server, signal }: Pick<Way, 'server' | 'signal'>) {
    this.socket = socket;
    this.#server = server;
    this.#signal = signal;
    for (const [event, listener] of Object.entries(this.#listeners)) socket.on(event, listener);
    signal.addEventListener('abort', this.#aborted, { once: true });
  }

  readonly #aborted = () => {
    this.socket.destroy();
    this.#wake();
  };

  /** Gives the socket away. What was read beyond the last reply would count as said over TLS (CVE-2011-0411): it must not be there. */
  release(): void {
    for (const [event, listener] of Object.entries(this.#listeners)) this.socket.off(event, listener);
    this.#signal.removeEventListener('abort', this.#aborted);
    if (this.#read !== '') throw unfit(this.#server, 'sent data before TLS had begun');
  }

  /** The next reply. @throws Problem 409, the signal's reason */
  async reply(): Promise<Reply> {
    for (;;) {
      const found = /^(?:\d{3}-.*\r?\n)*\d{3}(?: .*)?\r?\n/.exec(this.#read);
      if (found) {
        this.#read = this.#read.slice(found[0].length);
        const lines = found[0].trimEnd().split(/\r?\n/);
        return { code: Number(lines[0]!.slice(0, 3)), lines: lines.map((line) => line.slice(4)) };
      }
      this.#signal.throwIfAborted();
      if (this.#read.length > REPLY_MOST || /^(?!\d{3}[ \r\n-])[^\n]*\n/.test(this.#read))
        throw unfit(this.#server, 'does not speak SMTP');
      if (this.#fault !== null || this.#ended) throw connectionFault(this.#fault ?? {}, this.#server, 'answer');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Sends one line. @throws Problem 409 */
  async say(line: string): Promise<Reply> {
    if (/[\r\n\0]/.test(line)) throw new Error('A command of SMTP is one line.');
    this.socket.write(`${line}\r\n`, 'utf8');
    return this.reply();
  }

  /** A line that has to be answered so. `what`: for people; nothing that was sent is repeated. @throws Problem 409 */
  async expect(codes: readonly number[], line: string | null, what: string): Promise<Reply> {
    const reply = line === null ? await this.reply() : await this.say(line);
    if (!codes.includes(reply.code)) throw refused(this.#server, what, reply.code);
    return reply;
  }
}

const unfit = (server: Target, what: string): Problem =>
  new Problem('remote_answer_unusable', `${serverText(server)} ${what}. Check that it is the machine that is meant.`);

const refused = (server: Target, what: string, code: number): Problem =>
  new Problem('remote_refused', `${serverText(server)} refused ${what} with ${code}. The log of the server says why.`);

/** `own_name`: the appliance's, in EHLO. @throws Problem 409 for a server that offers no STARTTLS */
export async function upToTls(way: Way, own_name: string): Promise<Socket> {
  const socket = await plain(way);
  try {
    const talk = new Conversation(socket, way);
    await talk.expect([220], null, 'the connection');
    const { lines } = await talk.expect([250], `EHLO ${own_name}`, 'EHLO');
    if (!lines.some((line) => /^STARTTLS$/i.test(line.trim())))
      throw new Problem(
        'remote_not_tls',
        `${serverText(way.server)} offers no STARTTLS. Nothing is sent in the clear: enable TLS there, or choose TLS from the beginning and its port.`,
      );
    await talk.expect([220], 'STARTTLS', 'STARTTLS');
    talk.release();
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

export interface Login {
  username: string;
  password: string;
}

export interface Envelope {
  sender: string;
  recipients: readonly string[];
  /** Headers and body, lines with CRLF, none of which begins with a dot. */
  content: string;
}

/**
 * One mail over TLS. Answers the recipients that the server refused, where it took it for others.
 * @throws Problem 409
 */
export async function deliverMail(
  way: Way,
  { sha256, security, own_name, login }: { sha256: string; security: string; own_name: string; login: Login | null },
  envelope: Envelope,
): Promise<string[]> {
  const over = security === 'starttls' ? await upToTls(way, own_name) : undefined;
  const socket = await pinned(way, sha256, over);
  try {
    const talk = new Conversation(socket, way);
    if (!over) await talk.expect([220], null, 'the connection');
    const { lines } = await talk.expect([250], `EHLO ${own_name}`, 'EHLO');
    if (login) await logIn(talk, way.server, login, lines);
    const unwanted = await hand(talk, way.server, envelope);
    // The mail is taken: what comes of QUIT changes nothing.
    await talk.say('QUIT').catch(() => undefined);
    return unwanted;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

async function logIn(
  talk: Conversation,
  server: Target,
  { username, password }: Login,
  lines: string[],
): Promise<void> {
  const offered = lines.flatMap((line) => /^AUTH[ =](.*)$/i.exec(line.trim())?.[1]?.toUpperCase().split(/\s+/) ?? []);
  let reply: Reply;
  if (offered.includes('PLAIN')) reply = await talk.say(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}`);
  else if (offered.includes('LOGIN')) {
    await talk.expect([334], 'AUTH LOGIN', 'the login');
    await talk.expect([334], base64(username), 'the user name');
    reply = await talk.say(base64(password));
  } else {
    throw new Problem(
      'remote_unsupported',
      `${serverText(server)} offers no login by PLAIN or LOGIN over TLS. Enable one of them there, or leave the user name empty.`,
    );
  }
  if (reply.code === 235) return;
  if (reply.code !== 535 && reply.code !== 534) throw refused(server, 'the login', reply.code);
  throw new Problem(
    'remote_login_refused',
    `${serverText(server)} does not accept the user name and password. Check both.`,
  );
}

async function hand(talk: Conversation, server: Target, { sender, recipients, content }: Envelope): Promise<string[]> {
  await talk.expect([250], `MAIL FROM:<${sender}>`, 'the sender');
  const unwanted: string[] = [];
  let last = 0;
  for (const recipient of recipients) {
    const { code } = await talk.say(`RCPT TO:<${recipient}>`);
    if (code === 250 || code === 251) continue;
    unwanted.push(recipient);
    last = code;
  }
  if (unwanted.length === recipients.length) throw refused(server, 'every recipient', last);
  await talk.expect([354], 'DATA', 'the mail');
  talk.socket.write(content, 'utf8');
  await talk.expect([250], '.', 'the mail');
  return unwanted;
}
