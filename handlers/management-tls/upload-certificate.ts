// Uploads a certificate with its key for the management UI.
import { instant } from '../../shared/ground/clock.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { TLS_PATH, TLS_TAG, uploadedSchema, uploadSchema } from '../../shared/services/management-tls/schemas.ts';
import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';
import { uploadedView } from '../../shared/services/management-tls/state.ts';
import { keepUpload, type Upload, uploadedRow } from '../../shared/services/management-tls/uploaded.ts';

export const operation = defineOperation({
  id: 'uploadManagementCertificate',
  method: 'PUT',
  path: `${TLS_PATH}/certificate`,
  access: { scope: 'write:management-tls' },
  effect: 'desired-state',
  tag: TLS_TAG,
  summary: 'Upload a certificate for the management UI',
  description:
    'Saves desired state only; the management UI follows at the next reviewed apply, which has to be confirmed. Keeps a certificate with its private key, which is stored sealed, in the place of the one that was uploaded before, and chooses it as the source. File and passphrase are not kept. Refused are: a key that is not the certificate’s; a key that is not RSA with 2048, 3072 or 4096 bits or ECDSA with P-256 or P-384; a certificate that is expired, not valid yet, or not for servers; one that is not for all names in the settings, or, while there are none, for no name or address of the management UI. Of the certificates above it those are kept that lead towards a root, without the root.',
  body: uploadSchema,
  bodyLimit: 160 << 10,
  answers: { 200: { description: 'The certificate as it is kept.', schema: uploadedSchema } },
  problems: ['vault_keys_unusable'],
  audit: ['management-tls.certificate.upload'],
  async prepare({ body, services }) {
    const [{ readUpload }, { reachedBy }] = await Promise.all([
      import('../../shared/services/management-tls/read-upload.ts'),
      import('../../shared/services/management-tls/desired.ts'),
    ]);
    const reached = await reachedBy(services.store, services.settings.management_names ?? []);
    return readUpload(body, reached, services.clock.now());
  },
  async run({ tx, services, actor, audit, prepared, request }) {
    const upload = prepared as Upload;
    const id = await keepUpload(tx, services, upload, { name: actor.name, at: instant(request.now) });
    // Names that were saved meanwhile are looked at as well.
    const { changed } = await saveSettings(tx, services, managementTlsSettings, { source: 'uploaded' }, null);
    const { subject, names, sha256, key_algorithm, not_after } = upload;
    const detail = { subject, names, sha256, key_algorithm, not_after, chosen: changed.includes('source') };
    const action = 'management-tls.certificate.upload';
    audit({ action, resource_type: 'management_certificate', resource_id: id, detail });
    return { body: uploadedView(await uploadedRow(tx))! };
  },
});
