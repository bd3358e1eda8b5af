// The frame of every task on a remote machine: its steps in their order, the one that is shown, what was refused, and the
// question before what was entered is given up. islands/wizard.ts changes the steps in place; without it each is a page.

import type { ComponentChildren } from 'preact';
import { PLACE_FIELDS, type Place, placeHref, stepsOf } from '../../shared/vcf/remote/wizard.ts';
import type { WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { Block } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { HiddenField } from '../components/form.tsx';
import { Icon } from '../components/icons.tsx';
import { permittedNetworks } from '../components/permitted-networks.tsx';
import type { Typed } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';

/** What each step gets. */
export interface StepProps {
  view: WizardView;
  state: ShellState;
  typed: Typed;
}

export interface WizardProps extends StepProps {
  /** Field → label, for faults of fields. */
  labels: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

export function Wizard({ view, typed, labels, children }: WizardProps) {
  const { task, place } = view;
  const steps = stepsOf(task);
  const at = place.step === 'done' ? steps.length : steps.findIndex(({ id }) => id === place.step);
  const title = steps[at]?.label ?? 'Done';
  return (
    <>
      <PageHead title={task.title} trail={[task.above]} intro={task.intro} />
      <div class="wizard" id="wizard" data-wizard={place.step} data-server={view.server} data-close={task.above.href}>
        <Steps view={view} at={at} />
        <section class="wizard-work" aria-labelledby="step-title">
          <h2 id="step-title" tabIndex={-1}>
            {title}
          </h2>
          <p role="status" class="wizard-said" />
          <Faults view={view} typed={typed} labels={labels} />
          {children}
        </section>
        <dialog class="ask" id="discard" aria-labelledby="discard-title">
          <h2 id="discard-title">Give up what you entered?</h2>
          <p>Nothing was changed so far. What was confirmed and typed is forgotten.</p>
          <form method="dialog" class="actions">
            <Button>Keep on</Button>
            <ButtonLink kind="bad" href={task.above.href}>
              Give up
            </ButtonLink>
          </form>
        </dialog>
      </div>
    </>
  );
}

/** Steps behind are links, those ahead are words: they can be seen, and not gone to. */
function Steps({ view, at }: { view: WizardView; at: number }) {
  const { task, place, stored } = view;
  return (
    <ol class="wizard-steps" aria-label="Steps">
      {stepsOf(task).map(({ id, label }, index) => {
        if (index === at) {
          return (
            <li key={id} class="here" aria-current="step">
              <b>{label}</b>
            </li>
          );
        }
        if (index > at) {
          return (
            <li key={id} class="later">
              {label}
              <span class="vh">, not reached yet</span>
            </li>
          );
        }
        const skipped = id === 'login' && stored !== null;
        const typed = id === 'credential' && stored === null;
        const open = !skipped && place.step !== 'done';
        return (
          <li key={id} class="behind">
            <Icon name="check" />
            <span>
              {open ? <a href={placeHref(task, { ...place, step: id })}>{label}</a> : label}
              <span class="vh">, done</span>
              {skipped && <span class="muted line">from the vault</span>}
              {typed && <span class="muted line">typed at the login</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Faults({ view: { told }, typed, labels }: Pick<WizardProps, 'view' | 'typed' | 'labels'>) {
  if (typed.errors.length > 0) {
    return (
      <>
        <ErrorSummary errors={typed.errors} labels={{ ...labels }} title="Check this field" />
        {permittedNetworks(typed.outcome?.problem?.error_code)}
      </>
    );
  }
  if (told === null) return null;
  return (
    <div role="alert" tabIndex={-1} class="refusal">
      <Block title={told.title} actions={permittedNetworks(told.code)}>
        {told.detail}
      </Block>
    </div>
  );
}

/** The place as hidden fields: all of it, or without what a step asks for itself. */
export function PlaceFields({ place, without = [] }: { place: Place; without?: readonly (keyof Place)[] }) {
  return (
    <>
      {(['step', ...PLACE_FIELDS] as const)
        .filter((name) => place[name] !== '' && !without.includes(name))
        .map((name) => (
          <HiddenField key={name} name={name} value={place[name]} />
        ))}
    </>
  );
}

/** A form of a step: posted to the task's own path, with the place. */
export function StepForm({
  view,
  state,
  to,
  atOnce,
  without = [],
  label,
  children,
}: {
  view: WizardView;
  state: ShellState;
  to: string;
  /** With a script it is sent as soon as it is reached. */
  atOnce?: boolean;
  without?: readonly (keyof Place)[];
  label: string;
  children: ComponentChildren;
}) {
  return (
    <form
      class="form"
      method="post"
      action={`${view.task.path}/${to}`}
      aria-label={label}
      data-at-once={atOnce ? 'true' : undefined}
    >
      <HiddenField name="csrf" value={state.csrf} />
      <PlaceFields place={view.place} without={without} />
      {children}
    </form>
  );
}

/** The step before, as a link: nothing has to be sent to go back. */
export function Back({ view, to }: { view: WizardView; to: string }) {
  return <ButtonLink href={placeHref(view.task, { ...view.place, step: to })}>Back</ButtonLink>;
}
