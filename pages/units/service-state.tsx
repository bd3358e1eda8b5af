// The state of a service at the head of its pages: its own, in the words of every list, and which services are one unit.
import { MANIFESTS } from '../../shared/appliance/manifests.ts';
import { serviceState } from '../../shared/appliance/states/service-state.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import { StateOf } from '../components/state-words.tsx';

interface ServiceStateProps {
  standings: ReadonlyMap<UnitId, Standing>;
  unit: UnitId;
  /** Its settings document, where the unit has several; default: the unit's only one. */
  document?: string;
  /** Its saved switch, which is all there is to say of a unit that no apply enforces. */
  enabled: boolean;
  /** The switch takes effect when it is saved, without an apply. */
  atOnce?: boolean;
}

export function ServiceState({ standings, unit, document = unit, enabled, atOnce = false }: ServiceStateProps) {
  const standing = standings.get(unit);
  if (!standing) return <StateOf state={enabled ? (atOnce ? 'in_force' : 'not_enforced') : 'off'} />;
  // Its own part needs no apply: what is off is the rest.
  if (atOnce && enabled && standing.state === 'off') return <StateOf state="in_force" />;
  const services = MANIFESTS.find(({ id }) => id === unit)!.enforces.length;
  return (
    <>
      <StateOf state={serviceState(standing, document, enabled)} />
      {services > 1 && <span class="muted line">applied as {standing.label}</span>}
    </>
  );
}
