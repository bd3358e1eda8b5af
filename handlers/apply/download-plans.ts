// The history of plans as a CSV file: who applied what, when, and how it ended.
import { PLANS_LIST } from '../../shared/appliance/apply/list-words.ts';
import { listPlans, planFilter } from '../../shared/appliance/apply/plan-store.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { rowsFile } from '../forms/row-list.ts';

export const operation = rowsFile({
  words: PLANS_LIST,
  path: pagePath('apply'),
  scope: 'read:apply',
  by: ['search', 'state'],
  head: [
    'id',
    'state',
    'units',
    'note',
    'created_by',
    'created_at',
    'submitted_by',
    'submitted_at',
    'finished_at',
    'job_id',
    'restorable',
  ],
  async rows({ db, query }, page) {
    const { state: _state, ...filter } = planFilter(query);
    const found = await listPlans(db, { ...filter, ...page });
    return {
      ...found,
      items: found.items.map((plan) => [
        plan.id,
        plan.state,
        plan.units.map(({ id }) => id).join(' '),
        plan.note,
        plan.created_by,
        plan.created_at,
        plan.submitted_by,
        plan.submitted_at,
        plan.finished_at,
        plan.job_id,
        plan.restorable,
      ]),
    };
  },
});
