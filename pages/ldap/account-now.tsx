// What the running directory says of an account, and what can be done about it at once.
import type { AccountNow as Now } from '../../shared/services/ldap/status.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import type { Fact } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';

export const passwordFact = (set_at: string | null): Fact => ({
  label: 'Password',
  value: set_at === null ? <span class="muted">none yet</span> : 'set',
});

export function AccountNow({
  now,
  name,
  href,
  state,
}: {
  now: Now | null;
  name: string;
  href: string;
  state: ShellState;
}) {
  const writes = state.user.scopes.includes('write:ldap');
  return (
    <section class="below" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">Signing in</h2>
      {now === null && <p class="muted">The running directory does not have it.</p>}
      {now && (
        <p>
          {now.locked_since === null ? (
            'Not locked.'
          ) : (
            <>
              <b>Locked</b> by wrong passwords, <Instant at={now.locked_since} now={state.now} />.
            </>
          )}{' '}
          {now.last_sign_in === null ? (
            'It has not signed in yet.'
          ) : (
            <>
              Last signed in <Instant at={now.last_sign_in} now={state.now} />.
            </>
          )}
        </p>
      )}
      {writes && now !== null && now.locked_since !== null && (
        <Form action={`${href}/unlock`} csrf={state.csrf} label={`Unlock ${name}`}>
          <FormActions note="At once: no apply is needed.">
            <Button>Unlock</Button>
          </FormActions>
        </Form>
      )}
      {writes && <ButtonLink href={`${href}/password`}>Set password</ButtonLink>}
    </section>
  );
}
