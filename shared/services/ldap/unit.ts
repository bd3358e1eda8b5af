// The unit "LDAP": a directory of users and groups, served by slapd.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { type LdapDesired, load, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { ldapSettings } from './settings.ts';
import { words } from './words.ts';

export const ldapUnit: UnitDefinition<LdapDesired> = {
  id: 'ldap',
  load,
  facts,
  words,
  follows,
  certificate: wantedCertificate,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, certificate: remembered(desired.certificate) }),
  nothing: { settings: ldapSettings.defaults, listen: [], organizations: [], authority: null, certificate: null },
  probe: (host, desired) => probe(host, desired),
  drift,
  notAdopted:
    'Entries that were changed in slapd by hand can’t be adopted: the next apply of LDAP overwrites them, takes away those that nobody saved here, and adds those that are missing. Save here first what is to stay. Passwords that were set by hand are lost.',
};
