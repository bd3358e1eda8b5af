// One line of JSON in, one line out, one after the other, until the other side closes the connection. A change that was
// begun is completed even when the caller is gone.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import { LINE_MOST, type RootAnswer } from '../../shared/platform/host/root-step.ts';
import { Refused } from '../../shared/platform/host/system-root.ts';

interface Verb {
  verb: string;
  plan_id?: string;
  unit?: string;
}

/** Requests and their functions. */
export interface Verbs<R extends Verb> {
  schema: v.GenericSchema<unknown, R>;
  /** @throws Refused, Problem, an error that `closed` knows, or Error: each becomes an answer */
  run(request: R): Promise<unknown>;
  /** Whether an error says that the confirm window has ended. Not every program has one. */
  closed?(error: Error): boolean;
}

/** The journal gets a line for each of the others. */
const ONLY_LOOK = new Set(['ask', 'key', 'check-filter', 'read-network']);

/** Ends when the input ends and every request was answered. `told` gets each one for the journal. */
export async function serve<R extends Verb>(
  input: Readable,
  output: Writable,
  verbs: Verbs<R>,
  told: (line: string) => void,
): Promise<void> {
  // The caller may be gone by now.
  output.on('error', () => undefined);
  let text = '';
  for await (const part of untilClosed(input)) {
    text += part;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const answer = await answerOf(text.slice(0, end), verbs, told);
      // Who reads no answer gets no further ones.
      if (!output.write(`${JSON.stringify(answer)}\n`) && !output.destroyed) await emptied(output);
      text = text.slice(end + 1);
    }
    if (text.length > LINE_MOST) {
      told('refused: the line is too long');
      return;
    }
  }
}

async function answerOf<R extends Verb>(
  line: string,
  { schema, run, closed }: Verbs<R>,
  told: (line: string) => void,
): Promise<RootAnswer> {
  const request = parsed(schema, line);
  if (request === null) {
    told('refused: this is no request');
    return { ok: false, kind: 'refused', said: 'this is no request' };
  }
  const name = [request.verb, request.plan_id, request.unit].filter(Boolean).join(' ');
  try {
    const value = (await run(request)) ?? null;
    if (!ONLY_LOOK.has(request.verb)) told(`${name}: done`);
    return { ok: true, value };
  } catch (error) {
    const { message } = error as Error;
    const said = oneLine(message);
    told(`${name}: ${said}`);
    if (error instanceof Problem) return { ok: false, kind: 'problem', code: error.code, said };
    if (closed?.(error as Error)) return { ok: false, kind: 'window-closed', said };
    return { ok: false, kind: error instanceof Refused ? 'refused' : 'failed', said };
  }
}

/** Resolves when the output has been taken, or its reader is gone. */
const emptied = (output: Writable): Promise<unknown> =>
  Promise.race([once(output, 'drain'), once(output, 'close')]).catch(() => undefined);

/** Characters of an error that are passed on: it may quote the database. */
const SAID_MOST = 500;
const oneLine = (message: string): string =>
  message
    .split('\n', 1)[0]!
    .slice(0, SAID_MOST)
    .replace(/\p{Cc}/gu, '?');

function parsed<R>(schema: v.GenericSchema<unknown, R>, line: string): R | null {
  try {
    return v.parse(schema, JSON.parse(line));
  } catch {
    return null;
  }
}

/** A connection that is cut off, or closed from here, has ended like any other. */
async function* untilClosed(input: Readable): AsyncGenerator<string> {
  try {
    yield* input.setEncoding('utf8') as AsyncIterable<string>;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(code)) throw error;
  }
}
