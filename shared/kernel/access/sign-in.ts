// Signs a user in by name and password. Guessing is slowed (throttle.ts), and strangers wait in line (sign-in-line.ts)
// unless the network is known to the account (known-network.ts). Unknown names are treated and counted the same way, so that
// neither the answer nor its time reveals which users exist.

import { sourceNetwork } from '../../ground/addresses/source.ts';
import type { Clock } from '../../ground/clock.ts';
import { systemUptime, type Uptime } from '../../ground/machine/uptime.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { Store } from '../../ground/store/store.ts';
import { isKnown, rememberNetwork } from './known-network.ts';
import { SignInLine } from './sign-in-line.ts';
import { forgetFailures, inSlot, noteFailure, noteStranger, refuseIfThrottled } from './throttle.ts';
import { type User, verifyUser } from './user.ts';

interface Shell {
  store: Store;
  clock: Clock;
  keys: Keys;
  uptime?: Uptime;
}

export interface Attempt {
  name: string;
  password: string;
  source_address: string;
}

const lines = new WeakMap<object, SignInLine>();

/** One for each appliance. */
function lineOf({ store, uptime = systemUptime }: Shell): SignInLine {
  const line = lines.get(store) ?? new SignInLine({ now: () => uptime.milliseconds(), after });
  lines.set(store, line);
  return line;
}

function after(milliseconds: number, wake: () => void): () => void {
  const timer = setTimeout(wake, milliseconds).unref();
  return () => clearTimeout(timer);
}

/**
 * The user with this name and password. Else null; the failure is then counted, and `refused` runs in the same transaction.
 * @throws Problem 429 with the seconds to wait
 */
export async function verifySignIn(
  shell: Shell,
  { name, password, source_address }: Attempt,
  refused: (tx: Transaction) => Promise<void>,
): Promise<User | null> {
  const { store, clock } = shell;
  const account = accountOf(shell.keys, name);
  const network = sourceNetwork(source_address);
  const user_name = name.toLowerCase();
  await refuseIfThrottled(store, { source_address, account }, clock.now());
  const known = await isKnown(store, user_name, network, clock.now());
  const attempt = async (): Promise<User | null> => {
    const user = await verifyUser(store, user_name, password, known ? 'known' : 'anyone');
    if (user) return user;
    await store.write(
      async (tx) => {
        await noteFailure(tx, { source_address, account }, clock.now());
        if (!known) line.failed({ network, account }, await noteStranger(tx, account, clock.now()));
        await refused(tx);
      },
      { unlessHeld: true },
    );
    return null;
  };
  const line = lineOf(shell);
  return known ? inSlot(source_address, attempt) : line.take({ network, account }, attempt);
}

/** Whether nothing was changed of the user since the password was found right, which takes a while: asked where the sign-in is saved. */
export const isUnchanged = async (tx: Transaction, { id, revision }: Pick<User, 'id' | 'revision'>): Promise<boolean> =>
  (await tx.one('SELECT 1 FROM user WHERE id = ? AND revision = ? AND enabled = 1', [id, revision])) !== undefined;

/** After a sign-in: the network is known from now on, and its failures at this account are forgotten. */
export async function noteSignIn(
  tx: Transaction,
  { keys, clock }: Pick<Shell, 'keys' | 'clock'>,
  user: Pick<User, 'id' | 'name'>,
  source_address: string,
): Promise<void> {
  await forgetFailures(tx, { source_address, account: accountOf(keys, user.name) });
  await rememberNetwork(tx, user.id, sourceNetwork(source_address), clock.now());
}

/** Stored instead of the name, since people sometimes type their password into its field. */
export function accountOf(keys: Keys, name: string): string {
  return keys.hmac('sign-in-name', name.toLowerCase()).toString('hex');
}
