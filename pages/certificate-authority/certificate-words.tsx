// Words of certificates that the pages share: keys, states, purposes.

import type { RootState } from '../../shared/platform/certificate-authority/authority.ts';
import type {
  CertificateState,
  RevocationReason,
} from '../../shared/platform/certificate-authority/certificate-store.ts';
import type { KeyAlgorithm } from '../../shared/platform/certificate-authority/make.ts';
import type { ProfileName } from '../../shared/platform/certificate-authority/profiles.ts';
import type { RequestState } from '../../shared/platform/certificate-authority/request-states.ts';
import { unitName } from '../../shared/platform/unit-names.ts';
import type { StateKind } from '../components/state-word.tsx';

export const ALGORITHMS: Record<KeyAlgorithm, string> = {
  'ecdsa-p256': 'ECDSA P-256',
  'ecdsa-p384': 'ECDSA P-384',
  'rsa-2048': 'RSA 2048',
  'rsa-3072': 'RSA 3072',
  'rsa-4096': 'RSA 4096',
};

export const ROOT_STATES: Record<RootState, { kind: StateKind; word: string; wayOut: string | null }> = {
  valid: { kind: 'ok', word: 'Valid', wayOut: null },
  expired: {
    kind: 'bad',
    word: 'Expired',
    wayOut: 'It signs nothing any more. Make a new one, and have every machine trust that.',
  },
  not_yet_valid: {
    kind: 'bad',
    word: 'Not valid yet',
    wayOut: 'It was made while the clock was ahead, or the clock is late now. Set the clock, or make a new one.',
  },
  unusable: {
    kind: 'bad',
    word: 'Its private key can’t be opened',
    wayOut:
      'It signs nothing. Restore the file vault.keys that has its key, or make a new one and have every machine trust that.',
  },
};

export const PROFILE_WORDS: Record<ProfileName, { word: string; help: string }> = {
  server: { word: 'Server', help: 'For a server that clients reach over TLS.' },
  client: { word: 'Client', help: 'For a client that signs in to a server over TLS.' },
  'server-client': { word: 'Server and client', help: 'For a machine that is both.' },
  vmware: {
    word: 'VMware',
    help: 'For vCenter, ESX, NSX and SDDC Manager. No extended key usage, as VMware’s template.',
  },
  subordinate: {
    word: 'Subordinate authority',
    help: 'For an authority below this one, such as VMCA. It needs a root with path length 1.',
  },
};

export const profileOptions = () => Object.entries(PROFILE_WORDS).map(([value, { word }]) => ({ value, label: word }));

export const CERTIFICATE_WORDS: Record<CertificateState, { kind: StateKind; word: string }> = {
  valid: { kind: 'ok', word: 'Valid' },
  expiring: { kind: 'warn', word: 'Expires soon' },
  expired: { kind: 'bad', word: 'Expired' },
  not_yet_valid: { kind: 'warn', word: 'Not valid yet' },
  on_hold: { kind: 'warn', word: 'On hold' },
  revoked: { kind: 'bad', word: 'Revoked' },
  replaced: { kind: 'off', word: 'Replaced' },
};

export const REASON_WORDS: Record<RevocationReason, string> = {
  unspecified: 'No reason given',
  keyCompromise: 'The private key may be known to others',
  cACompromise: 'The key of this subordinate authority may be known to others',
  affiliationChanged: 'The names or the owner changed',
  superseded: 'Another certificate took its place',
  cessationOfOperation: 'The machine is no longer in use',
  certificateHold: 'On hold, until it is taken back',
};

export const REQUEST_WORDS: Record<RequestState, { kind: StateKind; word: string }> = {
  pending: { kind: 'pending', word: 'Waits' },
  approved: { kind: 'ok', word: 'Approved' },
  refused: { kind: 'off', word: 'Refused' },
};

export const keyWord = (algorithm: string): string => ALGORITHMS[algorithm as KeyAlgorithm] ?? algorithm;

/** A certificate is made out for a service; another purpose is shown as it is. */
export const purposeWord = unitName;

export function pathLengthWord(length: number | null): string {
  if (length === null) return 'any: authorities may be below it';
  return length === 0 ? '0: no authority below it' : `${length}: a subordinate authority may be below it`;
}
