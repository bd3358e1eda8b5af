// What the fields of an interface form show: what was typed, when the form was just refused or checked, else what is saved.

import type { FieldError } from '../../shared/ground/problems.ts';
import type { ProblemDocument } from '../../shared/kernel/operation/problem-document.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { type SavedField, type Typed, typedInto } from '../layout/form-state.tsx';

export interface Filled {
  text(name: keyof NetworkInterface): string;
  checked(name: keyof NetworkInterface): boolean;
  /** The outcome, when it is one of this form. */
  outcome: FormOutcome | null;
  typed: Typed;
}

export function filledFrom(saved: Partial<NetworkInterface>, outcome: FormOutcome | null, form: string): Filled {
  const typed = typedInto(form, outcome);
  return {
    typed,
    outcome: typed.outcome,
    text: (name) => typed.text(name, String(saved[name] ?? '')),
    checked: (name) => typed.checked(name, saved[name] === true),
  };
}

/** Fields that can be edited, with what is saved of each. */
export const fieldsOf = (saved: NetworkInterface, labels: Readonly<Record<string, string>>): SavedField[] =>
  Object.entries(labels).map(([name, label]) => {
    const value = saved[name as keyof NetworkInterface];
    return [label, name, typeof value === 'boolean' ? value : String(value ?? '')];
  });

export const faultsOf = (problem: ProblemDocument | null | undefined): FieldError[] =>
  (problem?.errors as FieldError[] | undefined) ?? [];

export const onOff = (value: boolean): string => (value ? 'on' : 'off');
