// Archives that lie on the appliance: a row each, and its bytes in a file of their own.
import { join } from 'node:path';
import { instant } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { newestPage, type Page } from '../../ground/store/pagination.ts';
import type { Services } from '../../kernel/operation/services.ts';

export const ARCHIVES_PATH = '/api/v1/archives';
export const ARCHIVES_TAG = 'Archives';

export const ORIGINS = ['made', 'uploaded'] as const;
export const ARCHIVE_STATES = ['receiving', 'ready'] as const;
/** `unknown`: its bytes are not all there yet. */
export const ENCRYPTIONS = ['none', 'passphrase', 'recipients', 'unknown'] as const;

/** Archives that are kept at a time: they share a disk with the database. */
export const ARCHIVES_MOST = 50;
/** Uploads that wait for their bytes at a time. */
export const UPLOADS_MOST = 5;
/** Bytes of one that is made or uploaded here; the command line makes and reads larger ones. */
export const ARCHIVE_BYTES_MOST = 64 << 20;

export interface KeptArchive {
  id: string;
  name: string;
  origin: (typeof ORIGINS)[number];
  state: (typeof ARCHIVE_STATES)[number];
  encryption: (typeof ENCRYPTIONS)[number];
  size_bytes: number;
  sha256: string | null;
  created_by: string;
  created_at: string;
}

/** Where archives lie, and copies and scratch databases while they are needed. */
export const archiveFolder = ({ data }: Pick<Services['settings'], 'data'>): string => join(data, 'archives');

/** The bytes of one. */
export const archiveFile = (settings: Pick<Services['settings'], 'data'>, id: string): string =>
  join(archiveFolder(settings), `${id}.gcarchive`);

/** Newest first. @throws Problem 400 for a cursor of another list */
export const listArchives = (
  db: Database,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<KeptArchive>> => newestPage(db, build('archive').select('*'), page, (row: KeptArchive) => ({ ...row }));

/** @throws Problem 404 */
export async function findArchive(db: Database, id: string): Promise<KeptArchive> {
  const row = await db.one<KeptArchive>('SELECT * FROM archive WHERE id = ?', [id]);
  if (!row) throw notFound('This archive');
  return row;
}

/** @throws Problem 404; 409 while it is being uploaded */
export async function wholeArchive(db: Database, id: string): Promise<KeptArchive> {
  const archive = await findArchive(db, id);
  if (archive.state === 'ready') return archive;
  throw new Problem('state_conflict', 'This archive is not whole yet: send the rest of its bytes first.');
}

export async function archiveIds(db: Database): Promise<string[]> {
  return (await db.all<{ id: string }>('SELECT id FROM archive')).map(({ id }) => id);
}

/** @throws Problem 409 */
export async function refuseTooMany(db: Database): Promise<void> {
  const { count } = (await db.one<{ count: number }>('SELECT count(*) AS count FROM archive'))!;
  if (count < ARCHIVES_MOST) return;
  throw new Problem('state_conflict', `${ARCHIVES_MOST} archives are kept here. Download and delete one first.`);
}

/** Before another is begun. @throws Problem 409 */
export async function refuseTooManyUploads(db: Database): Promise<void> {
  const { count } = (await db.one<{ count: number }>(
    "SELECT count(*) AS count FROM archive WHERE state = 'receiving'",
  ))!;
  if (count < UPLOADS_MOST) return;
  const detail = `${UPLOADS_MOST} uploads are not finished. Go on with one, or delete it first.`;
  throw new Problem('state_conflict', detail);
}

/** Whoever acts by a token is the person whose token it is: `alice (token laptop)`. */
export const personOf = (name: string): string => name.split(' (token ', 1)[0]!;

/** Pieces come from whoever began. @throws Problem 409 */
export function refuseAnother({ created_by }: Pick<KeptArchive, 'created_by'>, { name }: { name: string }): void {
  if (personOf(created_by) === personOf(name)) return;
  const detail = `${personOf(created_by)} began this upload; nobody else sends its bytes. Begin one of your own.`;
  throw new Problem('state_conflict', detail);
}

export async function addArchive(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  row: Omit<KeptArchive, 'created_at'>,
): Promise<KeptArchive> {
  const archive = { ...row, created_at: instant(clock.now()) };
  await tx.run(build('archive').insert(archive));
  return archive;
}

/** @throws Problem 404 */
export async function removeArchive(tx: Transaction, id: string): Promise<KeptArchive> {
  const archive = await findArchive(tx, id);
  await tx.run('DELETE FROM archive WHERE id = ?', [id]);
  return archive;
}

/** Its bytes are all there. @throws Problem 409 where it was completed or deleted meanwhile */
export async function completeArchive(
  tx: Transaction,
  id: string,
  { sha256, encryption }: Pick<KeptArchive, 'sha256' | 'encryption'>,
): Promise<KeptArchive> {
  const archive = await tx.one<KeptArchive>(
    "UPDATE archive SET state = 'ready', sha256 = ?, encryption = ? WHERE id = ? AND state = 'receiving' RETURNING *",
    [sha256, encryption, id],
  );
  if (archive) return archive;
  throw new Problem('state_conflict', 'This upload was completed or deleted meanwhile.');
}

/** Uploads whose announcements are from before the first time, or after the second. */
export async function oldUploads(db: Database, before: string, beyond: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    "SELECT id FROM archive WHERE state = 'receiving' AND (created_at < ? OR created_at > ?)",
    [before, beyond],
  );
  return rows.map(({ id }) => id);
}
