// Signing in: two fields, and what helps to be sure that this is the right appliance.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { offeredProvider } from '../../shared/kernel/access/external/provider.ts';
import { RETURN_MOST, type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Note } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { HiddenField } from '../components/form.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { EXPLORER_PATH } from '../layout/navigation.ts';
import { ExternalSignIn, GoOnThere } from './external-sign-in.tsx';
import { errorsOf } from './form-errors.ts';
import { SignInFields, SignInRefused } from './sign-in-fields.tsx';

const PATH = pagePath('sign-in');

interface SignIn {
  hostname: string;
  return_to: string;
  secure: boolean;
  source: string;
  form: VisitorForm;
  /** Name of the external provider; null: none is offered. */
  provider: string | null;
}

export const page = definePlainPage({
  id: 'signInPage',
  path: PATH,
  plane: 'management',
  query: v.object({ return_to: v.optional(v.pipe(v.string(), v.maxLength(2048))) }),
  load: async ({ services, db, query, request }): Promise<SignIn> => ({
    hostname: services.settings.hostname,
    return_to: (query.return_to?.length ?? 0) > RETURN_MOST ? '' : (query.return_to ?? ''),
    secure: request.secure,
    source: request.source_address,
    form: visitorForm(services.keys, services.entropy, request.cookies, request.secure),
    provider: await offeredProvider(db),
  }),
  cookies: ({ form }) => form.cookies,
  title: ({ hostname }) => `Sign in to ${hostname}`,
  view: ({ data, outcome }) => <SignInForm data={data} outcome={outcome} />,
  aside: ({ data, state }) => (
    <>
      <div>
        <h2>Is this the right appliance?</h2>
        <p class="muted">Compare before you type a password.</p>
      </div>
      <FactsList
        facts={[
          { label: 'Name', value: <code>{data.hostname}</code> },
          { label: 'Host driver', value: state.host?.label ?? '' },
          { label: 'Connection', value: data.secure ? 'TLS' : 'plain HTTP' },
          { label: 'Your address', value: <code>{data.source}</code> },
        ]}
      />
      {!data.secure && (
        <Note icon="warn">
          This connection is not encrypted by the appliance. Unless a proxy of yours does it, or you are on the
          appliance itself, a password can be read on the way.
        </Note>
      )}
      <p>
        <a href={EXPLORER_PATH}>API explorer</a> · <a href="/problems/unauthenticated">Trouble signing in</a>
      </p>
    </>
  ),
});

/** Of the external provider, where a sign-in there was just begun. */
function locationOf(outcome: FormOutcome | null): string | null {
  if (outcome?.operation_id !== 'beginExternalSignInForm' || outcome.problem !== null) return null;
  return (outcome.result as { location: string }).location;
}

function SignInForm({ data, outcome }: { data: SignIn; outcome: FormOutcome | null }) {
  const return_to = outcome?.values.get('return_to') ?? data.return_to;
  const problem = outcome?.problem ?? null;
  const { errors } = errorsOf(outcome);
  const there = locationOf(outcome);
  if (there !== null && data.provider !== null) return <GoOnThere name={data.provider} location={there} />;
  return (
    <>
      <h1>
        Sign in to <code>{data.hostname}</code>
      </h1>
      {problem && errors.length === 0 && <SignInRefused problem={problem} />}
      {!problem && return_to.startsWith(`${pagePath('overview')}/`) && (
        <Note icon="lock">
          Sign in to go on to <code>{return_to.split('?')[0]}</code>. A session ends after 30 minutes without activity.
        </Note>
      )}
      <form class="form stack" method="post" action={PATH} data-repeats>
        <HiddenField name="csrf" value={data.form.token} />
        <HiddenField name="return_to" value={return_to} />
        <SignInFields outcome={outcome} />
        <p class="muted" role="status" data-repeats-says />
        <Button kind="primary">Sign in</Button>
      </form>
      {data.provider !== null && <ExternalSignIn name={data.provider} csrf={data.form.token} return_to={return_to} />}
    </>
  );
}
