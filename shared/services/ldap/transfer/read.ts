// A file of users or groups, read and held against the rules of single ones: each fault with its line and column. Pure.
import type { FieldError } from '../../../ground/problems.ts';
import { checked } from '../../../kernel/operation/checked.ts';
import type { Draft } from '../../../platform/units/collection.ts';
import { type RowFault, readFile } from '../../../platform/units/import-rows.ts';
import { draftOf, type Kind, SHAPES } from './columns.ts';

export interface ReadEntry {
  line: number;
  name: string;
  /** Members that its row says. */
  draft: Draft;
  /** The line that has its name already. */
  twin: number | undefined;
}

export interface ReadFile {
  kind: Kind;
  head: readonly string[];
  entries: ReadEntry[];
}

/** @throws Problem 422 at `/csv` for a file that can't be read, or whose columns are not those of the kind */
export function readEntries(kind: Kind, text: string): ReadFile {
  const { into, key, keyOf } = SHAPES[kind];
  const { head, rows } = readFile(into, text);
  const seen = new Map<string, number>();
  const entries = rows.map(({ line, cells }) => {
    const draft = draftOf(cells);
    const name = String(draft[key] ?? '');
    const twin = seen.get(keyOf(name));
    seen.set(keyOf(name), twin ?? line);
    return { line, name, draft, twin };
  });
  return { kind, head, entries };
}

/** At a member; where its column is not there, at that of the name. */
export function faultAt({ kind, head }: ReadFile, line: number, member: string, detail: string): RowFault {
  const name = head.includes(member) ? member : SHAPES[kind].key;
  return { line, column: head.indexOf(name) + 1, name, detail };
}

/** An entry by the schema of a new one, or of a change; its members as they are saved. */
export function settledEntry(
  file: ReadFile,
  { line, draft, twin }: ReadEntry,
  organization_id: string | null,
): { draft: Draft; faults: RowFault[] } {
  const { collection, key } = SHAPES[file.kind];
  if (twin !== undefined) return { draft, faults: [faultAt(file, line, key, `This row is on line ${twin} already.`)] };
  const { [key]: _, ...rest } = draft;
  const fresh = organization_id !== null;
  const schema = fresh ? collection.schemas.create : collection.schemas.update;
  const errors: FieldError[] = [];
  const place = { pointer: (path: readonly string[]) => path[0] ?? '', unknown: '' };
  const read = checked(schema, fresh ? { organization_id, ...draft } : rest, place, errors);
  if (errors.length === 0) return { draft: read as Draft, faults: [] };
  const faults = errors.map(({ pointer: member, detail }) =>
    faultAt(file, line, member, file.head.includes(member) ? detail : `${member}: a new row needs it.`),
  );
  return { draft, faults };
}
