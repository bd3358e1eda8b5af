// What page and appliance say to each other beside the bytes of the terminal: JSON in text messages. Binary messages are
// what is typed, and what is printed.
import * as v from 'valibot';

/** A number of columns or rows, as the kernel and programs take it. */
const size = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const columns = size(2, 500);
const rows = size(1, 300);
const secret = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
const answer = v.pipe(v.string(), v.maxBytes(1024));

const schema = v.variant('type', [
  v.strictObject({ type: v.literal('ticket'), ticket: secret, columns, rows, take: v.optional(v.literal(true)) }),
  v.strictObject({ type: v.literal('resume'), token: secret, columns, rows }),
  v.strictObject({ type: v.literal('answer'), answers: v.pipe(v.array(answer), v.maxLength(8)) }),
  v.strictObject({ type: v.literal('resize'), columns, rows }),
  v.strictObject({ type: v.literal('drawn'), bytes: size(1, 16 << 20) }),
  v.strictObject({ type: v.literal('end') }),
]);

export type FromPage = v.InferOutput<typeof schema>;

export interface Prompt {
  prompt: string;
  /** Whether what is typed may be shown. */
  echo: boolean;
}

export type ToPage =
  /** What is printed will be recorded: told before anything is asked. */
  | { type: 'recorded'; days: number }
  | { type: 'prompt'; prompts: Prompt[] }
  | { type: 'ready'; resume: string; replayed: number; again: boolean }
  | { type: 'warning'; cause: 'idle' | 'total'; seconds: number }
  | { type: 'closing'; cause: string; says: string };

/** Null: no message of a terminal. */
export function fromPage(text: string): FromPage | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return read.success ? read.output : null;
}

/** Of a prompt: printable, and not longer than a line. PAM modules write it. */
export const promptText = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, ' ').slice(0, 200);
