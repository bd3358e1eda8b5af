// What the search offers to do: from the words that were typed, for whoever may.
import { type Found, wordsOf } from '../../shared/appliance/overview/search.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { mayOpen } from '../layout/may-open.ts';

export interface Action {
  label: string;
  href: string;
  /** Words beside its label that lead to it. */
  also: string;
  /** Scope, where its page is there for readers as well. */
  needs?: string;
}

const add = (what: string, collection: Parameters<typeof pageRoute>[0], also = ''): Action => ({
  label: `Add ${what}`,
  href: `${pageRoute(collection)}/new`,
  also: `new create ${also}`,
});

export const ACTIONS: readonly Action[] = [
  { label: 'Review changes', href: pagePath('apply'), also: 'apply pending plan appliance' },
  add('a DNS record', 'dns-records', 'name host address'),
  add('a DNS zone', 'dns-zones', 'domain'),
  add('a DHCP scope', 'dhcp-scopes', 'subnet pool'),
  add('a DHCP reservation', 'dhcp-reservations', 'address mac'),
  add('a VLAN', 'vlans', 'interface'),
  add('a firewall rule', 'firewall-rules', 'filter'),
  add('a time source', 'ntp-sources', 'ntp server'),
  add('a certificate', 'certificates', 'tls issue'),
  add('a directory user', 'ldap-users', 'ldap person'),
  add('a directory group', 'ldap-groups', 'ldap'),
  add('an OIDC client', 'oidc-clients', 'sign-in'),
  add('a network boot host', 'boot-hosts', 'esx pxe'),
  add('a kickstart', 'kickstarts', 'esx pxe'),
  add('a datastore', 'datastores', 'nfs storage'),
  add('a vault', 'vaults', 'passwords'),
  add('a user', 'users', 'account'),
  { label: 'Add an API token', href: pagePath('api-tokens'), also: 'new create access', needs: 'write:tokens' },
  { label: 'Make an archive', href: `${pagePath('archives')}/new`, also: 'backup export' },
  { label: 'Import records', href: pagePath('dns'), also: 'dns csv zone file' },
];

type User = Parameters<typeof mayOpen>[0];

/** Each word of the text begins a word of the action. */
export function actionsFor(text: string, user: User, found: readonly Found[]): Action[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const fits = ({ label, also }: Action): boolean => {
    const said = ` ${label.toLowerCase()} ${also} `;
    return words.every((word) => said.includes(` ${word}`));
  };
  return [...inZones(words, found), ...ACTIONS.filter(fits)].filter(
    ({ href, needs }) => mayOpen(user, href) && (needs === undefined || user.scopes.includes(needs)),
  );
}

const VERBS: ReadonlySet<string> = new Set(['add', 'new', 'create']);
const SMALL: ReadonlySet<string> = new Set(['a', 'an', 'in', 'to', 'record', 'records', 'dns']);

/** What is looked for in names: `add record in lab.example` asks for `lab.example`. */
export function namesIn(text: string): string {
  const words = wordsOf(text);
  if (!words.some((word) => VERBS.has(word))) return text;
  return words.filter((word) => !VERBS.has(word) && !SMALL.has(word)).join(' ');
}

/** Once a verb and a part of a zone's name were typed. */
function inZones(words: readonly string[], found: readonly Found[]): Action[] {
  if (!words.some((word) => VERBS.has(word))) return [];
  return found
    .filter(({ kind }) => kind === 'zone')
    .slice(0, 3)
    .map(({ name }) => ({
      label: `Add record in ${name}`,
      href: `${pagePath('dns-records')}/new?${new URLSearchParams({ zone: name })}`,
      also: '',
    }));
}
