// The state of one service of a unit that has several: one can be off, or wait for an apply, while another is in force.
import { isDhcpFact } from '../../services/dns-dhcp/dhcp/facts.ts';
import { heldState } from './row-state.ts';
import type { Standing, StateId } from './standing.ts';

/** Settings document → whether a kind of fact is of its service. Others are the only one of their unit. */
const SHARED: Readonly<Record<string, (kind: string) => boolean>> = {
  'dns-dhcp': (kind) => !isDhcpFact(kind),
  dhcp: isDhcpFact,
};

/** Pure. `enabled`: its switch as it is saved. */
export function serviceState(standing: Standing, document: string, enabled: boolean): StateId {
  const own = SHARED[document];
  if (!own || !standing.comparison) return standing.state;
  // The daemon is one: when it does not answer, or was changed, that counts for each service that is on.
  const held = heldState(standing);
  if (enabled && held !== standing.applied) return held;
  for (const { kind } of standing.comparison.differing.values()) if (own(kind)) return 'pending';
  return enabled ? held : 'off';
}
