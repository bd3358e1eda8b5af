// A separate program: asks the directory at each of its addresses like a client that has only the root certificate, and
// prints the answers as JSON. It runs where the directory answers. Argument: LdapQuestions as JSON.
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bindRequest, type LdapAnswer, nextAnswer, readRequest, startTlsRequest } from './ldap-message.ts';

export interface LdapQuestions {
  listeners: { address: string; port: number; scheme: 'ldaps' | 'ldap' }[];
  /** Name that the certificate has to have; empty: the address. */
  hostname: string;
  /** The only root that is trusted. */
  ca_pem: string;
  /** Entries that tell what is applied, each with its password, which is what it has to tell. */
  trees: string[];
  digest: string;
}

export interface LdapAnswered {
  /** What each tree told, in their order. */
  told: (string | null)[];
  /** Result code of a bind without TLS; null where none was tried. */
  plain: number | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
}

const WAIT_MS = 3_000;

/** One question at a time. */
class Conversation {
  #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #turn: { done(answer: LdapAnswer): void; failed(error: Error): void } | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#hear();
  }

  #hear(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      try {
        const next = nextAnswer(this.#bytes);
        if (!next) return;
        this.#bytes = next.rest;
        this.#turn?.done(next.answer);
      } catch (error) {
        this.#turn?.failed(error as Error);
      }
    });
    this.#socket.on('error', (error) => this.#turn?.failed(error));
    this.#socket.on('close', () => this.#turn?.failed(new Error('the connection was closed')));
  }

  async ask(question: Buffer | null): Promise<LdapAnswer> {
    const early = nextAnswer(this.#bytes);
    if (question === null && early) {
      this.#bytes = early.rest;
      return early.answer;
    }
    return new Promise((done, failed) => {
      this.#turn = { done, failed };
      if (question !== null) this.#socket.write(question);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

const named = (address: string, hostname: string) =>
  hostname === '' ? (isIP(address) ? { host: address } : {}) : { servername: hostname };

function secured(socket: Socket, address: string, { hostname, ca_pem }: LdapQuestions): Promise<Socket> {
  return new Promise((done, failed) => {
    const tls = connectTls({ socket, ca: ca_pem, ...named(address, hostname) }, () => done(tls));
    tls.on('error', failed);
  });
}

function connected(address: string, port: number): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connectTcp(port, address, () => done(socket));
    socket.setTimeout(WAIT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', failed);
  });
}

/** Binds as each tree's own entry and reads it. */
async function toldBy(talk: Conversation, { trees, digest }: LdapQuestions): Promise<(string | null)[]> {
  const told: (string | null)[] = [];
  for (const [at, dn] of trees.entries()) {
    const { code } = await talk.ask(bindRequest(10 + (at % 50) * 2, dn, digest));
    if (code !== 0) {
      told.push(null);
      continue;
    }
    const entry = await talk.ask(readRequest(11 + (at % 50) * 2, dn, 'description'));
    if (entry.code === null) await talk.ask(null);
    told.push(entry.value);
  }
  return told;
}

async function askOne(listener: LdapQuestions['listeners'][number], how: LdapQuestions): Promise<LdapAnswered> {
  const { address, port, scheme } = listener;
  let plain: number | null = null;
  const socket = await connected(address, port);
  try {
    if (scheme === 'ldap') {
      const clear = new Conversation(socket);
      // As an entry that nobody has: whether it is refused before its password is looked at.
      plain = (await clear.ask(bindRequest(1, `cn=nobody,${how.trees[0] ?? 'o=none'}`, 'none'))).code;
      await clear.ask(startTlsRequest(2));
      socket.removeAllListeners('data');
    }
    const talk = new Conversation(await secured(socket, address, how));
    return { told: await toldBy(talk, how), plain, error: null };
  } finally {
    socket.destroy();
  }
}

/** Never rejects. */
export const askDirectory = (listener: LdapQuestions['listeners'][number], how: LdapQuestions): Promise<LdapAnswered> =>
  askOne(listener, how).catch((error: Error) => ({ told: [], plain: null, error: error.message }));

if (import.meta.main) {
  const questions = JSON.parse(process.argv[2] ?? '') as LdapQuestions;
  const answers = await Promise.all(questions.listeners.map((each) => askDirectory(each, questions)));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
