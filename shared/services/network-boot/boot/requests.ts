// What requests of the boot listener share: their schemas, the applied state that answers them, and the one refusal,
// which shows a machine nothing.
import * as v from 'valibot';
import { Problem } from '../../../ground/problems.ts';
import type { RequestFacts } from '../../../kernel/operation/operation.ts';
import type { Applied } from '../manifest.ts';
import { appliedOrigin, type BootShell } from './context.ts';
import { appliedNow } from './retrieve.ts';

const word = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)));

/** The machine's data in iPXE's query. */
export const MACHINE_QUERY = v.object({ mac: word(32), firmware: word(16) });
export const MACHINE_OPEN_QUERY =
  'An iPXE script of the site may add parameters; a machine that is refused boots nothing.';
export const CLAIM_PARAMS = v.object({ claim: v.pipe(v.string(), v.maxLength(64)) });

/** The one refusal of the listener. */
export const refusedToMachine = (): Problem => new Problem('route_not_found', 'Nothing answers at this path.');

/** The applied state, and its listener that got the request. @throws Problem when there is none. */
export async function askedOf(
  shell: Pick<BootShell, 'host'>,
  request: Pick<RequestFacts, 'headers'>,
): Promise<{ applied: Applied; origin: string }> {
  const applied = await appliedNow(shell);
  const origin = applied && appliedOrigin(applied, request.headers.host);
  if (!applied || !origin) throw refusedToMachine();
  return { applied, origin };
}
