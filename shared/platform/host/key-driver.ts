// What drivers do with private keys: read which one lies on the host, open a sealed one and write it, keep the one in
// force for the way back. The former key is kept in its own folder, as a second name of the same file: with its owner and
// mode, in no copy, without a program or a right that going back at the start of a machine lacks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemEntropy } from '../../ground/clock.ts';
import { replaceFile, syncFolder } from '../../ground/machine/durable-file.ts';
import type { KeptKeys, RenderedFile, SealedKey } from '../../ground/machine/host.ts';
import { openEntry, VaultFault } from '../../ground/sealing/envelope.ts';
import { openKeyring } from '../../ground/sealing/keyring.ts';
import { refuseOther, standInFor } from './key-files.ts';

/** Bytes: the longest key that is made here is a twentieth of it. */
const KEY_MOST = 64 << 10;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface KeyDriver {
  /** Which key lies at the target; null for none. */
  read(target: string): Promise<string | null>;
  /** @throws Error, Problem `vault_keys_unusable` when it can't be opened; then nothing is written */
  write(target: string, file: RenderedFile): Promise<void>;
}

/** `data`: the folder with the file of the keys that private keys are sealed under. */
export const realKeys = (data: string): KeyDriver => ({
  async read(target) {
    const found = privileged(() => contentOf(target));
    return found && standInFor(found.text, found.mode);
  },
  async write(target, file) {
    const pem = await opened(data, file);
    await replaceFile(target, pem, file.mode, { folderMode: 0o750 });
  },
});

/** Of a rehearsal: the key is opened and compared, and only the line about it is written. */
export const rehearsedKeys = (data: string): KeyDriver => ({
  read: async (target) => contentOf(target)?.text ?? null,
  async write(target, file) {
    await opened(data, file);
    await replaceFile(target, file.content, file.mode, { folderMode: 0o750 });
  },
});

async function opened(data: string, { path, content, sealed }: RenderedFile): Promise<string> {
  if (!sealed) throw new Error(`${path}: there is no sealed private key to write; renew the certificate.`);
  const pem = await open(data, sealed).catch((error: unknown) => {
    if (error instanceof VaultFault) throw new Error(`${path}: ${error.message}`);
    throw error;
  });
  refuseOther(path, content, pem);
  return pem;
}

/** @throws VaultFault, Problem 409 `vault_keys_unusable`, StartFault */
async function open(data: string, { place, ...sealed }: SealedKey): Promise<string> {
  const key = await (await openKeyring(data, systemEntropy, true)).find(sealed.kek_id);
  if (key === null) throw new VaultFault();
  return openEntry({ id: sealed.kek_id, key }, place, sealed);
}

/** Synchronous: see `privileged`. */
function contentOf(target: string): { text: string; mode: number } | null {
  let file: number;
  try {
    file = openSync(target, READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { size, mode } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, KEY_MOST));
    const filled = readSync(file, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, filled), mode };
  } finally {
    closeSync(file);
  }
}

/**
 * The root step reads the host with the rights of the service, which may not read keys. Nothing else of this thread runs
 * meanwhile; what others read at the same moment lies in folders of root and was judged before.
 */
function privileged<T>(work: () => T): T {
  const effective = process.geteuid!();
  if (effective === 0 || process.getuid!() !== 0) return work();
  process.seteuid!(0);
  try {
    return work();
  } finally {
    process.seteuid!(effective);
  }
}

const keptAt = (target: string): string => `${target}.kept`;

/** `target`: a path as the driver has it. @throws Error for a path that is none of a key */
export const keptKeys = (target: (path: string) => string, read: KeyDriver['read']): KeptKeys => ({
  async keep(path) {
    const at = target(path);
    await rm(keptAt(at), { force: true });
    const found = await link(at, keptAt(at)).then(() => true, unlessMissing);
    if (found) await syncFolder(dirname(at));
  },
  async putBack(path, content) {
    const at = target(path);
    if ((await read(at)) === content) return;
    if ((await read(keptAt(at))) !== content) throw new Error(`${path}: the former private key is gone`);
    const beside = `${at}.tmp`;
    await rm(beside, { force: true });
    await link(keptAt(at), beside);
    await rename(beside, at);
    await syncFolder(dirname(at));
  },
  forget: (path) => rm(keptAt(target(path)), { force: true }),
});

function unlessMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}
