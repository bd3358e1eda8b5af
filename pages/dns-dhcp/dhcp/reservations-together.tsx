// What is done with many reservations of the list: a box in each row, and the buttons below.

import type { ComponentChildren } from 'preact';
import type { FieldError } from '../../../shared/ground/problems.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import type { DhcpReservation } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { Note } from '../../components/block.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { Form, FormActions, HiddenField } from '../../components/form.tsx';
import { linkWith } from '../../components/query.ts';
import { Refusal } from '../../components/refusal.tsx';
import { ON_APPLY } from '../../layout/form-state.tsx';
import { ChooseAll } from '../../units/chosen-rows.tsx';
import { RESERVATIONS } from './dhcp-words.tsx';

const DELETE = `${RESERVATIONS.href}/delete`;
const DELETE_FORM = 'deleteDhcpReservationsForm';
const FORMS: readonly string[] = ['switchDhcpReservationsForm', DELETE_FORM];

/** What was chosen in a form of this list that was refused. */
export function chosenIn(outcome: FormOutcome | null): { ids: ReadonlySet<string>; of: FormOutcome | null } {
  const of = outcome && FORMS.includes(outcome.operation_id) ? outcome : null;
  return { ids: new Set(of?.values.getAll('ids')), of };
}

/** All there is to say is the question. */
function asks(of: FormOutcome | null): boolean {
  const errors = of?.operation_id === DELETE_FORM && (of.problem?.errors as FieldError[] | undefined);
  return Array.isArray(errors) && errors.length > 0 && errors.every(({ pointer }) => pointer === '/confirm');
}

const boxOf = (id: string): string => `choose-${id}`;

/** Faults lead to the box of their reservation, others to the buttons. */
export function Answer({ outcome }: { outcome: FormOutcome | null }) {
  const { of } = chosenIn(outcome);
  if (!of?.problem) return null;
  const ids = of.values.getAll('ids');
  if (asks(of)) return null;
  const errors = ((of.problem.errors as FieldError[] | undefined) ?? []).map(({ pointer, detail }) => {
    const at = /^\/ids\/(\d+)$/.exec(pointer)?.[1];
    return { pointer: `/${at === undefined ? 'together' : boxOf(ids[Number(at)] ?? '')}`, detail };
  });
  return errors.length > 0 ? (
    <ErrorSummary errors={errors} />
  ) : (
    <Refusal problem={of.problem} title="Nothing was saved" />
  );
}

/** The box of a row; those that another part of the appliance keeps have none. */
export function Box({ item: { id, hostname, ip_address, owner }, chosen }: { item: DhcpReservation; chosen: boolean }) {
  if (owner !== null) return <span class="box" />;
  return (
    <input
      type="checkbox"
      class="box"
      name="ids"
      value={id}
      id={boxOf(id)}
      checked={chosen}
      aria-label={`Choose ${hostname}, ${ip_address}`}
    />
  );
}

interface TogetherProps {
  items: readonly DhcpReservation[];
  outcome: FormOutcome | null;
  csrf: string;
  search: string;
  sort: string;
  cursor: string;
  children: ComponentChildren;
}

/** The list as a form. Where it stands goes along, so that it is shown again as it was. */
export function Together({ items, outcome, csrf, search, sort, cursor, children }: TogetherProps) {
  const { ids, of } = chosenIn(outcome);
  const chosen = items.filter(({ id }) => ids.has(id));
  // Without any of them on the page there is nothing to ask about.
  const question = asks(of) && chosen.length > 0;
  const place = { path: RESERVATIONS.href, query: '' };
  const back = linkWith(place, { search: search || null, sort: sort || null, cursor: cursor || null });
  return (
    <Form action={`${RESERVATIONS.href}/switch`} csrf={csrf} label="Chosen reservations" id="together">
      <HiddenField name="search" value={search} />
      <HiddenField name="sort" value={sort} />
      <HiddenField name="cursor" value={cursor} />
      {asks(of) && !question && (
        <Note>None of the rows that you chose is on this page of the list any more. Nothing was deleted.</Note>
      )}
      {question && <Question chosen={chosen} back={back} />}
      <ChooseAll of={items.filter(({ owner }) => owner === null).length} />
      {children}
      {!question && (
        <FormActions note={`All of the chosen reservations, or none of them. ${ON_APPLY}`}>
          <Button name="enabled" value="true" label="Enable the chosen reservations">
            Enable
          </Button>
          <Button name="enabled" value="false" label="Disable the chosen reservations">
            Disable
          </Button>
          <Button kind="bad" action={DELETE} label="Delete the chosen reservations">
            Delete…
          </Button>
        </FormActions>
      )}
    </Form>
  );
}

function Question({ chosen, back }: { chosen: readonly DhcpReservation[]; back: string }) {
  return (
    <div class="block">
      <h3>{chosen.length === 1 ? 'Delete this reservation?' : `Delete these ${chosen.length} reservations?`}</h3>
      <p>{chosen.map(({ hostname }) => hostname).join(', ')}</p>
      <p>The DNS records of deleted reservations go with them.</p>
      <div class="actions">
        <Button kind="bad" name="confirm" value="on" action={DELETE}>
          Yes, delete
        </Button>
        <ButtonLink href={back}>Keep</ButtonLink>
      </div>
    </div>
  );
}
