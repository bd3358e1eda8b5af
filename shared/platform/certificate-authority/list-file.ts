// The revocation list as a file.
import type { Database } from '../../ground/store/database.ts';
import type { Answer } from '../../kernel/operation/operation.ts';
import { revocationList } from './revoke.ts';

/** @throws Problem 404 */
export async function listFile(
  db: Database,
  { authority_id, format = 'der' }: { authority_id?: string | undefined; format?: 'der' | 'pem' | undefined },
): Promise<Answer> {
  const { der } = await revocationList(db, authority_id);
  const headers = {
    'content-type': 'application/pkix-crl',
    'content-disposition': `attachment; filename="root.${format === 'der' ? 'crl' : 'crl.pem'}"`,
  };
  if (format === 'der') return { bytes: der, headers };
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return { text: `-----BEGIN X509 CRL-----\n${lines.join('\n')}\n-----END X509 CRL-----\n`, headers };
}
