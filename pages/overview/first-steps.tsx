// What a new appliance still needs, in order. A step is ticked by what is in force, never by what is only saved.
import { isReady, type Readiness, type Readinesses } from '../../shared/appliance/readiness/readiness.ts';
import type { Subject } from '../../shared/appliance/readiness/subjects.ts';
import { mayApply } from '../apply/words.tsx';
import type { ListedStep } from '../components/steps.tsx';
import type { ShellState } from '../layout/state.ts';
import { mayDo, StepButton, stateOf } from '../units/readiness.tsx';
import { APPLIED, WORDS } from '../units/readiness-words.ts';

export interface Standing {
  readiness: Readinesses;
  /** Whether any apply ever succeeded. */
  applied: boolean;
}

const BEFORE: readonly [Subject, label: string, done: string][] = [
  ['network', 'Network', 'The management address is in force.'],
  ['dns', 'Names', 'DNS answers for your zone.'],
  ['dhcp', 'DHCP', 'Clients get addresses.'],
  ['ntp', 'Time', 'Clients get the time.'],
  ['certificate-authority', 'Trust', 'The root certificate signs.'],
];
const NAMES: (typeof BEFORE)[number] = ['vcf-helper', 'VCF names', 'The names of your cloud are answered.'];

/** Only the steps that the reader may see. */
export function firstSteps({ readiness, applied }: Standing, state: ShellState): ListedStep[] {
  const sees = (subject: Subject) => state.user.scopes.includes(`read:${WORDS[subject].resource}`);
  const all = [...BEFORE, NAMES].filter(([subject]) => sees(subject));
  const next = all.find(([subject]) => missingIn(readiness.get(subject)!) !== undefined)?.[0];
  const lines = (of: readonly (typeof BEFORE)[number][]) =>
    of.filter(([subject]) => sees(subject)).map((line) => stepOf(line, readiness.get(line[0])!, next, state));
  return [...lines(BEFORE), firstApply(applied, state, next === undefined), ...lines([NAMES])];
}

/** Of a subject as a whole: the apply is a step of its own here. */
const own = ({ steps }: Readiness) => steps.filter(({ step }) => step !== 'applied');
const missingIn = (readiness: Readiness) => own(readiness).find(({ saved }) => !saved);

function stepOf(
  [subject, label, done]: (typeof BEFORE)[number],
  readiness: Readiness,
  next: Subject | undefined,
  state: ShellState,
): ListedStep {
  const words = WORDS[subject];
  const missing = missingIn(readiness);
  if (!missing) {
    const inForce = isReady({ steps: own(readiness), enforced: readiness.enforced });
    return { label, state: stateOf({ saved: true, done: inForce }), text: inForce ? done : 'Saved, not applied.' };
  }
  const said = words.steps[missing.step]!;
  return {
    label,
    state: 'open',
    text: said.todo,
    action: mayDo(state, words.resource) && <StepButton words={said} primary={subject === next} state={state} />,
  };
}

function firstApply(applied: boolean, state: ShellState, next: boolean): ListedStep {
  const some = state.pending.length > 0;
  return {
    label: 'First apply',
    state: applied ? 'done' : 'open',
    text: applied ? 'Saved settings were applied.' : 'Nothing is in force yet: review what you saved, then apply it.',
    action: some && mayApply(state.user) && <StepButton words={APPLIED} primary={next} state={state} />,
  };
}
