// The fields of the Kickstart form as a body. An empty text keeps the saved one: it is never filled in again.
import type { FormFields } from '../../operation/operation.ts';

/** Bytes of the form: a text of the largest size, every byte of it percent-encoded. */
export const KICKSTART_FORM_LIMIT = 256 << 10;

export function decodeKickstart(fields: FormFields) {
  const text = fields.values.get('text') ?? '';
  return {
    name: fields.text('name'),
    ...(text.trim() !== '' && { text }),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  };
}
