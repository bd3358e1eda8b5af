// Steps in their order, each done, saved or still to do, with the button that leads to it.
import type { ComponentChildren } from 'preact';
import { State, type StateKind } from './state-word.tsx';

/** `kept`: saved, and no apply would put it in force, since its service is off. */
export type StepState = 'done' | 'saved' | 'kept' | 'open';

export interface ListedStep {
  label: string;
  state: StepState;
  /** What is so, or what to do. */
  text: string;
  action?: ComponentChildren;
}

const SAID: Record<StepState, string> = {
  done: 'done: ',
  saved: 'saved, not applied: ',
  kept: 'saved: ',
  open: 'to do: ',
};

/** The first that is open is the next one. */
export function StepList({ steps, label }: { steps: readonly ListedStep[]; label: string }) {
  const next = steps.find(({ state }) => state === 'open') ?? steps.find(({ state }) => state !== 'done');
  return (
    <ol class="steps" aria-label={label}>
      {steps.map((step) => (
        <li key={step.label}>
          <State kind={kindOf(step, step === next)} icon={step.state === 'done' ? 'check' : 'pending'}>
            <span class="vh">{SAID[step.state]}</span>
          </State>
          <div>
            <b>{step.label}</b>
            <span class="muted">{step.text}</span>
          </div>
          {step.state !== 'done' && step.action}
        </li>
      ))}
    </ol>
  );
}

const kindOf = ({ state }: ListedStep, next: boolean): StateKind =>
  state === 'done' ? 'ok' : next || state === 'saved' ? 'pending' : 'off';
