// A plan that can still be submitted: its units in order, and beside them what the submit would do.

import type { ChangedBy } from '../../shared/appliance/apply/changed-by.ts';
import type { Plan, PlannedUnit } from '../../shared/appliance/apply/plan.ts';
import { NOTE_MAX } from '../../shared/appliance/apply/submit.ts';
import { WINDOW } from '../../shared/appliance/apply/window/record.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Block } from '../components/block.tsx';
import { Button, PostButton } from '../components/button.tsx';
import { Ids, More } from '../components/code.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { CheckGroup, Form, HiddenField, TextArea, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { Instant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';
import { PlanUnit } from './unit.tsx';
import { UnitDrift } from './unit-drift.tsx';
import { listed, MAY_NOT, mayApply, shortDigest, units } from './words.tsx';

export interface ReviewProps {
  plan: Plan;
  /** Labels of units that changed since the plan was made. */
  changed: readonly string[];
  /** Who changed its units since they were applied. */
  by: ReadonlyMap<string, ChangedBy>;
  state: ShellState;
  outcome: FormOutcome | null;
}

export function Review({ plan, changed, by, state, outcome }: ReviewProps) {
  const why = unavailable(plan, changed, state);
  const again = changed.length > 0 || plan.state === 'superseded';
  return (
    <>
      {again && outcome?.problem?.error_code !== 'plan_stale' && (
        <Block title={staleTitle(plan, changed)} actions={<ReviewAgain state={state} />}>
          A plan applies exactly what was reviewed, so this one can no longer be submitted. A new plan shows what would
          be applied now.
        </Block>
      )}
      <div class="split split-rail">
        <PlanUnits plan={plan} by={by} state={plan.state === 'open' ? state : null} now={state.now} />
        <aside class="rail stick" aria-labelledby="submit">
          <h2 id="submit">Apply</h2>
          <FactsList facts={railFacts(plan, state)} />
          <Form action={`${APPLY_PATH}/${plan.id}/submit`} csrf={state.csrf} look="stack">
            <HiddenField name="digest" value={plan.digest} />
            <TextArea
              name="note"
              label={
                <>
                  Note for the history <span class="muted">(optional)</span>
                </>
              }
              rows={3}
              value={outcome?.values.get('note') ?? ''}
              error={errorOf((outcome?.problem?.errors as FieldError[] | undefined) ?? [], 'note')}
              help={`Up to ${NOTE_MAX} characters.`}
            />
            <OverwriteField plan={plan} outcome={outcome} />
            <ConfirmField confirm={plan.confirm} outcome={outcome} />
            <Button kind="primary" unavailable={why}>
              Apply {units(plan.units.length)}
            </Button>
            <p class="muted">
              Saving is locked during the apply. If a unit fails, its previous files are restored.
              {state.host.kind === 'rehearsal' &&
                ' In rehearsal the files are rendered and checked, and the machine is left as it is.'}
            </p>
          </Form>
        </aside>
      </div>
    </>
  );
}

