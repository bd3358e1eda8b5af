// The dialog's confirmed Delete button. The dialog stays open afterwards; a script that asks for JSON gets the rows.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { dialogHref, GENERATED } from '../../shared/vcf/names/dialog-address.ts';
import { deleteFormSchema, type Result } from '../../shared/vcf/names/schemas.ts';
import { deletedWords, inputsOf, namesOf } from '../forms/generated-fqdns.ts';
import { operation as deleteGeneratedFqdns } from './delete-generated-fqdns.ts';

export const operation = defineForm(
  { of: deleteGeneratedFqdns, path: `${GENERATED}/delete`, body: deleteFormSchema },
  {
    page: dialogHref({}),
    fetch: true,
    decode: (fields) => ({ ...namesOf(fields), confirm: fields.checked('confirm') }),
    done: (answer, fields) => ({
      location: dialogHref(inputsOf(fields)),
      flash: deletedWords(answer.body as Result),
    }),
  },
);
