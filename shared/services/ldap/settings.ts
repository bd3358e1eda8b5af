// Settings of the directory that vCenter and others look up users and groups in.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, hostName, listenInterfaces, port } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether the directory answers.'),
  hostname: hostName('Name under which clients reach it, such as ldap.lab.example; empty for none.'),
  listen_interfaces: listenInterfaces('Interfaces that it answers on, by name.'),
  ldaps_enabled: flag('LDAP over TLS from the first byte.'),
  ldaps_port: port('TCP port of LDAPS:'),
  ldap_enabled: flag('LDAP in the clear. Passwords travel readable unless the client asks for TLS.'),
  ldap_port: port('TCP port of LDAP in the clear:'),
};

export const ldapSettings: UnitSettings<typeof MEMBERS> = {
  key: 'ldap',
  unit: 'ldap',
  component: 'Ldap',
  tag: 'LDAP',
  name: 'the directory',
  resource: 'ldap',
  path: '/api/v1/ldap',
  page: pagePath('ldap'),
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
  },
  listens: 'required',
  faults: ({ enabled, ldaps_enabled, ldap_enabled, ldaps_port, ldap_port }) => [
    ...(enabled && !ldaps_enabled && !ldap_enabled
      ? [{ pointer: '/ldaps_enabled', detail: 'A directory that is on speaks LDAPS, LDAP or both.' }]
      : []),
    ...(ldaps_port === ldap_port ? [{ pointer: '/ldap_port', detail: 'LDAP and LDAPS cannot share a port.' }] : []),
  ],
  describes: 'While the directory is on, at least one protocol is. The two ports differ, whichever of them is in use.',
};
