// Password import: what was chosen, into which vault and under which keys. Keeps it for the review.
import * as v from 'valibot';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import { checkSelection, keyField } from '../../shared/vcf/remote/import/selection.ts';
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';

const text = (most: number) => v.pipe(v.string(), v.maxLength(most, `At most ${most} characters.`));
const body = v.strictObject({
  ...TRUSTED,
  into: text(64),
  new_vault: text(64),
  take_over: v.boolean(),
  picks: v.array(v.strictObject({ ref: text(64), key: text(1000) })),
});
const { picks: _picks, take_over: _take_over, ...texts } = body.entries;

export const operation = taskForm(
  IMPORT_TASK,
  {
    id: 'passwordImportSelectForm',
    at: 'select',
    effect: 'immediate',
    summary: 'Choose the passwords to import',
    description: 'Changes nothing: the choice is kept for the review.',
    body,
    bodyLimit: 256 << 10,
    audit: 'none',
    guarded: false,
    async prepare({ services, actor, body }) {
      const server = serverText(await trustedTarget(services, actor, body.trust));
      const draft = requireDraft(services, actor, IMPORT_TASK, body.draft, server);
      const chosen = await checkSelection(services.store, draft.found?.candidates ?? [], body, server);
      updateDraft(services, draft, { chosen });
    },
    async run() {
      return { body: {} };
    },
  },
  {
    decode: (fields) => ({
      ...decodeTexts({ entries: texts })(fields),
      take_over: fields.checked('take_over'),
      picks: fields.all('picks').map((ref) => ({ ref, key: fields.text(keyField(ref)) })),
    }),
    done: (_answer, fields) => ({ location: onwards(IMPORT_TASK, fields, { step: 'review' }) }),
  },
);
