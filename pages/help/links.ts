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
  '/dhcp/reservations': 'services#leases',
  '/dns': 'services#dns',
  '/dns/zones/{zone_id}/import': 'services#import',
  '/factory-reset': 'operations#factory-reset',
  '/firewall': 'network#firewall',
  '/first-start': 'operations#first-start',
  '/health': 'operations#health',
  '/interfaces': 'network#interfaces',
  '/jobs': 'operations#jobs',
  '/kms': 'trust#kms',
  '/ldap': 'trust#ldap',
  '/logs': 'operations#log',
  '/management-tls': 'trust#management-tls',
  '/network-boot': 'network-boot#way',
  '/network-boot/hosts': 'network-boot#hosts',
  '/network-boot/kickstarts': 'network-boot#kickstarts',
  '/network-boot/media': 'network-boot#media',
  '/ntp': 'services#ntp',
  '/offline-depot': 'offline-depot#set-up',
  '/oidc': 'trust#oidc',
  '/refusal': 'start#overview',
  '/search': 'start#overview',
  '/settings': 'network#own-name',
  '/settings/public-pages': 'operations#public-pages',
  '/settings/remote': 'deployment#remote-machines',
  '/storage': 'services#storage',
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
