// What products want of a client, and where they have the fields for it.

export const PRESETS = [
  'vcenter',
  'vcf-identity-broker',
  'vcf-automation-provider',
  'vcf-automation-tenant',
  'harbor',
  'grafana',
  'generic',
] as const;
export type Preset = (typeof PRESETS)[number];

export interface PresetFacts {
  label: string;
  /**
   * False: the product, or a release of it that is in use, sends no code challenge. Demanding one would refuse every sign-in. One
   * that is sent is checked in any case.
   */
  requires_pkce: boolean;
  refresh_tokens: boolean;
  /** What its redirect URI looks like. */
  redirect: string;
  /** Where the values go, in sentences for people. */
  where: string;
}

export const PRESET_FACTS: Readonly<Record<Preset, PresetFacts>> = {
  vcenter: {
    label: 'vCenter 8',
    requires_pkce: false,
    refresh_tokens: false,
    redirect: 'https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2',
    where:
      'Administration, Single Sign On, Configuration, Identity Provider: change it to Okta or PingFederate, the templates for other providers. CUSTOMER is part of the address as it stands. vCenter has to trust our root first, and knows only users that were added to it beforehand.',
  },
  'vcf-identity-broker': {
    label: 'VCF 9 Identity Broker',
    requires_pkce: true,
    refresh_tokens: false,
    redirect: 'https://vidb.lab.example/federation/t/CUSTOMER/auth/response/oauth2',
    where:
      'Fleet Management, Identity and Access: generic OIDC from 9.1 on, the Ping template in 9.0. With just-in-time users choose just-in-time groups as well, by the attribute groups.',
  },
  'vcf-automation-provider': {
    label: 'VCF Automation, provider',
    requires_pkce: true,
    refresh_tokens: false,
    redirect: 'https://auto.lab.example/login/oauth?service=provider',
    where:
      'Provider portal, Identity Providers, OIDC: enter the discovery address and take the claims sub, email, given_name, family_name, name and groups. The query is part of the address.',
  },
  'vcf-automation-tenant': {
    label: 'VCF Automation, tenant',
    requires_pkce: true,
    refresh_tokens: false,
    redirect: 'https://auto.lab.example/login/oauth?service=tenant:acme',
    where:
      'The organization’s portal, Identity Providers, OIDC: its redirect address names the organization in the query, which is part of the address.',
  },
  harbor: {
    label: 'Harbor',
    // It sends one from 2.13 on, and can't be told to before.
    requires_pkce: false,
    refresh_tokens: true,
    redirect: 'https://harbor.lab.example/c/oidc/callback',
    where:
      'Administration, Configuration, Authentication, mode OIDC: scopes openid,profile,email,groups,offline_access; group claim name groups; username claim preferred_username. From 2.13 on it sends a code challenge: demand it then.',
  },
  grafana: {
    label: 'Grafana',
    requires_pkce: true,
    refresh_tokens: true,
    redirect: 'https://grafana.lab.example/login/generic_oauth',
    where:
      'Section [auth.generic_oauth] of grafana.ini, with use_pkce = true, scopes = openid profile email groups, and role_attribute_path made from groups.',
  },
  generic: {
    label: 'Another product',
    requires_pkce: true,
    refresh_tokens: false,
    redirect: 'https://app.lab.example/callback',
    where:
      'Wherever it asks for an OpenID Connect provider: most need the discovery address, the client id and the secret alone.',
  },
};
