// An archive of schema 2, which is plain JSON: one object with sections, read whole within limits. Nothing of it is quoted in a
// refusal: a section may hold secrets.
import * as v from 'valibot';
import type { Bytes } from '../../../ground/byte-source.ts';
import { unreadable } from '../fault.ts';

export const PLAIN_SCHEMA = 2;

export const PLAIN_LIMITS = {
  /** Bytes of the file: it is in memory at once. */
  file: 16 << 20,
  sections: 200,
  /** Rows of a section. */
  rows: 20_000,
  /** Levels of objects and lists. */
  depth: 16,
  /** Characters of what it says of itself. */
  text: 200,
} as const;

const said = v.fallback(v.pipe(v.string(), v.maxLength(PLAIN_LIMITS.text)), '');
const documentSchema = v.object({
  kind: v.string(),
  schema_version: v.number(),
  app_version: said,
  exported_at: said,
  exported_by: said,
  data: v.pipe(
    v.custom((value) => !Array.isArray(value)),
    v.record(v.string(), v.unknown()),
  ),
});

export interface PlainDocument {
  app_version: string;
  exported_at: string;
  exported_by: string;
  sections: ReadonlyMap<string, unknown>;
}

/** Whether a file that begins so is one. */
export const isPlain = (head: Buffer): boolean => /^(?:\xef\xbb\xbf)?\s*\{/.test(head.toString('latin1', 0, 64));

/** @throws Problem 409 */
export async function readPlain(bytes: Bytes): Promise<PlainDocument> {
  const document = v.safeParse(documentSchema, parsed(await textOf(bytes)));
  if (!document.success) {
    const [where] = document.issues[0]!.path ?? [];
    throw unreadable(where ? `Its member ${String(where.key)} is missing, or is of another kind.` : 'It is no object.');
  }
  const { schema_version, data, app_version, exported_at, exported_by } = document.output;
  if (schema_version !== PLAIN_SCHEMA)
    throw unreadable(
      `It is of schema ${schema_version}; of archives in plain JSON this program reads schema ${PLAIN_SCHEMA}.`,
    );
  const sections = new Map(Object.entries(data));
  if (sections.size > PLAIN_LIMITS.sections) throw unreadable(`It has more than ${PLAIN_LIMITS.sections} sections.`);
  for (const value of sections.values()) {
    if (Array.isArray(value) && value.length > PLAIN_LIMITS.rows)
      throw unreadable(`A section of it has more than ${PLAIN_LIMITS.rows} rows.`);
    if (deeper(value, PLAIN_LIMITS.depth)) throw unreadable(`It has more than ${PLAIN_LIMITS.depth} levels.`);
  }
  return { app_version, exported_at, exported_by, sections };
}

async function textOf(bytes: Bytes): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > PLAIN_LIMITS.file) throw unreadable(`In plain JSON it has at most ${PLAIN_LIMITS.file >> 20} MiB.`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw unreadable('It is not UTF-8 text.');
  }
}

/** The parser's own message quotes what it read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unreadable('It is not valid JSON, or was cut off.');
  }
}

function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => deeper(member, levels - 1));
}
