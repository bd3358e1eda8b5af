// A vCenter or an ESXi host that can't be run here: govmomi's simulator with, before it, what that leaves out. In process
// for tests, or by itself:
//   node test/fakes/vsphere.ts --mode vc --port 9443
// It prints where it listens, the SHA-256 of its certificate and one line for each upload and import, never a credential:
// the account is administrator@vsphere.local (root on a host) with the password from FAKE_PASSWORD, or the one below.
//
// Taken from documents and public source, and never seen on a real one: that Complete refuses while files are missing
// (InvalidState), that a file of another size than the OVF says ends the lease with SystemError, that an aborted lease has
// the error RequestCanceled, that a machine under a lease answers changes with TaskInProgress, that GetManifest gives a
// SHA-256 beside the SHA-1, status 200 after every upload, that free ESXi refuses every change with RestrictedVersion, and
// how soon a guest's address shows.
// Whether another session reaches the lease of one that is over is not known: ids of leases name a session, so that it may
// well not (`lease_sessions: 'own'`); here it does unless told otherwise, and the end of the session doesn't end the lease.

import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseArgs } from 'node:util';
import { type Certificate, makeCertificate } from './tls-target.ts';
import { type Behind, behind } from './vsphere/behind.ts';
import { type Front, type FrontRules, front } from './vsphere/front.ts';
import { type LeaseRules, type Leases, leases, type SeenLease, type SeenUpload, TIMED_OUT } from './vsphere/leases.ts';
import { startSimulator } from './vsphere/simulator.ts';
import { type UploadRules, uploads } from './vsphere/uploads.ts';
import { escaped, listOf, type NodeObject, refOf, refXml, text } from './vsphere/wire.ts';

/** Can be changed while it runs. */
export interface VsphereBehaviour extends FrontRules, LeaseRules, UploadRules {
  /**
   * `host`: URLs name the host of the machine, with a certificate of its own. `star`: `*` stands for the connection of the
   * client. `same`: URLs name the address and port of the API.
   */
  uploads_at: 'host' | 'star' | 'same';
  /** What the lease says of the certificate there; `wrong`: that of another machine. */
  thumbprint: 'sha1' | 'sha256' | 'none' | 'wrong';
  certificate_in_lease: boolean;
}

export interface VsphereOptions extends Partial<VsphereBehaviour> {
  mode: 'vc' | 'esx';
  port?: number;
  host?: string;
  /** Addresses of its hosts, where uploads go: each of this machine. */
  hosts?: string[];
  version?: string;
  /** Virtual machines in each pool. */
  machines?: number;
  datacenters?: number;
  /** Whether the inventory knows the thumbprints of its hosts. */
  hosts_with_thumbprint?: boolean;
}

export interface Vsphere {
  mode: 'vc' | 'esx';
  host: string;
  port: number;
  /** Of the certificate that the API shows now. */
  readonly sha256: string;
  account: { username: string; password: string };
  behaviour: VsphereBehaviour;
  uploads: SeenUpload[];
  leases: SeenLease[];
  calls: Front['calls'];
  imports: Front['imports'];
  /** Calls of HttpNfcLeaseProgress, of all leases. */
  readonly progress: { lease: string; percent: number; at: number }[];
  /** Names of the virtual machines that exist. */
  machines(): Promise<string[]>;
  /** A new machine, by copying one. */
  addMachine(name: string): Promise<void>;
  /** A value of its advanced settings, the last one of that key. */
  extraConfig(name: string, key: string): Promise<string | null>;
  /** The certificate that new connections see from now on; open ones are cut with `drop`. Answers its SHA-256. */
  changeCertificate(of?: 'api' | 'uploads', drop?: boolean): string;
  /** As when nobody told progress in time. */
  expireLease(id?: string): Promise<void>;
  /** As after a restart of the server: nobody knows them, and what they had created stays. */
  forgetLeases(): void;
  /** As after their idle time. */
  endSessions(): void;
  sessions(): string[];
  /** Everything that must not appear anywhere. */
  secrets(): string[];
  behind: Behind;
  stop(): Promise<void>;
}

const PASSWORD = 'VMware1!VMware1!-vsphere';

/** Every one of a process begins with the same certificates: making them takes longer than the rest of a start. */
let made: { api: Certificate; uploads: Certificate } | undefined;

