// Whether a plan needs a confirm window for whoever submits it: reads what path.ts compares.

import type { RequestFacts } from '../../../kernel/operation/operation.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { unitStates } from '../../../platform/applied/unit-state.ts';
import { loadInterfaces } from '../../../platform/interfaces/interface.ts';
import type { NetworkDesired } from '../../../platform/network/desired.ts';
import { baselineOf } from '../make-plan.ts';
import type { Plan } from '../plan.ts';
import { type Arrival, addressesOf, type Confirmation, confirmationOf, questionAbout } from './path.ts';

/** The way that a request came in. */
export const arrivalOf = ({
  source_address,
  connection,
}: Pick<RequestFacts, 'source_address' | 'connection'>): Arrival => ({
  local: connection?.local_address ?? '',
  remote: source_address,
});

export interface Need {
  /** Null where the plan leaves the way alone. */
  confirm: Confirmation | null;
  /** Where the management UI is to be reached once the plan is in force. */
  listeners: string[];
}

/** What submitting a plan means for the way that a request came in. */
export async function needOf(
  services: Services,
  plan: Pick<Plan, 'units' | 'changes_filter'>,
  arrival: Arrival,
): Promise<Need> {
  const states = await unitStates(services.store);
  const baseline = await baselineOf(services, states.get('network')?.entries_digest ?? null);
  const inForce = baseline?.remembered as NetworkDesired | undefined;
  const saved = await loadInterfaces(services.store);
  const question = questionAbout(plan, arrival, inForce?.interfaces ?? null, saved);
  // A rehearsal leaves the machine as it is, and the way to it too.
  const confirm = services.host.enforces ? confirmationOf(question) : null;
  return { confirm, listeners: addressesOf(question).addresses_after };
}
