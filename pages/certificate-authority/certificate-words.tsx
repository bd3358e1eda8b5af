// Words of certificates that the pages share: keys, states, purposes.

import type { RootState } from '../../shared/platform/certificate-authority/authority.ts';
import type { KeyAlgorithm } from '../../shared/platform/certificate-authority/make.ts';
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

/** A certificate is made out for a service; another purpose is shown as it is. */
export const purposeWord = unitName;
