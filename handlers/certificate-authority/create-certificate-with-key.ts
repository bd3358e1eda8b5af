// Makes a private key and issues its certificate; both are given once, under a passphrase.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { split } from '../../shared/platform/certificate-authority/file-formats.ts';
import { signInto } from '../../shared/platform/certificate-authority/issue-request.ts';
import type { KeyWithLock } from '../../shared/platform/certificate-authority/new-key.ts';
import { withKeySchema, withKeySchemaAnswer } from '../../shared/platform/certificate-authority/root-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'createCertificateWithKey',
  method: 'POST',
  path: `${AUTHORITY_PATH}/certificates/with-key`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Issue a certificate with a new key',
  description:
    'Changes application state immediately: makes a key pair and issues its certificate. The key is only in this answer, as PKCS #12 under the passphrase: the appliance keeps neither. A signing request is better where the machine can make one, since its key never leaves it.',
  body: withKeySchema,
  answers: {
    201: {
      description: 'The certificate, and its key, which is in no other answer.',
      schema: withKeySchemaAnswer,
      located: true,
    },
  },
  problems: ['state_conflict', 'certificate_authority_missing', 'vault_keys_unusable'],
  audit: ['certificate.issue'],
  async prepare({ body, services }) {
    const { newKey } = await import('../../shared/platform/certificate-authority/new-key.ts');
    return newKey(body.key_algorithm ?? 'rsa-3072', body.passphrase, services.entropy);
  },
  async run({ tx, services, actor, body: { names, profile }, audit, prepared, request }) {
    const { key_pem, lock, spki, key_algorithm } = prepared as KeyWithLock;
    const wanted = { spki, key_algorithm, common_name: names[0] ?? '', names, profile };
    const { id, pem, chain_pem, event } = await signInto(tx, services, actor.name, wanted, 'with_key');
    audit(event);
    const { writePkcs12 } = await import('../../shared/ground/x509/pkcs12-write.ts');
    const packed = { name: names[0] ?? id, key_pem, certificates: [pem, ...split(chain_pem)] };
    const pkcs12 = writePkcs12(packed, lock, services.entropy).toString('base64');
    const certificate = await findIssued(tx, id, request.now);
    return {
      status: 201,
      body: { certificate, pkcs12 },
      headers: { location: `${AUTHORITY_PATH}/certificates/${id}` },
    };
  },
});
