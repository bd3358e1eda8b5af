// "Review changes": makes a stored plan of all units that differ from what is in force.
import { type Prepared, preparePlan, storePlan } from '../../shared/apply/make-plan.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { UNITS } from '../../shared/units/registry.ts';

export const operation = defineForm(
  {
    id: 'createPlanForm',
    path: '/ui/management/appliance-apply',
    access: { session: 'write:apply' },
    tag: 'Apply',
    summary: 'Review the pending changes',
    description:
      'Renders and validates every changed unit and stores the result as a plan. Nothing on the host changes.',
    effect: 'immediate',
    audit: ['plan.create', 'plan.settle'],
    prepare: ({ services, actor }) => preparePlan(services, UNITS, actor.name),
    async run({ services, tx, prepared, audit, afterCommit }) {
      const ready = prepared as Prepared;
      await storePlan(tx, ready);
      // A unit may have settled, and an older plan is replaced.
      afterCommit(() => services.notify('pending'));
      const { id, units, digest } = ready.plan;
      if (units.length === 0) {
        audit({
          action: 'plan.settle',
          resource_type: 'plan',
          resource_id: null,
          detail: { units: ready.settled.map(({ unit }) => unit.id) },
        });
        return { body: { plan_id: null } };
      }
      audit({
        action: 'plan.create',
        resource_type: 'plan',
        resource_id: id,
        detail: { units: units.map((unit) => unit.id), digest },
      });
      return { body: { plan_id: id } };
    },
  },
  {
    page: '/ui/management/appliance-apply',
    decode: () => undefined,
    done: (answer) => {
      const { plan_id } = answer.body as { plan_id: string | null };
      return plan_id
        ? { location: `/ui/management/appliance-apply/${plan_id}` }
        : { location: '/ui/management/appliance-apply', flash: 'Everything saved is already in force.' };
    },
  },
);
