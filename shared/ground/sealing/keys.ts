// Keys that must not be in the database: a file of mode 0600 beside it, made at the first start. Each purpose gets its
// own key derived from the one root secret, so that one can be rotated without touching the others.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entropy } from '../clock.ts';
import { placeNew } from '../machine/durable-file.ts';
import { StartFault } from '../store/open-store.ts';

export const KEYS_FILE = 'groundcrew.keys';

type Purpose =
  | 'token-pepper'
  | 'audit-chain'
  | 'session-pepper'
  | 'sign-in-name'
  | 'recovery-code'
  | 'idempotency'
  | 'sealed-text'
  | 'sealed-digest'
  | 'boot-code'
  | 'boot-capability'
  | 'remote-trust'
  | 'terminal-recording';

export interface Keys {
  hmac(purpose: Purpose, message: string): Buffer;
}

/**
 * Reads the keys file of a data folder, making it when the folder is new.
 * @throws StartFault when it is readable by others, damaged, or missing beside an existing database.
 */
export async function openKeys(folder: string, entropy: Entropy, databaseExists: boolean): Promise<Keys> {
  const file = join(folder, KEYS_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) {
    if (databaseExists) {
      throw new StartFault(
        `The keys file ${file} is missing, but the database exists. Restore it from where it was kept: without it no API token works and the audit log cannot be verified.`,
      );
    }
    await create(file, entropy);
    return openKeys(folder, entropy, true);
  }
  if (((await stat(file)).mode & 0o077) !== 0) {
    throw new StartFault(`The keys file ${file} can be read by others. Run: chmod 600 ${file}`);
  }
  const root = rootOf(text);
  if (!root) throw new StartFault(`The keys file ${file} is damaged: restore it from where it was kept.`);
  return derived(root);
}

/** Of two starts at once, the keys of the first are those of both. */
async function create(file: string, entropy: Entropy): Promise<void> {
  const root = entropy.bytes(32).toString('base64url');
  await placeNew(file, `${JSON.stringify({ version: 1, root })}\n`, 0o600);
}

/** The root key; null for a damaged file: a parser's error would quote it. */
function rootOf(text: string): Buffer | null {
  try {
    const root = Buffer.from((JSON.parse(text) as { root?: string }).root ?? '', 'base64url');
    return root.length === 32 ? root : null;
  } catch {
    return null;
  }
}

function derived(root: Buffer): Keys {
  const keys = new Map<Purpose, KeyObject>();
  return {
    hmac(purpose, message) {
      let key = keys.get(purpose);
      if (!key) {
        key = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', `groundcrew/${purpose}/1`, 32)));
        keys.set(purpose, key);
      }
      return createHmac('sha256', key).update(message).digest();
    },
  };
}

/** Compares two strings in constant time for their length. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
