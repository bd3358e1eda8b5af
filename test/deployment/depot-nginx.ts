// A real nginx beside the depot: the same tree, the same certificate, the same rules of access (vmware-protocols D2).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Nginx {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** Folder for configuration, logs and temporary files. */
  folder: string;
  store: string;
  cert_pem: string;
  key_pem: string;
  username: string;
  password: string;
  /** `listen` of nginx; a free port of 127.0.0.1 otherwise. */
  port?: number;
  /** One more, without TLS. */
  plain_port?: number;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** @throws Error with what nginx says */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { folder, store, cert_pem, key_pem, username, password } = options;
  mkdirSync(folder, { recursive: true });
  const port = options.port ?? (await freePort());
  const at = (name: string) => join(folder, name);
  writeFileSync(at('cert.pem'), cert_pem);
  writeFileSync(at('key.pem'), key_pem, { mode: 0o600 });
  const { stdout: hash } = spawnSync('openssl', ['passwd', '-apr1', password], { encoding: 'utf8' });
  writeFileSync(at('htpasswd'), `${username}:${hash.trim()}\n`);
  chmodSync(at('htpasswd'), 0o644);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${at(kind)};`,
  );
  const plain = options.plain_port === undefined ? '' : `listen 127.0.0.1:${options.plain_port};`;
  const login = `auth_basic "Offline depot"; auth_basic_user_file ${at('htpasswd')};`;
  writeFileSync(
    at('nginx.conf'),
    `daemon off; user root; worker_processes 1; pid ${at('nginx.pid')}; error_log ${at('error.log')};
events { worker_connections 2048; }
http { access_log off; sendfile on; tcp_nopush on; server_tokens off; default_type application/octet-stream;
  types { application/json json; text/xml xml; text/plain txt; application/zip zip; }
  ${temporary.join(' ')}
  server { listen 127.0.0.1:${port} ssl; ${plain}
    ssl_certificate ${at('cert.pem')}; ssl_certificate_key ${at('key.pem')};
    ssl_protocols TLSv1.2 TLSv1.3; ssl_conf_command Options KTLS; root ${store};
    location /PROD { ${login} }
    location /PROD/vsan/hcl { }
    location /umds-patch-store { }
    location = /products/v1/bundles/lastupdatedtime {
      default_type application/json; alias ${store}/PROD/vsan/hcl/lastupdatedtime.json; }
    location = /products/v1/bundles/all { default_type application/json; alias ${store}/PROD/vsan/hcl/all.json; } } }
`,
  );
  const child = spawn('nginx', ['-c', at('nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  for (let waited = 0; waited < 60_000 && child.exitCode === null; waited += 50) {
    if (await answers(port)) return { port, pid: workerOf(child), stop: () => ended(child) };
    await new Promise((done) => setTimeout(done, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`nginx does not answer: ${said}`);
}

/** The worker is who has the memory and does the work. */
function workerOf({ pid }: ChildProcess): number {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim().split(/\s+/)[0]) || pid!;
}

async function answers(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
