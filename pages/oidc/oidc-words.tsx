// What the pages of OpenID Connect share: where they are, the labels of fields, and the fields of a client.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Client } from '../../shared/services/oidc/clients/clients.ts';
import { FieldGroup, TextArea, TextField } from '../components/form.tsx';
import type { Typed } from '../layout/form-state.tsx';

export const OIDC = { href: pagePath('oidc'), label: 'OpenID Connect' };
export const CLIENTS = { href: pagePath('oidc-clients'), label: 'Clients' };

export const CLIENT_LABELS = {
  name: 'Name',
  description: 'Description',
  preset: 'Product',
  redirect_uris: 'Redirect URIs',
  logout_uris: 'Addresses after signing out',
  sends_groups: 'Groups',
  requires_pkce: 'Code challenge (PKCE)',
  refresh_tokens: 'Refresh tokens',
  enabled: 'Client',
};

export const groupLines = (groups: Client['sends_groups']): string =>
  groups.map(({ group, as }) => (group === as ? group : `${group} = ${as}`)).join('\n');

type Saved = Pick<Client, 'name' | 'description' | 'redirect_uris' | 'logout_uris' | 'sends_groups'>;

export function ClientFields({ saved, typed }: { saved: Saved; typed: Typed }) {
  return (
    <FieldGroup legend="Client">
      <TextField
        name="name"
        label={CLIENT_LABELS.name}
        value={typed.text('name', saved.name)}
        help="Shown to users when they sign in."
        placeholder="vCenter of the management domain"
        maxlength={64}
        required
        error={typed.of('name')}
      />
      <TextField
        name="description"
        label={CLIENT_LABELS.description}
        value={typed.text('description', saved.description)}
        maxlength={500}
        error={typed.of('description')}
      />
      <TextArea
        name="redirect_uris"
        label={CLIENT_LABELS.redirect_uris}
        mono
        rows={3}
        value={typed.text('redirect_uris', saved.redirect_uris.join('\n'))}
        placeholder="https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2"
        help="One a line, exactly as the product shows it: it is compared letter by letter. https; http only to localhost, 127.0.0.1 or [::1]."
        required
        error={typed.of('redirect_uris')}
      />
      <TextArea
        name="logout_uris"
        label={CLIENT_LABELS.logout_uris}
        mono
        rows={2}
        value={typed.text('logout_uris', saved.logout_uris.join('\n'))}
        help="One a line. Empty: who signs out stays on our page."
        error={typed.of('logout_uris')}
      />
      <TextArea
        name="sends_groups"
        label={CLIENT_LABELS.sends_groups}
        mono
        rows={2}
        value={typed.text('sends_groups', groupLines(saved.sends_groups))}
        placeholder="admin = vcenter-admins"
        help="One a line: a group, and after = what the product calls it. Empty: all groups of the person. The group of a user of the appliance is the role."
        error={typed.of('sends_groups')}
      />
    </FieldGroup>
  );
}
