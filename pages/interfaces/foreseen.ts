// What the dry run of a form found: what would move, or what stands in the way; and the one sentence that says so. Pure.
import { BLOCKERS_MOST } from '../../shared/appliance/edits/interface-edit.ts';
import type { Blocker } from '../../shared/ground/problems.ts';
import type { ProblemDocument } from '../../shared/kernel/operation/problem-document.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { InterfaceImpact } from '../../shared/platform/interfaces/interface-resource.ts';
import { fieldId } from '../components/error-summary.tsx';
import { faultsOf } from './filled.ts';

const count = (of: number, one: string, many = `${one}s`): string => `${of} ${of === 1 ? one : many}`;

/** The words for what is about to be done. */
export interface Act {
  /** `Saving this` */
  doing: string;
  /** When nothing else moves: `changes 2 settings; nothing else follows`. */
  alone(changed: number): string;
}
const settings = (changed: number): string =>
  changed === 0 ? 'changes nothing' : `changes ${count(changed, 'setting')}; nothing else follows`;
const ACTS = {
  save: { doing: 'Saving this', alone: settings },
  add: { doing: 'Adding this VLAN', alone: () => 'moves nothing else' },
  delete: { doing: 'Deleting it', alone: () => 'moves nothing else' },
} as const satisfies Record<string, Act>;

/** What a dry run found. */
export interface Foreseen {
  act: keyof typeof ACTS;
  impact: InterfaceImpact | null;
  /** Its refusal. */
  refused: { title: string; detail: string; blockers: readonly Blocker[] } | null;
  /** Nothing could be foreseen, in one sentence. */
  unseen: string | null;
}

/** What the outcome of a form says of the future; null unless it is one of a dry run. */
export function foreseenIn(
  outcome: FormOutcome | null,
  act: Foreseen['act'],
  labels: Readonly<Record<string, string>>,
): Foreseen | null {
  if (!outcome?.dry_run) return null;
  const { problem, result } = outcome;
  const impact = (result as { impact?: InterfaceImpact } | null)?.impact ?? null;
  const unseen = problem && unseenFor(problem, labels);
  const refused = problem && !unseen ? refusalOf(problem) : null;
  return { act, impact, refused, unseen };
}

function unseenFor(problem: ProblemDocument, labels: Readonly<Record<string, string>>): string | null {
  if (problem.status === 412)
    return 'It changed after you opened it. Save shows what is saved now beside what you typed.';
  const [first] = faultsOf(problem);
  if (!first) return null;
  const label = labels[fieldId(first.pointer)];
  return `Not checked yet. ${label === undefined ? '' : `${label}: `}${first.detail}`;
}

export const refusalOf = ({ title, detail, blockers }: ProblemDocument) => ({
  title: title ?? '',
  detail: detail ?? '',
  blockers: (blockers as Blocker[] | undefined) ?? [],
});

/** `Saving this moves 8 values in 3 units`; what a person in a hurry reads. */
export function sentenceOf({ act, impact, refused, unseen }: Foreseen): string {
  const { doing, alone } = ACTS[act];
  if (unseen !== null) return unseen;
  if (refused) {
    const blockers = refused.blockers.length;
    // An answer lists so many and no more; the detail says how many there are.
    if (blockers >= BLOCKERS_MOST) return `${doing} would be refused: more than ${blockers} things in the way`;
    return `${doing} would be refused${blockers > 0 ? `: ${count(blockers, 'thing')} in the way` : ''}`;
  }
  const { changed, moves_total, deselected, refreshed_units } = impact ?? {
    changed: [],
    moves_total: 0,
    deselected: [],
  };
  const parts = [
    ...(moves_total > 0 ? [`moves ${count(moves_total, 'value')}`] : []),
    ...(deselected.length > 0 ? [`ends ${count(deselected.length, 'selection')}`] : []),
  ];
  if (parts.length === 0) return `${doing} ${alone(changed.length)}`;
  return `${doing} ${parts.join(' and ')} in ${count(refreshed_units?.length ?? 0, 'unit')}`;
}
