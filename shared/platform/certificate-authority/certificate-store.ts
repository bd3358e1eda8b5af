// The rows of the authority and of what it issued. One root signs; another one may stand beside it, and comes next. Of each
// purpose one certificate at most is not replaced.
import { notFound } from '../../ground/problems.ts';
import type { Sealed } from '../../ground/sealing/envelope.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { sortedPage } from '../../ground/store/sorted-page.ts';
import type { KeyAlgorithm, Made } from './make.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { NO_KEY, type SealedTable } from './sealed-key.ts';

/** RFC 5280, 5.3.1, in its own spelling. `certificateHold` alone can be taken back. */
export const REVOCATION_REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** RFC 5280, 5.3.1: what a list and an answer of OCSP have in its place. */
export const REASON_CODES: Record<RevocationReason, number> = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
};

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

export interface AuthorityRow extends CertificateRow {
  standing: 'signing' | 'next' | 'former';
  /** Authorities below it; null: any number. */
  path_length: number | null;
  /** What signed it, up to its root; empty for a root. */
  chain_pem: string;
  origin: 'made' | 'imported';
  crl_number: number;
  /** Base64; empty while none was signed. */
  crl_der: string;
  crl_at: string | null;
}

export interface IssuedRow extends CertificateRow {
  authority_id: string;
  /** Empty: it is none of the appliance's own, and its key is elsewhere. */
  purpose: string;
  profile: ProfileName;
  revoked_at: string | null;
  revocation_reason: RevocationReason | null;
  /** JSON. */
  names: string;
  replaced_at: string | null;
  /** Host in the addresses that it names; empty: it names none. */
  portal_host: string;
}

/** What a list shows: without any key, sealed or not. */
export type IssuedLine = Omit<IssuedRow, keyof Sealed | 'certificate_pem' | 'portal_host'>;

export type IssuedCertificate = Omit<IssuedLine, 'names'> & { names: string[]; state: CertificateState };

export const validityOf = ({ not_before, not_after }: Pick<CertificateRow, 'not_before' | 'not_after'>) => ({
  not_before: new Date(not_before),
  not_after: new Date(not_after),
});

export const namesOf = ({ names }: Pick<IssuedRow, 'names'>): string[] => JSON.parse(names) as string[];

/** The root that signs. */
export const newestRoot = (db: Database): Promise<AuthorityRow | undefined> =>
  db.one<AuthorityRow>("SELECT * FROM certificate_authority WHERE standing = 'signing'");

export const authorityById = (db: Database, id: string): Promise<AuthorityRow | undefined> =>
  db.one<AuthorityRow>('SELECT * FROM certificate_authority WHERE id = ?', [id]);

/** All of them, newest first. */
export const listAuthorities = (db: Database): Promise<AuthorityRow[]> =>
  db.all<AuthorityRow>('SELECT * FROM certificate_authority ORDER BY rowid DESC');

export const currentIssued = (db: Database, purpose: string): Promise<IssuedRow | undefined> =>
  db.one<IssuedRow>(
    `SELECT * FROM issued_certificate WHERE purpose = ? AND replaced_at IS NULL AND revoked_at IS NULL
      ORDER BY rowid DESC LIMIT 1`,
    [purpose],
  );

export const issuedById = (db: Database, id: string): Promise<IssuedRow | undefined> =>
  db.one<IssuedRow>('SELECT * FROM issued_certificate WHERE id = ?', [id]);

/** A certificate and what signed it, by their SHA-256. */
export interface SignedBy {
  purpose: string;
  sha256: string;
  /** Null: the authority was discarded. */
  root_sha256: string | null;
}

export const signedBy = (db: Database, id: string): Promise<SignedBy | undefined> =>
  db.one<SignedBy>(
    `SELECT issued.purpose, issued.sha256, root.sha256 AS root_sha256 FROM issued_certificate AS issued
      LEFT JOIN certificate_authority AS root ON root.id = issued.authority_id WHERE issued.id = ?`,
    [id],
  );

/** The SHA-256 of what signed the certificate with this one. */
export const signerOf = (db: Database, sha256: string): Promise<Pick<SignedBy, 'root_sha256'> | undefined> =>
  db.one<Pick<SignedBy, 'root_sha256'>>(
    `SELECT root.sha256 AS root_sha256 FROM issued_certificate AS issued
      JOIN certificate_authority AS root ON root.id = issued.authority_id WHERE issued.sha256 = ?`,
    [sha256],
  );

