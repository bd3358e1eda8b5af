// Where the external provider leads the browser back to. It changes nothing: what came is posted from here by the script of the
// page, or by its button, so that the request is one of our own site.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type VisitorForm, visitorForm } from '../../shared/kernel/access/visitor-form.ts';
import { Button } from '../components/button.tsx';
import { HiddenField } from '../components/form.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

const PATH = `${pagePath('sign-in')}/external`;
const text = (most: number) => v.optional(v.pipe(v.string(), v.maxLength(most)));

interface Data {
  hostname: string;
  form: VisitorForm;
  came: [name: string, value: string][];
}

export const page = definePlainPage({
  id: 'externalCallbackPage',
  path: `${PATH}/callback`,
  plane: 'management',
  query: v.object({ state: text(128), code: text(3072), iss: text(1024), error: text(128) }),
  load: async ({ services, query, request }): Promise<Data> => ({
    hostname: services.settings.hostname,
    form: visitorForm(services.keys, services.entropy, request.cookies, request.secure),
    came: (['state', 'code', 'iss', 'error'] as const).flatMap((name): Data['came'] =>
      query[name] === undefined ? [] : [[name, query[name]]],
    ),
  }),
  cookies: ({ form }) => form.cookies,
  title: ({ hostname }) => `Sign in to ${hostname}`,
  view: ({ data: { hostname, form, came } }) => (
    <>
      <h1>
        Sign in to <code>{hostname}</code>
      </h1>
      <form class="form stack" method="post" action={`${PATH}/finish`} data-send-now="true" aria-label="Sign in">
        <HiddenField name="csrf" value={form.token} />
        {came.map(([name, value]) => (
          <HiddenField key={name} name={name} value={value} />
        ))}
        <p>The provider has answered.</p>
        <div class="actions">
          <Button kind="primary">Go on</Button>
        </div>
      </form>
    </>
  ),
});
