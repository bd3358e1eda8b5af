// Appliance apply: what is saved and not applied, what is in force since when, and every plan there ever was.
import * as v from 'valibot';
import type { PlanState } from '../../shared/appliance/apply/plan.ts';
import { PLAN_STATES } from '../../shared/appliance/apply/plan.ts';
import { listPlans, type PlanSummary, planFilter } from '../../shared/appliance/apply/plan-store.ts';
import { isWindowDamaged } from '../../shared/appliance/apply/window/view.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { PAGE_QUERY, pageLimit } from '../../shared/ground/schemas/component.ts';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Refusal } from '../components/refusal.tsx';
import { StateOf } from '../components/state-words.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { type ListedRows, placeText, ROW_QUERY, RowList } from '../units/row-list.tsx';
import { DamagedWindow } from './damaged-window.tsx';
import { HostDiffers, OnHost } from './drift.tsx';
import { capital, MAY_NOT, mayApply, PlanStateWord, planName, planStateWord } from './words.tsx';

/** Plans of a page, unless the query asks otherwise. */
const PLANS = '25';

interface Plans extends ListedRows<PlanSummary> {
  chosen: PlanState | '';
}

interface ApplyData {
  lines: Standing[];
  plans: Plans;
  /** The open plan, when it still holds what is saved. */
  current: PlanSummary | null;
  /** Of a confirm window. */
  damaged: boolean;
}

export const page = definePage({
  id: 'applyPage',
  path: APPLY_PATH,
  access: { session: 'read:apply' },
  query: v.object({
    search: ROW_QUERY.search,
    state: ROW_QUERY.state,
    cursor: ROW_QUERY.cursor,
    limit: PAGE_QUERY.limit,
  }),
  async load({ db, query, services, standings }): Promise<ApplyData> {
    const { state: chosen, ...filter } = planFilter(query);
    const [found, opened, damaged] = await Promise.all([
      listPlans(db, { ...filter, limit: pageLimit(query.limit ?? PLANS), cursor: query.cursor }),
      // Whatever the history shows: there is one at most.
      listPlans(db, { states: ['open'], limit: 1 }),
      isWindowDamaged(services),
    ]);
    const plans = { items: found.items, next: found.next_cursor, at: placeText(query), chosen };
    const [open] = opened.items;
    const current = open?.units.every(({ id, version }) => standings.get(id)?.desired_version === version)
      ? open
      : null;
    return { lines: [...standings.values()], plans, current, damaged };
  },
  title: () => 'Appliance apply',
  refreshes: (_data, { running }) => running !== null,
  view({ data: { lines, plans, current, damaged }, state, outcome }) {
    return (
      <>
        {outcome?.problem && outcome.problem.error_code !== 'request_validation_failed' && (
          <Refusal problem={outcome.problem} />
        )}
        <PageHead
          title="Appliance apply"
          intro="Saving records your settings. Applying puts them in force on the host, unit by unit, after a review."
        />
        {damaged && <DamagedWindow state={state} outcome={outcome} />}
        <div data-live="jobs pending" data-done={state.running ? undefined : ''}>
          <section aria-labelledby="pending">
            <div class="fighead">
              <h2 id="pending">Not applied</h2>
            </div>
            <Pending lines={lines.filter(({ pending }) => pending)} current={current} state={state} />
          </section>
          <section class="fig" aria-labelledby="in-force">
            <div class="fighead">
              <h2 id="in-force">Units</h2>
              <CompareNow state={state} />
            </div>
            <UnitTable lines={lines} state={state} />
          </section>
          <HostDiffers units={lines} state={state} />
        </div>
        <section class="fig" aria-labelledby="history">
          <div class="fighead">
            <h2 id="history">History</h2>
          </div>
          <History plans={plans} lines={lines} state={state} />
        </section>
      </>
    );
  },
});

function Pending({
  lines,
  current,
  state,
}: {
  lines: readonly Standing[];
  current: PlanSummary | null;
  state: ShellState;
}) {
  if (state.running) {
    return (
      <Empty action={<ButtonLink href={`${APPLY_PATH}/${state.running.plan_id}`}>Follow it</ButtonLink>}>
        An apply is running: {state.running.text}. Saving is locked until it ends.
      </Empty>
    );
  }
  if (lines.length === 0) return <Empty>Nothing: everything that is saved was applied.</Empty>;
  return (
    <>
      <ul class="says">
        {lines.map(({ unit, label, applied_at }) => (
          <li key={unit}>
            <b>{label}</b>{' '}
            {applied_at ? (
              <>
                changed since it was applied <Instant at={applied_at} now={state.now} />
              </>
            ) : (
              'was never applied: its first apply puts the whole configuration in force'
            )}
          </li>
        ))}
      </ul>
      <div class="actions">
        {current && (
          <ButtonLink kind="primary" href={`${APPLY_PATH}/${current.id}`}>
            Open the reviewed plan
          </ButtonLink>
        )}
        <PostButton
          kind={current ? 'plain' : 'primary'}
          action={APPLY_PATH}
          csrf={state.csrf}
          unavailable={mayApply(state.user) ? undefined : MAY_NOT}
        >
          {current ? 'Review again' : 'Review changes'}
        </PostButton>
      </div>
    </>
  );
}

