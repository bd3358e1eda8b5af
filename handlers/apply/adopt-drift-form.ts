// The button that saves what the host has, on the page that asks for confirmation.
import type { Adopted } from '../../shared/appliance/apply/adopt.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { formOf } from '../../shared/kernel/operation/define-operation.ts';
import { operation as adoptDrift } from './adopt-drift.ts';

const PAGE = pagePath('apply');
/** Names in the message; the others are counted. */
const NAMED = 5;

export const operation = formOf(adoptDrift, {
  path: `${PAGE}/drift/{unit}/adopt`,
  done(answer) {
    const { interfaces, rows } = answer.body as Adopted;
    const all = [...interfaces, ...rows].map(({ name }) => name);
    const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
    const names = `${all.slice(0, NAMED).join(', ')}${more}`;
    const flash =
      names === ''
        ? 'Nothing was saved: what the host has is saved already.'
        : `Saved as the host has it: ${names}. Review it to put it in force.`;
    return { location: PAGE, flash };
  },
});
