// Signatures of manifests, made by openssl as a vendor makes them: a signer of its own root, and some that sign for
// themselves. Nothing of it stays on the disk.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `leaf` is issued by `middle`, and that by `root`. */
const NAMES = ['root', 'middle', 'leaf', 'alone', 'curve'] as const;
type Name = (typeof NAMES)[number];

/** Certificates as PEM. */
export interface Signers extends Record<Name, string> {
  /** Signs the bytes: hexadecimal, as the first line of a .cert has it. */
  sign(by: Name, bytes: Buffer | string, algorithm?: string): string;
}

const RSA = ['-newkey', 'rsa:2048'];
const by = (issuer: Name): string[] => ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
const KINDS: Record<Name, string[]> = {
  root: RSA,
  middle: [...RSA, ...by('root')],
  leaf: [...RSA, ...by('middle'), '-addext', 'basicConstraints=critical,CA:FALSE'],
  alone: RSA,
  curve: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
};

let made: Signers | null = null;

/** Made once for all tests of a file. */
export function signers(): Signers {
  made ??= inFolder((openssl, folder) => {
    for (const name of NAMES) {
      const out = ['-nodes', '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '30'];
      openssl(['req', '-x509', ...KINDS[name], ...out, '-subj', `/C=US/O=Vendor/CN=${name}`]);
    }
    const read = (kind: string) => NAMES.map((name) => [name, readFileSync(join(folder, `${name}.${kind}`), 'utf8')]);
    const keys = Object.fromEntries(read('key')) as Record<Name, string>;
    return {
      ...(Object.fromEntries(read('pem')) as Record<Name, string>),
      sign: (name, bytes, algorithm = 'sha256') => signed(keys[name], bytes, algorithm),
    };
  });
  return made;
}

const signed = (key: string, bytes: Buffer | string, algorithm: string): string =>
  inFolder((openssl, folder) => {
    writeFileSync(join(folder, 'key'), key);
    writeFileSync(join(folder, 'bytes'), bytes);
    return openssl(['dgst', `-${algorithm}`, '-sign', 'key', 'bytes']).toString('hex');
  });

function inFolder<T>(work: (openssl: (args: string[]) => Buffer, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-signers-'));
  const openssl = (args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return work(openssl, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
