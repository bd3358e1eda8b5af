// The field errors of a refused form, as its page shows them.
import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { fieldId } from '../components/error-summary.tsx';

export interface FormErrors {
  errors: FieldError[];
  /** First fault of a field, or undefined. A fault inside of a list belongs to the list's field. */
  of(name: string): string | undefined;
}

/** `renamed`: member of the body → field that stands for it, where the names differ. */
export function errorsOf(outcome: FormOutcome | null, renamed: Record<string, string> = {}): FormErrors {
  const sent = (outcome?.problem?.errors as FieldError[] | undefined) ?? [];
  const errors = sent.map(({ pointer, detail }) => {
    const name = fieldId(pointer).split('-')[0] ?? '';
    return { pointer: `/${renamed[name] ?? name}`, detail };
  });
  return { errors, of: (name) => errors.find(({ pointer }) => pointer === `/${name}`)?.detail };
}
