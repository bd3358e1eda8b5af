// The state of a service at the head of its pages: that of its unit, in the words of every list.
import { MANIFESTS } from '../../shared/appliance/manifests.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import { StateOf } from '../components/state-words.tsx';

interface ServiceStateProps {
  standings: ReadonlyMap<UnitId, Standing>;
  unit: UnitId;
  /** Its saved switch, which is all there is to say of a unit that no apply enforces. */
  enabled: boolean;
  /** The switch takes effect when it is saved, without an apply. */
  atOnce?: boolean;
}

export function ServiceState({ standings, unit, enabled, atOnce = false }: ServiceStateProps) {
  const standing = standings.get(unit);
  if (!standing) return <StateOf state={enabled ? (atOnce ? 'in_force' : 'not_enforced') : 'off'} />;
  const services = MANIFESTS.find(({ id }) => id === unit)!.enforces.length;
  return (
    <>
      <StateOf state={standing.state} />
      {services > 1 && <span class="muted line">{standing.label} together</span>}
    </>
  );
}
