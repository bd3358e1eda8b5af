// Adding a client of the OpenID Connect provider; its secret is shown once.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { organizationSlugs } from '../../shared/services/ldap/signing-in.ts';
import type { Made } from '../../shared/services/oidc/clients/clients.ts';
import { PRESET_FACTS, PRESETS } from '../../shared/services/oidc/clients/presets.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FieldGroup, Form, FormActions, SelectField } from '../components/form.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CLIENT_LABELS, CLIENTS, ClientFields, OIDC } from './oidc-words.tsx';

const PATH = `${pagePath('oidc-clients')}/new`;
const FORM = 'createOidcClientForm';
const TITLE = 'Add a client';
const NEW = { name: '', description: '', redirect_uris: [], logout_uris: [], sends_groups: [] };

/** What the form answered, where it did. */
export const madeIn = (outcome: FormOutcome | null, form: string): Made | null =>
  outcome?.operation_id === form && !outcome.problem ? (outcome.result as Made | null) : null;

export const page = definePage({
  id: 'newOidcClientPage',
  path: PATH,
  current: OIDC.href,
  access: { session: 'write:oidc' },
  load: ({ db }): Promise<string[]> => organizationSlugs(db),
  title: () => TITLE,
  view: NewClient,
});

function NewClient({ data: organizations, state, outcome }: ViewProps<string[]>) {
  const made = madeIn(outcome, FORM);
  if (made) return <Once made={made} />;
  const typed = typedInto(FORM, outcome);
  return (
    <>
      <PageHead title={TITLE} trail={[OIDC, CLIENTS]} />
      <Refused typed={typed} labels={CLIENT_LABELS} />
      <Form action={PATH} csrf={state.csrf} label={TITLE}>
        <FieldGroup legend="Product">
          <SelectField
            name="preset"
            label={CLIENT_LABELS.preset}
            value={typed.text('preset', 'vcenter')}
            options={PRESETS.map((value) => ({ value, label: PRESET_FACTS[value].label }))}
            help="It decides what the product is expected to send, and the page of the client says where its values go."
            error={typed.of('preset')}
          />
          <SelectField
            name="requires_pkce"
            label={CLIENT_LABELS.requires_pkce}
            value={typed.text('requires_pkce', '')}
            options={[
              { value: '', label: 'As the product does it' },
              { value: 'yes', label: 'Has to be sent' },
              { value: 'no', label: 'May be left out' },
            ]}
            error={typed.of('requires_pkce')}
          />
          <SelectField
            name="people"
            label="Who signs in"
            value={typed.text('people', 'appliance:')}
            options={[
              { value: 'appliance:', label: 'Users of this appliance' },
              ...organizations.map((slug) => ({
                value: `directory:${slug}`,
                label: `Users of the directory, ${slug}`,
              })),
            ]}
            help="It can’t be changed later, since people would become others to the product."
            error={typed.of('organization')}
          />
        </FieldGroup>
        <ClientFields saved={NEW} typed={typed} />
        <FormActions note="Takes effect immediately. The secret is shown once, after this.">
          <Button kind="primary">Add client</Button>
          <ButtonLink href={CLIENTS.href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Once({ made: { client, client_secret } }: { made: Made }) {
  return (
    <>
      <PageHead title={`${client.name} is added`} trail={[OIDC, CLIENTS]} here="Added" />
      <SecretOnce title="Client secret" secret={client_secret} />
      <FactsList facts={[{ label: 'Client ID', value: <code>{client.id}</code> }]} />
      <div class="actions">
        <ButtonLink href={pagePath('oidc-client', client.id)}>
          To the client, with all values for the product
        </ButtonLink>
      </div>
    </>
  );
}
