// The external provider at which people may sign in: its settings, its certificate, and how it is registered there.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { findProvider, type SignInProvider } from '../../shared/kernel/access/external/provider.ts';
import { ROLES } from '../../shared/kernel/access/scopes.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { originOf } from '../../shared/kernel/operation/problem-document.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, FieldGroup, Form, FormActions, HiddenField, TextArea, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  Refused,
  type SavedField,
  StaleForm,
  type Typed,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';

const PATH = pagePath('sign-in-provider');
const USERS = pagePath('users');
const LABELS = {
  name: 'Name on the button',
  enabled: 'Offered',
  issuer: 'Issuer',
  client_id: 'Client id',
  client_secret: 'Client secret',
  scopes: 'Scopes',
  groups_claim: 'Groups claim',
  roles: 'Groups and roles',
  trusted_contexts: 'Trusted second factors',
  sha256: 'Certificate',
  ...OWN_PASSWORD_LABEL,
};
const BUTTONS = [
  'lookAtSignInProviderCertificateForm',
  'confirmSignInProviderCertificateForm',
  'deleteSignInProviderForm',
];

interface Data {
  provider: SignInProvider | undefined;
  redirect_uri: string;
}

export const page = definePage({
  id: 'signInProviderPage',
  path: PATH,
  current: USERS,
  access: { session: 'read:users' },
  load: async ({ db, services, request }): Promise<Data> => ({
    provider: await findProvider(db),
    redirect_uri: `${originOf(services, request)}${pagePath('sign-in')}/external/callback`,
  }),
  title: () => 'External sign-in',
  view: Provider,
});

const mapping = (provider: SignInProvider | undefined): string =>
  (provider?.roles ?? []).map(({ group, role }) => `${group} = ${role}`).join('\n');

const savedOf = (provider: SignInProvider | undefined): SavedField[] => [
  [LABELS.name, 'name', provider?.name ?? ''],
  [LABELS.enabled, 'enabled', provider?.enabled ?? true],
  [LABELS.issuer, 'issuer', provider?.issuer ?? ''],
  [LABELS.client_id, 'client_id', provider?.client_id ?? ''],
  [LABELS.scopes, 'scopes', (provider?.scopes ?? ['openid', 'profile', 'email']).join(' ')],
  [LABELS.groups_claim, 'groups_claim', provider?.groups_claim ?? 'groups'],
  [LABELS.roles, 'roles', mapping(provider)],
  [LABELS.trusted_contexts, 'trusted_contexts', (provider?.trusted_contexts ?? []).join(' ')],
];

function Provider({ data: { provider, redirect_uri }, state, outcome }: ViewProps<Data>) {
  const may = state.user.scopes.includes('write:users');
  const typed = typedInto('putSignInProviderForm', outcome);
  const saved = savedOf(provider);
  return (
    <>
      <PageHead
        title="External sign-in"
        intro="Lets people sign in through an OpenID Connect provider. Users with a password still sign in without it."
        trail={[{ href: USERS, label: 'Users' }]}
      />
      {BUTTONS.map((form) => (
        <Refused key={form} typed={typedInto(form, outcome)} labels={LABELS} />
      ))}
      <Refused typed={typed} labels={LABELS} />
      <StaleForm
        typed={typed}
        name="the provider"
        revision={provider?.revision ?? 0}
        last={null}
        saved={saved}
        now={state.now}
      />
      <FactsList
        facts={[
          { label: 'State', value: <Standing provider={provider} /> },
          { label: 'Redirect URI', value: <code class="wrap">{redirect_uri}</code> },
        ]}
      />
      {provider && <Certificate provider={provider} csrf={state.csrf} may={may} outcome={outcome} />}
      {may && <Settings typed={typed} csrf={state.csrf} provider={provider} saved={saved} />}
      {!may && !provider && <p>Nobody signs in from outside: there is no provider.</p>}
      {provider && may && <Delete csrf={state.csrf} revision={provider.revision} />}
    </>
  );
}

function Standing({ provider }: { provider: SignInProvider | undefined }) {
  if (!provider) return <State kind="off">No provider</State>;
  if (provider.sha256 === null) return <State kind="warn">Its certificate is to be confirmed</State>;
  return provider.enabled ? (
    <State kind="ok">Offered on the sign-in page</State>
  ) : (
    <State kind="off">Not offered</State>
  );
}

interface SettingsProps {
  typed: Typed;
  csrf: string;
  provider: SignInProvider | undefined;
  saved: SavedField[];
}

