// What somebody changed on the host since a unit was applied, in its review: the lines, and the ways to keep them.
import { adopts, whyNotAdoptable } from '../../shared/appliance/apply/adopt.ts';
import type { HostDrift } from '../../shared/appliance/apply/host-drift.ts';
import type { Plan, PlannedUnit } from '../../shared/appliance/apply/plan.ts';
import { findUnit } from '../../shared/appliance/units.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { RawDiff } from '../components/diff.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import type { ShellState } from '../layout/state.ts';
import { MAY_NOT, mayApply } from './words.tsx';

interface UnitDriftProps {
  unit: PlannedUnit;
  drift: HostDrift;
  plan: Plan;
  /** Null where nothing can be decided any more. */
  state: ShellState | null;
}

export function UnitDrift({ unit, drift, plan, state }: UnitDriftProps) {
  const { lines, more, raw } = drift;
  const { notAdopted } = findUnit(unit.id);
  const overwritten = plan.overwrite_drift.includes(unit.id);
  return (
    <div class="unit-drift">
      <Block
        title={overwritten ? 'Changed on the host by hand: overwritten' : 'Changed on the host by hand'}
        actions={state && !overwritten ? <Keep unit={unit} plan={plan} state={state} /> : undefined}
      >
        {lines.map((line) => (
          <span key={line} class="line">
            {line}
          </span>
        ))}
        {more > 0 && <span class="line muted">and {more} more</span>}
        {notAdopted !== undefined && <span class="line muted">{notAdopted}</span>}
      </Block>
      {raw !== '' && (
        <RawDiff subject={`${unit.label} on the host`} summary="Lines changed on the host" text={raw} open />
      )}
    </div>
  );
}

function Keep({ unit, plan, state }: Pick<UnitDriftProps, 'unit' | 'plan'> & { state: ShellState }) {
  const others = plan.units.filter(({ id }) => id !== unit.id);
  const why = mayApply(state.user) ? undefined : MAY_NOT;
  const adoptable = adopts(findUnit(unit.id)) && whyNotAdoptable(findUnit(unit.id), driftSeen(unit)) === null;
  return (
    <>
      {others.length > 0 && (
        <PostButton
          action={APPLY_PATH}
          csrf={state.csrf}
          fields={{ units: others.map(({ id }) => id) }}
          unavailable={why}
        >
          Leave {unit.label} out
        </PostButton>
      )}
      {adoptable && why === undefined && (
        <ButtonLink href={`${APPLY_PATH}/drift/${unit.id}/adopt`}>Keep what the host has</ButtonLink>
      )}
    </>
  );
}

/** As the comparison of the clock would have written it down. */
function driftSeen({ drift }: PlannedUnit) {
  const lines = drift?.lines.filter((line) => !line.startsWith('/')) ?? [];
  return { state: 'drifted' as const, checked_at: '', first_seen_at: null, last_seen_at: null, lines, more: 0 };
}
