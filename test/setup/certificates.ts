// Certificates that openssl makes and signs by themselves: one for each listener of a test.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  cert: string;
  key: string;
}

/** A certificate of its own for each name (`a.example`, `a.example,DNS:b.example`), in a folder that `remove` removes. */
export function certificates(...names: string[]): { paths: Pair[]; texts: Pair[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-doors-'));
  const paths = names.map((name, at) => {
    const [cert, key] = [join(folder, `${at}.pem`), join(folder, `${at}.key`)];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const what = [
      '-subj',
      `/CN=${name.split(',', 1)[0]}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-keyout',
      key,
      '-out',
      cert,
    ];
    execFileSync('openssl', [...kind, ...what], { stdio: 'ignore' });
    return { cert, key };
  });
  const texts = paths.map(({ cert, key }) => ({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }));
  return { paths, texts, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
