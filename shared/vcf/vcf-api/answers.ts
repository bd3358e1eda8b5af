// Reads the answers of an appliance: JSON by a schema, or a described error. A fault repeats nothing of an unreadable
// body, which may contain anything.
import * as v from 'valibot';
import { ApplianceFault, type ApplianceReason, NO_WORDS, type VendorWords } from './fault.ts';
import { scrub } from './scrub.ts';
import type { Asker, PinnedAnswer, Question, Reply } from './transport.ts';

type Schema<T> = v.GenericSchema<unknown, T>;

/**
 * Sends and reads; a status other than `statuses` is a fault. The body's bytes are overwritten: they may have secrets.
 */
export async function askFor<T>(
  asker: Asker,
  question: Question,
  schema: Schema<T>,
  statuses: readonly number[] = [200],
): Promise<T> {
  const answer = await asker.ask(question);
  try {
    if (!statuses.includes(answer.status)) throw faultOf(answer, question);
    return readJson(answer, schema, question);
  } finally {
    answer.body.fill(0);
  }
}

/** @throws ApplianceFault `unreadable` that names the members that are wrong, never their values. */
export function readJson<T>(answer: PinnedAnswer, schema: Schema<T>, question: Question): T {
  const value = jsonOf(answer, question);
  const read = v.safeParse(schema, value);
  if (read.success) return read.output;
  const members = [...new Set(read.issues.map((issue) => memberOf(issue)))].slice(0, 3).join(', ');
  throw new ApplianceFault('unreadable', `The answer about ${question.what} is not as expected (${members}).`);
}

const memberOf = (issue: v.BaseIssue<unknown>): string => {
  const path = (issue.path ?? [])
    .map(({ key }) => (typeof key === 'string' ? scrub(key).slice(0, 40) : '[]'))
    .join('.');
  return path === '' ? 'the whole' : path;
};

function jsonOf({ status, body }: PinnedAnswer, { what, limit }: Question): unknown {
  const words = { ...NO_WORDS, status };
  if (body.length > limit) throw new ApplianceFault('unreadable', `The answer about ${what} is too large.`, words);
  if (looksLikeHtml(body)) {
    throw new ApplianceFault('not_ready', `The appliance answered a web page instead of ${what}.`, words);
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApplianceFault('unreadable', `The answer about ${what} is not JSON.`, words);
  }
}

export const looksLikeHtml = (body: Buffer): boolean => /^(?:\uFEFF|\s)*</.test(body.toString('utf8', 0, 256));

/** Status → reason; what isn't named goes by its class. */
const REASONS: Record<number, ApplianceReason> = {
  401: 'session_lost',
  403: 'not_permitted',
  404: 'not_found',
  408: 'not_ready',
  429: 'not_ready',
  502: 'not_ready',
  503: 'not_ready',
  504: 'not_ready',
};

const SENTENCES: Partial<Record<ApplianceReason, (what: string) => string>> = {
  session_lost: (what) => `The appliance no longer accepts the login when asked for ${what}.`,
  not_permitted: (what) => `The account may not use ${what}.`,
  not_found: (what) => `The appliance does not have ${what}.`,
  not_ready: (what) => `The appliance can't answer for ${what} at the moment.`,
  failed: (what) => `The appliance failed over ${what}.`,
};

/** The fault of an answer with an unexpected status. It never contains submitted secrets. */
export function faultOf(
  answer: Reply,
  { what }: Pick<Question, 'what'>,
  reason = reasonOf(answer.status),
): ApplianceFault {
  if (answer.status >= 300 && answer.status < 400) {
    return new ApplianceFault(
      'unreadable',
      `The server sends the request for ${what} elsewhere; that is not followed.`,
      {
        ...NO_WORDS,
        status: answer.status,
      },
    );
  }
  const sentence = SENTENCES[reason]?.(what) ?? `The appliance refused ${what} (status ${answer.status}).`;
  return new ApplianceFault(reason, sentence, wordsOf(answer));
}

function reasonOf(status: number): ApplianceReason {
  const named = REASONS[status];
  if (named) return named;
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'unreadable';
}

const text = v.nullish(v.string(), null);
const nestedSchema = v.looseObject({ message: text, remediationMessage: text });
const vendorErrorSchema = v.looseObject({
  errorCode: text,
  message: text,
  remediationMessage: text,
  referenceToken: text,
  nestedErrors: v.nullish(v.array(nestedSchema), null),
});

/** The body's error in the vendor's format, scrubbed; only the status when the format is another (HTML, empty, cut). */
export function wordsOf({ status, body, clean: scrubbed }: Reply): VendorWords {
  const read = v.safeParse(vendorErrorSchema, parsed(body));
  if (!read.success) return { ...NO_WORDS, status };
  const { errorCode, message, remediationMessage, referenceToken, nestedErrors } = read.output;
  const nested = nestedErrors?.find((error) => error.message !== null);
  const clean = (raw: string | null | undefined): string | null => scrubbed(raw ?? '') || null;
  // A code or token that isn't one would be a message in disguise.
  const named = (raw: string | null, pattern: RegExp): string | null => {
    const text = clean(raw);
    return text !== null && pattern.test(text) ? text : null;
  };
  return {
    status,
    error_code: named(errorCode, /^[\w.-]{1,100}$/),
    message: clean(message ?? nested?.message),
    remediation: clean(remediationMessage ?? nested?.remediationMessage),
    reference_token: named(referenceToken, /^[\w-]{1,64}$/),
  };
}

const MOST_ERROR_BYTES = 256 * 1024;

function parsed(body: Buffer): unknown {
  if (body.length > MOST_ERROR_BYTES) return null;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
