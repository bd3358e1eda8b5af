// Reads an archive as it comes, member by member. What is handed on is not to be trusted before the end: every digest has
// held only then.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type AgeIdentity, decryptAge } from '../../ground/age/age.ts';
import { ByteSource, type Bytes } from '../../ground/byte-source.ts';
import { readCanonicalJson, readCanonicalLines } from '../../ground/canonical-json.ts';
import { readTar } from '../../ground/tar/read.ts';
import { asRefusal, unreadable } from './fault.ts';
import { FORMAT, MANIFEST_NAME, type Manifest, manifestDigest, manifestSchema } from './manifest.ts';
import type { ArchiveRow } from './rows.ts';

/** Bytes of a manifest: a table takes two hundred. */
const MANIFEST_MOST = 256 << 10;
/** Rows that are handed on at once. */
const BATCH = 500;

export type Piece = { manifest: Manifest } | { table: string; rows: ArchiveRow[] };

/** Yields the manifest first. @throws Problem 409, or 422 where another passphrase or identity would do */
export async function* readArchive(bytes: Bytes, by: AgeIdentity | null): AsyncGenerator<Piece> {
  try {
    const members = readTar(by ? decryptAge(bytes, by) : bytes, MANIFEST_NAME);
    const first = await members.next();
    if (first.done || first.value.name !== MANIFEST_NAME) throw unreadable('It does not begin with its manifest.');
    const manifest = await manifestOf(first.value);
    yield { manifest };
    const awaited = [...manifest.contents];
    for await (const { name, data } of members) {
      const content = awaited.shift();
      if (content?.name !== name) throw unreadable(`The member ${name} is not the one that the manifest names.`);
      yield* rowsOf(content, data);
    }
    if (awaited.length > 0) throw unreadable(`The member ${awaited[0]!.name} is missing.`);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function manifestOf({ size, data }: { size: number; data: Bytes }): Promise<Manifest> {
  if (size > MANIFEST_MOST) throw unreadable('Its manifest is too long.');
  const found = readCanonicalJson(await new ByteSource(data).take(size));
  if (typeof found !== 'object' || found === null) throw unreadable(NO_MANIFEST);
  const { sha256, ...others } = found as Record<string, unknown>;
  if (sha256 !== undefined && sha256 !== manifestDigest(others)) throw unreadable('Its manifest is not whole.');
  const { format } = others;
  if (typeof format === 'number' && format > FORMAT) {
    throw unreadable(`It has the format ${format}, which a later version of the program writes.`);
  }
  const read = v.safeParse(manifestSchema, found);
  if (!read.success) throw unreadable(NO_MANIFEST);
  return read.output;
}

const NO_MANIFEST = 'Its manifest is not that of an archive.';

async function* rowsOf(content: Manifest['contents'][number], data: Bytes): AsyncGenerator<Piece> {
  const table = /^(?:desired|sealed)\/(\w+)\.jsonl$/.exec(content.name)?.[1];
  if (table === undefined) throw unreadable('A member has a name that this format does not have.');
  const hash = createHash('sha256');
  let count = 0;
  let rows: ArchiveRow[] = [];
  for await (const value of readCanonicalLines(hashed(data, hash))) {
    rows.push(rowOf(value, content.name));
    count += 1;
    if (rows.length < BATCH) continue;
    yield { table, rows };
    rows = [];
  }
  if (hash.digest('hex') !== content.sha256)
    throw unreadable(`The member ${content.name} is not that of the manifest.`);
  if (count !== content.rows) throw unreadable(`The member ${content.name} has not as many rows as the manifest says.`);
  if (rows.length > 0) yield { table, rows };
}

async function* hashed(data: Bytes, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of data) {
    hash.update(piece);
    yield piece;
  }
}

function rowOf(value: unknown, member: string): ArchiveRow {
  const row = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const { natural_key: _key, ...columns } = row as ArchiveRow;
  if (typeof columns.id !== 'string') throw unreadable(`A line of ${member} is no row.`);
  return columns;
}
