// Asks before the state of an earlier plan is brought back: what would be saved, collection by collection.

import type { Counts } from '../../shared/appliance/apply/applied-rows-difference.ts';
import { findFormerState, foreseeBringingBack } from '../../shared/appliance/apply/applied-rows-restore.ts';
import type { Plan } from '../../shared/appliance/apply/plan.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { unitName } from '../../shared/platform/unit-names.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { capital, listed, planName, TRAIL } from './words.tsx';

interface Data {
  plan: Plan;
  counts: Counts[];
  /** Units of the plan that stay as they are. */
  left: string[];
}

export const page = definePage({
  id: 'restorePlanPage',
  path: `${pageRoute('plan')}/restore`,
  current: APPLY_PATH,
  access: { session: 'write:apply' },
  params: idParam('plan_id', 'Id of the applied plan.'),
  async load({ db, services, params }): Promise<Data> {
    const former = await findFormerState(db, services, params.plan_id);
    const plan = await findPlan(db, params.plan_id);
    const left = plan.units.filter(({ id }) => former.left.includes(id)).map(({ label }) => label);
    return { plan, left, counts: await foreseeBringingBack(db, former) };
  },
  title: ({ plan }) => `Restore the ${planName(plan)}`,
  view: Restore,
});

function Restore({ data: { plan, counts, left }, state, outcome }: ViewProps<Data>) {
  const href = `${APPLY_PATH}/${plan.id}`;
  const back = plan.units.map(({ label }) => label).filter((label) => !left.includes(label));
  return (
    <>
      <PageHead
        trail={[...TRAIL, { href, label: capital(planName(plan)) }]}
        here="Restore"
        title={
          <>
            Restore the configuration of <ExactInstant at={plan.finished_at ?? plan.created_at} />?
          </>
        }
        intro="Saves the settings that this plan applied. The host changes when you apply the new plan."
      />
      {outcome?.problem && <Refusal problem={outcome.problem} title="Nothing was saved" />}
      <FactsList
        facts={[
          {
            label: 'Applied',
            value: (
              <>
                <Instant at={plan.finished_at ?? plan.created_at} now={state.now} /> by {plan.submitted_by}
              </>
            ),
          },
          { label: 'Units', value: listed(back) },
          ...(left.length > 0 ? [{ label: 'Stay as they are', value: listed(left) }] : []),
          ...(plan.note === '' ? [] : [{ label: 'Note', value: plan.note }]),
        ]}
      />
      <section class="fig" aria-labelledby="saved">
        <div class="fighead">
          <h2 id="saved">What would be saved</h2>
        </div>
        <CountsTable counts={counts} />
        {counts.length > 0 && <Note>Settings that depend on interface addresses are updated too.</Note>}
      </section>
      <Form action={`${href}/restore`} csrf={state.csrf} label={`Restore the ${planName(plan)}`}>
        <FormActions>
          <Button kind="primary" unavailable={counts.length === 0 ? 'nothing differs' : undefined}>
            Restore configuration
          </Button>
          <ButtonLink href={href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function CountsTable({ counts }: { counts: readonly Counts[] }) {
  if (counts.length === 0) return <Empty>Nothing: everything is as this plan had it.</Empty>;
  return (
    <DataTable
      caption="Rows by collection"
      rows={counts}
      rowKey={({ collection }) => collection}
      empty=""
      columns={[
        { key: 'label', label: 'Collection', cell: ({ label }) => label },
        { key: 'unit', label: 'Unit', cell: ({ unit }) => unitName(unit) },
        { key: 'added', label: 'Added', look: 'number', cell: ({ added }) => added },
        { key: 'changed', label: 'Changed', look: 'number', cell: ({ changed }) => changed },
        { key: 'removed', label: 'Removed', look: 'number', cell: ({ removed }) => removed },
      ]}
    />
  );
}
