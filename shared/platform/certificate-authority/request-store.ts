// Certificate requests that wait for somebody to decide, and what was decided.
import { instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { RequestWithKey } from './csr.ts';
import { permittedNames } from './issue-request.ts';
import { findProfile } from './profile-store.ts';
import type { ProfileName } from './profiles.ts';
import { REQUEST_STATES, type RequestState } from './request-states.ts';

export interface CertificateRequest {
  id: string;
  state: RequestState;
  profile: ProfileName;
  subject: string;
  names: string[];
  key_algorithm: string;
  note: string;
  certificate_id: string | null;
  reason: string | null;
  decided_by: string | null;
  decided_at: string | null;
  created_by: string;
  created_at: string;
}

interface Row extends Omit<CertificateRequest, 'names'> {
  /** JSON. */
  names: string;
  csr_pem: string;
}

/** What lists read: the signing request itself is the most of a row. */
const LISTED = `id, state, profile, subject, names, key_algorithm, note, certificate_id, reason, decided_by, decided_at,
  created_by, created_at`;

/** Without the places in the order. */
const listedView = (row: Row): CertificateRequest => ({
  id: row.id,
  state: row.state,
  profile: row.profile,
  subject: row.subject,
  names: JSON.parse(row.names) as string[],
  key_algorithm: row.key_algorithm,
  note: row.note,
  certificate_id: row.certificate_id,
  reason: row.reason,
  decided_by: row.decided_by,
  decided_at: row.decided_at,
  created_by: row.created_by,
  created_at: row.created_at,
});

const viewOf = ({ csr_pem: _csr, names, ...row }: Row): CertificateRequest => ({
  ...row,
  names: JSON.parse(names) as string[],
});

/** Requests that wait at a time: whoever asks for more waits for a decision first. */
const WAITING_MOST = 1000;

/** @throws Problem 409 where too many wait, 422 for a name that the profile does not allow */
export async function createRequest(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  by: string,
  parsed: RequestWithKey,
  wanted: { profile: ProfileName; names?: string[] | undefined; note?: string | undefined },
): Promise<CertificateRequest> {
  const waiting = await tx.one<{ count: number }>(
    "SELECT count(*) AS count FROM certificate_request WHERE state = 'pending'",
  );
  if (waiting!.count >= WAITING_MOST) {
    throw new Problem('state_conflict', `${WAITING_MOST} requests wait for a decision: decide on some of them first.`);
  }
  const profile = await findProfile(tx, wanted.profile);
  const names = permittedNames(profile, { names: wanted.names ?? parsed.names, common_name: parsed.common_name });
  const row: Row = {
    id: newId('csr', entropy),
    state: 'pending',
    profile: wanted.profile,
    csr_pem: parsed.pem,
    subject: parsed.subject,
    names: JSON.stringify(names),
    key_algorithm: parsed.key_algorithm,
    note: wanted.note ?? '',
    certificate_id: null,
    reason: null,
    decided_by: null,
    decided_at: null,
    created_by: by,
    created_at: instant(clock.now()),
  };
  await tx.run(build('certificate_request').insert(row));
  return viewOf(row);
}

/** What the audit log has of a request that was made. */
export const askedEvent = (
  { id, profile, names, subject }: CertificateRequest,
  { key_sha256 }: Pick<RequestWithKey, 'key_sha256'>,
): AuditEvent => ({
  action: 'certificate.request.create',
  resource_type: 'certificate_request',
  resource_id: id,
  detail: { profile, names, subject, key_sha256 },
});

export interface RequestQuery {
  state?: RequestState | undefined;
  /** Those of one account. */
  by?: string;
  /** Part of subject, a name, the note or who asked, in any case. */
  search?: string | undefined;
  /** One of REQUEST_SORTS, `-` before it for descending; else the newest first. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = { subject: 'lower(subject)', profile: 'profile', created_at: 'created_at', created_by: 'created_by' };
export const REQUEST_SORTS = Object.keys(SORTS);

/** The list that its page shows, by the texts of the page's query. */
export const requestFilter = ({
  search,
  sort,
  state,
}: Partial<Record<string, string>>): Pick<RequestQuery, 'search' | 'sort' | 'state'> => ({
  search,
  sort,
  state: REQUEST_STATES.find((known) => known === state),
});

/** Newest first, unless another order is asked for. @throws Problem 400 for a cursor of another list or order */
export function listRequests(
  db: Database,
  { state, by, search, ...page }: RequestQuery,
): Promise<Page<CertificateRequest>> {
  const list = build('certificate_request').select(build.raw(LISTED));
  if (state) list.where('state', state);
  if (by !== undefined) list.where('created_by', by);
  searchIn(list, ['subject', 'names', 'note', 'created_by'], search?.trim());
  const order = { sorts: SORTS, own: ['created_at', 'id'], descending: true } as const;
  return sortedPage<Row, CertificateRequest>(db, list, order, page, listedView);
}

/** @throws Problem 404 */
export async function findRequest(db: Database, id: string): Promise<CertificateRequest & { csr: string }> {
  const row = await db.one<Row>('SELECT * FROM certificate_request WHERE id = ?', [id]);
  if (!row) throw notFound('This request');
  return { ...viewOf(row), csr: row.csr_pem };
}

export interface Decision {
  state: 'approved' | 'refused';
  by: string;
  at: string;
  certificate_id?: string;
  reason?: string;
}

/** @throws Problem 409 where it was decided already */
export async function decide(
  tx: Transaction,
  id: string,
  { state, by, at, certificate_id, reason }: Decision,
): Promise<void> {
  refuseDecided(await findRequest(tx, id));
  await tx.run(
    'UPDATE certificate_request SET state = ?, decided_by = ?, decided_at = ?, certificate_id = ?, reason = ? WHERE id = ?',
    [state, by, at, certificate_id ?? null, reason ?? null, id],
  );
}

/** @throws Problem 409 */
export function refuseDecided({ state, decided_by }: CertificateRequest): void {
  if (state !== 'pending') throw new Problem('state_conflict', `This request was ${state} already by ${decided_by}.`);
}
