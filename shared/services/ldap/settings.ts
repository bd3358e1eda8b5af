// Settings of the directory that vCenter and others look up users and groups in.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, port, whole } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether the directory answers.'),
  hostname: hostName(
    'Name under which clients reach it, such as ldap.lab.example; empty for none. Its certificate names it.',
  ),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  ldaps_enabled: flag('LDAP over TLS from the first byte.'),
  ldaps_port: port('TCP port of LDAPS:'),
  ldap_enabled: flag('LDAP that begins in the clear. Clients ask for TLS (StartTLS) before they bind.'),
  ldap_port: port('TCP port of LDAP that begins in the clear:'),
  allow_plain_bind: flag(
    'Whether a client may also bind without TLS. Its password travels readable; for clients that can do nothing else.',
  ),
  password_min_length: whole(8, 128, 'Characters that a new password has at least:'),
  password_history: whole(0, 24, 'Earlier passwords that a new one must differ from:'),
  password_max_failures: whole(0, 100, 'Wrong passwords in a row that lock an account; 0: none do.'),
  password_lockout_minutes: whole(0, 10_080, 'Minutes until a locked account is free again; 0: until it is unlocked.'),
  password_max_age_days: whole(0, 3_650, 'Days after which a user’s password expires; 0: never.'),
};

export const ldapSettings: UnitSettings<typeof MEMBERS> = {
  key: 'ldap',
  unit: 'ldap',
  component: 'Ldap',
  tag: 'LDAP',
  name: 'the directory',
  resource: 'ldap',
  path: '/api/v1/ldap',
  page: pagePath('ldap-settings'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, hostname: 'ldap.lab.test', listen_interfaces: ['ens224'], ldaps_enabled: true },
  defaults: {
    enabled: false,
    hostname: '',
    listen_interfaces: [],
    ldaps_enabled: true,
    ldaps_port: 636,
    ldap_enabled: false,
    ldap_port: 389,
    allow_plain_bind: false,
    password_min_length: 12,
    password_history: 5,
    password_max_failures: 5,
    password_lockout_minutes: 15,
    password_max_age_days: 0,
  },
  listens: 'required',
  faults: ({ enabled, ldaps_enabled, ldap_enabled, ldaps_port, ldap_port, allow_plain_bind }) => [
    ...(enabled && !ldaps_enabled && !ldap_enabled
      ? [{ pointer: '/ldaps_enabled', detail: 'A directory that is on speaks LDAPS, LDAP or both.' }]
      : []),
    ...(ldaps_port === ldap_port ? [{ pointer: '/ldap_port', detail: 'LDAP and LDAPS cannot share a port.' }] : []),
    ...(allow_plain_bind && !ldap_enabled
      ? [{ pointer: '/allow_plain_bind', detail: 'Only LDAP that begins in the clear can be bound to without TLS.' }]
      : []),
  ],
  describes:
    'While the directory is on, at least one protocol is. The two ports differ, whichever of them is in use. Its certificate is issued by the certificate authority of the appliance. Failures, lockout and age hold for users and bind accounts alike, but the age for users alone.',
};