export interface IssuedQuery {
  purpose?: string | undefined;
  profile?: string | undefined;
  state?: CertificateState | undefined;
  /** A part of a name or subject. */
  search?: string | undefined;
  /** One of ISSUED_SORTS, `-` before it for descending. */
  sort?: string | undefined;
  now: Date;
  limit: number;
  cursor?: string | undefined;
}

const LINE = ['id', 'authority_id', 'purpose', 'profile', 'names', 'replaced_at', 'revoked_at', 'revocation_reason'];
const FACTS = ['subject', 'sha256', 'serial_number', 'key_algorithm', 'not_before', 'not_after'];
const SHOWN = [...LINE, ...FACTS, 'created_by', 'created_at'];

/** One is expiring in its last days. */
export const EXPIRING_DAYS = 30;

export const CERTIFICATE_STATES = [
  'valid',
  'expiring',
  'expired',
  'not_yet_valid',
  'on_hold',
  'revoked',
  'replaced',
] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

type Dated = Pick<IssuedRow, 'revoked_at' | 'revocation_reason' | 'replaced_at' | 'not_before' | 'not_after'>;

/** The one word for it; the first that holds. */
export function certificateState(row: Dated, now: Date): CertificateState {
  if (row.revoked_at !== null) return row.revocation_reason === 'certificateHold' ? 'on_hold' : 'revoked';
  if (row.replaced_at !== null) return 'replaced';
  const [at, soon] = momentsOf(now);
  if (row.not_after < at) return 'expired';
  if (row.not_before > at) return 'not_yet_valid';
  return row.not_after <= soon ? 'expiring' : 'valid';
}

const momentsOf = (now: Date): [at: string, soon: string] => [
  now.toISOString(),
  new Date(now.getTime() + EXPIRING_DAYS * 86_400_000).toISOString(),
];

/** The same in SQL; `?` stands for now, twice where it says until when. */
const STATE_SQL: Record<CertificateState, { sql: string; moments: ('at' | 'soon')[] }> = {
  on_hold: { sql: "revoked_at IS NOT NULL AND revocation_reason = 'certificateHold'", moments: [] },
  revoked: { sql: "revoked_at IS NOT NULL AND revocation_reason <> 'certificateHold'", moments: [] },
  replaced: { sql: 'revoked_at IS NULL AND replaced_at IS NOT NULL', moments: [] },
  expired: { sql: 'revoked_at IS NULL AND replaced_at IS NULL AND not_after < ?', moments: ['at'] },
  not_yet_valid: {
    sql: 'revoked_at IS NULL AND replaced_at IS NULL AND not_after >= ? AND not_before > ?',
    moments: ['at', 'at'],
  },
  expiring: {
    sql: 'revoked_at IS NULL AND replaced_at IS NULL AND not_before <= ? AND not_after >= ? AND not_after <= ?',
    moments: ['at', 'at', 'soon'],
  },
  valid: {
    sql: 'revoked_at IS NULL AND replaced_at IS NULL AND not_before <= ? AND not_after > ?',
    moments: ['at', 'soon'],
  },
};

const SORTS = {
  subject: "coalesce(json_extract(names, '$[0]'), subject)",
  profile: 'profile',
  not_after: 'not_after',
  created_at: 'created_at',
  /** As the API says it. */
  expiry: 'not_after',
};
export const ISSUED_SORTS = Object.keys(SORTS);

/** The list that its page shows, by the texts of the page's query. */
export const issuedFilter = ({ search, sort, state, profile }: Partial<Record<string, string>>) => ({
  search,
  sort,
  state: CERTIFICATE_STATES.find((known) => known === state),
  profile: PROFILES.find((known) => known === profile),
});

