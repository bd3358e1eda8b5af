// Writes an archive: a tar of canonical JSON lines, a member for each table, the same bytes for the same state. It reads a
// copy of the database that nobody writes to, twice: a tar says how long a member is, and the manifest its digest, before
// the member itself. So no more than a page of rows is in memory, however many there are.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../ground/canonical-json.ts';
import type { Database } from '../../ground/store/database.ts';
import { SCHEMA_VERSION } from '../../ground/store/open-store.ts';
import { type MemberToWrite, writeTar } from '../../ground/tar/write.ts';
import { FORMAT, MANIFEST_NAME, type Manifest, manifestDigest } from './manifest.ts';
import { type Keys, keyOf, pagesOf } from './rows.ts';
import { openedRow, type SecretShell } from './secrets.ts';
import { CARRIED, IDENTITY_TABLES, TABLES, type Table } from './tables.ts';

export interface Exported {
  /** What the manifest says beside the contents. */
  about: Pick<Manifest, 'program' | 'host_name' | 'created_at' | 'created_by'>;
  /** With what holds secrets: only for whoever encrypts the bytes. */
  sealed: boolean;
  /** With who may sign in, the hashes of their passwords, and second factors: only in encrypted bytes, too. */
  accounts?: boolean;
}

const memberName = ({ as, name }: Table): string => `${as}/${name}.jsonl`;

/** Tables whose ids stand in keys of others. */
const NAMED = new Set(TABLES.flatMap(({ key, refers }) => key.flatMap((column) => refers.get(column) ?? [])));

/** The lines of a table, a page of rows in one piece. Notes the keys that those of later tables are made of. */
async function* linesOf(
  db: Database,
  shell: SecretShell,
  table: Table,
  keys: Keys,
): AsyncGenerator<{ rows: number; bytes: Buffer }> {
  const known = new Map(keys.get(table.name));
  for await (const page of pagesOf(db, table)) {
    const lines: string[] = [];
    for (const row of page) {
      const natural_key = keyOf(table, row, keys);
      if (NAMED.has(table.name)) known.set(row.id, natural_key);
      const open = table.secret.length > 0 ? await openedRow(shell, table.name, table.label, row) : row;
      lines.push(canonicalJson({ ...open, natural_key }));
    }
    keys.set(table.name, known);
    yield { rows: page.length, bytes: Buffer.from(`${lines.join('\n')}\n`, 'utf8') };
  }
}

/** @throws Problem 409 for a secret that can't be opened; RangeError for more than an archive may hold. */
export async function* exportArchive(
  db: Database,
  shell: SecretShell,
  { about, sealed, accounts = false }: Exported,
): AsyncGenerator<Buffer> {
  const keys: Keys = new Map();
  const [carried, left] = [true, false].map((is) =>
    CARRIED.filter((table) => (IDENTITY_TABLES.includes(table) ? accounts : table.as === 'desired' || sealed) === is),
  ) as [Table[], Table[]];
  const members: { table: Table; name: string; rows: number; size: number; sha256: string }[] = [];
  for (const table of carried) {
    const hash = createHash('sha256');
    let [rows, size] = [0, 0];
    for await (const piece of linesOf(db, shell, table, keys)) {
      hash.update(piece.bytes);
      rows += piece.rows;
      size += piece.bytes.length;
    }
    members.push({ table, name: memberName(table), rows, size, sha256: hash.digest('hex') });
  }
  members.sort((one, other) => (one.name < other.name ? -1 : 1));
  const others: Manifest = {
    kind: 'groundcrew-archive',
    format: FORMAT,
    schema: SCHEMA_VERSION,
    ...about,
    contents: members.map(({ name, rows, sha256 }) => ({ name, rows, sha256 })),
    excluded: left.map(({ label }) => label),
  };
  const head = Buffer.from(canonicalJson({ ...others, sha256: manifestDigest(others) }), 'utf8');
  const bytesOf = async function* (table: Table): AsyncGenerator<Buffer> {
    for await (const { bytes } of linesOf(db, shell, table, keys)) yield bytes;
  };
  const all: MemberToWrite[] = [
    { name: MANIFEST_NAME, size: head.length, data: [head] },
    ...members.map(({ table, name, size }) => ({ name, size, data: bytesOf(table) })),
  ];
  yield* writeTar(all, MANIFEST_NAME);
}
