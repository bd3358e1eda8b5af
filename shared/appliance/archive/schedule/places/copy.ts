// A verified copy: written under a temporary name, read back whole, and only then given its name. What went wrong on the way
// leaves nothing under that name.
import { createHash } from 'node:crypto';
import { Problem } from '../../../../ground/problems.ts';
import type { OpenPlace, Source } from './place.ts';

const unverified = (name: string, what: string): Problem =>
  new Problem('remote_answer_unusable', `${name} was written there and read back, and ${what}. It was removed again.`);

/** `part`: the temporary name. @throws Problem, and the reason of `signal` */
export async function copyVerified(
  place: OpenPlace,
  { name, part }: { name: string; part: string },
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const at = place.rename ? part : name;
  let written = at;
  try {
    await place.write(at, source);
    signal.throwIfAborted();
    await compare(place, at, source, signal);
    if (place.rename) {
      await place.rename(at, name);
      written = name;
    }
    const size = await place.size(name);
    if (size !== source.size_bytes) throw unverified(name, `has ${size} bytes instead of ${source.size_bytes}`);
  } catch (error) {
    // What can't be removed now, because the way there broke, is swept by the next run.
    await place.remove(written).catch(() => undefined);
    throw error;
  }
}

async function compare(place: OpenPlace, name: string, source: Source, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of place.read(name)) {
    signal.throwIfAborted();
    size += piece.length;
    if (size > source.size_bytes) break;
    hash.update(piece);
  }
  if (size !== source.size_bytes || hash.digest('hex') !== source.sha256)
    throw unverified(name, 'is not what was sent');
}
