// A vCenter as far as its key providers go (CryptoManagerKmip of the vSphere API), which then is a KMIP client for real: it
// reads the certificate that a KMIP server shows, trusts the one that was uploaded and no other, makes a key of its own with
// a signing request, and connects with the certificate that it was given. govmomi's simulator has no key management in the
// release that Debian packages (0.24.2), so that this is built from the published names and types of the API.
//
// Known: names of methods and of their members, and their order (govmomi's types); that a provider is a cluster with servers;
// that the first one becomes the default; that a new signing request replaces the key.
// Not certain, and made one way here: the fault of a name that is taken (AlreadyExists); that a server which can't be reached
// answers RetrieveKmipServerCert with a fault (RuntimeFault); the texts of connectionStatus; that the key is RSA with 2048
// bits; that the request has a common name and no further names; that the certificate uploaded for a server is compared
// whole; that the default provider can be removed; that what a client does not have is an empty text.
// `node test/fakes/vcenter-kms.ts --port 8443` prints where it is and who may log in, and runs until it is ended.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type TLSSocket } from 'node:tls';
import { signingRequest } from '../setup/signing-request.ts';
import { type Certificate, makeCertificate, startTlsTarget, type TlsTarget } from './tls-target.ts';
import {
  type Asked,
  answered,
  asked,
  escaped,
  type FrontAnswer,
  member,
  type Node,
  names,
  objectXml,
  ok,
  refXml,
  type SaidFault,
  said,
  text,
} from './vsphere/wire.ts';

export interface FakeServer {
  name: string;
  address: string;
  port: number;
}

export interface FakeProvider {
  id: string;
  servers: FakeServer[];
  is_default: boolean;
  /** Of the server that it trusts; null: none was uploaded. */
  trusted_pem: string | null;
  /** Made with the last signing request. */
  key_pem: string | null;
  csr_pem: string | null;
  certificate_pem: string | null;
}

export interface VcenterKmsOptions {
  account?: { username: string; password: string };
  providers?: Pick<FakeProvider, 'id'>[];
  kind?: 'VirtualCenter' | 'HostAgent';
  port?: number;
}

export interface VcenterKms extends Pick<TlsTarget, 'host' | 'port' | 'sha256' | 'changeCertificate' | 'cut' | 'stop'> {
  account: { username: string; password: string };
  providers: FakeProvider[];
  /** `Login`, `RegisterKmipServer`, … of each call. */
  calls: string[];
  /** Whole requests, for canaries. */
  bodies: string[];
  /** Answers by method, each once, in place of its own. */
  faults: { method: string; answer: SaidFault }[];
  /** What it says that it sees of a KMIP server, in place of what it sees. */
  shows: string | null;
  /** Run before a method is answered. */
  before: { method: string; work: () => void | Promise<void> }[];
  /** Whoever is logged in has to log in again. */
  endSessions(): void;
  /** Messages of KMIP over TLS, as the client that it is. */
  kmip(id: string): Promise<TLSSocket>;
}

const MANAGER = { type: 'CryptoManagerKmip', id: 'CryptoManager' };
const SERVICES = {
  propertyCollector: 'PropertyCollector',
  viewManager: 'ViewManager',
  sessionManager: 'SessionManager',
  ovfManager: 'OvfManager',
} as const;
const element = (name: string, content: string | number | boolean) => `<${name}>${escaped(String(content))}</${name}>`;

/** Members in the order on which a vCenter insists. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  server: ['clusterId', 'info', 'password', 'name', 'address', 'port'],
  info: [
    'name',
    'address',
    'port',
    'proxyAddress',
    'proxyPort',
    'reconnect',
    'protocol',
    'nbio',
    'timeout',
    'userName',
  ],
  clusters: ['clusterId', 'servers', 'useAsDefault'],
  RegisterKmipServer: ['_this', 'server'],
  RemoveKmipServer: ['_this', 'clusterId', 'serverName'],
  RetrieveKmipServerCert: ['_this', 'keyProvider', 'server'],
  UploadKmipServerCert: ['_this', 'cluster', 'certificate'],
  UpdateKmsSignedCsrClientCert: ['_this', 'cluster', 'certificate'],
  MarkDefault: ['_this', 'clusterId'],
};

function inOrder(name: string, node: Node): boolean {
  if (typeof node !== 'object' || Array.isArray(node)) return true;
  const present = names(node);
  const places = present.map((each) => ORDER[name]?.indexOf(each) ?? 0);
  if (places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0))) return false;
  return present.every((each) => inOrder(each, node[each]!));
}

/** Making one takes longer than all the rest. */
let certificate: Certificate | undefined;

