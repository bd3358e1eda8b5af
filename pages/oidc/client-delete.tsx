// Asks before a client of the OpenID Connect provider is deleted.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Client, clients } from '../../shared/services/oidc/clients/clients.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CLIENTS, OIDC } from './oidc-words.tsx';

interface Data {
  client: Client;
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteOidcClientPage',
  path: `${pageRoute('oidc-client')}/delete`,
  current: OIDC.href,
  access: { session: 'write:oidc' },
  params: idParam('oidc_client_id', 'Id of the client.'),
  async load({ db, params, outcome }): Promise<Data> {
    const client = await findItem(db, clients, params.oidc_client_id);
    return { client, last: await lastSaveOf(db, outcome, { type: 'oidc_client', id: client.id }) };
  },
  title: ({ client }) => `Delete ${client.name}`,
  view({ data: { client, last }, state, outcome }) {
    const { id, name, revision } = client;
    const typed = typedInto('deleteOidcClientForm', outcome);
    const href = pagePath('oidc-client', id);
    return (
      <>
        <PageHead title={`Delete ${name}?`} trail={[OIDC, CLIENTS, { href, label: name }]} here="Delete" />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>Nobody can sign in to it any longer, and its tokens stop working.</p>
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad">Delete client</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
