// Gives the root certificate with its private key as PKCS #12, under a passphrase, to a user who entered the own password
// again. The audit event is committed before the file is sent; the answer is not stored.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import type { Lock } from '../../shared/ground/x509/pkcs12-write.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { AUTHORITY_PAGE, noRoot, rootState } from '../../shared/platform/certificate-authority/authority.ts';
import { newestRoot } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { split } from '../../shared/platform/certificate-authority/file-formats.ts';
import { UNUSABLE } from '../../shared/platform/certificate-authority/issue.ts';
import { newPassphrase } from '../../shared/platform/certificate-authority/root-schemas.ts';
import { AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

const PAGE = `${AUTHORITY_PAGE}/root/export`;

export const operation = defineForm(
  {
    id: 'exportRootCertificateForm',
    path: PAGE,
    access: { session: 'write:ca' },
    effect: 'immediate',
    tag: AUTHORITY_TAG,
    summary: 'Export the root certificate with its key',
    description: 'Changes nothing but the audit log.',
    body: v.pipe(
      v.strictObject({ passphrase: newPassphrase, again: v.string() }),
      v.forward(
        v.check(({ passphrase, again }) => passphrase === again, 'The two passphrases differ.'),
        ['again'],
      ),
    ),
    problems: ['resource_not_found', 'state_conflict', 'vault_keys_unusable', 'too_many_attempts'],
    audit: ['certificate.root.export'],
    async prepare({ body, services }) {
      const { lockOf } = await import('../../shared/ground/x509/pkcs12-write.ts');
      return lockOf(body.passphrase, services.entropy);
    },
    async run({ tx, services, audit, prepared }) {
      const root = await newestRoot(tx);
      if (!root) throw noRoot();
      const signing = await rootState(services, root, services.clock.now());
      if (signing.state !== 'valid') throw new Problem('state_conflict', UNUSABLE[signing.state](root));
      const { id, subject, sha256, certificate_pem, chain_pem } = root;
      const { writePkcs12 } = await import('../../shared/ground/x509/pkcs12-write.ts');
      const certificates = [certificate_pem, ...split(chain_pem)];
      const packed = { name: subject, key_pem: signing.key_pem, certificates };
      const file = writePkcs12(packed, prepared as Lock, services.entropy).toString('base64');
      const detail = { subject, sha256 };
      audit({ action: 'certificate.root.export', resource_type: 'certificate_authority', resource_id: id, detail });
      return { body: { pkcs12: file } };
    },
  },
  {
    page: PAGE,
    secret: ['passphrase', 'again'],
    confirms: { resource_type: 'certificate_authority' },
    decode: (fields) => ({
      passphrase: fields.values.get('passphrase') ?? '',
      again: fields.values.get('again') ?? '',
    }),
    done: () => ({ location: AUTHORITY_PAGE }),
    shows: true,
  },
);
