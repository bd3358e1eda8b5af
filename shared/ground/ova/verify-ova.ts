// Checks an OVA against its manifest, byte for byte, in one sequential pass.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { OvaMember } from './archive.ts';
import { requireExpansion } from './expansion.ts';
import { OvaFault } from './fault.ts';
import { readPackage } from './index-ova.ts';
import type { Digest } from './manifest.ts';
import { openOva, readExactly, requireUnchanged } from './ova-file.ts';
import type { OvaPackage } from './types.ts';

export interface Verifying {
  signal?: AbortSignal | undefined;
  /** Bytes hashed, and to be hashed; after every MiB. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

const PIECE = 1024 * 1024;

/**
 * All checks of indexOva, then the digest of every member, then the expansion of compressed disks. Takes two buffers of
 * 1 MiB however large the file is; reads the next piece while it hashes one.
 * @throws OvaFault; the reason of `signal`
 */
export async function verifyOva(path: string, { signal, onProgress }: Verifying = {}): Promise<OvaPackage> {
  const { file, state } = await openOva(path);
  try {
    const ova = await readPackage(file, path, state, signal);
    const hashed = ova.members.flatMap((member) => {
      const digest = ova.manifest.get(member.name);
      return digest ? [{ member, digest }] : [];
    });
    const total = hashed.reduce((sum, { member }) => sum + member.size, 0);
    let done = 0;
    const pass = new Pass(file, signal, (bytes) => {
      done += bytes;
      onProgress?.(done, total);
    });
    for (const { member, digest } of hashed) await pass.require(member, digest);
    await requireUnchanged(file, state);
    await requireExpansion(ova, signal);
    return ova;
  } finally {
    await file.close();
  }
}

class Pass {
  readonly #file: FileHandle;
  readonly #signal: AbortSignal | undefined;
  readonly #onBytes: (bytes: number) => void;
  readonly #buffers = [Buffer.allocUnsafeSlow(PIECE), Buffer.allocUnsafeSlow(PIECE)];
  #turn = 0;

  constructor(file: FileHandle, signal: AbortSignal | undefined, onBytes: (bytes: number) => void) {
    this.#file = file;
    this.#signal = signal;
    this.#onBytes = onBytes;
  }

  /** @throws OvaFault digest_mismatch */
  async require(member: OvaMember, { algorithm, hex }: Digest): Promise<void> {
    const hash = createHash(algorithm);
    let coming = this.#read(member, 0);
    for (let at = 0; at < member.size; ) {
      const piece = await coming;
      this.#signal?.throwIfAborted();
      at += piece.length;
      coming = this.#read(member, at);
      // Awaited with the next piece, or not at all when something else fails first.
      coming.catch(() => undefined);
      hash.update(piece);
      this.#onBytes(piece.length);
    }
    if (hash.digest('hex') !== hex) throw new OvaFault('digest_mismatch', member.name);
  }

  #read({ offset, size }: OvaMember, at: number): Promise<Buffer> {
    this.#turn = 1 - this.#turn;
    const buffer = this.#buffers[this.#turn] ?? Buffer.alloc(PIECE);
    return readExactly(this.#file, buffer.subarray(0, Math.min(PIECE, size - at)), offset + at);
  }
}
