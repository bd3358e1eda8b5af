// What the pages share on which somebody adds a second factor of the own.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { RecoveryCodes } from '../access/authenticator.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from './own-password.tsx';

export const FACTORS_TRAIL = [
  { href: ACCOUNT_PATH, label: 'Your account' },
  { href: pagePath('second-factors'), label: 'Second factors' },
];

/** What this form answered, if it was this form. */
export const resultOf = <R,>(outcome: FormOutcome | null, form: string): R | null =>
  outcome?.operation_id === form ? ((outcome.result as R | null) ?? null) : null;

export interface AddedFactor {
  factor: { name: string };
  recovery_codes: string[] | null;
}

export function Added({ added: { factor, recovery_codes } }: { added: AddedFactor }) {
  return (
    <>
      <Note icon="check">{factor.name} is added. Your other sessions ended.</Note>
      {recovery_codes && <RecoveryCodes codes={recovery_codes} />}
      <div>
        <ButtonLink href={pagePath('second-factors')} kind="primary">
          {recovery_codes ? 'I have the codes: go on' : 'Go on'}
        </ButtonLink>
      </div>
    </>
  );
}

interface BeginFactorProps {
  /** Id of the form's operation. */
  form: string;
  action: string;
  csrf: string;
  outcome: FormOutcome | null;
  name: string;
  help: string;
  note: string;
  button: string;
}

const LABELS = { name: 'Name', ...OWN_PASSWORD_LABEL };

/** Its name, and the own password. */
export function BeginFactor({ form, action, csrf, outcome, name, help, note, button }: BeginFactorProps) {
  const typed = typedInto(form, outcome);
  return (
    <>
      <Refused typed={typed} labels={LABELS} />
      <Form action={action} csrf={csrf}>
        <TextField
          name="name"
          label={LABELS.name}
          value={typed.text('name', name)}
          help={help}
          maxlength={80}
          required
          error={typed.of('name')}
        />
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions note={note}>
          <Button kind="primary">{button}</Button>
          <ButtonLink href={pagePath('second-factors')}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
