// Certificate requests that wait for somebody to decide, and what was decided.
import { instant, newId } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { newestPage, type Page } from '../../ground/store/pagination.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { RequestWithKey } from './csr.ts';
import { permittedNames } from './issue-request.ts';
import { findProfile } from './profile-store.ts';
import type { ProfileName } from './profiles.ts';
import type { RequestState } from './request-states.ts';

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

/** Newest first; `by`: those of one account. @throws Problem 400 for a cursor of another list */
export function listRequests(
  db: Database,
  { state, by, ...page }: { state?: RequestState | undefined; by?: string; limit: number; cursor?: string | undefined },
): Promise<Page<CertificateRequest>> {
  const list = build('certificate_request').select('*');
  if (state) list.where('state', state);
  if (by !== undefined) list.where('created_by', by);
  return newestPage(db, list, page, viewOf);
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
