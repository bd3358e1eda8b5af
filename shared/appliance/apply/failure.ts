// Why an apply failed, for people: the step, the unit, the file, and what the system or a program said. One line, bounded.
import { getSystemErrorMap } from 'node:util';
import { type ErrorCode, type FailedAt, Problem } from '../../ground/problems.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { Plan } from './plan.ts';
import type { RunJournal } from './plan-store.ts';

const SAID_MOST = 800;
const SYSTEM_WORDS = new Map(getSystemErrorMap().values());

/** A step of a unit's run, as a sentence goes on after “failed while”. */
export const STEP_WORDS = {
  read: 'reading its files on the host',
  stage: 'preparing its files',
  check: 'checking its files',
  compare: 'comparing the host with the review',
  save: 'keeping its previous files',
  swap: 'writing its files',
  activate: 'activating the service',
  probe: 'asking the service',
  baseline: 'recording what is in force',
} as const;
export type StepName = keyof typeof STEP_WORDS;

/** What the system said about a file of the host, with the file named as on the appliance. Other errors stay as they are. */
export function hostFault(error: unknown, path: string): unknown {
  const words = systemWords(error);
  return words === null ? error : new Problem('host_refused', `${path}: ${words}`, { failed: { file: path } });
}

/** For `catch`: hostFault of the file at this path. */
export const atFile =
  (path: string) =>
  (error: unknown): never => {
    throw hostFault(error, path);
  };

/** `not a directory (ENOTDIR)`; null for an error that is none of the system. */
function systemWords(error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException;
  const words = code === undefined ? undefined : SYSTEM_WORDS.get(code);
  return words === undefined ? null : `${words} (${code})`;
}

/** The same failure with the step and the unit that it was met in. What is meant for the service log alone stays out. */
export function failureAt(error: Error, unit: { id: UnitId; label: string }, step: StepName): Problem {
  const { code, said, file } = causeOf(error);
  const failed: FailedAt = { unit: unit.id, step, ...(file !== undefined && { file }) };
  return new Problem(code, `${unit.label} failed while ${STEP_WORDS[step]}: ${stopped(said)}`, { failed });
}

function causeOf(error: Error & { code?: unknown }): { code: ErrorCode; said: string; file?: string | undefined } {
  if (error instanceof Problem) return { code: error.code, said: error.message, file: error.members.failed?.file };
  const words = systemWords(error);
  if (words !== null) return { code: 'host_refused', said: words };
  // What a unit or the root step says for people is a plain error; what has a class or a code of its own is not.
  if (error.constructor === Error && error.code === undefined) return { code: 'host_refused', said: error.message };
  return { code: 'unexpected_failure', said: 'unexpectedly. The log of the service says why, under this request id.' };
}

/** One line that ends with a full stop. */
function stopped(said: string): string {
  const line = said.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const bounded = line.length > SAID_MOST ? `${line.slice(0, SAID_MOST - 1).toWellFormed()}…` : line;
  return /[.!?…]$/.test(bounded) ? bounded : `${bounded}.`;
}

/** The failure of a job without a confirm window, with what it left in force. */
export function withOutcome(error: Problem, plan: Pick<Plan, 'units'>, journal: RunJournal): Problem {
  const labels = (step: RunJournal[UnitId]) =>
    plan.units.filter(({ id }) => journal[id] === step).map(({ label }) => label);
  const [applied, lost] = [labels('applied'), labels('unrestored')];
  const left = lost.length > 0 ? ` ${lost.join(', ')} could not be rolled back.` : '';
  const stays = applied.length > 0 ? ` ${applied.join(', ')} was applied before and stays.` : '';
  const nothing = left === '' && stays === '' ? ' Nothing was applied.' : '';
  return new Problem(error.code, `${error.message}${stays}${left}${nothing}`, error.members);
}
