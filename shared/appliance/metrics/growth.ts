// How full each volume and each limited datastore was: a file of fixed size each, by hours for a month and by days for two years.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Family } from '../../ground/metrics/exposition.ts';
import { Ring, type RingLayout } from '../../ground/metrics/ring.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { GROWTH_FOLDER } from './history-file.ts';

const LAYOUT: RingLayout = {
  series: ['used'],
  tiers: [
    { every: 3_600, slots: 30 * 24 },
    { every: 86_400, slots: 730 },
  ],
};
/** Seconds between two numbers that are written down: a disk grows slowly, and there may be hundreds. */
const WRITTEN_EVERY = 600;

/** What grows; its name is an operator's, and names no file. */
export interface Grows {
  kind: 'volume' | 'datastore';
  name: string;
}

interface Kept {
  rings: Map<string, Ring>;
  /** Seconds since 1970. */
  written_at: number;
}

/** By store, so that each appliance of a test has its own. */
const kept = new WeakMap<object, Kept>();

type Shell = Pick<Services, 'store' | 'settings' | 'clock'>;

function keptOf({ store }: Pick<Shell, 'store'>): Kept {
  const found = kept.get(store) ?? { rings: new Map(), written_at: 0 };
  kept.set(store, found);
  return found;
}

function ringOf(shell: Shell, { kind, name }: Grows): Ring {
  const { rings } = keptOf(shell);
  const file = `${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;
  const ring = rings.get(file) ?? new Ring(join(shell.settings.data, GROWTH_FOLDER, file), LAYOUT);
  rings.set(file, ring);
  return ring;
}

const nowOf = ({ clock }: Shell): number => Math.floor(clock.now().getTime() / 1000);

/** Writes down what the families say now, every ten minutes. */
export async function rememberGrowth(shell: Shell, families: readonly Family[]): Promise<void> {
  const state = keptOf(shell);
  const at = nowOf(shell);
  if (at - state.written_at < WRITTEN_EVERY) return;
  const grown = (['volume', 'datastore'] as const).flatMap((kind) => usedOf(families, kind));
  if (grown.length === 0) return;
  state.written_at = at;
  await mkdir(join(shell.settings.data, GROWTH_FOLDER), { recursive: true, mode: 0o700 });
  for (const { used, ...grows } of grown) await ringOf(shell, grows).append({ at, values: [used] });
}

function usedOf(families: readonly Family[], kind: Grows['kind']): (Grows & { used: number })[] {
  const of = (what: string) => families.find(({ name }) => name === `groundcrew_${kind}_${what}_bytes`)?.samples ?? [];
  const free = new Map(of('free').map(({ labels, value }) => [labels?.[kind], value]));
  return of('size').flatMap(({ labels, value }) => {
    const [name, left] = [labels?.[kind], free.get(labels?.[kind])];
    // One without a size of its own grows with its volume.
    if (name === undefined || left === undefined || labels?.limited === 'no') return [];
    return [{ kind, name, used: value - left }];
  });
}

export interface Growth {
  /** Seconds since 1970 of the first and last moment that are drawn, and between two points. */
  from: number;
  until: number;
  every: number;
  /** Bytes, oldest first. */
  points: { at: number; value: number }[];
}

/** Of a month by hours. */
export async function readGrowth(shell: Shell, grows: Grows): Promise<Growth> {
  const until = nowOf(shell);
  const { every, slots } = LAYOUT.tiers[0]!;
  const found = await ringOf(shell, grows).read(0, until);
  const points = found.map(({ at, values }) => ({ at, value: values[0]! }));
  return { from: until - every * slots, until, every, points: points.filter(({ value }) => Number.isFinite(value)) };
}
