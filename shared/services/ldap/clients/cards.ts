// What has to be typed into each client, value by value. Pure. No card has a password: it is set on the page of the account.
import { accountDn, groupsOf, peopleOf } from '../follow/wanted.ts';
import type { InForce } from './in-force.ts';

export interface Card {
  id: string;
  title: string;
  /** Where its form is, and what it does not accept. */
  intro: string;
  values: { label: string; value: string }[];
  /** A file of the client, whole. */
  file?: { label: string; text: string };
}

export interface CardWish {
  servers: InForce['servers'];
  organization: InForce['organizations'][number];
  /** Name of the bind account. */
  account: string;
}

/** Of values that are a file: that which the page of the root certificate hands out. */
export const ROOT = 'the root certificate';

const USERS = '(objectClass=inetOrgPerson)';
const GROUPS = '(objectClass=groupOfUniqueNames)';

const of = (pairs: Readonly<Record<string, string>>): Card['values'] =>
  Object.entries(pairs).map(([label, value]) => ({ label, value }));

function vcenter({ servers, organization, account }: CardWish): Card {
  const { suffix, domain, slug } = organization;
  return {
    id: 'vcenter',
    title: 'vCenter Single Sign-On',
    intro:
      'Administration, Single Sign On, Configuration, Identity Sources, Add: choose Open LDAP. Active Directory over LDAP asks for attributes of Active Directory, which this directory does not have.',
    values: of({
      'Identity source name': slug,
      'Base distinguished name for users': peopleOf(suffix),
      'Base distinguished name for groups': groupsOf(suffix),
      'Domain name': domain,
      'Domain alias': slug.toUpperCase(),
      Username: accountDn(account, suffix),
      'Primary server URL': servers[0]!.url,
      'Certificates (for LDAPS)': ROOT,
    }),
  };
}

function broker({ servers, organization, account }: CardWish): Card {
  const { suffix, domain } = organization;
  const [{ host, port }] = servers as [InForce['servers'][number]];
  return {
    id: 'identity-broker',
    title: 'VCF Identity Broker',
    intro: 'Identity provider of the kind OpenLDAP. It takes in those entries alone that have every mapped attribute.',
    values: of({
      'Directory name': domain,
      'Primary domain controller': host,
      Port: port,
      'Base DN': suffix,
      'Bind DN': accountDn(account, suffix),
      'Group base DN': groupsOf(suffix),
      'User base DN': peopleOf(suffix),
      'Search attribute of users': 'uid',
      'Filter of users': USERS,
      'Filter of groups': GROUPS,
      'Filter of the bind user': `(&(objectClass=organizationalRole)(cn=${account}))`,
      'Object UUID': 'entryUUID',
      Membership: 'memberOf',
      'userName, firstName, lastName': 'uid, givenName, sn',
      'email, phone': 'mail, telephoneNumber',
      'Root CA certificate (PEM)': ROOT,
    }),
  };
}

function nsx({ servers, organization, account }: CardWish): Card {
  const { suffix, domain, slug } = organization;
  const [{ host, port, scheme }] = servers as [InForce['servers'][number]];
  return {
    id: 'nsx',
    title: 'NSX',
    intro: 'System, User Management, Authentication Providers, LDAP, Add identity source.',
    values: of({
      Name: slug,
      'Domain name (FQDN)': domain,
      Type: 'OpenLDAP',
      'Base DN': suffix,
      'Hostname/IP': host,
      'LDAP protocol': scheme === 'ldaps' ? 'LDAPS' : 'LDAP with StartTLS',
      Port: port,
      'Bind identity': accountDn(account, suffix),
      Certificate: ROOT,
    }),
  };
}

function automation({ servers, organization, account }: CardWish): Card {
  const { suffix } = organization;
  const [{ host, port, scheme }] = servers as [InForce['servers'][number]];
  return {
    id: 'automation',
    title: 'VCF Automation',
    intro: 'LDAP of an organization, custom settings, type OpenLDAP. Trust the root certificate there first.',
    values: of({
      Server: host,
      Port: port,
      SSL: scheme === 'ldaps' ? 'on' : 'off',
      'Base distinguished name': peopleOf(suffix),
      'Group search base': groupsOf(suffix),
      'User name': accountDn(account, suffix),
      'User: object class, unique identifier, user name': 'inetOrgPerson, entryUUID, uid',
      'User: mail, display name, given name, surname, telephone': 'mail, displayName, givenName, sn, telephoneNumber',
      'User: group membership identifier, group back link': 'dn, memberOf',
      'User: service account (9.1)': 'employeeType',
      'Group: object class, unique identifier, name': 'groupOfUniqueNames, entryUUID, cn',
      'Group: membership, membership identifier, back link': 'uniqueMember, dn, entryDN',
    }),
  };
}

function sssd({ servers, organization, account }: CardWish): Card {
  const { suffix, slug } = organization;
  const [{ url, scheme }] = servers as [InForce['servers'][number]];
  const text = `[sssd]
services = nss, pam
domains = ${slug}

[domain/${slug}]
id_provider = proxy
proxy_lib_name = files
auth_provider = ldap
ldap_uri = ${url}
${scheme === 'ldap' ? 'ldap_id_use_start_tls = true\n' : ''}ldap_tls_reqcert = demand
ldap_tls_cacert = /etc/sssd/directory-root.pem
ldap_search_base = ${suffix}
ldap_user_search_base = ${peopleOf(suffix)}
ldap_default_bind_dn = ${accountDn(account, suffix)}
ldap_default_authtok = PASSWORD OF ${account}
ldap_user_object_class = inetOrgPerson
ldap_user_name = uid
ldap_user_uuid = entryUUID
`;
  return {
    id: 'sssd',
    title: 'Linux with SSSD',
    intro:
      'The directory has no uidNumber and gidNumber: accounts are local ones of the machine (useradd), and their passwords are checked here. Save the root certificate beside the file.',
    values: [],
    file: { label: '/etc/sssd/sssd.conf, mode 0600', text },
  };
}

/** None while it listens nowhere. */
export const cardsFor = (wish: CardWish): Card[] =>
  wish.servers.length === 0 ? [] : [vcenter, broker, nsx, automation, sssd].map((card) => card(wish));
