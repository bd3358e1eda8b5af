// What is known of OVAs that were looked into: lists, forms and pre-flights ask for the same files again and again, and
// a descriptor may be large.
import { lstat } from 'node:fs/promises';
import { OvaFault, type OvaFaultCode } from './fault.ts';
import { indexOva } from './index-ova.ts';
import type { OvaPackage } from './types.ts';

const KEPT_MOST = 100;
/** Characters of the descriptors that are kept, all together; what was made of one takes about three times its own. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
/** Beside its descriptor a package takes something in any case. */
const LEAST = 16 * 1024;

/** Faults of a moment: the same bytes may be read well the next time. */
const PASSING: ReadonlySet<OvaFaultCode> = new Set(['file_missing', 'file_not_regular', 'file_changed']);

type Outcome = { pkg: OvaPackage } | { fault: OvaFault };

const kept = new Map<string, { outcome: Outcome; weight: number }>();
const running = new Map<string, Promise<Outcome>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * The result of indexOva, read once for each state of the file (size, times, number), for all callers; one file at a
 * time. The result is shared: never change it.
 * @throws OvaFault; the reason of `signal`, which ends the waiting, not the reading
 */
export async function knownOva(path: string, signal?: AbortSignal): Promise<OvaPackage> {
  signal?.throwIfAborted();
  const key = await stateOf(path);
  const known = kept.get(key);
  if (known) {
    // The most recently used goes to the end.
    kept.delete(key);
    kept.set(key, known);
    return packageOf(known.outcome);
  }
  const coming = running.get(key) ?? begin(path, key);
  return packageOf(await (signal ? orAborted(coming, signal) : coming));
}

function begin(path: string, key: string): Promise<Outcome> {
  const reading = last.then(() => read(path, key)).finally(() => running.delete(key));
  running.set(key, reading);
  last = reading.catch(() => undefined);
  return reading;
}

async function read(path: string, key: string): Promise<Outcome> {
  const outcome = await indexOva(path).then(
    (pkg): Outcome => ({ pkg }),
    (error: unknown): Outcome => {
      if (error instanceof OvaFault) return { fault: error };
      throw error;
    },
  );
  const passing = 'fault' in outcome && PASSING.has(outcome.fault.fault);
  // Another file may have come to this place while it waited for its turn.
  if (!passing && (await stateOf(path).catch(() => null)) === key) keep(key, outcome);
  return outcome;
}

function keep(key: string, outcome: Outcome): void {
  const weight = LEAST + ('pkg' in outcome ? outcome.pkg.descriptor_xml.length : 0);
  kept.set(key, { outcome, weight });
  let all = [...kept.values()].reduce((sum, one) => sum + one.weight, 0);
  for (const [oldest, one] of kept) {
    if (kept.size <= KEPT_MOST && all <= KEPT_CHARACTERS) return;
    kept.delete(oldest);
    all -= one.weight;
  }
}

async function stateOf(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => null);
  if (!stats) throw new OvaFault('file_missing');
  return [path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join('\n');
}

function packageOf(outcome: Outcome): OvaPackage {
  if ('pkg' in outcome) return outcome.pkg;
  throw outcome.fault;
}

async function orAborted<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([coming, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
