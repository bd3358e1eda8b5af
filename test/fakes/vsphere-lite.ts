// A vCenter or an ESX host that can be looked at and logged in to, and nothing else: its inventory is what a test says, in
// a process of its own it needs nothing, and it is there at once. What imports is test/fakes/vsphere.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Certificate, makeCertificate, startTlsTarget, type TlsTarget } from './tls-target.ts';
import {
  type Asked,
  answered,
  asked,
  escaped,
  type FrontAnswer,
  objectXml,
  ok,
  refXml,
  said,
  text,
} from './vsphere/wire.ts';

export interface LiteHost {
  id: string;
  name: string;
  connected?: boolean;
  maintenance?: boolean;
  /** Default: all of its data center. */
  datastores?: string[];
  networks?: string[];
}

export interface LiteCompute {
  id: string;
  name: string;
  /** Undefined: a single host. */
  cluster?: { drs: boolean };
  hosts: LiteHost[];
  /** Pools below its own: name by id, or a vApp. */
  pools?: { id: string; name: string; in?: string; vapp?: boolean }[];
}

export interface LiteDatacenter {
  id: string;
  name: string;
  compute: LiteCompute[];
  datastores: { id: string; name: string; free?: number; accessible?: boolean }[];
  networks: { id: string; name: string; uplink?: boolean }[];
  folders?: { id: string; name: string }[];
  machines?: string[];
}

export interface LiteOptions {
  kind?: 'vcenter' | 'esxi';
  account?: { username: string; password: string };
  datacenters?: LiteDatacenter[];
}

export interface VsphereLite extends Pick<TlsTarget, 'host' | 'port' | 'sha256' | 'changeCertificate' | 'stop'> {
  account: { username: string; password: string };
  /** Can be changed while it runs. */
  datacenters: LiteDatacenter[];
  /** `Login`, … of each call. */
  calls: string[];
  /** Milliseconds by which its clock is ahead. */
  ahead_ms: number;
}

const GIB = 2 ** 30;

export const LAB: LiteDatacenter = {
  id: 'datacenter-1',
  name: 'Site A',
  compute: [
    {
      id: 'domain-c1',
      name: 'management',
      cluster: { drs: true },
      hosts: [
        { id: 'host-1', name: 'esx01.lab.example' },
        { id: 'host-2', name: 'esx02.lab.example' },
      ],
    },
  ],
  datastores: [{ id: 'datastore-1', name: 'vsan-01' }],
  networks: [{ id: 'network-1', name: 'VM Network' }],
  machines: ['vc01'],
};

/** One of everything, as a new ESX host has it. */
export const LONE: LiteDatacenter = {
  id: 'ha-datacenter',
  name: 'ha-datacenter',
  compute: [{ id: 'ha-compute-res', name: 'esx09.lab.example', hosts: [{ id: 'ha-host', name: 'esx09.lab.example' }] }],
  datastores: [{ id: 'ds-1', name: 'datastore1' }],
  networks: [{ id: 'HaNetwork-VM Network', name: 'VM Network' }],
};

/** Making one takes longer than all the rest. */
let certificate: Certificate | undefined;

export async function startVsphereLite(options: LiteOptions = {}): Promise<VsphereLite> {
  const { kind = 'vcenter' } = options;
  certificate ??= makeCertificate({ subject: '/O=VMware/CN=vc01.lab.test', names: 'IP:127.0.0.1' });
  const username = kind === 'esxi' ? 'root' : 'administrator@vsphere.local';
  const lite = {
    account: options.account ?? { username, password: 'Lite-of-the-hypervisor-7!' },
    datacenters: options.datacenters ?? [kind === 'esxi' ? LONE : LAB],
    calls: [] as string[],
    ahead_ms: 0,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const call = asked(body);
    const loggedIn = request.headers.cookie?.includes('vmware_soap_session=') ?? false;
    const heard = call ? respond(lite, kind, call, loggedIn) : { status: 500, body: '' };
    lite.calls.push(call?.method ?? 'unreadable');
    if (heard.set_cookie) response.setHeader('set-cookie', heard.set_cookie);
    response.writeHead(heard.status, { 'content-type': 'text/xml; charset=utf-8' }).end(heard.body);
  };
  const target = await startTlsTarget({
    certificate,
    answer: (request, response) => void answer(request, response).catch(() => response.destroy()),
  });
  const { host, port, sha256 } = target;
  const stop = () => target.stop();
  return Object.assign(lite, { host, port, sha256, stop, changeCertificate: () => target.changeCertificate() });
}

type Lite = Pick<VsphereLite, 'account' | 'datacenters' | 'ahead_ms'>;

const SERVICES = {
  rootFolder: 'Folder',
  propertyCollector: 'PropertyCollector',
  viewManager: 'ViewManager',
  sessionManager: 'SessionManager',
  ovfManager: 'OvfManager',
} as const;
const VIEW = { type: 'ContainerView', id: 'view-1' };
const element = (name: string, content: string) => `<${name}>${escaped(content)}</${name}>`;

