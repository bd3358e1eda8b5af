// Saves a file of users or groups, whole or not at all: who is not there is created, who is there is changed where the file
// says something else, and nobody is deleted.
import type { CsvFault } from '../../../ground/csv.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Draft, Shell } from '../../../platform/units/collection.ts';
import { createItem, updateItem } from '../../../platform/units/collection-store.ts';
import { SHAPES } from './columns.ts';
import { columnOf, type ReadEntry, type ReadFile, refuseFile, settledEntry } from './read.ts';

export interface Imported {
  line: number;
  name: string;
  id: string;
  change: 'created' | 'changed' | 'unchanged';
  /** Members that become others. */
  members: string[];
}

const NAMES = {
  users: 'SELECT id, uid AS name FROM ldap_user WHERE organization_id = ?',
  groups: 'SELECT id, name FROM ldap_group WHERE organization_id = ?',
};

/** Ids by name, of those that are there. */
export async function idsByName(db: Database, { kind }: Pick<ReadFile, 'kind'>, organization_id: string) {
  const { keyOf } = SHAPES[kind];
  const rows = await db.all<{ id: string; name: string }>(NAMES[kind], [organization_id]);
  return new Map(rows.map(({ id, name }) => [keyOf(name), id]));
}

/** Names that the import will create. */
export async function newNames(db: Database, file: ReadFile, organization_id: string): Promise<string[]> {
  const ids = await idsByName(db, file, organization_id);
  const { keyOf } = SHAPES[file.kind];
  return file.entries.flatMap(({ name }) => (ids.has(keyOf(name)) ? [] : name));
}

interface Saving {
  tx: Transaction;
  shell: Shell;
  file: ReadFile;
  faults: CsvFault[];
}

/** Groups name each other in any order: new ones get their groups when all are there. */
const later = ({ member_groups, ...draft }: Draft): [now: Draft, then: Draft | null] => [
  draft,
  Array.isArray(member_groups) && member_groups.length > 0 ? { member_groups } : null,
];

/** @throws Problem 422 at `/csv` naming every fault by line and column */
export async function importFile(
  tx: Transaction,
  shell: Shell,
  file: ReadFile,
  organization_id: string,
): Promise<Imported[]> {
  const { collection, keyOf } = SHAPES[file.kind];
  const ids = await idsByName(tx, file, organization_id);
  const settled = file.entries.map((entry) => {
    const id = ids.get(keyOf(entry.name)) ?? null;
    return { entry, id, ...settledEntry(file, entry, id === null ? organization_id : null) };
  });
  const wrong = settled.flatMap(({ faults }) => faults);
  if (wrong.length > 0) refuseFile(file.head, wrong);
  const saving: Saving = { tx, shell, file, faults: [] };
  const created = new Map<ReadEntry, string>();
  for (const { entry, id, draft } of settled) {
    if (id !== null) continue;
    const made = await tried(saving, entry, () => createItem(tx, shell, collection, later(draft)[0]));
    if (made) created.set(entry, made.id as string);
  }
  const done: Imported[] = [];
  for (const { entry, id, draft } of settled) {
    const [at, patch] = id === null ? [created.get(entry), later(draft)[1]] : [id, draft];
    if (at === undefined) continue;
    const saved = patch && (await tried(saving, entry, () => updateItem(tx, shell, collection, at, patch, null)));
    const members = id === null ? [] : (saved?.changed ?? []);
    const change = id === null ? 'created' : members.length > 0 ? 'changed' : 'unchanged';
    done.push({ line: entry.line, name: entry.name, id: at, change, members });
  }
  if (saving.faults.length > 0) refuseFile(file.head, saving.faults);
  return done;
}

/** What the rules of a single one refuse is a fault of its line; undefined then. */
async function tried<T>({ file, faults }: Saving, { line }: ReadEntry, save: () => Promise<T>): Promise<T | undefined> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.members.errors ?? [{ pointer: '', detail: error.message }];
    for (const { pointer, detail } of errors)
      faults.push({ line, column: columnOf(file, pointer.slice(1).split('/')[0] ?? ''), detail });
    return undefined;
  }
}