export async function startVcenterKms(options: VcenterKmsOptions = {}): Promise<VcenterKms> {
  certificate ??= makeCertificate({ subject: '/O=VMware/CN=vc01.lab.test', names: 'IP:127.0.0.1' });
  let session = 0;
  const none = {
    servers: [],
    is_default: false,
    trusted_pem: null,
    key_pem: null,
    csr_pem: null,
    certificate_pem: null,
  };
  const state = {
    account: options.account ?? { username: 'administrator@vsphere.local', password: 'Fake-of-the-vcenter-7!' },
    providers: (options.providers ?? []).map((one, at): FakeProvider => ({ ...none, is_default: at === 0, ...one })),
    calls: [] as string[],
    bodies: [] as string[],
    faults: [] as VcenterKms['faults'],
    before: [] as VcenterKms['before'],
    shows: null as string | null,
    endSessions: () => void session++,
    kmip: (id: string) => asClient(state.providers.find((one) => one.id === id)!),
  };
  const heard = async (request: IncomingMessage): Promise<FrontAnswer> => {
    let body = '';
    for await (const piece of request) body += String(piece);
    state.bodies.push(body);
    const call = asked(body);
    if (!call || !inOrder(call.method, call.call)) return { status: 500, body: '' };
    state.calls.push(call.method);
    const waits = state.before.findIndex(({ method }) => method === call.method);
    if (waits >= 0) await state.before.splice(waits, 1)[0]!.work();
    const fault = state.faults.findIndex(({ method }) => method === call.method);
    if (fault >= 0) return said(state.faults.splice(fault, 1)[0]!.answer);
    const cookie = `kms-session-${session}`;
    const loggedIn = request.headers.cookie?.includes(`vmware_soap_session="${cookie}"`) ?? false;
    return respond(state, { kind: options.kind ?? 'VirtualCenter', cookie, loggedIn }, call);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body, set_cookie } = await heard(request);
    if (set_cookie) response.setHeader('set-cookie', set_cookie);
    response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8' }).end(body);
  };
  const target = await startTlsTarget({
    certificate,
    port: options.port ?? 0,
    answer: (request, response) => void answer(request, response).catch(() => response.destroy()),
  });
  const { host, port, sha256, changeCertificate, cut, stop } = target;
  return Object.assign(state, { host, port, sha256, changeCertificate, cut, stop });
}

type State = Pick<VcenterKms, 'account' | 'providers' | 'shows'>;

async function respond(
  state: State,
  { kind, cookie, loggedIn }: { kind: string; cookie: string; loggedIn: boolean },
  { method, on, call }: Asked,
): Promise<FrontAnswer> {
  if (method === 'RetrieveServiceContent') return ok(answered(method, contentXml(kind)));
  if (method === 'Login') {
    const { username, password } = state.account;
    const right = text(call.userName) === username && text(call.password) === password;
    if (!right)
      return said({ type: 'InvalidLogin', message: 'Cannot complete login: incorrect user name or password.' });
    const set_cookie = `vmware_soap_session="${cookie}"; Path=/; HttpOnly; Secure;`;
    return { ...ok(answered(method, '<returnval><key>1</key></returnval>')), set_cookie };
  }
  if (!loggedIn) return said({ type: 'NotAuthenticated', message: 'The session is not authenticated.' });
  if (method === 'Logout') return ok(answered(method, ''));
  if (method === 'RetrievePropertiesEx') return ok(taskXml(text(member(call, 'specSet', 'objectSet', 'obj'))));
  if (on.type !== MANAGER.type) return said({ type: 'ManagedObjectNotFound', message: 'No such object.' });
  const work = METHODS[method];
  if (!work) return said({ type: 'MethodNotFound', message: `There is no ${method}.` });
  try {
    return ok(answered(method, await work(state, call)));
  } catch (error) {
    if (error instanceof Refusal) return said(error.fault);
    throw error;
  }
}

