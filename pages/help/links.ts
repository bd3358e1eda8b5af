// Where the help is, and which paragraph belongs to a page: that of the longest beginning of its path. Names only, so that
// no page carries the texts of the help.
import { pagePath } from '../../shared/ground/page-paths.ts';

const ROOT = pagePath('overview');
export const HELP_PATH = pagePath('help');

/** `vaults#key` is a paragraph of a subject. */
export const helpHref = (place: string): string => `${HELP_PATH}/${place}`;

/** Path of pages below /ui/management → subject and paragraph. */
export const HELP_OF: Readonly<Record<string, string>> = {
  '/account': 'access#account',
  '/account/second-factors': 'access#second-factors',
  '/alerts': 'operations#alerts',
  '/alert-receivers': 'operations#alert-receivers',
  '/alert-rules': 'operations#alerts',
  '/api-tokens': 'access#tokens',
  '/appliance-apply': 'apply#review',
  '/appliance-apply/drift': 'apply#drift',
  '/appliance-apply/{plan_id}/restore': 'apply#restore',
  '/archives': 'operations#archives',
  '/archives/schedule': 'operations#archive-schedule',
  '/archives/schedule/targets': 'operations#archive-schedule',
  '/audit-log': 'operations#audit-log',
  '/certificate-authority': 'trust#certificate-authority',
  '/certificate-authority/certificates': 'trust#certificates',
  '/certificate-authority/profiles': 'trust#certificate-requests',
  '/certificate-authority/requests': 'trust#certificate-requests',
  '/certificate-authority/root/export': 'trust#roots',
  '/certificate-authority/root/import': 'trust#roots',
  '/certificate-authority/root/next': 'trust#roots',
  '/dhcp': 'services#dhcp',
  '/dhcp/leases': 'services#leases',
  '/dhcp/options/import': 'files#file',
  '/dhcp/reservations': 'services#leases',
  '/dhcp/reservations/import': 'files#file',
  '/dhcp/scopes/import': 'files#file',
  '/dns': 'services#dns',
  '/dns/zones/import': 'files#file',
  '/dns/zones/{zone_id}/import': 'services#import',
  '/factory-reset': 'operations#factory-reset',
  '/firewall': 'network#firewall',
  '/firewall/rules/import': 'files#file',
  '/first-start': 'operations#first-start',
  '/health': 'operations#health',
  '/interfaces': 'network#interfaces',
  '/import/interfaces': 'files#file',
  '/jobs': 'operations#jobs',
  '/kms': 'trust#kms',
  '/ldap': 'trust#ldap',
  '/ldap/bind-accounts/import': 'files#file',
  '/ldap/groups/import': 'files#file',
  '/ldap/organizations/import': 'files#file',
  '/ldap/users/import': 'files#file',
  '/logs': 'operations#log',
  '/management-tls': 'trust#management-tls',
  '/network-boot': 'network-boot#way',
  '/network-boot/hosts': 'network-boot#hosts',
  '/network-boot/hosts/import': 'files#file',
  '/network-boot/kickstarts': 'network-boot#kickstarts',
  '/network-boot/media': 'network-boot#media',
  '/ntp': 'services#ntp',
  '/ntp/sources/import': 'files#file',
  '/offline-depot': 'offline-depot#set-up',
  '/oidc': 'trust#oidc',
  '/refusal': 'start#overview',
  '/search': 'start#overview',
  '/settings': 'network#own-name',
  '/settings/public-pages': 'operations#public-pages',
  '/settings/remote': 'deployment#remote-machines',
  '/storage': 'services#storage',
  '/storage/datastores/import': 'files#file',
  '/users': 'access#users',
  '/vaults': 'vaults#values',
  '/vaults/import': 'vaults#import',
  '/vaults/key': 'vaults#key',
  '/vaults/key/rotate': 'vaults#rotate',
  '/vcf-helper': 'deployment#names',
  '/vcf-helper/certificate-trust': 'deployment#trust',
  '/vcf-helper/offline-depot': 'deployment#depot',
  '/vcf-helper/sddc-manager': 'deployment#sddc-manager',
  '/vlans': 'network#vlans',
  '/vlans/import': 'files#file',
  '/web-terminal': 'operations#web-terminal',
};

/** `path`: the template of a page. Null: no paragraph belongs to it. */
export function helpOf(path: string): string | null {
  if (path === ROOT) return helpHref('start#overview');
  if (path === HELP_PATH || path.startsWith(`${HELP_PATH}/`)) return HELP_PATH;
  const parts = path.split('/');
  for (let length = parts.length; length > 0; length--) {
    const place = HELP_OF[parts.slice(0, length).join('/').slice(ROOT.length)];
    if (place !== undefined) return helpHref(place);
  }
  return null;
}