/** Newest first, unless another order is asked for; without any key. @throws Problem 400 for a cursor of another list */
export async function listIssued(db: Database, query: IssuedQuery): Promise<Page<IssuedCertificate>> {
  const list = build<IssuedLine>('issued_certificate').select(SHOWN);
  if (query.purpose !== undefined) list.where('purpose', query.purpose);
  if (query.profile !== undefined) list.where('profile', query.profile);
  if (query.search) {
    const part = `%${query.search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    list.whereRaw("(lower(names) LIKE ? ESCAPE '\\' OR lower(subject) LIKE ? ESCAPE '\\')", [part, part]);
  }
  if (query.state) {
    const [at, soon] = momentsOf(query.now);
    const { sql, moments } = STATE_SQL[query.state];
    list.whereRaw(
      `(${sql})`,
      moments.map((moment) => (moment === 'at' ? at : soon)),
    );
  }
  const order = { sorts: SORTS, own: ['rowid'], descending: true } as const;
  return sortedPage<IssuedLine, IssuedCertificate>(db, list, order, query, (row) => issuedView(row, query.now));
}

export const issuedView = ({ names, ...row }: IssuedLine, now: Date): IssuedCertificate => ({
  id: row.id,
  authority_id: row.authority_id,
  purpose: row.purpose,
  profile: row.profile,
  state: certificateState(row, now),
  names: namesOf({ names }),
  subject: row.subject,
  sha256: row.sha256,
  serial_number: row.serial_number,
  key_algorithm: row.key_algorithm,
  not_before: row.not_before,
  not_after: row.not_after,
  replaced_at: row.replaced_at,
  revoked_at: row.revoked_at,
  revocation_reason: row.revocation_reason,
  created_by: row.created_by,
  created_at: row.created_at,
});

/** One of them with its PEM. @throws Problem 404 */
export async function findIssued(db: Database, id: string, now: Date): Promise<IssuedCertificate & { pem: string }> {
  const row = await issuedById(db, id);
  if (!row) throw notFound('This certificate');
  return { ...issuedView(row, now), pem: row.certificate_pem };
}

/** What a certificate has in common with every other one, as columns. */
export const columnsOf = (made: Omit<Made, 'key_pem'>, sealed: Sealed, by: string, at: string) => ({
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

/** Marks what a purpose had as replaced and forgets its keys; answers how many there were. */
export const replaceIssued = (tx: Transaction, purpose: string, at: string): Promise<number> =>
  tx.run(`UPDATE issued_certificate SET replaced_at = ?, ${FORGET} WHERE purpose = ? AND replaced_at IS NULL`, [
    at,
    purpose,
  ]);

export const markReplaced = (tx: Transaction, id: string, at: string): Promise<number> =>
  tx.run('UPDATE issued_certificate SET replaced_at = ? WHERE id = ? AND replaced_at IS NULL', [at, id]);

/** A root that can't sign any more makes room: it keeps its certificate and loses its key. */
export const retireSigning = (tx: Transaction): Promise<number> =>
  tx.run(`UPDATE certificate_authority SET standing = 'former', ${FORGET} WHERE standing = 'signing'`);

/** Former roots that ended keep their certificate and lose their key. */
export const forgetEnded = (tx: Transaction, now: string): Promise<number> =>
  tx.run(`UPDATE certificate_authority SET ${FORGET} WHERE standing = 'former' AND kek_id <> '' AND not_after < ?`, [
    now,
  ]);

/** Certificates of the present root that are valid for a purpose at a time, as a statement; `at` is a parameter of it. */
export const validFor = (purpose: string, at: string): string => `SELECT 1 FROM issued_certificate
  WHERE purpose = '${purpose}' AND replaced_at IS NULL AND not_before <= ${at} AND not_after > ${at}
    AND revoked_at IS NULL
    AND authority_id = (SELECT id FROM certificate_authority WHERE standing = 'signing')`;

/** Another text once another root signs, comes next or is there at all, in SQL. */
export const ROOTS_MARK = "(SELECT coalesce(group_concat(id || standing), '') FROM certificate_authority)";

/** Host in addresses of certificates that are in use, other than this one → how many name it. */
export async function namingOthers(db: Database, host: string): Promise<Record<string, number>> {
  const rows = await db.all<{ host: string; count: number }>(
    `SELECT portal_host AS host, count(*) AS count FROM issued_certificate
      WHERE portal_host NOT IN ('', ?) AND revoked_at IS NULL AND not_after > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      GROUP BY portal_host ORDER BY portal_host`,
    [host],
  );
  return Object.fromEntries(rows.map(({ host: named, count }) => [named, count]));
}
