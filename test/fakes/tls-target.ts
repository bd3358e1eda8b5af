// A machine that speaks TLS, or fails to in one of the ways that machines do: another certificate from some connection
// on, old versions only, no TLS at all, silence at each stage, resumed sessions, answers without end. It counts what
// arrives, so that a test can say that nothing did. `node test/fakes/tls-target.ts --port 8443 --behaviour tls`
import { execFileSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls, type SecureVersion, type TLSSocket } from 'node:tls';

export interface Certificate {
  key: string;
  cert: string;
  /** `AA:BB:…` of the DER. */
  sha256: string;
}

export interface CertificateOptions {
  /** As openssl takes it: `/O=Lab/CN=vc01.lab.example`. */
  subject?: string;
  /** subjectAltName: `DNS:vc01.lab.example,IP:192.0.2.10`. */
  names?: string;
  days?: number;
  /** What `-newkey` takes; an elliptic curve otherwise, which is made in no time. */
  key?: string;
}

/** A self-signed certificate with its key, made by openssl in a folder that is gone afterwards. */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { subject = '/O=Lab/CN=vc01.lab.example', names = 'DNS:vc01.lab.example,IP:127.0.0.1', days = 2 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = options.key ? ['-newkey', options.key] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const made = ['-nodes', '-keyout', key, '-out', cert, '-days', `${days}`, '-subj', subject];
    const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
    execFileSync('openssl', ['req', '-x509', ...kind, ...made, ...extension], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const text = readFileSync(cert, 'utf8');
    return { key: readFileSync(key, 'utf8'), cert: text, sha256: new X509Certificate(text).fingerprint256 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `refuse`: nobody listens; the others take the connection. */
export type Behaviour = 'tls' | 'plain' | 'ssh' | 'silent' | 'close' | 'reset' | 'garbage' | 'half-hello' | 'refuse';

export interface TlsTargetOptions {
  behaviour?: Behaviour;
  versions?: { min: SecureVersion; max: SecureVersion };
  /** Shown until `change_at`; made when not given. */
  certificate?: Certificate;
  /** Shown from then on. */
  next?: Certificate;
  /** The connection, counted from 1, that is the first to see the next certificate. */
  change_at?: number;
  /** Sessions of one certificate are resumed under another one, as behind a careless load balancer. */
  careless_tickets?: boolean;
  /** Answers requests; default: 200 with a short JSON. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
  /** After the handshake, instead of HTTP: the test writes what it wants. */
  raw?: (socket: TLSSocket) => void;
  host?: string;
  port?: number;
  /** Milliseconds that an idle connection is kept; default 5000. */
  keep_alive?: number;
}

export interface TlsTarget {
  host: string;
  port: number;
  /** Of the certificate that it shows at first. */
  sha256: string;
  readonly connections: number;
  /** Handshakes that were completed, and those of them that resumed a session. */
  readonly handshakes: number;
  readonly resumed: number;
  /** Decrypted bytes of all connections. */
  readonly application_bytes: number;
  /** The same on connections that showed the next certificate. */
  readonly bytes_after_change: number;
  /** `GET /path` of each request, in order. */
  readonly requests: string[];
  /** Server name of each handshake; empty: none was sent. */
  readonly server_names: string[];
  /** Connections that are open now. */
  readonly open: number;
  changeCertificate(): void;
  /** Cuts all connections. */
  cut(): void;
  stop(): Promise<void>;
}

const WITHOUT_TLS: Readonly<Record<Exclude<Behaviour, 'tls' | 'refuse'>, (socket: Socket) => void>> = {
  plain: (socket) => void socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')),
  ssh: (socket) => void socket.resume().write('SSH-2.0-OpenSSH_9.9\r\n'),
  silent: (socket) => void socket.resume(),
  close: (socket) => void socket.on('data', () => socket.end()),
  reset: (socket) => void socket.on('data', () => socket.resetAndDestroy()),
  garbage: (socket) => void socket.resume().write(Buffer.alloc(300, 0xff)),
  // A handshake record that announces 512 bytes of which eight follow.
  'half-hello': (socket) => void socket.resume().write(Buffer.from('1603030200020001fc0303dead', 'hex')),
};

/** OpenSSL speaks the old versions only at its lowest level. */
const ANY_CIPHER = 'DEFAULT:@SECLEVEL=0';

export async function startTlsTarget(options: TlsTargetOptions = {}): Promise<TlsTarget> {
  const { behaviour = 'tls', host = '127.0.0.1', port = 0, keep_alive = 5000 } = options;
  const first = options.certificate ?? makeCertificate();
  const next = options.next ?? (options.change_at === undefined ? null : makeCertificate());
  const seen = { connections: 0, handshakes: 0, resumed: 0, application_bytes: 0, bytes_after_change: 0 };
  const requests: string[] = [];
  const server_names: string[] = [];
  const sockets = new Set<Socket>();
  let changed = false;
  /** Ports of the clients that got the next certificate. */
  const shown_next = new Set<number | undefined>();
  let later: Certificate | null = next;

  const answered = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (options.answer) return options.answer(request, response);
    request.resume().on('end', () => response.end('{"ok":true}'));
  };
  const tls = () => {
    const { min, max } = options.versions ?? { min: 'TLSv1.2', max: 'TLSv1.3' };
    const ticketKeys = options.careless_tickets ? randomBytes(48) : undefined;
    const shared = { minVersion: min, maxVersion: max, ciphers: ANY_CIPHER, ...(ticketKeys && { ticketKeys }) };
    const secure = { ...shared, key: first.key, cert: first.cert };
    const server = options.raw ? createTls(secure, options.raw) : createHttps(secure, answered);
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = keep_alive;
    const change = () => {
      changed = true;
      later ??= makeCertificate();
      server.setSecureContext({ ...shared, key: later.key, cert: later.cert });
    };
    // Before the server's own listener, which takes the context for this connection.
    server.prependListener('connection', (socket: Socket) => {
      if (seen.connections + 1 === options.change_at) change();
      if (changed) shown_next.add(socket.remotePort);
    });
    // After the one that speaks HTTP, which takes the bytes from below until somebody else listens too.
    server.on('secureConnection', (socket: TLSSocket) => {
      const after = shown_next.has(socket.remotePort);
      seen.handshakes++;
      if (socket.isSessionReused()) seen.resumed++;
      server_names.push(socket.servername || '');
      socket.on('data', (data: Buffer) => {
        seen.application_bytes += data.length;
        if (after) seen.bytes_after_change += data.length;
      });
    });
    server.on('tlsClientError', () => undefined);
    server.on('clientError', (_error: Error, socket: Socket) => socket.destroy());
    return { server: server as Server, change };
  };

  const made = behaviour === 'tls' ? tls() : null;
  const server = made?.server ?? createServer();
  server.on('connection', (socket: Socket) => {
    seen.connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (behaviour !== 'tls' && behaviour !== 'refuse') WITHOUT_TLS[behaviour](socket);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  if (behaviour === 'refuse') await stop();
  const facts = { host, port: bound, sha256: first.sha256, requests, server_names, cut };
  return Object.defineProperties({ ...facts, changeCertificate: () => made?.change(), stop } as TlsTarget, {
    ...Object.fromEntries(
      Object.keys(seen).map((name) => [name, { get: () => seen[name as keyof typeof seen], enumerable: true }]),
    ),
    open: { get: () => sockets.size },
  });
}

/** `--port 8443 --behaviour silent --change-at 2`: prints what it is, and runs until it is ended. */
async function main(args: string[]): Promise<void> {
  const value = (name: string) => args[args.indexOf(`--${name}`) + 1] ?? '';
  const given = (name: string) => (args.includes(`--${name}`) ? value(name) : null);
  const target = await startTlsTarget({
    behaviour: (given('behaviour') ?? 'tls') as Behaviour,
    port: Number(given('port') ?? 0),
    ...(given('change-at') !== null && { change_at: Number(given('change-at')) }),
    ...(given('version') !== null && {
      versions: { min: given('version') as SecureVersion, max: given('version') as SecureVersion },
    }),
  });
  console.log(`https://${target.host}:${target.port} SHA-256 ${target.sha256}`);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
