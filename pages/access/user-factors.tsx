// The second factors of a user, for administrators: which there are, and taking them all away.
import type { SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OWN_PASSWORD_LABEL } from '../account/own-password.tsx';
import { Button } from '../components/button.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { FACTOR_WORDS } from './factor-words.ts';

export const factorLine = (factors: readonly SecondFactor[]): string =>
  factors.length === 0 ? 'none' : factors.map(({ kind, name }) => `${name} (${FACTOR_WORDS[kind]})`).join(', ');

interface UserFactorsProps {
  factors: readonly SecondFactor[];
  /** Path of the user's page. */
  path: string;
  csrf: string;
  outcome: FormOutcome | null;
}

export function UserFactors({ factors, path, csrf, outcome }: UserFactorsProps) {
  const typed = typedInto('resetUserSecondFactorsForm', outcome);
  if (factors.length === 0) return null;
  return (
    <section class="danger" aria-labelledby="factors-title">
      <h2 id="factors-title">Second factors</h2>
      <p>
        For a user who has lost them all. Be sure who asks: after that the password alone signs in, or adds the first new one.
      </p>
      <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
      <Form action={`${path}/second-factors/reset`} csrf={csrf} label="Reset second factors">
        <TextField
          id="reset-own-password"
          name={OWN_PASSWORD}
          label={OWN_PASSWORD_LABEL[OWN_PASSWORD]}
          type="password"
          value=""
          autocomplete="current-password"
          help="Your own password, to confirm that it is you."
          required
          error={typed.of(OWN_PASSWORD)}
        />
        <FormActions note="The recovery codes go as well, and the user’s sessions end.">
          <Button kind="bad">Remove all second factors</Button>
        </FormActions>
      </Form>
    </section>
  );
}
