// Words of the list of certificates.
import { type ListWords, REVOKE } from '../../ground/list-words.ts';

export const CERTIFICATES_LIST: ListWords = {
  component: 'Certificates',
  noun: 'certificate',
  nouns: 'certificates',
  verbs: [REVOKE],
};

/** Each signs the revocation list anew, so no more of them than a page of the list has. */
export const REVOKED_MOST = 50;

/** Each is judged by itself, on its own page. */
export const REQUESTS_LIST: ListWords = {
  component: 'CertificateRequests',
  noun: 'request',
  nouns: 'requests',
  verbs: [],
};
