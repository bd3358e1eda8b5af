// Kinds of second factors in words.
import type { FactorKind } from '../../shared/kernel/access/second-factor/factor-store.ts';

export const FACTOR_WORDS: Readonly<Record<FactorKind, string>> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
};
