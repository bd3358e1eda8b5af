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

/** An authority as somebody made it with OpenSSL: certificate and key. `above`: it is below that one. */
export function foreignAuthority(
  subject: string,
  {
    above,
    extensions = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign',
    key = P256,
    days = 3000,
  }: {
    above?: string;
    extensions?: string;
    key?: readonly string[];
    days?: number;
  } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-authority-'));
  try {
    const at = (name: string) => join(folder, name);
    const { csr, key_pem } = signingRequest({ subject, key });
    for (const [name, text] of Object.entries({ 'own.csr': csr, 'own.key': key_pem, 'above.pem': above ?? key_pem }))
      writeFileSync(at(name), text);
    writeFileSync(at('ext.cnf'), `${extensions}\nsubjectKeyIdentifier=hash\n`);
    const signer = above === undefined ? ['-key', at('own.key')] : ['-CA', at('above.pem'), '-CAkey', at('above.pem')];
    const args = ['x509', '-req', '-in', at('own.csr'), ...signer, '-days', String(days), '-extfile', at('ext.cnf')];
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' }) + key_pem;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Another one at each call: two of one serial number can't be kept. */
export const foreignRoot = (): string => foreignAuthority('/O=Elsewhere/CN=Root of the lab');
