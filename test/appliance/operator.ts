// The operator on the other end of the management wire: one process in the lab's namespace that sends the requests it is
// handed, a sign-in as a browser does it, and calls of the REST API with a token.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pause } from './machine.ts';

export interface Heard {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  text: string;
}

interface Request {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Of the body; text where nothing is said. */
  encoding?: 'base64';
  /** Over a new connection, and what comes after it too. */
  fresh?: boolean;
}

/**
 * Runs in the namespace. The certificate is self-signed and made on the machine: nobody could know it before. Connections
 * are kept, since in software emulation each one costs the appliance more than what is asked over it; a fresh one closes
 * those to a machine that may be gone. So is one that was idle: the appliance ends it a few seconds later, and a request
 * that crosses that end on a slow wire has no answer. It also ends idle ones right after an apply, when its listeners
 * follow the addresses: a GET that crosses that is sent once more, as browsers do (RFC 9112, 9.3.1), and what is no GET has
 * a connection of its own.
 */
const PROGRAM = `
  const https = require('node:https');
  let kept = new https.Agent({ keepAlive: true });
  let open = 0;
  let idle = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, limit, fresh, method, url, headers, body, encoding = 'utf8' } = JSON.parse(line);
    if (fresh || (open === 0 && performance.now() - idle > 1000)) {
      kept.destroy();
      kept = new https.Agent({ keepAlive: true });
    }
    open += 1;
    let told = false;
    const tell = (what) => {
      if (told) return;
      told = true;
      open -= 1;
      idle = performance.now();
      process.stdout.write(JSON.stringify({ id, ...what }) + '\\n');
    };
    const options = { method, headers, rejectUnauthorized: false, timeout: limit };
    const send = () => {
      const request = https.request(url, { ...options, agent: method === 'GET' && kept }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
          const { 'set-cookie': cookies = [], ...headers } = answer.headers;
          tell({ heard: { status: answer.statusCode, headers, cookies, text } });
        });
      });
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', ({ code, message }) => {
        if (code === 'ECONNRESET' && method === 'GET' && request.reusedSocket) send();
        else tell({ error: message });
      });
      request.end(body, encoding);
    };
    send();
  });
`;

export class Operator {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { done: (heard: Heard) => void; failed: (error: Error) => void }>();
  #asked = 0;
  /** Origin of the appliance: `https://10.99.0.1`. */
  origin: string;
  /** Of the REST API; a sign-in gets one. */
  token = '';

  constructor(namespace: string, origin: string) {
    this.origin = origin;
    this.#child = spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', PROGRAM], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const { id, heard, error } = JSON.parse(line) as { id: number; heard?: Heard; error?: string };
      const turn = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (heard) turn?.done(heard);
      else turn?.failed(new Error(error));
    });
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  #send(request: Request, limit: number): Promise<Heard> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      this.#child.stdin!.write(`${JSON.stringify({ id, limit, ...request })}\n`);
    });
  }

  /** Waits until the appliance answers. @throws Error with the last reason why it did not */
  async reaches(limit: number): Promise<void> {
    const began = performance.now();
    for (;;) {
      const request = { method: 'GET', url: `${this.origin}/healthz`, headers: {}, fresh: true };
      const heard = await this.#send(request, 15_000).catch((error: Error) => error);
      if (!(heard instanceof Error) && heard.status === 200) return;
      if (performance.now() - began > limit) {
        const why = heard instanceof Error ? heard.message : `${heard.status} ${heard.text}`;
        throw new Error(`${this.origin} did not answer within ${limit / 1000} s: ${why}`);
      }
      await pause(250);
    }
  }

  /** As a browser: the form, its hidden fields, the cookies. Then a token for the REST API, from its page. */
  async signIn(password: string, scopes: readonly string[]): Promise<void> {
    const jar = new Map<string, string>();
    const visit = async (method: string, path: string, fields?: Record<string, string | readonly string[]>) => {
      const body = fields && new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => pairs(name, value)));
      const headers = {
        accept: 'text/html',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin }),
      };
      const heard = await this.#send(
        { method, url: `${this.origin}${path}`, headers, body: body?.toString() },
        300_000,
      );
      for (const cookie of heard.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        jar.set(name, value);
      }
      return heard;
    };
    const csrfOf = ({ text }: Heard) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const form = await visit('GET', '/ui/management/sign-in');
    const signedIn = await visit('POST', '/ui/management/sign-in', {
      csrf: csrfOf(form),
      username: 'admin',
      password,
    });
    if (signedIn.status !== 303) throw new Error(`the sign-in answered ${signedIn.status}: ${text(signedIn)}`);
    const page = await visit('GET', '/ui/management/api-tokens');
    const fields = { csrf: csrfOf(page), name: 'appliance test', scopes, lifetime_days: '1', own_password: password };
    const created = await visit('POST', '/ui/management/api-tokens', fields);
    const token = /gcr_tok_\w{16}_[\w-]{49}/.exec(created.text)?.[0];
    if (!token) throw new Error(`no token was shown: ${created.status} ${text(created)}`);
    this.token = token;
  }

  /** Calls the REST API. */
  call(method: string, path: string, body?: unknown, { limit = 300_000, fresh = false } = {}): Promise<Heard> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const request = { method, url: `${this.origin}${path}`, headers, fresh };
    return this.#send({ ...request, body: body === undefined ? undefined : JSON.stringify(body) }, limit);
  }

  /** Sends bytes to the REST API. @throws Error for a refusal */
  async octets(method: string, path: string, bytes: Uint8Array): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' };
    const request = { method, url: `${this.origin}${path}`, headers };
    const body = Buffer.from(bytes).toString('base64');
    const { status, text } = await this.#send({ ...request, body, encoding: 'base64' }, 300_000);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  }

  /** Calls the REST API and answers the body. @throws Error for a refusal */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async expect(method: string, path: string, body?: unknown, how: { fresh?: boolean } = {}): Promise<any> {
    const heard = await this.call(method, path, body, how);
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.text === '' ? null : JSON.parse(heard.text);
  }
}

const pairs = (name: string, value: string | readonly string[]): [string, string][] =>
  (typeof value === 'string' ? [value] : value).map((one) => [name, one]);

const text = (heard: Heard): string =>
  heard.text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
