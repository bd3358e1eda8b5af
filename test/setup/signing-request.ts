// Certificate signing requests as other machines make them: with OpenSSL, which makes the key as well.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RequestWanted {
  /** `/C=DE/O=Other/CN=vc01.lab.example` */
  subject: string;
  /** `DNS:vc01.lab.example,IP:10.10.0.9`; empty for none. */
  names?: string;
  /** Lines of an extension section beside the names. */
  extensions?: readonly string[];
  /** Arguments of `openssl genpkey`. */
  key?: readonly string[];
  /** `sha256` */
  digest?: string;
}

const P256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

export function signingRequest(wanted: RequestWanted): { csr: string; key_pem: string } {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-csr-'));
  try {
    const [key, request, config] = ['key.pem', 'request.pem', 'request.cnf'].map((name) => join(folder, name));
    execFileSync('openssl', ['genpkey', ...(wanted.key ?? P256), '-out', key!], { stdio: 'pipe' });
    const extensions = [...(wanted.names ? [`subjectAltName=${wanted.names}`] : []), ...(wanted.extensions ?? [])];
    writeFileSync(config!, `[req]\ndistinguished_name=dn\n[dn]\n[ext]\n${extensions.join('\n')}\n`);
    const more = extensions.length > 0 ? ['-reqexts', 'ext'] : [];
    const digest = `-${wanted.digest ?? 'sha256'}`;
    execFileSync(
      'openssl',
      ['req', '-new', '-key', key!, '-subj', wanted.subject, digest, '-config', config!, ...more, '-out', request!],
      { stdio: 'pipe' },
    );
    return { csr: readFileSync(request!, 'utf8'), key_pem: readFileSync(key!, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Made once for tests that need any request: `host.lab.example` and 10.10.0.9. */
let plain: { csr: string; key_pem: string } | undefined;
export function plainRequest(): { csr: string; key_pem: string } {
  plain ??= signingRequest({ subject: '/CN=host.lab.example', names: 'DNS:host.lab.example,IP:10.10.0.9' });
  return plain;
}
