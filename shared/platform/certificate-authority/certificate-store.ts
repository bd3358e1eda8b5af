// The rows of root certificates and of issued certificates. The newest root signs. Each purpose has at most one
// certificate that is not replaced.
import { notFound } from '../../ground/problems.ts';
import type { Sealed } from '../../ground/sealing/envelope.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import type { KeyAlgorithm, Made } from './make.ts';
import { NO_KEY, type SealedTable } from './sealed-key.ts';

export interface CertificateRow extends Sealed {
  id: string;
  subject: string;
  certificate_pem: string;
  /** `AA:BB:…` */
  sha256: string;
  serial_number: string;
  key_algorithm: KeyAlgorithm;
  not_before: string;
  not_after: string;
  created_by: string;
  created_at: string;
}

export interface IssuedRow extends CertificateRow {
  authority_id: string;
  purpose: string;
  /** JSON. */
  names: string;
  replaced_at: string | null;
}

/** A row of a list: without any key, sealed or not. */
export type IssuedLine = Omit<IssuedRow, keyof Sealed | 'certificate_pem'>;

export type IssuedCertificate = Omit<IssuedLine, 'names'> & { names: string[] };

export const validityOf = ({ not_before, not_after }: Pick<CertificateRow, 'not_before' | 'not_after'>) => ({
  not_before: new Date(not_before),
  not_after: new Date(not_after),
});

export const namesOf = ({ names }: Pick<IssuedRow, 'names'>): string[] => JSON.parse(names) as string[];

export const newestRoot = (db: Database): Promise<CertificateRow | undefined> =>
  db.one<CertificateRow>('SELECT * FROM certificate_authority ORDER BY rowid DESC LIMIT 1');

export const currentIssued = (db: Database, purpose: string): Promise<IssuedRow | undefined> =>
  db.one<IssuedRow>(
    'SELECT * FROM issued_certificate WHERE purpose = ? AND replaced_at IS NULL ORDER BY rowid DESC LIMIT 1',
    [purpose],
  );

export const issuedById = (db: Database, id: string): Promise<IssuedRow | undefined> =>
  db.one<IssuedRow>('SELECT * FROM issued_certificate WHERE id = ?', [id]);

export interface IssuedQuery {
  purpose?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const LINE = ['id', 'authority_id', 'purpose', 'names', 'replaced_at', 'subject', 'sha256', 'serial_number'];
const SHOWN = [...LINE, 'key_algorithm', 'not_before', 'not_after', 'created_by', 'created_at'];

/** Newest first, without any key. @throws Problem 400 for a cursor of another list */
export async function listIssued(db: Database, query: IssuedQuery): Promise<Page<IssuedCertificate>> {
  const list = build<IssuedLine & { place: number }>('issued_certificate')
    .select(SHOWN)
    .select({ place: 'rowid' })
    .orderBy('rowid', 'desc');
  if (query.purpose !== undefined) list.where('purpose', query.purpose);
  if (query.cursor) list.where('rowid', '<', decodeCursor(query.cursor, 1)[0]!);
  const rows = await db.all<IssuedLine & { place: number }>(list.limit(query.limit + 1));
  return pageOf(rows, query.limit, ({ place }) => [place], issuedView);
}

export const issuedView = ({ names, ...row }: IssuedLine): IssuedCertificate => ({
  id: row.id,
  authority_id: row.authority_id,
  purpose: row.purpose,
  names: namesOf({ names }),
  subject: row.subject,
  sha256: row.sha256,
  serial_number: row.serial_number,
  key_algorithm: row.key_algorithm,
  not_before: row.not_before,
  not_after: row.not_after,
  replaced_at: row.replaced_at,
  created_by: row.created_by,
  created_at: row.created_at,
});

/** An issued certificate with its PEM. @throws Problem 404 */
export async function findIssued(db: Database, id: string): Promise<IssuedCertificate & { pem: string }> {
  const row = await issuedById(db, id);
  if (!row) throw notFound('This certificate');
  return { ...issuedView(row), pem: row.certificate_pem };
}

/** The columns that root and issued certificates share. */
export const columnsOf = (made: Made, sealed: Sealed, by: string, at: string) => ({
  subject: made.subject,
  certificate_pem: made.pem,
  sha256: made.sha256,
  serial_number: made.serial_number,
  key_algorithm: made.key_algorithm,
  kek_id: sealed.kek_id,
  sealed_key: sealed.sealed_key,
  sealed_value: sealed.sealed_value,
  not_before: made.not_before.toISOString(),
  not_after: made.not_after.toISOString(),
  created_by: by,
  created_at: at,
});

export async function insertRow(tx: Transaction, table: SealedTable, row: object): Promise<void> {
  await tx.run(build(table).insert(row));
}

const FORGET = Object.keys(NO_KEY)
  .map((column) => `${column} = ''`)
  .join(', ');

/** Marks the certificates of a purpose as replaced and forgets their keys. Answers how many there were. */
export const replaceIssued = (tx: Transaction, purpose: string, at: string): Promise<number> =>
  tx.run(`UPDATE issued_certificate SET replaced_at = ?, ${FORGET} WHERE purpose = ? AND replaced_at IS NULL`, [
    at,
    purpose,
  ]);

/** Roots that don't sign any more keep their certificate and lose their key. */
export const forgetRootKeys = (tx: Transaction): Promise<number> =>
  tx.run(`UPDATE certificate_authority SET ${FORGET} WHERE kek_id <> ''`);

/** A statement: certificates of the present root that are valid for a purpose at a time; `at` names its parameter. */
export const validFor = (purpose: string, at: string): string => `SELECT 1 FROM issued_certificate
  WHERE purpose = '${purpose}' AND replaced_at IS NULL AND not_before <= ${at} AND not_after > ${at}
    AND authority_id = (SELECT id FROM certificate_authority ORDER BY rowid DESC LIMIT 1)`;

/** SQL: a text that changes with every root that is made. */
export const ROOTS_MARK = '(SELECT count(*) FROM certificate_authority)';
