// Where pages of the certificate authority stand.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';

export const AUTHORITY = { href: AUTHORITY_PAGE, label: 'Certificate authority' };
export const CERTIFICATES = { href: pagePath('certificates'), label: 'Certificates' };
export const REQUESTS = { href: pagePath('certificate-requests'), label: 'Requests' };
export const PROFILES_PLACE = { href: pagePath('certificate-profiles'), label: 'Profiles' };
