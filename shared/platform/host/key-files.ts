// Private keys that a daemon reads from a file. Whatever is rendered, reviewed, compared and kept has a line in place of
// the key, which says which key it is: by the digest of its public key, which is in the certificate as well. The key itself
// is opened when the file is written, in the driver and nowhere else.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { RenderedFile, SealedKey } from '../../ground/machine/host.ts';
import { file, reads, type UnitFile } from './unit-files.ts';

/** Each daemon has a folder there, which the daemon's group may enter: build/appliance/tmpfiles.conf. */
const KEYS_FOLDER = '/etc/groundcrew/private';
const KEY_PATH = /^\/etc\/groundcrew\/private\/([a-z][a-z-]{0,31})\/tls\.key$/;

/** Where the key of a daemon is: `keyPath('ntp')`. */
export const keyPath = (name: string): string => `${KEYS_FOLDER}/${name}/tls.key`;
export const isInKeysFolder = (path: string): boolean => path.startsWith(`${KEYS_FOLDER}/`);
/** The name in the path of a key; null for any other path. */
export const keyName = (path: string): string | null => KEY_PATH.exec(path)?.[1] ?? null;

/** For host-files.ts of a unit: the key of this name, of which the guard knows the line alone. */
export const keyFile = (name: string): UnitFile =>
  file(new RegExp(`^${keyPath(name).replaceAll('.', '\\.')}$`), reads(LINE_PIECE), (line) => LINE.test(line));

/** The line has fewer than a hundred characters. */
const LINE_PIECE = 256;
const LINE = /^Private key of the public key with SHA-256 [0-9a-f]{64}\.$/;
/** The mode of a key: root writes it, and the daemon's group, which the folder gives it, reads it. */
const KEY_MODE = 0o640;
const OTHERS = 0o027;

const standIn = (key: KeyObject): string => {
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return `Private key of the public key with SHA-256 ${digest}.\n`;
};

/** The file of a certificate's key, as a unit renders it. @throws Error for what is no certificate */
export const renderedKey = (name: string, certificate_pem: string, sealed: SealedKey): RenderedFile => ({
  path: keyPath(name),
  content: standIn(new X509Certificate(certificate_pem).publicKey),
  mode: KEY_MODE,
  sealed,
});

/** What is told of a key that lies on the host. Pure. */
export function standInFor(text: string, mode: number): string {
  const open =
    (mode & OTHERS) === 0 ? '' : `It may be read or changed by others: mode ${(mode & 0o7777).toString(8)}.\n`;
  try {
    return standIn(createPublicKey(createPrivateKey(text))) + open;
  } catch {
    // A parser's words could quote it.
    return `No private key.\n${open}`;
  }
}

/** @throws Error unless the key is the one of the certificate that the file was rendered for */
export function refuseOther(path: string, content: string, pem: string): void {
  if (standInFor(pem, KEY_MODE) === content) return;
  throw new Error(`${path}: the sealed private key is not that of the certificate; renew the certificate.`);
}
