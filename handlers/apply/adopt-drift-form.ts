// The button that saves what the host has, on the page that asks for confirmation.
import type { Effect } from '../../shared/appliance/edits/interface-edit.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as adoptDrift } from './adopt-drift.ts';

const PAGE = pagePath('apply');

export const operation = formOf(adoptDrift, {
  path: `${PAGE}/drift/{unit}/adopt`,
  done(answer) {
    const { interfaces } = answer.body as Effect;
    const names = interfaces.map(({ name }) => name).join(', ');
    const flash =
      names === ''
        ? 'Nothing was saved: what the host has is saved already.'
        : `Saved as the host has it: ${names}. Review it to put it in force.`;
    return { location: PAGE, flash };
  },
});
