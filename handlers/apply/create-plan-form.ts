// "Review changes": makes a plan of all units that differ from what is in force; "Apply again": of one unit.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as createPlan } from './create-plan.ts';

const PAGE = pagePath('apply');

export const operation = formOf(createPlan, {
  path: PAGE,
  decode(fields) {
    const units = fields.all('units');
    return { ...(units.length > 0 && { units }), ...(fields.checked('reapply') && { reapply: true }) };
  },
  done(answer) {
    const { id } = answer.body as { id?: string };
    return id ? { location: `${PAGE}/${id}` } : { location: PAGE, flash: 'Everything saved is already in force.' };
  },
});
