// Names and the like that a management server gave, as pages and logs show them: one short line that does not repeat
// the password of the login. Unlike its messages they are left as they are otherwise: people compare them.
import { scrub } from '../vcf-api/scrub.ts';

const MOST_CHARACTERS = 255;
/** A part of a secret as long as that counts as the secret; one that is shorter counts whole. */
const WINDOW = 8;
/** Control characters, ends of lines, and those that change the direction of what follows. */
const UNSEEMLY = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

export type Label = (text: string) => string;

/** Fast for many texts: only texts that share a part with a secret are compared in full. */
export function labelWithout(secrets: readonly string[]): Label {
  const parts = new Map<number, Set<string>>();
  for (const secret of secrets) for (const form of formsOf(secret)) addParts(parts, form);
  return (text) => {
    const line = text
      .slice(0, 4 * MOST_CHARACTERS)
      .replace(UNSEEMLY, ' ')
      .slice(0, MOST_CHARACTERS);
    return shares(line.toLowerCase(), parts) ? scrub(line, { secrets }).slice(0, MOST_CHARACTERS) : line;
  };
}

function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [encodeURIComponent(secret.toWellFormed()), bytes.toString('base64').replace(/=+$/, '')];
  return [secret, ...encoded, bytes.toString('hex')].map((form) => form.toLowerCase());
}

function addParts(parts: Map<number, Set<string>>, form: string): void {
  const width = Math.min(WINDOW, form.length);
  const known = parts.get(width) ?? new Set();
  for (let at = 0; at + width <= form.length; at++) known.add(form.slice(at, at + width));
  parts.set(width, known);
}

function shares(line: string, parts: ReadonlyMap<number, ReadonlySet<string>>): boolean {
  for (const [width, known] of parts) {
    for (let at = 0; at + width <= line.length; at++) if (known.has(line.slice(at, at + width))) return true;
  }
  return false;
}
