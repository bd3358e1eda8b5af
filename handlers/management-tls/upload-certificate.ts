// Uploads a certificate with its key for the management UI.
import { instant } from '../../shared/ground/clock.ts';
import { confirmOwner } from '../../shared/kernel/operation/confirm-owner.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { prepareUpload } from '../../shared/services/management-tls/prepare-upload.ts';
import { TLS_PATH, TLS_TAG, uploadedSchema, uploadSchema } from '../../shared/services/management-tls/schemas.ts';
import { managementTlsSettings } from '../../shared/services/management-tls/settings.ts';
import { uploadedView } from '../../shared/services/management-tls/state.ts';
import { keepUpload, type Upload, uploadedRow } from '../../shared/services/management-tls/uploaded.ts';

const ACTION = 'management-tls.certificate.upload';

export const operation = defineOperation({
  id: 'uploadManagementCertificate',
  method: 'PUT',
  path: `${TLS_PATH}/certificate`,
  access: { scope: 'write:management-tls' },
  effect: 'desired-state',
  tag: TLS_TAG,
  summary: 'Upload a certificate for the management UI',
  description:
    'Saves desired state only; the management UI follows at the next reviewed apply, which has to be confirmed. Stores a certificate with its private key, sealed, replaces the one that was uploaded before, and chooses it as the source. File and passphrase are not kept. Refused are: a key that is not the certificate’s; a key that is not RSA with 2048, 3072 or 4096 bits or ECDSA with P-256 or P-384; a certificate that is expired, not valid yet, or not for servers; one that is not for all names in the settings, or, while there are none, for no name or address of the management UI. Of the certificates above it those are kept that lead towards a root, without the root. It asks for the own password, or with a token for the password of the token’s user: a token alone brings no certificate. Wrong guesses are recorded, and slowed like a sign-in.',
  body: uploadSchema,
  bodyLimit: 160 << 10,
  answers: { 200: { description: 'The certificate as it is kept.', schema: uploadedSchema } },
  problems: ['vault_keys_unusable', 'too_many_attempts'],
  audit: [ACTION],
  async prepare({ body, services, actor, request }) {
    const event = { action: ACTION, resource_type: 'management_certificate', resource_id: null };
    await confirmOwner(services, { actor, request, body }, event);
    return prepareUpload(services, body);
  },
  async run({ tx, services, actor, audit, prepared, request }) {
    const upload = prepared as Upload;
    const id = await keepUpload(tx, services, upload, { name: actor.name, at: instant(request.now) });
    // Names that were saved meanwhile are looked at as well.
    const { changed } = await saveSettings(tx, services, managementTlsSettings, { source: 'uploaded' }, null);
    const { subject, names, sha256, key_algorithm, not_after } = upload;
    const detail = { subject, names, sha256, key_algorithm, not_after, chosen: changed.includes('source') };
    audit({ action: ACTION, resource_type: 'management_certificate', resource_id: id, detail });
    return { body: uploadedView(await uploadedRow(tx))! };
  },
});
