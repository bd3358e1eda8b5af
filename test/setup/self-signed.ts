// A certificate that a machine made itself, as vCenter does, without any extended usage: with OpenSSL.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `more`: further arguments of `openssl req`, such as `-not_after`. */
export function selfSigned(
  name: string,
  more: readonly string[] = ['-days', '30'],
): { certificate: string; private_key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-self-'));
  try {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', [...kind, ...more, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    return { certificate: readFileSync(cert, 'utf8'), private_key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
