// What both steps of signing in at the external provider share.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Keys } from '../../shared/ground/sealing/keys.ts';
import { accountOf } from '../../shared/kernel/access/sign-in.ts';

/** Path of the redirect URI. */
export const CALLBACK = `${pagePath('sign-in')}/external/callback`;

/** Failures count by source network: whose account it is, nobody knows before it has succeeded. */
export const externalGuesser = (keys: Keys, source_address: string) => ({
  source_address,
  account: accountOf(keys, 'external sign-in'),
});