function Settings({ typed: given, csrf, provider, saved }: SettingsProps) {
  const typed = withLost(given);
  const values = new Map(saved.map(([, name, value]) => [name, String(value)]));
  const field = (name: keyof typeof LABELS) => ({
    ...{ name, label: LABELS[name], value: typed.text(name, values.get(name) ?? ''), error: typed.of(name) },
  });
  return (
    <List title="Settings">
      <Form action={PATH} csrf={csrf} {...editedFrom(given, provider?.revision ?? 0, saved)} label="External provider">
        <FieldGroup legend="Provider">
          <TextField {...field('name')} required placeholder="Lab identity" help="“Sign in with …”" />
          <TextField
            {...field('issuer')}
            mono
            wide
            required
            placeholder="https://id.lab.example/realms/lab"
            help="To the letter as the provider names itself in its discovery document; https only."
          />
          <TextField {...field('client_id')} mono required />
          <TextField
            name="client_secret"
            label={LABELS.client_secret}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('client_secret')}
            help={
              provider
                ? 'Leave it empty to keep the stored one. Another server needs its own.'
                : 'The provider gives it out. Sealed before it is stored, and never shown.'
            }
          />
          <TextField {...field('scopes')} mono help="Separated by blanks; openid is added." />
        </FieldGroup>
        <FieldGroup legend="People">
          <TextField {...field('groups_claim')} mono required help="In the ID token, or from the userinfo endpoint." />
          <TextArea
            {...field('roles')}
            mono
            rows={4}
            help={`One per line: group = role, with a role of ${ROLES.join(', ')}. The highest role counts; anyone in no such group is refused.`}
          />
          <TextField
            {...field('trusted_contexts')}
            mono
            help="Values of acr or amr, such as mfa: a sign-in with one of them is asked for no second factor here. Empty: it is asked for as after a password."
          />
          <CheckField
            name="enabled"
            group={LABELS.enabled}
            label="The sign-in page offers it"
            checked={typed.checked('enabled', provider?.enabled ?? true)}
            error={typed.of('enabled')}
          />
        </FieldGroup>
        <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
        <FormActions note="Takes effect immediately. Its people have to sign in again when it is switched off, or when issuer, client id, groups claim, groups and roles, or trusted second factors change.">
          <Button kind="primary">Save provider</Button>
        </FormActions>
      </Form>
    </List>
  );
}

interface Seen {
  address: string;
  sha256: string;
  subject: string;
  confirmed: boolean;
}

interface CertificateProps {
  provider: SignInProvider;
  csrf: string;
  may: boolean;
  outcome: FormOutcome | null;
}

function Certificate({ provider, csrf, may, outcome }: CertificateProps) {
  const looked = outcome?.operation_id === 'lookAtSignInProviderCertificateForm' && outcome.problem === null;
  const seen = looked ? (outcome.result as Seen) : null;
  const refused = typedInto('confirmSignInProviderCertificateForm', outcome);
  return (
    <List title="Certificate">
      <FactsList
        facts={[
          {
            label: 'Confirmed',
            value:
              provider.sha256 === null ? (
                'None: nothing is sent before one is confirmed'
              ) : (
                <>
                  <code class="wrap">{provider.sha256}</code> at <code>{provider.address}</code>
                </>
              ),
          },
          ...(seen
            ? [
                { label: 'Shown now', value: <code class="wrap">{seen.sha256}</code> },
                { label: 'By', value: <code>{seen.address}</code> },
                { label: 'Issued to', value: <code class="wrap">{seen.subject}</code> },
              ]
            : []),
        ]}
      />
      {seen?.confirmed && <p>This certificate is confirmed.</p>}
      {seen && !seen.confirmed && may && (
        <Form action={`${PATH}/confirm-certificate`} csrf={csrf} look="stack" label="Confirm the certificate">
          <HiddenField name="sha256" value={seen.sha256} />
          <p>Compare it with the fingerprint (SHA-256) that the operator of the provider knows.</p>
          <OwnPasswordField error={refused.of(OWN_PASSWORD)} />
          <div class="actions">
            <Button kind="primary">It is the same: confirm it</Button>
          </div>
        </Form>
      )}
      {may && (
        <Form action={`${PATH}/look-at-certificate`} csrf={csrf} look="stack" label="Look at the certificate">
          <div class="actions">
            <Button>Look at the certificate</Button>
            <p class="muted">Connects, and sends nothing.</p>
          </div>
        </Form>
      )}
    </List>
  );
}

const Delete = ({ csrf, revision }: { csrf: string; revision: number }) => (
  <List title="Delete the provider">
    <Form action={`${PATH}/delete`} csrf={csrf} revision={revision} look="stack" label="Delete the provider">
      <div class="actions">
        <Button kind="bad">Delete provider</Button>
        <p class="muted">Its client secret is gone and sessions of its people end. Their accounts stay.</p>
      </div>
    </Form>
  </List>
);
