// A client of SCIM 2.0 (RFC 7644) over a connection that is pinned to the confirmed certificate. It waits where it is asked to,
// within a bound, and reads lists page by page.
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import type { PinnedAnswer } from '../connection/exchange.ts';
import type { PinnedClient } from '../connection/pinned-client.ts';
import { refusalOf, ScimRefusal } from './faults.ts';
import { PATCH, type PatchOperation } from './resources.ts';

export type Kind = 'Users' | 'Groups';

export interface ScimOptions {
  client: Pick<PinnedClient, 'request'>;
  /** For people. */
  server: string;
  /** Path of the base URL, without a slash at its end. */
  path: string;
  token: string;
  /** Schemes that are tried, until the first is taken. */
  schemes: readonly string[];
  signal: AbortSignal;
  /** @throws the signal's reason */
  wait(milliseconds: number): Promise<void>;
  /** Called before each request. @throws where the time is over */
  check(): void;
}

/** Objects of a page that are asked for; a target may answer fewer. */
const PAGE = { Users: 200, Groups: 50 };
/** Objects that a target may have, of each kind: more are no lab's. */
export const REMOTE_MOST = 50_000;
const PAGE_BYTES = 16 << 20;
/** Seconds that one request waits by Retry-After in all, and how often it is sent. */
const WAIT = { most: 300, times: 6, usual: 5 };
const MEDIA = 'application/scim+json';

const listSchema = v.looseObject({
  totalResults: v.pipe(v.number(), v.integer(), v.minValue(0)),
  Resources: v.nullish(v.array(v.unknown()), []),
});
const madeSchema = v.looseObject({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(256)) });

interface Asked {
  method: string;
  path: string;
  json?: unknown;
}

export class Scim {
  readonly #options: ScimOptions;
  #scheme: string | null = null;

  constructor(options: ScimOptions) {
    this.#options = options;
  }

