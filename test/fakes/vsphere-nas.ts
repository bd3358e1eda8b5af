// A vCenter, or an ESX host, as far as its NFS datastores go (HostDatastoreSystem of the vSphere API), built from the published
// names and types: govmomi's simulator, which Debian packages, makes a NAS datastore of a local folder and knows no host name.
//
// Known: names of methods and of their members, and their order (govmomi's types: HostNasVolumeSpec); that a name that is taken is
// DuplicateName, and an export that the host has already AlreadyExists; that one that is in use is ResourceInUse.
// Not certain, and made one way here: that one datastore of several hosts is one object where name, server and path are the same.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Certificate, makeCertificate, startTlsTarget, type TlsTarget } from './tls-target.ts';
import {
  type Asked,
  answered,
  asked,
  escaped,
  type FrontAnswer,
  member,
  names,
  objectXml,
  ok,
  refXml,
  type SaidFault,
  said,
  text,
} from './vsphere/wire.ts';

export interface FakeMount {
  name: string;
  server: string;
  path: string;
  type: string;
}

export interface FakeNasHost {
  id: string;
  name: string;
  connected: boolean;
  mounts: FakeMount[];
  /** Answers each change in place of its own, until it is taken away. */
  fault: SaidFault | null;
}

export interface VsphereNas extends Pick<TlsTarget, 'host' | 'port' | 'sha256' | 'stop'> {
  account: { username: string; password: string };
  hosts: FakeNasHost[];
  calls: string[];
  /** Whole requests, for canaries. */
  bodies: string[];
}

const SERVICES = {
  propertyCollector: 'PropertyCollector',
  viewManager: 'ViewManager',
  sessionManager: 'SessionManager',
  ovfManager: 'OvfManager',
} as const;
const SPEC = [
  ...['remoteHost', 'remotePath', 'localPath', 'accessMode', 'type', 'userName', 'password', 'remoteHostNames'],
  'securityType',
];
const COOKIE = 'nas-session';
const element = (name: string, content: string) => `<${name}>${escaped(content)}</${name}>`;
const val = (content: string) => element('val', content);

/** Making one takes longer than all the rest. */
let certificate: Certificate | undefined;

export async function startVsphereNas(hostNames = ['esx01.lab.test', 'esx02.lab.test']): Promise<VsphereNas> {
  certificate ??= makeCertificate({ subject: '/O=VMware/CN=vc01.lab.test', names: 'IP:127.0.0.1' });
  const state = {
    account: { username: 'administrator@vsphere.local', password: 'Fake-of-the-datastores-7!' },
    hosts: hostNames.map((name, at): FakeNasHost => {
      return { id: `host-${at + 1}`, name, connected: true, mounts: [], fault: null };
    }),
    calls: [] as string[],
    bodies: [] as string[],
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    state.bodies.push(body);
    const call = asked(body);
    state.calls.push(call?.method ?? 'unreadable');
    const loggedIn = request.headers.cookie?.includes(COOKIE) ?? false;
    const { status, body: xml, set_cookie } = call ? respond(state, call, loggedIn) : { status: 500, body: '' };
    if (set_cookie) response.setHeader('set-cookie', set_cookie);
    response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(xml);
  };
  const { host, port, sha256, stop } = await startTlsTarget({
    certificate,
    answer: (request, response) => void answer(request, response).catch(() => response.destroy()),
  });
  return Object.assign(state, { host, port, sha256, stop });
}

type State = Pick<VsphereNas, 'account' | 'hosts'>;

function respond({ account, hosts }: State, { method, on, call }: Asked, loggedIn: boolean): FrontAnswer {
  if (method === 'RetrieveServiceContent') return ok(answered(method, CONTENT));
  if (method === 'Login') {
    const right = text(call.userName) === account.username && text(call.password) === account.password;
    if (!right) return said({ type: 'InvalidLogin', message: 'Cannot complete login.' });
    const set_cookie = `vmware_soap_session="${COOKIE}"; Path=/; HttpOnly; Secure;`;
    return { ...ok(answered(method, '<returnval><key>1</key></returnval>')), set_cookie };
  }
  if (!loggedIn) return said({ type: 'NotAuthenticated', message: 'The session is not authenticated.' });
  if (method === 'CreateContainerView')
    return ok(answered(method, refXml('returnval', { type: 'ContainerView', id: 'view-1' })));
  if (method === 'RetrievePropertiesEx') return ok(answered(method, `<returnval>${objects(hosts)}</returnval>`));
  const host = hosts.find(({ id }) => on.type === 'HostDatastoreSystem' && on.id === `datastoreSystem-${id}`);
  if (!host) return ok(answered(method, ''));
  if (host.fault) return said(host.fault);
  return method === 'CreateNasDatastore' ? created(host, call, hosts) : removed(host, call, hosts);
}

