// Questions to one appliance over a connection that is pinned to its confirmed certificate.
import type { PinnedAnswer, PinnedClient as WholeClient } from '../connection/pinned-client.ts';
import { scrub, submittedIn } from './scrub.ts';

export type { PinnedAnswer };
export type PinnedClient = Pick<WholeClient, 'request'>;

/** One question of this client, before anything about tokens is added. */
export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as application/json. */
  json?: unknown;
  limit: number;
  /** Milliseconds for all of it; default: that of the client. */
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
  /** User names in the body were not typed, so messages may contain them. */
  names_known?: true;
  /** The subject of the request, in a sentence: `the credentials`. */
  what: string;
}

/** An answer with the secrets of its request, to scrub them. */
export interface Reply extends PinnedAnswer {
  /** A text of the answer without anything secret of the question. */
  clean: (text: string) => string;
}

/** Sends requests, with or without a login; answers any status. */
export interface Asker {
  ask(question: Question): Promise<Reply>;
}

/** Without a token. */
export function anonymously(client: PinnedClient): Asker {
  return { ask: (question) => send(client, question, {}) };
}

/** `tokens` go along in headers. The body's bytes are overwritten once they were sent: they may hold a password. */
export async function send(
  client: PinnedClient,
  { method, path, json, limit, timeout, signal, names_known }: Question,
  headers: Record<string, string>,
  tokens: readonly string[] = [],
): Promise<Reply> {
  const { secrets, names } = submittedIn(json);
  const submitted = { secrets: [...secrets, ...tokens], names: names_known ? [] : names };
  const typed = json === undefined ? {} : { 'content-type': 'application/json' };
  const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json), 'utf8');
  try {
    const answer = await client.request({
      method,
      path,
      headers: { accept: 'application/json', ...typed, ...headers },
      body,
      limit,
      ...(timeout !== undefined && { timeout }),
      signal,
    });
    return { ...answer, clean: (text) => scrub(text, submitted) };
  } finally {
    body?.fill(0);
  }
}