  /** All objects of a kind. @throws Problem 409; ScimRefusal */
  async all<T>(kind: Kind, schema: v.GenericSchema<unknown, T>): Promise<T[]> {
    const found: T[] = [];
    for (let start = 1; ; ) {
      const { totalResults, Resources } = await this.#page(`${kind}?startIndex=${start}&count=${PAGE[kind]}`);
      found.push(...Resources!.map((each) => this.#read(schema, each, kind)));
      if (found.length > REMOTE_MOST || totalResults > REMOTE_MOST)
        throw this.#unusable(`has more than ${REMOTE_MOST} ${kind.toLowerCase()}, which are not read`);
      start += Resources!.length;
      if (Resources!.length === 0 || start > totalResults) return found;
    }
  }

  async get<T>(kind: Kind, id: string, schema: v.GenericSchema<unknown, T>): Promise<T> {
    const answer = await this.#ask({ method: 'GET', path: `${kind}/${encodeURIComponent(id)}` }, [200]);
    return this.#read(schema, this.#json(answer), kind);
  }

  /** The first object whose attribute has this value; null: there is none. */
  async find<T>(kind: Kind, attribute: string, value: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
    const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`);
    const { Resources } = await this.#page(`${kind}?filter=${filter}&startIndex=1&count=1`);
    return Resources!.length === 0 ? null : this.#read(schema, Resources![0], kind);
  }

  /** Answers its id at the target. */
  async create(kind: Kind, json: unknown): Promise<string> {
    const answer = await this.#ask({ method: 'POST', path: kind, json }, [200, 201]);
    return this.#read(madeSchema, this.#json(answer), kind).id;
  }

  async replace(kind: Kind, id: string, json: object): Promise<void> {
    await this.#ask({ method: 'PUT', path: `${kind}/${encodeURIComponent(id)}`, json: { ...json, id } }, [200, 204]);
  }

  async patch(kind: Kind, id: string, Operations: readonly PatchOperation[]): Promise<void> {
    const json = { schemas: [PATCH], Operations };
    await this.#ask({ method: 'PATCH', path: `${kind}/${encodeURIComponent(id)}`, json }, [200, 204]);
  }

  /** One that is gone already is as good. */
  async remove(kind: Kind, id: string): Promise<void> {
    await this.#ask({ method: 'DELETE', path: `${kind}/${encodeURIComponent(id)}` }, [200, 204, 404]);
  }

  async #page(path: string) {
    const answer = await this.#ask({ method: 'GET', path }, [200]).catch((error: unknown) => {
      // Without the list nothing is known of what is there.
      throw error instanceof ScimRefusal ? this.#unlisted(error) : error;
    });
    return this.#read(listSchema, this.#json(answer), 'list');
  }

  #unlisted({ status, message }: ScimRefusal): Problem {
    if (status === 404)
      return new Problem(
        'remote_refused',
        `${this.#options.server} has no SCIM service at this base URL (status 404).`,
      );
    return new Problem('remote_refused', `The list of what is there was refused (status ${status}). ${message}`);
  }

  /** Sends until it is taken; a wait that it asks for is kept. @throws Problem; ScimRefusal */
  async #ask(asked: Asked, statuses: readonly number[]): Promise<PinnedAnswer> {
    let waited = 0;
    for (let time = 1; ; time += 1) {
      const answer = await this.#send(asked);
      if (statuses.includes(answer.status)) return answer;
      if (answer.status !== 429 && answer.status !== 503)
        throw refusalOf(answer, this.#options.server, this.#options.token);
      const seconds = retryAfter(answer) ?? WAIT.usual;
      waited += seconds;
      if (waited > WAIT.most || time === WAIT.times)
        throw new Problem(
          'remote_not_ready',
          `${this.#options.server} is too busy (status ${answer.status}): it did not take the request within the time that a push waits. Push again later; a target that pushes by itself is tried again.`,
        );
      await this.#options.wait(seconds * 1000);
    }
  }

  /** A scheme that is refused with the first request gives way to the next; the one that was taken stays. */
  async #send(asked: Asked): Promise<PinnedAnswer> {
    const { schemes } = this.#options;
    if (this.#scheme !== null) return this.#once(asked, this.#scheme);
    for (const [at, scheme] of schemes.entries()) {
      const answer = await this.#once(asked, scheme);
      if (answer.status === 401 && at < schemes.length - 1) continue;
      if (answer.status !== 401) this.#scheme = scheme;
      return answer;
    }
    throw new Error('A SCIM client needs a scheme.');
  }

  async #once({ method, path, json }: Asked, scheme: string): Promise<PinnedAnswer> {
    const { client, path: base, token, signal, check } = this.#options;
    check();
    signal.throwIfAborted();
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const typed = json === undefined ? {} : { 'content-type': MEDIA };
    const headers = { accept: `${MEDIA}, application/json`, ...typed, authorization: `${scheme} ${token}` };
    return client.request({ method, path: `${base}/${path}`, headers, ...body, limit: PAGE_BYTES, signal });
  }

  #json({ body }: PinnedAnswer): unknown {
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw this.#unusable('gave an answer that is not JSON');
    }
  }

  #read<T>(schema: v.GenericSchema<unknown, T>, value: unknown, what: string): T {
    const read = v.safeParse(schema, value);
    if (read.success) return read.output;
    throw this.#unusable(`gave an answer about ${what.toLowerCase()} that is not as SCIM 2.0 has it`);
  }

  #unusable(what: string): Problem {
    return new Problem(
      'remote_answer_unusable',
      `${this.#options.server} ${what}. Check that the base URL is that of a SCIM 2.0 service.`,
    );
  }
}

/** Seconds (RFC 9110, 10.2.3); a date is not kept. Null: none. */
export function retryAfter({ headers }: Pick<PinnedAnswer, 'headers'>): number | null {
  const text = String(headers['retry-after'] ?? '');
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}
