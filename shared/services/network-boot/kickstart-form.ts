// The fields of the Kickstart form as a body. An empty text keeps the saved one, which the form never shows.
import type { FormFields } from '../../kernel/operation/operation.ts';

export function decodeKickstart(fields: FormFields) {
  const text = fields.values.get('text') ?? '';
  return {
    name: fields.text('name'),
    ...(text.trim() !== '' && { text }),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  };
}