function respond(lite: Lite, kind: string, { method, call }: Asked, loggedIn: boolean): FrontAnswer {
  if (method === 'RetrieveServiceContent') return ok(answered(method, contentXml(kind)));
  if (method === 'CurrentTime') {
    const now = new Date(Date.now() + lite.ahead_ms).toISOString();
    return ok(answered(method, element('returnval', now)));
  }
  if (method === 'Login') {
    const { username, password } = lite.account;
    if (text(call.userName) !== username || text(call.password) !== password) {
      return said({
        type: 'InvalidLogin',
        message: 'Cannot complete login due to an incorrect user name or password.',
      });
    }
    const cookie = 'vmware_soap_session="lite-session"; Path=/; HttpOnly; Secure;';
    return { ...ok(answered(method, '<returnval><key>1</key></returnval>')), set_cookie: cookie };
  }
  if (!loggedIn) return said({ type: 'NotAuthenticated', message: 'The session is not authenticated.' });
  if (method === 'CreateContainerView') return ok(answered(method, refXml('returnval', VIEW)));
  if (method === 'RetrievePropertiesEx') {
    const objects = lite.datacenters.flatMap(objectsOf).join('');
    return ok(answered(method, `<returnval>${objects}</returnval>`));
  }
  return ok(answered(method, ''));
}

function contentXml(kind: string): string {
  const services = Object.entries(SERVICES).map(([name, type]) => refXml(name, { type, id: `${name}-id` }));
  const about = {
    name: kind === 'esxi' ? 'VMware ESXi' : 'VMware vCenter Server',
    ...{ vendor: 'VMware, Inc.', version: '8.0.3', build: '24022515' },
    apiType: kind === 'esxi' ? 'HostAgent' : 'VirtualCenter',
    instanceUuid: '11111111-2222-3333-4444-555555555555',
  };
  const facts = Object.entries(about).map(([name, value]) => element(name, value));
  const [root, ...rest] = services;
  return `<returnval>${root}${rest.slice(0, 2).join('')}<about>${facts.join('')}</about>${rest.slice(2).join('')}</returnval>`;
}

type Values = Record<string, string>;

const textValue = (value: string | number | boolean): string => element('val', String(value));
const refValue = (type: string, id: string): string => refXml('val', { type, id });
const refsValue = (type: string, ids: readonly string[]): string =>
  `<val>${ids.map((id) => refXml('ManagedObjectReference', { type, id })).join('')}</val>`;

/** Only what stands between the envelope's ends: several of them are one answer. */
const object = (type: string, id: string, values: Values): string =>
  /<objects>[\s\S]*<\/objects>/.exec(objectXml({ type, id }, values))![0];

function objectsOf(datacenter: LiteDatacenter): string[] {
  const { id: dc, name, compute, datastores, networks, folders = [], machines = [] } = datacenter;
  const [vms, hosts] = [`${dc}-vm`, `${dc}-host`];
  const inDatacenter = refValue('Datacenter', dc);
  const kinds = '<val><string>VirtualMachine</string></val>';
  const folder = (id: string, label: string, parent: string, holds: string | null) =>
    object('Folder', id, { name: textValue(label), parent, ...(holds && { childType: holds }) });
  return [
    object('Datacenter', dc, { name: textValue(name), vmFolder: refValue('Folder', vms) }),
    folder(vms, 'vm', inDatacenter, kinds),
    folder(hosts, 'host', inDatacenter, null),
    ...folders.map((one) => folder(one.id, one.name, refValue('Folder', vms), kinds)),
    ...compute.flatMap((one) => computeObjects(one, datacenter, hosts)),
    ...datastores.map(({ id, name: label, free = 900 * GIB, accessible = true }) =>
      object('Datastore', id, {
        ...{ name: textValue(label), parent: inDatacenter, 'summary.type': textValue('VMFS') },
        ...{ 'summary.capacity': textValue(1000 * GIB), 'summary.freeSpace': textValue(free) },
        'summary.accessible': textValue(accessible),
      }),
    ),
    ...networks.map(({ id, name: label, uplink = false }) =>
      object(uplink ? 'DistributedVirtualPortgroup' : 'Network', id, {
        ...{ name: textValue(label), parent: inDatacenter },
        ...(uplink && { tag: '<val><Tag><key>SYSTEM/DVS.UPLINKPG</key></Tag></val>' }),
      }),
    ),
    ...machines.map((label, at) =>
      object('VirtualMachine', `${dc}-vm-${at}`, { name: textValue(label), parent: refValue('Folder', vms) }),
    ),
  ];
}

function computeObjects({ id, name, cluster, hosts, pools = [] }: LiteCompute, whole: LiteDatacenter, folder: string) {
  const type = cluster ? 'ClusterComputeResource' : 'ComputeResource';
  const root = `${id}-pool`;
  const owner = refValue(type, id);
  const all = (list: readonly { id: string }[]) => list.map((one) => one.id);
  return [
    object(type, id, {
      ...{ name: textValue(name), parent: refValue('Folder', folder), host: refsValue('HostSystem', all(hosts)) },
      resourcePool: refValue('ResourcePool', root),
      ...(cluster && { 'configuration.drsConfig.enabled': textValue(cluster.drs) }),
    }),
    object('ResourcePool', root, { name: textValue('Resources'), parent: owner, owner }),
    ...pools.map((pool) =>
      object(pool.vapp ? 'VirtualApp' : 'ResourcePool', pool.id, {
        ...{ name: textValue(pool.name), parent: refValue('ResourcePool', pool.in ?? root), owner },
      }),
    ),
    ...hosts.map(({ id: host, name: label, connected = true, maintenance = false, datastores, networks }) =>
      object('HostSystem', host, {
        ...{ name: textValue(label), parent: owner },
        'runtime.connectionState': textValue(connected ? 'connected' : 'notResponding'),
        'runtime.inMaintenanceMode': textValue(maintenance),
        datastore: refsValue('Datastore', datastores ?? all(whole.datastores)),
        network: refsValue('Network', networks ?? all(whole.networks)),
        'summary.config.product.version': textValue('8.0.3'),
      }),
    ),
  ];
}
