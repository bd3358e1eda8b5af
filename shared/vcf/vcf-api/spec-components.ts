// Where an Installer's specification has passwords: components with their users, names and kinds of login. Releases
// differ in their components; those that a document lacks are not found.

export type Node = Record<string, unknown>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Slot {
  username: string | ((node: Node) => string | null);
  /** As an SDDC Manager calls the same account, so that both give the same key. */
  type: 'SSH' | 'SSO' | 'API' | 'AUDIT';
  schemes: readonly ('https' | 'ssh')[];
  /** Names of this slot's addresses, where they are not the component's. */
  names?: (node: Node) => string[];
  /** Not there means not wanted, rather than generated. */
  optional?: boolean;
}

export interface Component {
  /** Path of the object that the slots are below; `[]` for each of a list. */
  at: string;
  type: string;
  /** Names or addresses under which it answers. */
  names: (node: Node) => string[];
  /** What the component is called, where that is not its first name. */
  node?: (node: Node) => string;
  /** By the path of the password below that object. */
  slots: Record<string, Slot>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const named =
  (...members: string[]) =>
  (node: Node): string[] =>
    members.map((member) => text(node[member])).filter((name) => name !== '');
const hostname = named('hostname');

const root: Slot = { username: 'root', type: 'SSH', schemes: ['ssh'] };
const web = (username: Slot['username'], type: Slot['type'] = 'API'): Slot => ({ username, type, schemes: ['https'] });

const DEFAULT_SSO_DOMAIN = 'vsphere.local';

function ssoUser(node: Node): string {
  const name = text(node.adminUserSsoUsername) || 'administrator';
  return name.includes('@') ? name : `${name}@${text(node.ssoDomain) || DEFAULT_SSO_DOMAIN}`;
}

/** Host names of a list of nodes. */
const hostnamesOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.flatMap((node: unknown) => (isNode(node) ? hostname(node) : [])) : [];

export const COMPONENTS: readonly Component[] = [
  {
    at: 'hostSpecs[]',
    type: 'ESXI',
    names: hostname,
    slots: {
      'credentials.password': {
        username: ({ credentials }) => (isNode(credentials) && text(credentials.username)) || null,
        type: 'SSH',
        schemes: ['https', 'ssh'],
      },
    },
  },
  {
    at: 'vcenterSpec',
    type: 'VCENTER',
    names: named('vcenterHostname', 'hostname'),
    slots: {
      rootVcenterPassword: root,
      adminUserSsoPassword: web(ssoUser, 'SSO'),
    },
  },
  {
    at: 'nsxtSpec',
    type: 'NSXT_MANAGER',
    names: named('vipFqdn'),
    node: (node) => text(node.vipFqdn),
    slots: {
      // Root logs in at each node, never at their shared address.
      rootNsxtManagerPassword: { ...root, names: ({ nsxtManagers }) => hostnamesOf(nsxtManagers) },
      nsxtAdminPassword: web('admin'),
      nsxtAuditPassword: { ...web('audit', 'AUDIT'), optional: true },
    },
  },
  {
    at: 'sddcManagerSpec',
    type: 'SDDC_MANAGER',
    names: hostname,
    slots: {
      rootPassword: root,
      sshPassword: { ...root, username: 'vcf' },
      localUserPassword: web('admin@local'),
    },
  },
  {
    at: 'vcfOperationsSpec',
    type: 'VCF_OPERATIONS',
    names: (node) => named('loadBalancerFqdn')(node).concat(hostnamesOf(node.nodes)).slice(0, 1),
    slots: { adminUserPassword: web('admin') },
  },
  { at: 'vcfOperationsSpec.nodes[]', type: 'VCF_OPERATIONS', names: hostname, slots: { rootUserPassword: root } },
  {
    at: 'vcfOperationsCollectorSpec',
    type: 'VCF_OPERATIONS_COLLECTOR',
    names: hostname,
    slots: { rootUserPassword: root },
  },
  {
    at: 'vcfOperationsFleetManagementSpec',
    type: 'VCF_FLEET_MANAGEMENT',
    names: hostname,
    slots: { rootUserPassword: root, adminUserPassword: web('admin@local') },
  },
  { at: 'vcfAutomationSpec', type: 'VCF_AUTOMATION', names: hostname, slots: { adminUserPassword: web('admin') } },
];

export const namesIn = (node: Node, component: Component, slot: Slot): string[] =>
  (slot.names ?? component.names)(node);
