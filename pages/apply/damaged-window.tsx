// Says that the record of a confirm window is damaged, and clears it.
import { CLEAR_REASON_MAX } from '../../shared/appliance/apply/window/schemas.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Block } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { Form, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import type { ShellState } from '../layout/state.ts';
import { MAY_NOT, mayApply } from './words.tsx';

interface Props {
  state: ShellState;
  outcome: FormOutcome | null;
}

/** On the page of applies. */
export function DamagedWindow({ state, outcome }: Props) {
  const own = outcome?.operation_id === 'clearConfirmWindowForm' ? outcome : null;
  const errors = (own?.problem?.errors as FieldError[] | undefined) ?? [];
  return (
    <section class="window" aria-labelledby="damaged">
      <h2 id="damaged">
        <State kind="bad">The record of a confirm window is damaged</State>
      </h2>
      <p>
        {state.running
          ? 'A plan waits in this window and can’t be confirmed any more. Clearing the record puts the previous files back, as far as they were kept, and ends the apply.'
          : 'No plan waits in this window. Check that the host is as it should be, then clear the record. Clearing changes nothing on the host.'}
      </p>
      <Form action={`${APPLY_PATH}/window/clear`} csrf={state.csrf} look="stack" label="Clear the record">
        <TextField
          name="reason"
          label="Reason for the audit log"
          required
          maxlength={CLEAR_REASON_MAX}
          value={own?.values.get('reason') ?? ''}
          error={errorOf(errors, 'reason')}
        />
        <Button unavailable={mayApply(state.user) ? undefined : MAY_NOT}>Clear the record</Button>
      </Form>
    </section>
  );
}

/** Anywhere else. */
export const DamagedWindowNote = () => (
  <Block level={2} title="The record of a confirm window is damaged">
    <a href={APPLY_PATH}>Look at it and clear it</a>.
  </Block>
);
