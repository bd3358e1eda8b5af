// What is done with many reservations of the list: a box in each row, and the buttons below.

import type { ComponentChildren } from 'preact';
import type { FieldError } from '../../../shared/ground/problems.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import type { DhcpReservation } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { Button } from '../../components/button.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { Form, FormActions, HiddenField } from '../../components/form.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { ON_APPLY } from '../../layout/form-state.tsx';
import { RESERVATIONS } from './dhcp-words.tsx';

const FORMS: readonly string[] = ['switchDhcpReservationsForm', 'deleteDhcpReservationsForm'];

/** What was chosen in a form of this list that was refused. */
export function chosenIn(outcome: FormOutcome | null): { ids: ReadonlySet<string>; of: FormOutcome | null } {
  const of = outcome && FORMS.includes(outcome.operation_id) ? outcome : null;
  return { ids: new Set(of?.values.getAll('ids')), of };
}

const boxOf = (id: string): string => `choose-${id}`;

/** Faults lead to the box of their reservation, others to the buttons. */
export function Answer({ outcome }: { outcome: FormOutcome | null }) {
  const { of } = chosenIn(outcome);
  if (!of?.problem) return null;
  const ids = of.values.getAll('ids');
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
  csrf: string;
  search: string;
  sort: string;
  cursor: string;
  children: ComponentChildren;
}

/** The list as a form. Where it stands goes along, so that it is shown again as it was. */
export function Together({ csrf, search, sort, cursor, children }: TogetherProps) {
  return (
    <Form action={`${RESERVATIONS.href}/switch`} csrf={csrf} label="Chosen reservations" id="together">
      <HiddenField name="search" value={search} />
      <HiddenField name="sort" value={sort} />
      <HiddenField name="cursor" value={cursor} />
      <p class="check-all" hidden data-choose="ids">
        <Button type="button" value="all">
          Choose all shown
        </Button>
        <Button type="button" value="none">
          Choose none
        </Button>
      </p>
      {children}
      <FormActions note={`For all that are chosen, or for none of them. ${ON_APPLY}`}>
        <Button name="enabled" value="true" label="Enable the chosen reservations">
          Enable
        </Button>
        <Button name="enabled" value="false" label="Disable the chosen reservations">
          Disable
        </Button>
        <Button kind="bad" action={`${RESERVATIONS.href}/delete`} label="Delete the chosen reservations">
          Delete
        </Button>
        <label>
          <input type="checkbox" name="confirm" value="on" /> <span>Yes, delete them with their DNS records</span>
        </label>
      </FormActions>
    </Form>
  );
}