/** At once what the clock does every few minutes. */
function CompareNow({ state }: { state: ShellState }) {
  const why = mayApply(state.user) ? undefined : MAY_NOT;
  return (
    <PostButton
      action={`${APPLY_PATH}/drift/compare`}
      csrf={state.csrf}
      unavailable={state.running ? 'An apply is running' : why}
    >
      Compare now
    </PostButton>
  );
}

function UnitTable({ lines, state }: { lines: readonly Standing[]; state: ShellState }) {
  return (
    <DataTable
      caption="Units and their states"
      rows={lines}
      rowKey={({ unit }) => unit}
      empty="This appliance has no units."
      columns={[
        { key: 'unit', label: 'Unit', cell: ({ label }) => label },
        {
          key: 'state',
          label: 'State',
          cell: ({ state: word }) => <StateOf state={word} />,
        },
        {
          key: 'host',
          label: 'On the host',
          cell: (unit) => <OnHost unit={unit} now={state.now} />,
        },
        {
          key: 'applied',
          label: 'Applied',
          look: 'nowrap',
          cell: ({ applied_at, plan_id }) => {
            if (applied_at === null) return <span class="muted">never</span>;
            const when = <Instant at={applied_at} now={state.now} />;
            return plan_id === null ? when : <a href={`${APPLY_PATH}/${plan_id}`}>{when}</a>;
          },
        },
      ]}
    />
  );
}

interface HistoryProps {
  plans: Plans;
  lines: readonly Standing[];
  state: ShellState;
}

function History({ plans, lines, state }: HistoryProps) {
  const standing = new Map(lines.map((line) => [line.unit, line]));
  const isInForce = (plan: PlanSummary): boolean =>
    plan.units.every(({ id }) => standing.get(id)?.plan_id === plan.id && !standing.get(id)?.pending);
  return (
    <RowList
      of="plan"
      listed={plans}
      outcome={null}
      csrf={state.csrf}
      href={APPLY_PATH}
      csv={{ path: `${APPLY_PATH}.csv`, by: ['search', 'state'] }}
      caption="Plans, newest first"
      searchLabel="Note, person or id"
      selects={[
        {
          name: 'state',
          label: 'State',
          any: 'Any state',
          value: plans.chosen,
          options: PLAN_STATES.map((value) => ({ value, label: planStateWord(value) })),
        },
      ]}
      live={(table) => (
        <div data-live="jobs pending" id="plans" data-done={state.running ? undefined : ''}>
          {table}
        </div>
      )}
      columns={[
        { key: 'plan', label: 'Plan', look: 'nowrap', cell: (plan) => <PlanLink plan={plan} /> },
        { key: 'state', label: 'State', cell: (plan) => <PlanStateWord state={plan.state} /> },
        {
          key: 'when',
          label: 'When',
          look: 'nowrap',
          cell: ({ submitted_at, created_at }) => <Instant at={submitted_at ?? created_at} now={state.now} />,
        },
        { key: 'who', label: 'By', cell: ({ submitted_by, created_by }) => submitted_by ?? created_by },
        { key: 'units', label: 'Units', cell: (plan) => plan.units.map(({ label }) => label).join(', ') },
        { key: 'note', label: 'Note', cell: ({ note }) => note },
        {
          key: 'back',
          label: 'Kept',
          look: 'nowrap',
          cell: (plan) => (isInForce(plan) ? inForce(plan) : <BringBack plan={plan} state={state} />),
        },
      ]}
      empty="No plan yet. Save a change anywhere, then review it here."
    />
  );
}

/** What is in force needs no bringing back. */
const inForce = ({ state }: PlanSummary) => (state === 'applied' ? <span class="muted">in force</span> : null);

/** Marks the plans whose state is kept. */
function BringBack({ plan, state }: { plan: PlanSummary; state: ShellState }) {
  const { id, restorable } = plan;
  if (!restorable) return null;
  if (!mayApply(state.user)) return <span class="muted">kept</span>;
  return (
    <a href={`${APPLY_PATH}/${id}/restore`} aria-label={`Restore the ${planName(plan)}`}>
      Restore
    </a>
  );
}

function PlanLink({ plan }: { plan: PlanSummary }) {
  return (
    <a href={`${APPLY_PATH}/${plan.id}`} title={plan.id}>
      {capital(planName(plan))}
    </a>
  );
}
