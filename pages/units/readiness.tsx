// What a service still needs, above its lists and in place of empty ones; and the notice that a filled service is off.

import { isReady, type Readiness } from '../../shared/appliance/readiness/readiness.ts';
import { SUBJECTS } from '../../shared/appliance/readiness/subjects.ts';
import type { Step } from '../../shared/platform/units/readiness.ts';
import { mayApply } from '../apply/words.tsx';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { Icon } from '../components/icons.tsx';
import { type ListedStep, StepList, type StepState } from '../components/steps.tsx';
import type { ShellState } from '../layout/state.ts';
import { type StepWords, switchPath, WORDS } from './readiness-words.ts';

type Kept = Pick<Readiness, 'subject' | 'steps' | 'on' | 'enforced'>;

export const stateOf = ({ saved, done }: Pick<Step, 'saved' | 'done'>): StepState =>
  done ? 'done' : saved ? 'saved' : 'open';

export const mayDo = ({ user }: ShellState, resource: string): boolean => user.scopes.includes(`write:${resource}`);

/** The button of a step: a link, or what does it right away. */
export function StepButton({ words, primary, state }: { words: StepWords; primary: boolean; state: ShellState }) {
  const { href, verb, label, posts } = words;
  const named = { kind: primary ? ('primary' as const) : ('plain' as const), label: `${verb}: ${label}` };
  if (posts) {
    return (
      <PostButton action={href} csrf={state.csrf} {...named}>
        {verb}
      </PostButton>
    );
  }
  // The form of the step is on this page.
  if (href === state.path) return null;
  return (
    <ButtonLink href={href} {...named}>
      {verb}
    </ButtonLink>
  );
}

/** The steps of a subject as they are listed. What is blocked has no button yet. */
export function listed({ subject, steps, on, enforced }: Kept, state: ShellState): ListedStep[] {
  const { steps: words, resource } = WORDS[subject];
  const next = steps.find((step) => !step.saved && step.blockedBy === null);
  return steps.map((step) => {
    const said = words[step.step]!;
    const may = step.step === 'applied' ? mayApply(state.user) : mayDo(state, resource);
    const open = step.step === 'applied' ? !step.done : !step.saved;
    return {
      label: said.label,
      state: enforced ? stateWhile(on, step) : step.saved ? 'done' : 'open',
      text: textOf(step, said, enforced && on),
      action: may && open && step.blockedBy === null && (
        <StepButton words={said} primary={step === next} state={state} />
      ),
    };
  });
}

const stateWhile = (on: boolean, step: Step): StepState => {
  const state = stateOf(step);
  return state === 'saved' && !on ? 'kept' : state;
};

/** `waits`: an apply would put it in force. Of a service that is off it would not. */
const textOf = ({ saved, done }: Step, { todo }: StepWords, waits: boolean): string => {
  if (done) return 'Done.';
  if (!saved) return todo;
  return waits ? 'Saved, not applied.' : 'Saved.';
};

/** What is missing, in order; nothing where nothing is. */
export function ReadinessList({ of, state }: { of: Kept; state: ShellState }) {
  if (isReady(of)) return null;
  // What was applied before and is edited since lacks nothing: the strip says that it is pending.
  const left = of.steps.filter(({ saved, done }) => !(of.enforced ? done : saved));
  const applied = state.standings.get(SUBJECTS[of.subject].settings.unit)?.applied_at ?? null;
  if (applied !== null && left.every(({ step }) => step === 'applied')) return null;
  return (
    <section class="ready" aria-labelledby={`ready-${of.subject}`}>
      <h2 id={`ready-${of.subject}`}>What is missing</h2>
      <StepList steps={listed(of, state)} label={`What ${WORDS[of.subject].name} still needs`} />
    </section>
  );
}

/** Over lists that are filled while the service is off. */
export function OffNotice({ of, filled, state }: { of: Kept; filled: boolean; state: ShellState }) {
  if (of.on || !filled) return null;
  const { name, keeps, settings, resource } = WORDS[of.subject];
  const later = of.enforced ? ', but not in force' : '';
  return (
    <p class="standing" data-off={of.subject}>
      <Icon name="info" />
      <span>
        <b>{name} is off:</b> {keeps}
        {keeps.includes(';') ? '' : later}. {mayDo(state, resource) && <a href={switchPath(settings)}>Switch it on</a>}
      </span>
    </p>
  );
}