const DEFAULTS: Omit<VsphereBehaviour, 'account' | 'uploads_at'> = {
  ...{ clock_skew_ms: 0, idle_ms: 30 * 60_000, page_size: null, power_on_ms: 0, boot: null, delay_ms: 0, free: false },
  ...{
    initializing_ms: 0,
    initializing_until: null,
    lease_timeout: 300,
    lease_error: null,
    lease_sessions: 'any',
    thumbprint: 'sha1',
    certificate_in_lease: false,
  },
  ...{ upload_break: null, upload_status: null, upload_rate: null, faults: [] },
};

export async function startVsphere(options: VsphereOptions): Promise<Vsphere> {
  const { mode, host = '127.0.0.1', port = 0, version = '8.0.3', machines = 2, datacenters = 1 } = options;
  const esx = mode === 'esx';
  const hosts = options.hosts ?? (esx ? [host] : ['127.0.0.11', '127.0.0.12', '127.0.0.13', '127.0.0.14']);
  const username = esx ? 'root' : 'administrator@vsphere.local';
  const behaviour: VsphereBehaviour = {
    ...DEFAULTS,
    faults: [],
    account: { username, password: PASSWORD },
    uploads_at: esx ? 'star' : 'host',
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  };
  made ??= {
    api: makeCertificate({ subject: '/O=VMware/CN=vc01.lab.test', names: 'DNS:vc01.lab.test,IP:127.0.0.1' }),
    uploads: makeCertificate({ subject: '/O=VMware/CN=esx01.lab.test', names: 'DNS:esx01.lab.test' }),
  };
  const certificates = { ...made };
  const seen: SeenUpload[] = [];
  const taking = uploads(behaviour, seen, () => kept);
  const sockets = { api: new Set<Duplex>(), uploads: new Set<Duplex>() };
  const servers = { api: [] as Server[], uploads: [] as Server[] };

  const listen = async (kind: 'api' | 'uploads', address: string, at: number, handler: Handler): Promise<number> => {
    const { key, cert } = certificates[kind];
    const server = createServer({ key, cert, minVersion: 'TLSv1.2' }, handler);
    server.on('connection', (socket) => {
      sockets[kind].add(socket);
      socket.on('error', () => undefined).on('close', () => sockets[kind].delete(socket));
    });
    server.on('tlsClientError', () => undefined);
    server.requestTimeout = 0;
    servers[kind].push(server);
    server.listen(at, address);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const upload_hosts = hosts.filter((each) => each !== host);
  let upload_port = 0;
  for (const address of upload_hosts) upload_port = await listen('uploads', address, upload_port, taking.take);
  const api_port = await listen('api', host, port, (request, response) => {
    if (request.url?.startsWith('/nfc/')) return taking.take(request, response);
    void serve(request, response).catch(() => request.socket.destroy());
  });

  const simulator = await startSimulator({
    ...{ mode, account: behaviour.account },
    flags: {
      ...{ version, hosts: hosts.join(','), port: `${upload_port || api_port}` },
      ...{ machines: `${machines}`, datacenters: `${datacenters}` },
      ...(options.hosts_with_thumbprint && { thumbprint: digestOf(certificates[esx ? 'api' : 'uploads'], 'sha1') }),
    },
  });
  const back = await behind(simulator.origin, esx, behaviour.account);
  const kept: Leases = leases(behaviour, seen, { remove: (machine) => back.destroy(machine), cut: taking.cut });
  const sdk = front({
    ...{ esx, rules: behaviour, behind: back, leases: kept },
    place(name) {
      const { uploads_at, thumbprint, certificate_in_lease } = behaviour;
      const shown = certificates[uploads_at === 'host' && !esx ? 'uploads' : 'api'];
      const authority = { host: `${name}:${upload_port || api_port}`, star: '*', same: `${host}:${api_port}` }[
        uploads_at
      ];
      return {
        authority: `https://${authority}`,
        thumbprint:
          { ...{ none: '', wrong: 'AB:'.repeat(19).concat('CD') } }[thumbprint as string] ??
          digestOf(shown, thumbprint),
        certificate: certificate_in_lease ? shown.cert : null,
      };
    },
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    if (request.method !== 'POST' || request.url !== '/sdk') return void response.writeHead(404).end();
    const { cookie, soapaction } = request.headers;
    const body = Buffer.concat(pieces).toString('utf8');
    const answer = await sdk.answer({ body, cookie, version: String(soapaction ?? '') });
    if (!answer) return void request.socket.destroy();
    response.writeHead(answer.status, {
      'content-type': answer.body.startsWith('<!') ? 'text/html' : 'text/xml; charset=utf-8',
      ...(answer.set_cookie && { 'set-cookie': answer.set_cookie }),
    });
    response.end(answer.body);
  }

  const named = async (name: string) => (await back.all('VirtualMachine')).find((each) => each.name === name);
  return {
    ...{
      mode,
      host,
      port: api_port,
      account: behaviour.account,
      behaviour,
      uploads: seen,
      leases: kept.all,
      behind: back,
    },
    get sha256() {
      return certificates.api.sha256;
    },
    ...{ calls: sdk.calls, imports: sdk.imports, sessions: sdk.sessions, endSessions: sdk.endSessions },
    get progress() {
      return kept.all.flatMap(({ id, progress }) => progress.map((each) => ({ lease: id, ...each })));
    },
    machines: async () => (await back.all('VirtualMachine')).map(({ name }) => name).sort(),
    async addMachine(name) {
      const [like] = await back.all('VirtualMachine');
      const folder = refOf((await back.properties(like!.ref, ['parent'])).get('parent'));
      const spec = `${refXml('folder', folder)}<name>${escaped(name)}</name><spec><location/><template>false</template><powerOn>false</powerOn></spec>`;
      await back.call('CloneVM_Task', like!.ref, spec);
    },
    async extraConfig(name, key) {
      const machine = await named(name);
      if (!machine) return null;
      const options = (await back.properties(machine.ref, ['config.extraConfig'])).get('config.extraConfig');
      const found = listOf((options as NodeObject | undefined)?.OptionValue).filter(
        (each) => text(each, 'key') === key,
      );
      return found.length === 0 ? null : text(found.at(-1), 'value');
    },
    changeCertificate(of = 'api', drop = false) {
      const names = 'DNS:vc01.lab.test,DNS:esx01.lab.test,IP:127.0.0.1';
      certificates[of] = makeCertificate({ subject: `/O=VMware/CN=${of}.lab.test`, names });
      const { key, cert } = certificates[of];
      for (const server of servers[of]) server.setSecureContext({ key, cert, minVersion: 'TLSv1.2' });
      if (drop) for (const socket of sockets[of]) socket.destroy();
      return certificates[of].sha256;
    },
    async expireLease(id) {
      const lease = id === undefined ? kept.all.at(-1) : kept.get(id, null);
      if (lease) await kept.fail(lease, TIMED_OUT);
    },
    forgetLeases: kept.forget,
    secrets: () => [behaviour.account.password, ...kept.all.map(({ ticket }) => ticket), ...sdk.sessions()],
    async stop() {
      kept.stop();
      const all = [...servers.api, ...servers.uploads];
      const closed = all.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const socket of [...sockets.api, ...sockets.uploads]) socket.destroy();
      await Promise.all([...closed, simulator.stop()]);
    },
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** As vSphere writes it: pairs of digits with colons. */
const digestOf = ({ cert }: Certificate, algorithm: string): string => {
  const { raw } = new X509Certificate(cert);
  return createHash(algorithm).update(raw).digest('hex').toUpperCase().match(/../g)!.join(':');
};

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      mode: { type: 'string', default: 'vc' },
      port: { type: 'string', default: '0' },
      version: { type: 'string' },
    },
  });
  const username = values.mode === 'esx' ? 'root' : 'administrator@vsphere.local';
  const fake = await startVsphere({
    mode: values.mode === 'esx' ? 'esx' : 'vc',
    port: Number(values.port),
    ...(values.version !== undefined && { version: values.version }),
    account: { username, password: process.env.FAKE_PASSWORD ?? PASSWORD },
  });
  console.log(`https://${fake.host}:${fake.port} ${username} SHA-256 ${fake.sha256}`);
  let [imports, sent] = [0, 0];
  setInterval(() => {
    for (const { name } of fake.imports.slice(imports)) console.log(`import ${name}`);
    for (const { file, bytes } of fake.uploads.slice(sent)) console.log(`upload ${file} ${bytes} bytes so far`);
    [imports, sent] = [fake.imports.length, fake.uploads.length];
  }, 1000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void fake.stop().then(() => process.exit(0)));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
