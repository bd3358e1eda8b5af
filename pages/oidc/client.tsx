// A client: every value that its product wants, when it was last given tokens, and a new secret.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type Client, clients } from '../../shared/services/oidc/clients/clients.ts';
import { PRESET_FACTS } from '../../shared/services/oidc/clients/presets.ts';
import { readManifest } from '../../shared/services/oidc/manifest.ts';
import { type ScimTarget, targetOfClient } from '../../shared/services/oidc/scim/targets.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes, List } from '../units/listing.tsx';
import { madeIn } from './client-new.tsx';
import { LastTokens } from './clients.tsx';
import { CLIENTS, groupLines, OIDC } from './oidc-words.tsx';
import { LastPush } from './scim-words.tsx';

const FORM = 'rotateOidcClientSecretForm';

interface Data {
  client: Client;
  scim: ScimTarget | undefined;
  /** In force; empty: the provider is off, or was never applied. */
  issuer: string;
}

export const page = definePage({
  id: 'oidcClientPage',
  path: pageRoute('oidc-client'),
  current: OIDC.href,
  access: { session: 'read:oidc' },
  params: idParam('oidc_client_id', 'Id of the client.'),
  async load({ db, services, params }): Promise<Data> {
    const applied = await readManifest(services.host).catch(() => null);
    const client = await findItem(db, clients, params.oidc_client_id);
    return { client, scim: await targetOfClient(db, client.id), issuer: applied?.manifest.issuer ?? '' };
  },
  title: ({ client }) => client.name,
  view: ClientView,
});

function ClientView({ data: { client, scim, issuer }, state, outcome }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:oidc');
  const href = pagePath('oidc-client', client.id);
  const made = madeIn(outcome, FORM);
  const { label, where } = PRESET_FACTS[client.preset];
  return (
    <>
      <PageHead title={client.name} trail={[OIDC, CLIENTS]} intro={client.description}>
        {writes && <ButtonLink href={`${href}/edit`}>Edit client</ButtonLink>}
        {writes && <ButtonLink href={`${href}/delete`}>Delete client</ButtonLink>}
      </PageHead>
      {made && <SecretOnce title="New client secret" secret={made.client_secret} />}
      <FactsList
        facts={[
          {
            label: 'State',
            value: <State kind={client.enabled ? 'ok' : 'off'}>{client.enabled ? 'Enabled' : 'Disabled'}</State>,
          },
          { label: 'Last tokens', value: <LastTokens of={client} now={state.now} /> },
          { label: 'Who signs in', value: sourceWord(client) },
          {
            label: 'Groups',
            value: client.sends_groups.length === 0 ? 'All of the person' : groupLines(client.sends_groups),
          },
          { label: 'Code challenge (PKCE)', value: client.requires_pkce ? 'Has to be sent' : 'May be left out' },
          { label: 'Refresh tokens', value: client.refresh_tokens ? 'Given' : 'Not given' },
          { label: 'Secret', value: <SecretAge of={client} now={state.now} /> },
        ]}
      />
      <List
        title="Provisioning"
        action={<ButtonLink href={pagePath('oidc-scim', client.id)}>{scim ? 'Open' : 'Set up'}</ButtonLink>}
      >
        {scim ? (
          <FactsList
            facts={[
              { label: 'Pushed to', value: <code class="wrap">{scim.base_url}</code> },
              { label: 'Last push', value: <LastPush of={scim} now={state.now} /> },
            ]}
          />
        ) : (
          <p class="muted">
            Users and groups are not pushed by SCIM. vCenter 8 knows nobody who was not pushed or added beforehand.
          </p>
        )}
      </List>
      <List title={`Values for ${label}`}>
        <p class="muted">{where}</p>
        <Values client={client} issuer={issuer} />
      </List>
      {writes && (
        <NewSecret href={href} csrf={state.csrf} typed={typedInto(FORM, outcome)} revision={client.revision} />
      )}
    </>
  );
}

const sourceWord = ({ source, organization }: Client): string =>
  source === 'appliance' ? 'Users of this appliance' : `Users of the directory, ${organization}`;

function SecretAge({ of, now }: { of: Client; now: string }) {
  const overlaps = of.former_until !== null && of.former_until > now;
  return (
    <>
      made <Instant at={of.secret_made_at} now={now} />
      {overlaps && (
        <>
          ; the former one is taken until <Instant at={of.former_until!} now={now} />
        </>
      )}
    </>
  );
}

function Values({ client, issuer }: { client: Client; issuer: string }) {
  const at = (id: string, text: string) =>
    issuer === '' ? <span class="muted">once the provider is in force</span> : <Copyable id={id} text={text} />;
  return (
    <FactsList
      facts={[
        { label: 'Discovery address', value: at('discovery', `${issuer}/.well-known/openid-configuration`) },
        { label: 'Issuer', value: at('issuer', issuer) },
        { label: 'Client ID', value: <Copyable id="client-id" text={client.id} /> },
        { label: 'Client secret', value: 'as it was shown once; make a new one below where it is lost' },
        { label: 'Redirect URIs', value: <Codes items={client.redirect_uris} /> },
        { label: 'Scopes', value: <Copyable id="scopes" text="openid profile email groups" /> },
        { label: 'Claims', value: <Codes items={['sub', 'preferred_username', 'name', 'groups', 'upn', 'email']} /> },
        { label: 'Authorization address', value: at('authorization', `${issuer}/auth`) },
        { label: 'Token address', value: at('token', `${issuer}/token`) },
        { label: 'User info address', value: at('userinfo', `${issuer}/me`) },
        { label: 'Published keys', value: at('jwks', `${issuer}/jwks`) },
        { label: 'Signing out', value: at('end-session', `${issuer}/session/end`) },
        { label: 'Client authentication', value: 'client_secret_basic or client_secret_post' },
        { label: 'Signatures', value: 'RS256' },
      ]}
    />
  );
}

interface NewSecretProps {
  href: string;
  csrf: string;
  typed: Typed;
  revision: number;
}

function NewSecret({ href, csrf, typed, revision }: NewSecretProps) {
  return (
    <List title="New secret">
      <Refused typed={typed} labels={{ overlap_seconds: 'Former secret' }} />
      <Form action={`${href}/rotate-secret`} csrf={csrf} revision={revision} label="New secret">
        <TextField
          name="overlap_hours"
          label="Former secret"
          value={typed.text('overlap_hours', '24')}
          help="Hours for which it is taken as well, while the product is given the new one: 0 to 720. 0 ends it at once."
          mono
          required
          error={typed.of('overlap_hours')}
        />
        <FormActions note="Takes effect immediately. The new secret is shown once.">
          <Button kind="plain">Make a new secret</Button>
        </FormActions>
      </Form>
    </List>
  );
}
