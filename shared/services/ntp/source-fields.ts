// Posted fields of the forms of NTP sources → members of request bodies.
import type { FormFields } from '../../kernel/operation/operation.ts';

export const sourceFields = (fields: FormFields) => ({
  address: fields.text('address'),
  kind: fields.optional('kind'),
  nts: fields.checked('nts'),
  prefer: fields.checked('prefer'),
  enabled: fields.checked('enabled'),
  description: fields.text('description'),
});
