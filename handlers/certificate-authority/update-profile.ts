// Changes which names a profile is issued for, and for how long.
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { profileAnswer, updateProfile } from '../../shared/platform/certificate-authority/profile-store.ts';
import {
  profileParam,
  profilePatchSchema,
  profileSchema,
} from '../../shared/platform/certificate-authority/request-schemas.ts';
import { AUTHORITY_PATH, AUTHORITY_TAG } from '../../shared/platform/certificate-authority/schemas.ts';

export const operation = defineOperation({
  id: 'updateCertificateProfile',
  method: 'PATCH',
  path: `${AUTHORITY_PATH}/profiles/{profile_name}`,
  plane: 'api',
  access: { scope: 'write:ca' },
  effect: 'immediate',
  tag: AUTHORITY_TAG,
  summary: 'Change a certificate profile',
  description:
    'Changes application state immediately: what is issued and asked for from now on. Certificates that there are stay as they are.',
  params: profileParam,
  body: profilePatchSchema,
  answers: { 200: { description: 'The profile as it is now.', schema: profileSchema, tagged: true } },
  problems: ['resource_not_found', 'revision_stale'],
  audit: ['certificate.profile.update'],
  async run({ tx, params, body, audit, request }) {
    const { profile, changed } = await updateProfile(tx, params.profile_name, body, request.if_match);
    const answer = { body: profileAnswer(profile), revision: profile.revision };
    if (changed.length === 0) return { ...answer, unchanged: true };
    const { name, allowed_names, validity_days } = profile;
    const detail = { changed, allowed_names, validity_days };
    audit({ action: 'certificate.profile.update', resource_type: 'certificate_profile', resource_id: name, detail });
    return answer;
  },
});
