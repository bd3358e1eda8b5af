// Changing a client of the OpenID Connect provider.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Client, clients } from '../../shared/services/oidc/clients/clients.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckField, FieldGroup, Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { editedFrom, type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CLIENT_LABELS, CLIENTS, ClientFields, groupLines, OIDC } from './oidc-words.tsx';

interface Data {
  client: Client;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editOidcClientPage',
  path: `${pageRoute('oidc-client')}/edit`,
  current: OIDC.href,
  access: { session: 'write:oidc' },
  params: idParam('oidc_client_id', 'Id of the client.'),
  async load({ db, params, outcome }): Promise<Data> {
    const client = await findItem(db, clients, params.oidc_client_id);
    return { client, last: await lastSaveOf(db, outcome, { type: 'oidc_client', id: client.id }) };
  },
  title: ({ client }) => `Edit ${client.name}`,
  view({ data: { client, last }, state, outcome }) {
    const { id, name, revision } = client;
    const typed = typedInto('updateOidcClientForm', outcome);
    const saved = [
      [CLIENT_LABELS.name, 'name', name],
      [CLIENT_LABELS.description, 'description', client.description],
      [CLIENT_LABELS.redirect_uris, 'redirect_uris', client.redirect_uris.join('\n')],
      [CLIENT_LABELS.logout_uris, 'logout_uris', client.logout_uris.join('\n')],
      [CLIENT_LABELS.sends_groups, 'sends_groups', groupLines(client.sends_groups)],
      [CLIENT_LABELS.enabled, 'enabled', client.enabled],
      [CLIENT_LABELS.requires_pkce, 'requires_pkce', client.requires_pkce],
      [CLIENT_LABELS.refresh_tokens, 'refresh_tokens', client.refresh_tokens],
    ] as const;
    const href = pagePath('oidc-client', id);
    const checks = [
      ['enabled', 'People sign in to it', client.enabled],
      ['requires_pkce', 'Has to be sent', client.requires_pkce],
      ['refresh_tokens', 'It is given them', client.refresh_tokens],
    ] as const;
    return (
      <>
        <PageHead title={`Edit ${name}`} trail={[OIDC, CLIENTS, { href, label: name }]} here="Edit" />
        <Refused typed={typed} labels={CLIENT_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={saved} now={state.now} />
        <Form action={`${href}/edit`} csrf={state.csrf} {...editedFrom(typed, revision, saved)} label={`Edit ${name}`}>
          <ClientFields saved={client} typed={typed} />
          <FieldGroup legend="What it may">
            {checks.map(([member, label, is]) => (
              <CheckField
                key={member}
                name={member}
                group={CLIENT_LABELS[member]}
                label={label}
                checked={typed.checked(member, is)}
                error={typed.of(member)}
              />
            ))}
          </FieldGroup>
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Save client</Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
