// Signing in at the external provider, as far as it happens on pages of ours.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { HiddenField } from '../components/form.tsx';

const PATH = `${pagePath('sign-in')}/external`;

/** The button below the form with the password. */
export function ExternalSignIn({ name, csrf, return_to }: { name: string; csrf: string; return_to: string }) {
  return (
    <form class="form stack" method="post" action={PATH} aria-label={`Sign in with ${name}`}>
      <HiddenField name="csrf" value={csrf} />
      <HiddenField name="return_to" value={return_to} />
      <div class="actions">
        <Button>{`Sign in with ${name}`}</Button>
      </div>
    </form>
  );
}

/**
 * The way to the provider. It is no redirect: `form-action 'self'` holds a form's redirects too, and where the provider sends
 * the browser on nobody here knows.
 */
export function GoOnThere({ name, location }: { name: string; location: string }) {
  return (
    <>
      <meta http-equiv="refresh" content={`0;url=${location}`} />
      <h1>{`On to ${name}`}</h1>
      <p>The browser goes on there by itself.</p>
      <div class="actions">
        <ButtonLink kind="primary" href={location}>{`Go on to ${name}`}</ButtonLink>
        <ButtonLink href={pagePath('sign-in')}>Cancel</ButtonLink>
      </div>
    </>
  );
}
