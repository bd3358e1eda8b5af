// The form that restores an archive: what was chosen, the word that confirms it, and the own password.
import * as v from 'valibot';
import { chosenRow } from '../../shared/appliance/archive/row-choice.ts';
import { archiveParam, archiveRestoreSchema } from '../../shared/appliance/archive/schemas.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { openingIn } from './inspect-archive-form.ts';
import { prepareRestore, operation as restoreArchive } from './restore-archive.ts';

/** Has to be typed: what is saved now goes. */
export const CONFIRMATION = 'restore';

export const operation = defineForm(
  {
    of: restoreArchive,
    path: `${pageRoute('archive')}/restore`,
    params: archiveParam,
    body: v.omit(archiveRestoreSchema, ['own_password']),
    // The form asks for the own password whatever is restored.
    prepare: (asked) => prepareRestore(asked, async () => undefined),
  },
  {
    secret: ['passphrase', 'identity'],
    confirms: { resource_type: 'archive' },
    decode(fields) {
      const rows = Map.groupBy(fields.all('rows').map(chosenRow), ({ unit, collection }) => `${unit}/${collection}`);
      // Of a list in which rows are ticked only those, whether the list is ticked too or not.
      const chosen = [...new Set([...fields.all('units'), ...rows.keys()])].map((each) => each.split('/'));
      const units = [...Map.groupBy(chosen, ([unit]) => unit)].map(([unit, own]) => ({
        unit,
        collections: own.map(([, collection]) => ({
          collection,
          rows: rows.get(`${unit}/${collection}`)?.map(({ id }) => id),
        })),
      }));
      return { ...openingIn(fields.values), mode: fields.text('mode'), units };
    },
    faults(fields) {
      const unsure = fields.text('confirm') !== CONFIRMATION && fields.text('dry_run') !== 'true';
      return unsure ? [{ pointer: '/confirm', detail: `Type ${CONFIRMATION} to confirm.` }] : [];
    },
    done: ({ body }) => {
      const { units } = body as { units: unknown[] };
      const flash =
        units.length === 0 ? 'Nothing differed.' : 'The archive is restored. Review what changes, and apply it.';
      return { location: pagePath('apply'), flash };
    },
  },
);
