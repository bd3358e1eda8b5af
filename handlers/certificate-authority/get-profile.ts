// One profile of certificates.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findProfile, profileAnswer } from '../../shared/platform/certificate-authority/profile-store.ts';
import { profileParam, profileSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'getCertificateProfile',
  method: 'GET',
  path: `${AUTHORITY_PATH}/profiles/{profile_name}`,
  plane: 'api',
  access: { scope: 'read:ca' },
  effect: 'read',
  tag: AUTHORITY_TAG,
  summary: 'Get a certificate profile',
  description: 'Which names it is issued for, and for how long.',
  params: profileParam,
  answers: { 200: { description: 'The profile as it is now.', schema: profileSchema, tagged: true } },
  problems: ['resource_not_found'],
  async run({ db, params }) {
    const profile = await findProfile(db, params.profile_name);
    return { body: profileAnswer(profile), revision: profile.revision };
  },
});
