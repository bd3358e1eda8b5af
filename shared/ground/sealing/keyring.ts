// Key-encryption keys of the vaults and of certificates' private keys: a file of mode 0600 beside the database, and in
// no backup of it. The file is read for every use, because the command line may rotate while the service runs.
//
// Sealing, and changing the file, happen inside a write transaction of the store, which only one process has at a time:
// so no value can be sealed with a key between the count of its uses and its removal.
import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { constants, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Clock, type Entropy, instant, newId, systemClock } from '../clock.ts';
import { replaceFile } from '../machine/durable-file.ts';
import { Problem } from '../problems.ts';
import { StartFault } from '../store/open-store.ts';
import type { KeyEncryptionKey } from './envelope.ts';

export const KEYRING_FILE = 'vault.keys';

/**
 * Each of them:
 * @throws Problem 409 `vault_keys_unusable`, which names the file and the way out, when it can’t be used.
 */
export interface Keyring {
  /** The key that values are sealed under from now on. Only inside a write transaction. */
  current(): Promise<KeyEncryptionKey>;
  /** Null: there is no such key (any more). */
  find(id: string): Promise<KeyObject | null>;
  /** Ids of all keys, oldest first. */
  ids(): Promise<string[]>;
  /**
   * Makes a key and makes it the current one, durably; one that is there stays as it is. Only inside a write
   * transaction.
   */
  add(id: string): Promise<void>;
  /**
   * Forgets keys that nothing uses. Only inside the write transaction that counted.
   * @throws Error for the current one.
   */
  retire(ids: readonly string[]): Promise<void>;
}

interface HeldKey extends KeyEncryptionKey {
  created_at: string;
}

interface Held {
  current: string;
  keys: HeldKey[];
}

const KEY_BYTES = 32;
/**
 * A link is not followed: a write would put a file in its place, and the forgotten keys would stay where it pointed to.
 * A pipe is not waited for.
 */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Names of unfinished files of replaceFile. */
const LEFTOVER = /^vault\.keys\.\d+-\d+\.tmp$/;
const fileSchema = v.strictObject({
  version: v.literal(1),
  current: v.string(),
  keys: v.array(v.strictObject({ id: v.string(), created_at: v.string(), key: v.string() })),
});

export const newKeyId = (entropy: Entropy): string => newId('kek', entropy);

/**
 * Opens the keyring of a data folder, making it when there is none.
 * @throws StartFault when it is readable by others, damaged, or missing while `entriesExist`.
 */
export async function openKeyring(
  folder: string,
  entropy: Entropy,
  entriesExist: boolean,
  clock: Clock = systemClock,
): Promise<Keyring> {
  const keyring = new FileKeyring(folder, entropy, clock);
  await keyring.prepare(entriesExist);
  return keyring;
}

class FileKeyring implements Keyring {
  readonly #folder: string;
  readonly #file: string;
  readonly #entropy: Entropy;
  readonly #clock: Clock;
  /** The keys of the file when it was last read, by the digest of its text; the text itself is not stored. */
  #seen: { digest: string; held: Held } | null = null;

  constructor(folder: string, entropy: Entropy, clock: Clock) {
    this.#folder = folder;
    this.#file = join(folder, KEYRING_FILE);
    this.#entropy = entropy;
    this.#clock = clock;
  }

  async prepare(entriesExist: boolean): Promise<void> {
    if ((await this.#text()) !== null || entriesExist) await this.#held();
    else await this.#write(this.#with({ current: '', keys: [] }, newKeyId(this.#entropy)));
  }

  async current(): Promise<KeyEncryptionKey> {
    const { current, keys } = await usable(this.#held());
    return keys.find(({ id }) => id === current)!;
  }

  async find(id: string): Promise<KeyObject | null> {
    return (await usable(this.#held())).keys.find((key) => key.id === id)?.key ?? null;
  }

  async ids(): Promise<string[]> {
    return (await usable(this.#held())).keys.map(({ id }) => id);
  }

  async add(id: string): Promise<void> {
    const held = await usable(this.#held());
    if (held.keys.some((key) => key.id === id)) return;
    await usable(this.#write(this.#with(held, id)));
  }

  async retire(ids: readonly string[]): Promise<void> {
    const held = await usable(this.#held());
    if (ids.includes(held.current)) throw new Error('the current key of the vaults is in use');
    const keys = held.keys.filter(({ id }) => !ids.includes(id));
    if (keys.length < held.keys.length) await usable(this.#write({ ...held, keys }));
  }

  #with({ keys }: Held, id: string): Held {
    const key = createSecretKey(this.#entropy.bytes(KEY_BYTES));
    return { current: id, keys: [...keys, { id, key, created_at: instant(this.#clock.now()) }] };
  }

  /** The text of the file, or null without one. @throws StartFault when others can read it. */
  async #text(): Promise<string | null> {
    const handle = await open(this.#file, READ).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw unusable(this.#file, error.code === 'ELOOP' ? 'is a symbolic link' : `can't be opened (${error.code})`);
    });
    if (handle === null) return null;
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw unusable(this.#file, 'is no file');
      if ((facts.mode & 0o077) !== 0) {
        throw new StartFault(`The keys file ${this.#file} can be read by others. Run: chmod 600 ${this.#file}`);
      }
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }

  async #held(): Promise<Held> {
    const text = await this.#text();
    if (text === null) {
      throw new StartFault(
        `The keys file ${this.#file} is missing. Restore it from where it was kept: without it no value of a vault and no private key can be opened.`,
      );
    }
    const digest = createHash('sha256').update(text).digest('base64url');
    if (this.#seen?.digest === digest) return this.#seen.held;
    const held = heldIn(text);
    if (!held) throw new StartFault(`The keys file ${this.#file} is damaged: restore it from where it was kept.`);
    this.#seen = { digest, held };
    return held;
  }

  async #write({ current, keys }: Held): Promise<void> {
    const { uid } = await stat(this.#folder);
    if (uid !== process.geteuid?.()) {
      // A file of another user's, and the service could open no value any more.
      throw new StartFault(`${this.#folder} belongs to the user with id ${uid}: run this as that user.`);
    }
    const written = keys.map(({ id, created_at, key }) => ({
      id,
      created_at,
      key: key.export().toString('base64url'),
    }));
    await replaceFile(this.#file, `${JSON.stringify({ version: 1, current, keys: written }, null, 2)}\n`, 0o600);
    await this.#removeLeftovers();
  }

  /** Removes unfinished files of killed writes, which may have forgotten keys. Nobody else writes at this time. */
  async #removeLeftovers(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (LEFTOVER.test(name)) await rm(join(this.#folder, name), { force: true });
    }
  }
}

/** While the service runs, a file that can't be used is a refusal with a way out, not its end. */
async function usable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StartFault ? new Problem('vault_keys_unusable', error.message) : error;
  }
}

export const isKeyringFault = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'vault_keys_unusable';

const unusable = (file: string, what: string): StartFault =>
  new StartFault(`The keys file ${file} ${what}: put the file itself there, readable by the service's user alone.`);

/** Null for a damaged file: a parser's error would quote it. */
function heldIn(text: string): Held | null {
  try {
    const file = v.parse(fileSchema, JSON.parse(text));
    const ids = new Set(file.keys.map(({ id }) => id));
    if (ids.size !== file.keys.length || !ids.has(file.current)) return null;
    const keys = file.keys.map(({ id, created_at, key }) => {
      const bytes = Buffer.from(key, 'base64url');
      if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== key) throw new Error('not a key');
      return { id, created_at, key: createSecretKey(bytes) };
    });
    return { current: file.current, keys };
  } catch {
    return null;
  }
}