function created(host: FakeNasHost, call: Asked['call'], hosts: readonly FakeNasHost[]): FrontAnswer {
  const spec = member(call.spec);
  const places = names(spec).map((name) => SPEC.indexOf(name));
  if (places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0))) return { status: 500, body: '' };
  const [server, path] = [text(spec, 'remoteHost'), text(spec, 'remotePath')];
  const mount = { name: text(spec, 'localPath'), server, path, type: text(spec, 'type') };
  if (mount.type === 'NFS41' && text(spec, 'remoteHostNames') !== server)
    return said({ type: 'InvalidArgument', message: 'remoteHostNames is missing.' });
  if (host.mounts.some((one) => one.server === server && one.path === path))
    return said({ type: 'AlreadyExists', message: 'The specified key, name, or identifier already exists.' });
  if (host.mounts.some(({ name }) => name === mount.name))
    return said({ type: 'DuplicateName', message: `The name '${mount.name}' already exists.` });
  host.mounts.push(mount);
  return ok(answered('CreateNasDatastore', refXml('returnval', { type: 'Datastore', id: idOf(mount, hosts) })));
}

function removed(host: FakeNasHost, call: Asked['call'], hosts: readonly FakeNasHost[]): FrontAnswer {
  const at = host.mounts.findIndex((mount) => idOf(mount, hosts) === text(call.datastore));
  if (at < 0) return said({ type: 'ManagedObjectNotFound', message: 'No such datastore.' });
  host.mounts.splice(at, 1);
  return ok(answered('RemoveDatastore', ''));
}

const keyOf = ({ name, server, path }: FakeMount): string => JSON.stringify([name, server, path]);
const distinct = (hosts: readonly FakeNasHost[]): Map<string, FakeMount> =>
  new Map(hosts.flatMap(({ mounts }) => mounts.map((mount) => [keyOf(mount), mount])));
/** The same one for every host. */
const idOf = (mount: FakeMount, hosts: readonly FakeNasHost[]): string =>
  `datastore-${[...distinct(hosts).keys()].indexOf(keyOf(mount)) + 1}`;

const object = (type: string, id: string, values: Record<string, string>): string =>
  /<objects>[\s\S]*<\/objects>/.exec(objectXml({ type, id }, values))![0];

function objects(hosts: readonly FakeNasHost[]): string {
  const refs = ({ mounts }: FakeNasHost) =>
    mounts.map((mount) => refXml('ManagedObjectReference', { type: 'Datastore', id: idOf(mount, hosts) })).join('');
  return [
    ...hosts.map((host) =>
      object('HostSystem', host.id, {
        ...{ name: val(host.name), 'summary.config.product.version': val('8.0.3') },
        'runtime.connectionState': val(host.connected ? 'connected' : 'notResponding'),
        datastore: `<val>${refs(host)}</val>`,
        'configManager.datastoreSystem': refXml('val', {
          type: 'HostDatastoreSystem',
          id: `datastoreSystem-${host.id}`,
        }),
      }),
    ),
    ...[...distinct(hosts).values()].map((mount) =>
      object('Datastore', idOf(mount, hosts), { name: val(mount.name), info: infoXml(mount) }),
    ),
  ].join('');
}

const infoXml = ({ name, server, path, type }: FakeMount): string =>
  `<val xsi:type="NasDatastoreInfo">${element('name', name)}<nas>${element('type', type)}${element('name', name)}${element('remoteHost', server)}${element('remotePath', path)}</nas></val>`;

const CONTENT = (() => {
  const about = {
    ...{ name: 'VMware vCenter Server', vendor: 'VMware, Inc.', version: '8.0.3', build: '24022515' },
    ...{ apiType: 'VirtualCenter', instanceUuid: '11111111-2222-3333-4444-555555555555' },
  };
  const facts = Object.entries(about).map(([name, value]) => element(name, value));
  const services = Object.entries(SERVICES).map(([name, type]) => refXml(name, { type, id: type }));
  const root = refXml('rootFolder', { type: 'Folder', id: 'group-d1' });
  return `<returnval>${root}<about>${facts.join('')}</about>${services.join('')}</returnval>`;
})();
