// Signing in on the public pages, to ask for certificates.
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { errorsOf } from '../access/form-errors.ts';
import { SignInFields, SignInRefused } from '../access/sign-in-fields.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { HiddenField } from '../components/form.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

interface SignIn {
  hostname: string;
  secure: boolean;
  form: VisitorForm;
}

export const page = definePlainPage({
  id: 'publicSignInPage',
  path: pagePath('public-sign-in'),
  plane: 'public',
  async load({ services, request }): Promise<SignIn> {
    await requireOffered(services.store, 'certificate_requests');
    const { keys, entropy, settings } = services;
    const form = visitorForm(keys, entropy, request.cookies, request.secure, 'public');
    return { hostname: settings.hostname, secure: request.secure, form };
  },
  cookies: ({ form }) => form.cookies,
  title: ({ hostname }) => `Sign in to ${hostname}`,
  view: ({ data, outcome }) => <SignInForm data={data} outcome={outcome} />,
});

function SignInForm({ data, outcome }: { data: SignIn; outcome: FormOutcome | null }) {
  const problem = outcome?.problem ?? null;
  const { errors } = errorsOf(outcome);
  return (
    <>
      <h1>Ask {data.hostname} for a certificate</h1>
      <p>
        Sign in with your account of the appliance. Its role must be one that may ask for certificates. This does not
        sign you in to the management pages.
      </p>
      {!data.secure && (
        <Note icon="warn">
          This connection is not encrypted by the appliance. Unless a proxy of yours does it, a password can be read on
          the way.
        </Note>
      )}
      {problem && errors.length === 0 && <SignInRefused problem={problem} />}
      <form class="form stack" method="post" action={pagePath('public-sign-in')} aria-label="Sign in">
        <HiddenField name="csrf" value={data.form.token} />
        <SignInFields outcome={outcome} code />
        <div class="actions">
          <Button kind="primary">Sign in</Button>
          <ButtonLink href={pagePath('public')}>Back</ButtonLink>
        </div>
      </form>
    </>
  );
}
