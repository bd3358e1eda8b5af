// Second factors in words.
import type { FactorKind, SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';

export const FACTOR_WORDS: Readonly<Record<FactorKind, string>> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
};

export const factorLine = (factors: readonly SecondFactor[]): string =>
  factors.map(({ kind, name }) => `${name} (${FACTOR_WORDS[kind]})`).join(', ');
