// The unit "LDAP": a directory of users and groups, served by slapd.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { adoptRows } from './adopt/rows.ts';
import { check } from './check.ts';
import { type LdapDesired, load, wantedCertificate } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { leftTrees } from './follow/left.ts';
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
  activatesByPaths: true,
  // What the trees hold is in the file of entries.
  remember: (desired) => ({ ...desired, organizations: [], certificate: remembered(desired.certificate) }),
  nothing: { settings: ldapSettings.defaults, listen: [], organizations: [], authority: null, certificate: null },
  probe: (host, desired) => probe(host, desired),
  drift,
  forgets: (host) => leftTrees(host).clear(),
  adoptRows,
  notAdopted:
    'Values of users, members of groups, users and groups that were added, and values of the password policy and of the configuration that are settings here can be kept as they are in slapd. All else that was changed there is overwritten by the next apply of LDAP: it takes away entries that nobody saved here, adds those that are missing, and brings back the saved passwords, since no password is taken over.',
};
