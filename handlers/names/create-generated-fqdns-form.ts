// The dialog's Create button. The dialog stays open afterwards; a script that asks for JSON gets the rows.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { dialogHref, GENERATED } from '../../shared/vcf/names/dialog-address.ts';
import { createFormSchema, type Result } from '../../shared/vcf/names/schemas.ts';
import { createdWords, inputsOf } from '../forms/generated-fqdns.ts';
import { operation as createGeneratedFqdns } from './create-generated-fqdns.ts';

export const operation = defineForm(
  { of: createGeneratedFqdns, path: GENERATED, body: createFormSchema },
  {
    page: dialogHref({}),
    fetch: true,
    decode: (fields) => ({
      ...inputsOf(fields),
      digest: fields.text('digest'),
      confirm: fields.checked('confirm'),
    }),
    done: (answer, fields) => ({
      location: dialogHref(inputsOf(fields)),
      flash: createdWords(answer.body as Result),
    }),
  },
);
