// Fields of the interface forms with a hidden `<name>_was` beside them, which holds what the page showed: switches, and
// the method of IPv4.
import type { FormFields } from '../../kernel/operation/operation.ts';

export const wasField = (name: string): string => `${name}_was`;

/** The box, when it differs from what the page showed or the page did not say; else undefined, which keeps the value. */
export function moved(fields: FormFields, name: string): boolean | undefined {
  const now = fields.checked(name);
  const was = fields.optional(wasField(name));
  return was === String(now) ? undefined : now;
}
