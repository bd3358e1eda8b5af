// Installer media in an archive: their names, not their files. What is here already keeps its files; what is not says so.
import type { ArchiveRow, State } from './rows.ts';

const TABLE = 'network_boot_medium';
/** What people may change of a medium; the rest follows from its files. */
const EDITED = new Set(['id', 'name', 'description', 'enabled', 'created_at']);
/** Columns of a medium whose row came without its files. */
export const WITHOUT_FILES = {
  state: 'failed',
  fault: 'Its files were not in the archive. Add it again from its image.',
};

/** Media of the archive as they would be here; they have the ids of here already. */
export function mediaHere(now: State, archived: State): State {
  const rows = archived.get(TABLE);
  if (!rows) return archived;
  const standing = new Map((now.get(TABLE) ?? []).map((row) => [row.id, row]));
  return new Map(archived).set(
    TABLE,
    rows.map((row): ArchiveRow => {
      const was = standing.get(row.id);
      if (!was) return row;
      return { ...was, ...Object.fromEntries(Object.entries(row).filter(([column]) => EDITED.has(column))) };
    }),
  );
}

/** Names and digests of media whose files have to come from elsewhere. */
export const missingMedia = (now: State, archived: State): { name: string; content_digest: string }[] => {
  const standing = new Set((now.get(TABLE) ?? []).map(({ id }) => id));
  return (archived.get(TABLE) ?? [])
    .filter(({ id }) => !standing.has(id))
    .map(({ name, content_digest }) => ({ name: String(name), content_digest: String(content_digest) }));
};
