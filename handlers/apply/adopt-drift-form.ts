// The button on the page that asks before what the host has is saved.
import type { Effect } from '../../shared/appliance/edits/interface-edit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as adoptDrift } from './adopt-drift.ts';

const PAGE = '/ui/management/appliance-apply';

export const operation = defineForm(
  { of: adoptDrift, path: `${PAGE}/drift/{unit}/adopt`, access: { session: 'write:apply' } },
  {
    page: `${PAGE}/drift/{unit}/adopt`,
    decode: () => undefined,
    done(answer) {
      const { interfaces } = answer.body as Effect;
      const names = interfaces.map(({ name }) => name).join(', ');
      const flash =
        names === ''
          ? 'Nothing was saved: what the host has is saved already.'
          : `Saved as the host has it: ${names}. Review it to put it in force.`;
      return { location: PAGE, flash };
    },
  },
);
