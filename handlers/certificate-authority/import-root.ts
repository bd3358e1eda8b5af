// Imports a root certificate, or a subordinate authority, with its private key.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { ImportedRoot } from '../../shared/platform/certificate-authority/import-root.ts';
import { keepImported } from '../../shared/platform/certificate-authority/next-root.ts';
import { importSchema } from '../../shared/platform/certificate-authority/root-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG, rootSchema } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'importRootCertificate',
  method: 'POST',
  path: `${AUTHORITY_PATH}/root/import`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Import a root certificate with its key',
  description:
    'Changes application state immediately: keeps an authority that was made elsewhere, a root or a subordinate with the certificates above it. Its private key is stored sealed; file and passphrase are not kept. The certificate must be valid and of an authority that may sign certificates and revocation lists, and the key must be its own: RSA with 2048, 3072 or 4096 bits, or ECDSA with P-256 or P-384. Its revocation list starts again with number 1 here: what was revoked elsewhere is not known. Refused while custody is off, and, unless it is to be the next one, while there is a root that can sign.',
  body: importSchema,
  bodyLimit: 160 << 10,
  answers: { 201: { description: 'The root certificate that was imported.', schema: rootSchema, located: true } },
  problems: ['already_exists', 'state_conflict', 'vault_keys_unusable'],
  audit: ['certificate.root.import'],
  async prepare({ body, services }) {
    const { readAuthorityFile } = await import('../../shared/platform/certificate-authority/import-root.ts');
    return readAuthorityFile(body, services.clock.now());
  },
  async run({ tx, services, actor, body: { standing = 'signing' }, audit, prepared }) {
    const root = await keepImported(tx, services, actor.name, prepared as ImportedRoot, standing);
    const { id, subject, sha256, serial_number, key_algorithm, not_after } = root;
    const detail = { subject, sha256, serial_number, key_algorithm, not_after, standing };
    audit({ action: 'certificate.root.import', resource_type: 'certificate_authority', resource_id: id, detail });
    const location = `${AUTHORITY_PATH}/root${standing === 'next' ? '/next' : ''}`;
    return { status: 201, body: { ...root, state: 'valid' }, headers: { location } };
  },
});
