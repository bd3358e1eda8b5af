// Switches of the interface forms: a box beside a hidden `<name>_was`, which holds what the page showed.
import type { FormFields } from '../operation/operation.ts';

export const wasField = (name: string): string => `${name}_was`;

/** The box, when it differs from what the page showed or the page did not say; else undefined, which keeps the value. */
export function moved(fields: FormFields, name: string): boolean | undefined {
  const now = fields.checked(name);
  const was = fields.optional(wasField(name));
  return was === String(now) ? undefined : now;
}