function contentXml(kind: string): string {
  const about = {
    name: kind === 'HostAgent' ? 'VMware ESXi' : 'VMware vCenter Server',
    ...{ vendor: 'VMware, Inc.', version: '8.0.3', build: '24022515', apiType: kind },
    instanceUuid: '11111111-2222-3333-4444-555555555555',
  };
  const facts = Object.entries(about).map(([name, value]) => element(name, value));
  const services = Object.entries(SERVICES).map(([name, type]) => refXml(name, { type, id: type }));
  const root = refXml('rootFolder', { type: 'Folder', id: 'group-d1' });
  return `<returnval>${root}<about>${facts.join('')}</about>${services.join('')}${refXml('cryptoManager', MANAGER)}</returnval>`;
}

class Refusal extends Error {
  readonly fault: SaidFault;
  constructor(fault: SaidFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const NO_CLUSTER = { type: 'RuntimeFault', message: 'The key provider does not exist.' };
function clusterIn({ providers }: State, node: Node | undefined): FakeProvider {
  const found = providers.find(({ id }) => id === text(node, 'id'));
  if (!found) throw new Refusal(NO_CLUSTER);
  return found;
}

const serverIn = (node: Node | undefined): FakeServer => ({
  name: text(node, 'name'),
  address: text(node, 'address'),
  port: Number(text(node, 'port')),
});

const METHODS: Readonly<Record<string, (state: State, call: Asked['call']) => string | Promise<string>>> = {
  ListKmipServers: ({ providers }) => providers.map((one) => `<returnval>${listed(one)}</returnval>`).join(''),
  RegisterKmipServer({ providers }, call) {
    const id = text(call.server, 'clusterId', 'id');
    const info = serverIn(member(call.server, 'info'));
    const known = providers.find((one) => one.id === id);
    if (known?.servers.some(({ name }) => name === info.name)) {
      throw new Refusal({ type: 'AlreadyExists', message: 'The specified key, name, or identifier already exists.' });
    }
    if (known) known.servers.push(info);
    else {
      const nothing = { trusted_pem: null, key_pem: null, csr_pem: null, certificate_pem: null };
      providers.push({ id, servers: [info], is_default: providers.length === 0, ...nothing });
    }
    return '';
  },
  RemoveKmipServer(state, call) {
    const found = clusterIn(state, call.clusterId);
    found.servers = found.servers.filter(({ name }) => name !== text(call.serverName));
    if (found.servers.length === 0) state.providers.splice(state.providers.indexOf(found), 1);
    return '';
  },
  async RetrieveKmipServerCert(state, call) {
    clusterIn(state, call.keyProvider);
    const pem =
      state.shows ??
      (await shownBy(serverIn(call.server)).catch((error: Error) => {
        throw new Refusal({ type: 'RuntimeFault', message: `Cannot connect: ${error.message}` });
      }));
    return `<returnval>${element('certificate', pem)}${element('clientTrustServer', false)}</returnval>`;
  },
  UploadKmipServerCert(state, call) {
    clusterIn(state, call.cluster).trusted_pem = text(call.certificate);
    return '';
  },
  GenerateClientCsr(state, call) {
    const found = clusterIn(state, call.cluster);
    const rsa = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];
    const { csr, key_pem } = signingRequest({ subject: '/O=VMware/CN=vCenter KMIP client', key: rsa });
    Object.assign(found, { key_pem, csr_pem: csr, certificate_pem: null });
    return element('returnval', csr);
  },
  UpdateKmsSignedCsrClientCert(state, call) {
    const found = clusterIn(state, call.cluster);
    const pem = text(call.certificate);
    if (!found.key_pem || !new X509Certificate(pem).checkPrivateKey(createPrivateKey(found.key_pem))) {
      throw new Refusal({ type: 'RuntimeFault', message: 'The certificate does not fit the last signing request.' });
    }
    found.certificate_pem = pem;
    return '';
  },
  RetrieveClientCert: (state, call) => element('returnval', clusterIn(state, call.cluster).certificate_pem ?? ''),
  RetrieveClientCsr: (state, call) => element('returnval', clusterIn(state, call.cluster).csr_pem ?? ''),
  MarkDefault(state, call) {
    const found = clusterIn(state, call.clusterId);
    for (const one of state.providers) one.is_default = one === found;
    return '';
  },
  async RetrieveKmipServersStatus_Task(state, call) {
    const found = clusterIn(state, member(call.clusters, 'clusterId'));
    finished = await statusXml(found);
    return refXml('returnval', { type: 'Task', id: 'task-1' });
  },
};

/** The result of the last task. */
let finished = '';
const taskXml = (id: string): string => {
  const info = `<val><key>${id}</key><state>success</state>${finished}</val>`;
  return objectXml({ type: 'Task', id }, { info });
};

const listed = ({ id, servers, is_default }: FakeProvider): string => {
  const all = servers.map(({ name, address, port }) => {
    return `<servers>${element('name', name)}${element('address', address)}${element('port', port)}</servers>`;
  });
  return `<clusterId>${element('id', id)}</clusterId>${all.join('')}${element('useAsDefault', is_default)}`;
};

async function statusXml(found: FakeProvider): Promise<string> {
  const servers = await Promise.all(
    found.servers.map(async ({ name }) => {
      const fault = await answers(found);
      const [status, words] = fault === null ? ['green', 'Connected'] : ['red', fault];
      const trusts = `${element('clientTrustServer', found.trusted_pem !== null)}${element('serverTrustClient', fault === null)}`;
      return `<servers>${element('name', name)}${element('status', status)}${element('connectionStatus', words)}${trusts}</servers>`;
    }),
  );
  const one = `<clusterId>${element('id', found.id)}</clusterId>${servers.join('')}`;
  return `<result xsi:type="ArrayOfCryptoManagerKmipClusterStatus"><CryptoManagerKmipClusterStatus>${one}</CryptoManagerKmipClusterStatus></result>`;
}

/** A structure or a value of KMIP's TTLV: tag, type, length, value, padded to eight bytes. */
function ttlv(tag: number, type: number, value: number | Buffer[]): Buffer {
  const content = typeof value === 'number' ? Buffer.alloc(8) : Buffer.concat(value);
  if (typeof value === 'number') content.writeUInt32BE(value);
  const head = Buffer.alloc(8);
  head.writeUIntBE(0x420000 + tag, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt32BE(typeof value === 'number' ? 4 : content.length, 4);
  return Buffer.concat([head, content]);
}

/** DiscoverVersions of KMIP 1.1, without a batch item id, as a vCenter begins. */
const DISCOVER = ttlv(0x78, 1, [
  ttlv(0x77, 1, [ttlv(0x69, 1, [ttlv(0x6a, 2, 1), ttlv(0x6b, 2, 1)]), ttlv(0x0d, 2, 1)]),
  ttlv(0x0f, 1, [ttlv(0x5c, 5, 0x1e), ttlv(0x79, 1, [])]),
]);

/** Null: the KMIP server answers it; else what is wrong, in words. */
async function answers(found: FakeProvider): Promise<string | null> {
  try {
    const socket = await asClient(found);
    socket.write(DISCOVER);
    const first = await new Promise<Buffer | null>((resolve) => {
      socket
        .once('data', resolve)
        .once('close', () => resolve(null))
        .once('error', () => resolve(null));
    });
    socket.destroy();
    return first && first.subarray(0, 3).toString('hex') === '42007b' ? null : 'The server ended the connection';
  } catch (error) {
    return (error as Error).message;
  }
}

function asClient({ servers, trusted_pem, key_pem, certificate_pem }: FakeProvider): Promise<TLSSocket> {
  const { address: host = '', port = 0 } = servers[0] ?? {};
  return new Promise((resolve, reject) => {
    const pair = key_pem && certificate_pem ? { key: key_pem, cert: certificate_pem } : {};
    const socket = connect({ host, port, ...pair, rejectUnauthorized: false, timeout: 5000 });
    socket.once('error', reject).once('timeout', () => socket.destroy(new Error('It did not answer in time')));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate()?.fingerprint256;
      if (trusted_pem && shown === new X509Certificate(trusted_pem).fingerprint256) return resolve(socket);
      socket.destroy();
      reject(new Error('The certificate of the server is not trusted'));
    });
  });
}

function shownBy({ address: host, port }: FakeServer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      const shown = socket.getPeerX509Certificate()?.toString() ?? '';
      socket.destroy();
      resolve(shown);
    });
    socket.once('error', reject);
  });
}

/** `--port 8443` */
async function main(args: string[]): Promise<void> {
  const at = args.indexOf('--port');
  const fake = await startVcenterKms({ port: at < 0 ? 0 : Number(args[at + 1]) });
  console.log(`https://${fake.host}:${fake.port} SHA-256 ${fake.sha256}`);
  console.log(`${fake.account.username} ${fake.account.password}`);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
