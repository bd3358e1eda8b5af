// Saves the rows of a file of users or groups: who is not there is created, who is there is changed where the file says something
// else, and nobody is deleted. What is refused has its faults; whoever calls takes all of it back then.
import { Problem } from '../../../ground/problems.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { Draft, Shell } from '../../../platform/units/collection.ts';
import { changesOf } from '../../../platform/units/collection-import.ts';
import { createItem, updateItem } from '../../../platform/units/collection-store.ts';
import { changedMeanwhile, digestOf, type SettledRow } from '../../../platform/units/import-answer.ts';
import type { RowsImport } from '../../../platform/units/import-schemas.ts';
import { SHAPES } from './columns.ts';
import { faultAt, type ReadFile, settledEntry } from './read.ts';

const NAMES = {
  users: 'SELECT id, revision, uid AS name FROM ldap_user WHERE organization_id = ?',
  groups: 'SELECT id, revision, name FROM ldap_group WHERE organization_id = ?',
};

interface Known {
  id: string;
  revision: number;
}

/** Those that are there, by name. */
async function knownByName(db: Database, { kind }: Pick<ReadFile, 'kind'>, organization_id: string) {
  const { keyOf } = SHAPES[kind];
  const rows = await db.all<Known & { name: string }>(NAMES[kind], [organization_id]);
  return new Map(rows.map(({ name, ...known }) => [keyOf(name), known]));
}

/** Names that the import will create. */
export async function newNames(db: Database, file: ReadFile, organization_id: string): Promise<string[]> {
  const known = await knownByName(db, file, organization_id);
  const { keyOf } = SHAPES[file.kind];
  return file.entries.flatMap(({ name }) => (known.has(keyOf(name)) ? [] : name));
}

interface Row extends SettledRow {
  before: Known | null;
  draft: Draft;
}

export interface Into extends Pick<RowsImport, 'mode' | 'previewed'> {
  organization_id: string;
}

/**
 * What became of each row.
 * @throws Problem 409 at `/previewed` when it is no longer what was looked at
 */
export async function importFile(
  tx: Transaction,
  shell: Shell,
  file: ReadFile,
  { organization_id, mode = 'add_and_change', previewed }: Into,
): Promise<{ rows: SettledRow[]; previewed: string }> {
  const known = await knownByName(tx, file, organization_id);
  const rows = file.entries.map((entry): Row => {
    const before = known.get(SHAPES[file.kind].keyOf(entry.name)) ?? null;
    const settled = settledEntry(file, entry, before === null ? organization_id : null);
    const kept = before !== null && mode === 'add' && settled.faults.length === 0;
    const fate = settled.faults.length > 0 ? 'refused' : kept ? 'kept' : before === null ? 'new' : 'same';
    return { line: entry.line, title: entry.name, fate, id: before?.id ?? null, changes: [], before, ...settled };
  });
  const digest = digestOf([mode, rows.map(({ fate, before, draft }) => [fate, before?.id, before?.revision, draft])]);
  if (previewed !== undefined && previewed !== digest) throw changedMeanwhile();
  await saveEntries(tx, shell, file, rows);
  return { rows: rows.map(({ before: _before, draft: _draft, ...row }) => row), previewed: digest };
}

/** Groups name each other in any order: new ones get their groups when all are there. */
const later = ({ member_groups, ...draft }: Draft): [now: Draft, then: Draft | null] => [
  draft,
  Array.isArray(member_groups) && member_groups.length > 0 ? { member_groups } : null,
];

async function saveEntries(tx: Transaction, shell: Shell, file: ReadFile, rows: readonly Row[]): Promise<void> {
  const { collection, into } = SHAPES[file.kind];
  for (const row of rows.filter(({ fate }) => fate === 'new')) {
    await tried(file, row, async () => {
      row.id = (await createItem(tx, shell, collection, later(row.draft)[0])).id as string;
    });
  }
  for (const row of rows.filter(({ fate }) => fate === 'new' || fate === 'same')) {
    const patch = row.before === null ? later(row.draft)[1] : row.draft;
    if (!patch) continue;
    await tried(file, row, async () => {
      const saved = await updateItem(tx, shell, collection, row.id!, patch, null);
      if (row.before === null || saved.changed.length === 0) return;
      row.fate = 'changed';
      row.changes = changesOf(into, saved.before, saved.item);
    });
  }
}

/** What the rules of a single one refuse is a fault of its line. */
async function tried(file: ReadFile, row: Row, save: () => Promise<void>): Promise<void> {
  try {
    await save();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    row.fate = 'refused';
    const errors = error.members.errors ?? [{ pointer: '', detail: error.message }];
    for (const { pointer, detail } of errors)
      row.faults.push(faultAt(file, row.line, pointer.slice(1).split('/')[0] ?? '', detail));
  }
}
