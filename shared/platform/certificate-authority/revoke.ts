// Revoking a certificate, and the revocation list that says so: signed anew in the transaction that revokes, and every day.
import { instant, later } from '../../ground/clock.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { noRoot, rootState } from './authority.ts';
import {
  type AuthorityRow,
  authorityById,
  forgetEnded,
  type IssuedRow,
  issuedById,
  listAuthorities,
  type RevocationReason,
} from './certificate-store.ts';
import type { Revoked } from './crl.ts';
import { missing, outdateServer, UNUSABLE } from './issue.ts';

type Shell = Pick<Services, 'keyring' | 'clock'>;

/**
 * Revoked certificates stay in the list after they ended: who looks later finds them still.
 * @throws Problem 404; 409 where it is revoked already or the list can't be signed
 */
export async function revokeCertificate(
  tx: Transaction,
  shell: Shell,
  id: string,
  reason: RevocationReason,
): Promise<AuditEvent> {
  const row = await wanted(tx, id);
  const held = row.revocation_reason === 'certificateHold';
  if (row.revoked_at !== null && !held) throw conflict(`This certificate was revoked at ${row.revoked_at}.`);
  if (held && reason === 'certificateHold') throw conflict('This certificate is on hold already.');
  // One that was held counts as revoked from when it was held (RFC 5280, 5.3.1).
  const at = row.revoked_at ?? instant(shell.clock.now());
  await tx.run('UPDATE issued_certificate SET revoked_at = ?, revocation_reason = ? WHERE id = ?', [at, reason, id]);
  await outdateServer(tx, row.purpose);
  const crl_number = await signList(tx, shell, await authority(tx, row));
  return eventOf('certificate.revoke', row, { reason, crl_number });
}

/** Takes back a hold. @throws Problem 404, 409 */
export async function releaseCertificate(tx: Transaction, shell: Shell, id: string): Promise<AuditEvent> {
  const row = await wanted(tx, id);
  if (row.revocation_reason !== 'certificateHold') {
    throw conflict(
      row.revoked_at === null
        ? 'This certificate is not revoked.'
        : 'Only a hold can be taken back. This certificate is revoked for good: issue another one.',
    );
  }
  await tx.run('UPDATE issued_certificate SET revoked_at = NULL, revocation_reason = NULL WHERE id = ?', [id]);
  await outdateServer(tx, row.purpose);
  const crl_number = await signList(tx, shell, await authority(tx, row));
  return eventOf('certificate.release', row, { crl_number });
}

async function wanted(tx: Transaction, id: string): Promise<IssuedRow> {
  const row = await issuedById(tx, id);
  if (!row) throw notFound('This certificate');
  return row;
}

const conflict = (detail: string): Problem => new Problem('state_conflict', detail);

async function authority(tx: Transaction, { authority_id }: IssuedRow): Promise<AuthorityRow> {
  return (await authorityById(tx, authority_id))!;
}

const eventOf = (action: string, { id, subject, serial_number }: IssuedRow, more: object): AuditEvent => ({
  action,
  resource_type: 'certificate',
  resource_id: id,
  detail: { subject, serial_number, ...more },
});

/** Signs the list of an authority with its next number, which it answers. @throws Problem 409 where it can't */
async function signList(tx: Transaction, shell: Shell, root: AuthorityRow): Promise<number> {
  const now = shell.clock.now();
  const signing = await rootState(shell, root, now);
  if (signing.state !== 'valid') {
    throw missing(`The revocation list can’t be signed. ${UNUSABLE[signing.state](root)}`);
  }
  const revoked = await tx.all<Revoked>(
    `SELECT serial_number, revoked_at, revocation_reason AS reason FROM issued_certificate
      WHERE authority_id = ? AND revoked_at IS NOT NULL ORDER BY revoked_at, rowid`,
    [root.id],
  );
  const number = root.crl_number + 1;
  const { signCrl } = await import('./crl.ts');
  const { certificate_pem: pem, key_algorithm } = root;
  const der = await signCrl({ pem, key_algorithm, key_pem: signing.key_pem }, { number, now, revoked });
  await tx.run('UPDATE certificate_authority SET crl_number = ?, crl_der = ?, crl_at = ? WHERE id = ?', [
    number,
    der.toString('base64'),
    instant(now),
    root.id,
  ]);
  return number;
}

/** Of those authorities that have a list already and can sign another one. */
export async function signListsAnew(tx: Transaction, shell: Shell, authority_ids: readonly string[]): Promise<void> {
  for (const id of authority_ids) {
    const root = await authorityById(tx, id);
    if (!root || root.crl_der === '') continue;
    if ((await rootState(shell, root, shell.clock.now())).state === 'valid') await signList(tx, shell, root);
  }
}

/** A list that is older is signed anew. */
const LIST_SECONDS = 86_400;

/** Authorities whose list is a day old or was never signed, and that can sign one; one after the other. */
export async function refreshLists({ store, ...shell }: Shell & Pick<Services, 'store'>): Promise<string[]> {
  const now = instant(shell.clock.now());
  const roots = await listAuthorities(store);
  // A former root that ended says nothing any more: its key goes.
  if (roots.some((root) => isOver(root, now))) await store.write((tx) => forgetEnded(tx, now));
  const due = roots.filter((root) => isDueNow(root, shell.clock.now()));
  const signed: string[] = [];
  for (const { id } of due) {
    await store.write(async (tx) => {
      const root = await authorityById(tx, id);
      if (!root || !isDueNow(root, shell.clock.now())) return;
      if ((await rootState(shell, root, shell.clock.now())).state !== 'valid') return;
      await signList(tx, shell, root);
      signed.push(id);
    });
  }
  return signed;
}

const isOver = ({ standing, kek_id, not_after }: AuthorityRow, now: string): boolean =>
  standing === 'former' && kek_id !== '' && not_after < now;

/** One that was signed by a clock that was ahead is due as well. */
function isDueNow({ kek_id, crl_at }: AuthorityRow, now: Date): boolean {
  if (kek_id === '') return false;
  return crl_at === null || crl_at <= instant(later(now, -LIST_SECONDS)) || crl_at > instant(now);
}

export interface SignedList {
  number: number;
  der: Buffer;
  /** RFC 3339. */
  signed_at: string;
}

/** Of the root that signs, unless another one is asked for. @throws Problem 404 */
export async function revocationList(db: Database, authority_id?: string): Promise<SignedList> {
  const roots = await listAuthorities(db);
  const root = roots.find(({ id, standing }) =>
    authority_id === undefined ? standing === 'signing' : id === authority_id,
  );
  if (!root) throw noRoot();
  if (root.crl_der === '') throw notFound('A revocation list, which is signed within minutes,');
  return { number: root.crl_number, der: Buffer.from(root.crl_der, 'base64'), signed_at: root.crl_at! };
}