/** Whether a window will be opened, why, and for how long. The submit decides anew, by the way that it comes in. */
function ConfirmField({ confirm, outcome }: { confirm: Plan['confirm']; outcome: FormOutcome | null }) {
  const typed = outcome?.values.get('confirm_timeout');
  const moved = confirm && confirm.addresses_before.join() !== confirm.addresses_after.join();
  return (
    <>
      {confirm && (
        <div class="confirm-why">
          <p>
            <State kind="warn" icon="clock">
              Has to be confirmed, or goes back
            </State>
          </p>
          <ul class="says">
            {confirm.because.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          {moved && (
            <p>
              Management UI: <Addresses of={confirm.addresses_before} /> → <Addresses of={confirm.addresses_after} />.
              You have to sign in again at the new address and confirm there.
            </p>
          )}
        </div>
      )}
      <TextField
        name="confirm_timeout"
        label={<>Roll back unless confirmed within (seconds) {!confirm && <span class="muted">(optional)</span>}</>}
        inputmode="numeric"
        required={confirm !== null}
        value={typed ?? (confirm ? WINDOW.default : '')}
        error={errorOf((outcome?.problem?.errors as FieldError[] | undefined) ?? [], 'confirm_timeout')}
        help={
          confirm
            ? 'Counted from when the plan is in force.'
            : 'Leave empty to apply without confirmation. This plan does not affect your connection.'
        }
      />
    </>
  );
}

function Addresses({ of }: { of: readonly string[] }) {
  return of.length === 0 ? <>nowhere</> : <code>{of.join(', ')}</code>;
}

interface PlanUnitsProps {
  plan: Plan;
  now: string;
  by?: ReadonlyMap<string, ChangedBy>;
  /** Left out where nothing can be decided any more. */
  state?: ShellState | null;
}

export function PlanUnits({ plan, now, by, state = null }: PlanUnitsProps) {
  return (
    <ol>
      {plan.units.map((unit, index) => (
        <PlanUnit
          key={unit.id}
          unit={unit}
          number={index + 1}
          drift={unit.drift && <UnitDrift unit={unit} drift={unit.drift} plan={plan} state={state} />}
          changedBy={by && <WhoChanged unit={unit} by={by.get(unit.id)} now={now} />}
        />
      ))}
    </ol>
  );
}

function WhoChanged({ unit, by, now }: { unit: PlannedUnit; by: ChangedBy | undefined; now: string }) {
  if (!by)
    return (
      <span class="muted">{unit.reason.startsWith('required by') ? 'follows another unit' : 'no saved change'}</span>
    );
  const more = by.names.slice(NAMES_MOST);
  return (
    <>
      {by.names.slice(0, NAMES_MOST).join(', ')}, <Instant at={by.at} now={now} />
      {more.length > 0 && <More summary={`and ${more.length} more`}>{more.join(', ')}</More>}
    </>
  );
}

const NAMES_MOST = 3;

/** Units of which somebody changed the host, and of which that is not decided yet. */
const undecided = (plan: Plan): PlannedUnit[] =>
  plan.units.filter(({ id, drift }) => drift && !plan.overwrite_drift.includes(id));

/** Nothing that somebody changed on the host is overwritten unless it is chosen here. */
function OverwriteField({ plan, outcome }: { plan: Plan; outcome: FormOutcome | null }) {
  const drifted = undecided(plan);
  if (drifted.length === 0) return null;
  return (
    <CheckGroup
      name="overwrite_drift"
      label="Overwrite what was changed on the host"
      options={drifted.map(({ id, label }) => ({ value: id, label }))}
      values={outcome?.values.getAll('overwrite_drift') ?? []}
      error={errorOf((outcome?.problem?.errors as FieldError[] | undefined) ?? [], 'overwrite_drift')}
      help="Without it the plan is not applied."
    />
  );
}

export function ReviewAgain({ state, label = 'Review again' }: { state: ShellState; label?: string }) {
  return (
    <PostButton action={APPLY_PATH} csrf={state.csrf} unavailable={mayApply(state.user) ? undefined : MAY_NOT}>
      {label}
    </PostButton>
  );
}

function railFacts(plan: Plan, state: ShellState): Fact[] {
  const refused = failing(plan);
  const { unchanged, left_out } = plan;
  return [
    { label: 'Order', value: plan.units.map(({ label }) => label).join(', ') },
    { label: 'Not changed', value: unchanged.length === 0 ? 'no other unit' : unchanged.join(', ') },
    ...(left_out.length > 0 ? [{ label: 'Left out', value: `${listed(left_out)}; stays as it is` }] : []),
    {
      label: 'Blockers',
      value:
        refused.length === 0 ? (
          <State kind="ok">none</State>
        ) : (
          <State kind="bad">{listed(refused)} did not pass validation</State>
        ),
    },
    { label: 'Drift', value: <DriftFact plan={plan} /> },
    {
      label: 'Reviewed',
      value: (
        <>
          <Instant at={plan.created_at} now={state.now} /> by {plan.created_by}
        </>
      ),
    },
    { label: 'Ids', value: <Ids of={{ plan: plan.id, digest: shortDigest(plan.digest) }} /> },
  ];
}

function DriftFact({ plan }: { plan: Plan }) {
  const drifted = plan.units.filter(({ drift }) => drift);
  if (drifted.length === 0) return <State kind="ok">none</State>;
  const decided = undecided(plan).length === 0 ? ', overwritten' : '';
  return (
    <State kind="warn">
      {listed(drifted.map(({ label }) => label))} changed on the host{decided}
    </State>
  );
}

const failing = (plan: Plan): string[] =>
  plan.units.filter(({ check }) => check?.ok === false).map(({ label }) => label);

/** Why the plan can't be submitted now, nearest cause first. */
function unavailable(plan: Plan, changed: readonly string[], state: ShellState): string | undefined {
  const refused = failing(plan);
  const reasons: [boolean, string][] = [
    [!mayApply(state.user), MAY_NOT],
    [plan.state === 'superseded', 'A newer plan replaced this one'],
    [changed.length > 0, `${listed(changed)} changed after the review`],
    [refused.length > 0, `${listed(refused)} did not pass validation`],
    [state.running !== null, 'Another apply is running'],
  ];
  return reasons.find(([applies]) => applies)?.[1];
}

function staleTitle(plan: Plan, changed: readonly string[]): string {
  return plan.state === 'superseded'
    ? 'A newer plan replaced this one'
    : `${listed(changed)} changed after this plan was made`;
}
