// Settings of the OpenID Connect provider.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, port, webAddress, whole } from '../../platform/units/settings-schemas.ts';

const ISSUER = 'Must be an https URL without user, query and fragment, or empty.';

const MEMBERS = {
  enabled: flag('Whether the provider answers.'),
  hostname: hostName('Name under which browsers reach it, such as id.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  port: port('TCP port of HTTPS:'),
  issuer: webAddress(
    'https:',
    (url) => !url.href.includes('?'),
    ISSUER,
    'Issuer in tokens and in the discovery document: an https URL without query. Empty: `https://{hostname}:{port}/identity`, without the port where it is 443, and with the first listen address where there is no host name.',
  ),
  access_token_seconds: whole(60, 3600, 'Seconds for which an access token is valid:'),
  id_token_seconds: whole(60, 3600, 'Seconds for which an ID token is valid:'),
  code_seconds: whole(30, 300, 'Seconds in which an authorization code can be redeemed:'),
};

export const oidcSettings: UnitSettings<typeof MEMBERS> = {
  key: 'oidc',
  unit: 'oidc',
  component: 'Oidc',
  tag: 'OpenID Connect',
  name: 'the OpenID Connect provider',
  resource: 'oidc',
  path: '/api/v1/oidc',
  page: pagePath('oidc'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'id.lab.test', listen_interfaces: ['ens224'] },
  defaults: {
    enabled: false,
    hostname: '',
    listen_interfaces: [],
    port: 443,
    issuer: '',
    access_token_seconds: 300,
    id_token_seconds: 300,
    code_seconds: 60,
  },
  listens: 'required',
  shares_port: true,
  describes:
    'Services on the same address and port are told apart by host name. An issuer whose host is one of the service’s own addresses follows when that address is replaced; any other stays, since clients know it by heart.',
};
