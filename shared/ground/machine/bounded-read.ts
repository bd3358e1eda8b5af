// Reading a file that somebody else may have put there: an ordinary one, of a size that was meant, and never through a link.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Bytes: a hundred thousand records are a tenth of it. */
export const FILE_MOST = 128 << 20;

/**
 * The text of an ordinary file. What is a link, a device or a pipe, which could make whoever reads it wait for ever, is
 * not read. @throws Error with the code ENOENT where nothing is, or in words
 */
export async function readOrdinary(path: string, most = FILE_MOST): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = ordinary(await handle.stat(), path, most);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    // No further than it was long: it may grow meanwhile.
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.toString('utf8', 0, filled);
  } finally {
    await handle.close();
  }
}

interface Kind {
  size: number;
  isFile(): boolean;
}

/** @throws Error in one line for what is no ordinary file, or larger. */
export function ordinary<K extends Kind>(kind: K, path: string, most: number): K {
  if (!kind.isFile()) throw new Error(`${path} is no ordinary file`);
  if (kind.size > most) throw new Error(`${path} is larger than ${most} bytes`);
  return kind;
}
