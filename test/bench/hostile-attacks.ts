// What somebody who wants to stop the appliance sends: each attack is bounded in count, and what it opened it gives back.
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';

export interface Attack {
  /** Ends all that it holds. */
  end(): void;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
/** Addresses of loopback, from `127.0.0.<first>` on. */
export const addresses = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.0.${first + at}`);

interface Held {
  port: number;
  /** Connections from each of these. */
  from: readonly string[];
  each: number;
  bytes: string | Buffer;
  tls?: boolean;
  /** Takes no byte of what is answered. */
  unread?: boolean;
}

/** Connections that send some bytes and never end by themselves, whatever the other side does. */
export function hold({ port, from, each, bytes, tls = false, unread = false }: Held): Attack {
  const sockets: Socket[] = [];
  for (const localAddress of from) {
    for (let count = 0; count < each; count++) {
      const place = { host: '127.0.0.1', port, localAddress, allowHalfOpen: true, rejectUnauthorized: false };
      const socket = tls ? connectTls(place) : connect(place);
      sockets.push(socket);
      socket.on('error', () => undefined);
      if (unread) socket.pause();
      else socket.resume();
      if (bytes.length > 0) socket.write(bytes);
    }
  }
  return {
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface Call {
  port: number;
  method: string;
  path: string;
  from: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Called {
  status: number;
  cookies: string[];
  body: string;
}

/** One request over a connection of its own; status 0 without an answer. */
export function call({ port, method, path, from, headers = {}, body }: Call): Promise<Called> {
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, cookies: [], body: '' });
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const place = {
      host: '127.0.0.1',
      port,
      method,
      path,
      localAddress: from,
      rejectUnauthorized: false,
      agent: false,
    };
    const asked = request({ ...place, headers: { ...headers, ...length }, timeout: 60_000 }, (answer) => {
      const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]!);
      text(answer).then((heard) => resolve({ status: answer.statusCode!, cookies, body: heard }), failed);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', failed);
    asked.end(body);
  });
}

/** As a browser does it: the form, then its fields. Answers the status of the second. */
export async function signIn(port: number, from: string, username: string, password: string): Promise<number> {
  const path = '/ui/management/sign-in';
  const shown = await call({ port, method: 'GET', path, from, headers: { accept: 'text/html' } });
  const csrf = /name="csrf" value="([\w-]+)"/.exec(shown.body)?.[1] ?? '';
  const headers = {
    cookie: shown.cookies.join('; '),
    origin: `https://127.0.0.1:${port}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = new URLSearchParams({ csrf, username, password }).toString();
  return (await call({ port, method: 'POST', path, from, headers, body })).status;
}

/** Wrong passwords for one user from many addresses, two at a time each, until it is ended. */
export function guess(port: number, from: readonly string[], username: string): Attack {
  let ended = false;
  const one = async (address: string): Promise<void> => {
    while (!ended) {
      await signIn(port, address, username, 'not the password at all');
      await pause(50);
    }
  };
  for (const address of from) for (let at = 0; at < 2; at++) void one(address);
  return {
    end: () => {
      ended = true;
    },
  };
}
