// Whoever tries passwords of the operating system is slowed as at a sign-in: PAM itself counts nothing.
import type { Keys } from '../../../ground/sealing/keys.ts';
import { accountOf } from '../../../kernel/access/sign-in.ts';
import type { Guesser } from '../../../kernel/access/throttle.ts';

interface Asks {
  credential_id: string;
  account: string;
  source_address: string;
}

/**
 * Counted apart from the user's own password, which is right each time somebody tries, and would forget the count. The name
 * has a space: no user has it.
 */
export const shellGuesser = (keys: Keys, { credential_id, account, source_address }: Asks): Guesser => ({
  source_address,
  account: accountOf(keys, `terminal ${account}`),
  session: `terminal ${credential_id}`,
});

/** What a right password forgets: not the count of the session, or an account of one's own would pay for another's. */
export const forgiven = ({ source_address, account }: Guesser): Guesser => ({ source_address, account });
