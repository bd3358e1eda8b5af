// Lists the profiles of certificates.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { listProfiles, profileAnswer } from '../../shared/platform/certificate-authority/profile-store.ts';
import { profileListSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'listCertificateProfiles',
  method: 'GET',
  path: `${AUTHORITY_PATH}/profiles`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'List certificate profiles',
  description:
    'All of them, in one page. `server` and `client` are for one end of TLS, `server-client` for both. `vmware` has no extended key usage, as VMware’s template. `subordinate` is an authority, and is issued where the path length of the root allows one.',
  answers: { 200: { description: 'The profiles as they are now.', schema: profileListSchema } },
  async run({ db }) {
    return { body: { items: (await listProfiles(db)).map(profileAnswer), next_cursor: null } };
  },
});
