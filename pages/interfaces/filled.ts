// What the fields of an interface form show: what was typed, when the form was just refused or checked, else what is saved.

import type { FieldError } from '../../shared/ground/problems.ts';
import type { ProblemDocument } from '../../shared/kernel/operation/problem-document.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';

export interface Filled {
  text(name: keyof NetworkInterface): string;
  checked(name: keyof NetworkInterface): boolean;
  /** The outcome, when it is one of this form. */
  outcome: FormOutcome | null;
}

export function filledFrom(saved: Partial<NetworkInterface>, outcome: FormOutcome | null, form: string): Filled {
  const own = outcome?.operation_id === form ? outcome : null;
  return {
    outcome: own,
    text: (name) => (own ? (own.values.get(name) ?? '') : String(saved[name] ?? '')),
    checked: (name) => (own ? own.values.has(name) : saved[name] === true),
  };
}

/** Fields whose saved value is not what was typed: what a person has to look at after somebody else has saved. */
export function typedDifferently(
  saved: NetworkInterface,
  filled: Filled,
  labels: Readonly<Record<string, string>>,
): { label: string; saved: string; typed: string }[] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const value = saved[name as keyof NetworkInterface];
    const flag = typeof value === 'boolean';
    const now = flag ? onOff(value) : String(value ?? '');
    const typed = flag
      ? onOff(filled.checked(name as keyof NetworkInterface))
      : filled.text(name as keyof NetworkInterface).trim();
    return now === typed ? [] : [{ label, saved: now || 'none', typed: typed || 'none' }];
  });
}

export const faultsOf = (problem: ProblemDocument | null | undefined): FieldError[] =>
  (problem?.errors as FieldError[] | undefined) ?? [];

export const onOff = (value: boolean): string => (value ? 'on' : 'off');
