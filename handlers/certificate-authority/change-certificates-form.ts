// The button below the list of certificates, for those that were chosen: one reason for all of them.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { CERTIFICATES_LIST, REVOKED_MOST } from '../../shared/platform/certificate-authority/list-words.ts';
import { revokeSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { rowsForm } from '../forms/row-list.ts';
import { operation as revokeCertificate } from './revoke-certificate.ts';

export const operation = rowsForm({
  words: CERTIFICATES_LIST,
  param: 'certificate_id',
  most: REVOKED_MOST,
  verbs: { revoke: revokeCertificate },
  body: (_verb, { revocation_reason }) => ({ revocation_reason }),
  fields: {
    schemas: { revocation_reason: v.optional(revokeSchema.entries.revocation_reason, 'unspecified') },
    decode: (fields) => ({ revocation_reason: fields.text('revocation_reason') || undefined }),
  },
  async name(db, id) {
    const { names, subject } = await findIssued(db, id, new Date(0));
    return names[0] ?? (subject || id);
  },
  page: pagePath('certificates'),
  path: `${pagePath('certificates')}/chosen`,
  kept: ['search', 'sort', 'state', 'profile', 'cursor'],
});
