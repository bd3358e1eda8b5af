// The OpenID Connect provider.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { oidcSettings } from '../../shared/services/oidc/settings.ts';
import { Copyable } from '../components/copyable.tsx';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(oidcSettings, {
  title: 'OpenID Connect',
  what: 'OpenID Connect',
  subject: 'oidc',
  intro: 'An identity provider that vCenter and SDDC Manager can federate sign-in with.',
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Provider', kind: 'switch', text: 'Answer sign-in requests' },
        { name: 'listen_interfaces', label: 'Listen on', kind: 'interfaces' },
        { name: 'hostname', label: 'Host name', kind: 'text', mono: true, wide: true, placeholder: 'id.lab.example' },
        { name: 'port', label: 'Port', kind: 'number' },
      ],
    },
    {
      legend: 'What clients get',
      fields: [
        {
          name: 'issuer',
          label: 'Issuer',
          kind: 'text',
          mono: true,
          wide: true,
          placeholder: 'from host name and port',
          help: 'An https URL without query. Empty: made from host name and port, with the path /identity. Clients store it, so change it before the first one is configured.',
        },
        { name: 'access_token_seconds', label: 'Access token', kind: 'number' },
        { name: 'id_token_seconds', label: 'ID token', kind: 'number' },
        { name: 'code_seconds', label: 'Code', kind: 'number' },
      ],
    },
  ],
  facts: (saved) => {
    const { issuer, hostname, port, listen_addresses = [] } = saved as unknown as Provider;
    const host = hostname || literal(listen_addresses[0] ?? '');
    const made = host === '' ? '' : `https://${host}${port === 443 ? '' : `:${port}`}/identity`;
    const url = issuer || made;
    return [
      {
        label: 'Issuer',
        value:
          url === '' ? (
            <span class="muted">needs a host name or an address</span>
          ) : (
            <Copyable id="issuer-url" text={url} />
          ),
      },
      {
        label: 'Clients',
        value: <a href={pagePath('oidc-clients')}>Products that sign people in here</a>,
      },
      {
        label: 'Sessions',
        value: <a href={pagePath('oidc-sessions')}>Who is signed in, and ending it</a>,
      },
      {
        label: 'Signing keys',
        value: <a href={pagePath('oidc-signing-keys')}>Published keys, and their rotation</a>,
      },
    ];
  },
});

interface Provider {
  issuer: string;
  hostname: string;
  port: number;
  listen_addresses?: string[];
}

/** An address as a URL holds it (RFC 3986, 3.2.2). */
const literal = (address: string): string => (address.includes(':') ? `[${address}]` : address);
