// Who signs answers of OCSP: for each authority a certificate of its own that lives short (RFC 6960, 4.2.2.2). The key of
// the authority is opened to issue it, and for no request.
import { createPrivateKey } from 'node:crypto';
import { instant, newId } from '../../ground/clock.ts';
import type { Sealed } from '../../ground/sealing/envelope.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type AuditContext, type AuditEvent, appendAudit } from '../../kernel/audit/audit.ts';
import { readAuthority, rootState } from './authority.ts';
import { type AuthorityRow, authorityById, listAuthorities, validityOf } from './certificate-store.ts';
import { type IssuingServices, systemContext } from './issue.ts';
import { isDue, validityFrom, validityState } from './lifetime.ts';
import type { OcspSigner } from './ocsp-response.ts';
import { openKey, sealKey } from './sealed-key.ts';

/** Days for which one may sign; another one takes its place in the last third. */
const SIGNER_DAYS = 7;

export interface SignerRow extends Sealed {
  id: string;
  authority_id: string;
  certificate_pem: string;
  not_before: string;
  not_after: string;
}

const COLUMNS = 'id, authority_id, certificate_pem, kek_id, sealed_key, sealed_value, not_before, not_after';

export const signerOf = (db: Database, authority_id: string): Promise<SignerRow | undefined> =>
  db.one<SignerRow>(`SELECT ${COLUMNS} FROM ocsp_signer WHERE authority_id = ?`, [authority_id]);

/** Null when its key can't be opened. @throws Problem 409 `vault_keys_unusable` */
export async function openSigner(
  services: Pick<IssuingServices, 'keyring'>,
  row: SignerRow,
): Promise<OcspSigner | null> {
  const key_pem = await openKey(services, 'ocsp_signer', row);
  return key_pem === null ? null : { pem: row.certificate_pem, key: createPrivateKey(key_pem) };
}

/** Makes those that are missing or due, of authorities that can sign. Answers whose. */
export async function ensureSigners(services: IssuingServices): Promise<string[]> {
  const made: string[] = [];
  for (const { id } of await listAuthorities(services.store)) {
    if (!(await isWanted(services.store, services, id))) continue;
    await services.store.write(async (tx) => {
      // Another process may have made it meanwhile.
      const root = await isWanted(tx, services, id);
      if (!root) return;
      const context = systemContext(services);
      const event = await makeInto(tx, services, context, root);
      await appendAudit(tx, services.keys, context, event, { holdsLock: true });
      made.push(id);
    });
  }
  return made;
}

/** The authority with its key, where it can sign and its signer is missing or due. */
async function isWanted(
  db: Database,
  services: Pick<IssuingServices, 'keyring' | 'clock'>,
  id: string,
): Promise<(AuthorityRow & { key_pem: string }) | null> {
  const root = await authorityById(db, id);
  if (!root || root.kek_id === '') return null;
  const now = services.clock.now();
  const row = await signerOf(db, id);
  if (row && validityState(validityOf(row), now) === 'valid' && !isDue(validityOf(row), now)) {
    if ((await openKey(services, 'ocsp_signer', row)) !== null) return null;
  }
  const signing = await rootState(services, root, now);
  return signing.state === 'valid' ? { ...root, key_pem: signing.key_pem } : null;
}

/** The certificate and its row are made together, so that none is without the other. */
async function makeInto(
  tx: Transaction,
  services: Omit<IssuingServices, 'store'>,
  { at }: Pick<AuditContext, 'at'>,
  root: AuthorityRow & { key_pem: string },
): Promise<AuditEvent> {
  const { organization } = await readAuthority(tx);
  const validity = validityFrom(services.clock.now(), SIGNER_DAYS, validityOf(root));
  const { makeOcspSigner } = await import('./make.ts');
  const { certificate_pem: pem, key_algorithm, key_pem } = root;
  const made = await makeOcspSigner({ pem, key_algorithm, key_pem }, { organization, ...validity }, services.entropy);
  const id = newId('ocsp', services.entropy);
  const sealed = await sealKey(services, 'ocsp_signer', id, made.key_pem);
  const { subject, sha256, serial_number } = made;
  const [not_before, not_after] = [made.not_before.toISOString(), made.not_after.toISOString()];
  const replaced = await tx.run('DELETE FROM ocsp_signer WHERE authority_id = ?', [root.id]);
  const columns = { certificate_pem: made.pem, sha256, serial_number, ...sealed, not_before, not_after };
  await tx.run(build('ocsp_signer').insert({ id, authority_id: root.id, ...columns, created_at: at }));
  const detail = {
    purpose: 'ocsp',
    names: [],
    subject,
    sha256,
    serial_number,
    not_after: instant(made.not_after),
    reason: replaced > 0 ? 'due' : 'first',
    replaced: replaced > 0,
  };
  return { action: 'certificate.issue', resource_type: 'certificate', resource_id: id, detail };
}
