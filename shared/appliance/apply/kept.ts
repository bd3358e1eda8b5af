// The way back of a unit that is about to be changed: the files in force, and what `activate` needs to make the service
// follow them again. Kept durably in one file before anything is touched, so that it exists whole or not at all, and
// complete in itself: putting back reads nothing else.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readOrdinary } from '../../ground/machine/bounded-read.ts';
import { replaceFile } from '../../ground/machine/durable-file.ts';
import type { Host, KeptKeys } from '../../ground/machine/host.ts';
import { factsInForce } from '../../platform/applied/baseline.ts';
import { keyName } from '../../platform/host/key-files.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import { type Data, sameData } from '../../platform/units/facts.ts';
import type { AnyUnit, UnitChange } from '../../platform/units/unit.ts';
import { findUnit } from '../units.ts';
import { atFile } from './failure.ts';

/** A file as it was before; content null: it did not exist. */
export interface PreviousFile {
  path: string;
  content: string | null;
  mode: number;
}

export interface Kept {
  files: PreviousFile[];
  /** The state that was in force, for `activate`; null: put the files back and touch nothing else. */
  earlier: unknown;
  /** What was about to be made. */
  change: UnitChange;
}

/** Where a unit's way back is kept, below the folder of the enforcement. */
export const keptFolder = (folder: string, plan_id: string, unit: string): string =>
  join(folder, 'work', plan_id, unit);

const FILE = 'kept.json';
/** Space set aside before the swap, so that a disk that fills up meanwhile can't keep the way back from being taken. */
const RESERVE = 'reserve';
/** Beyond the files themselves: what the database needs to say how it ended. */
const RESERVE_BYTES = 512 << 10;

/** Keeps what is in force, once: after an interruption the host may already hold the new files. */
export async function keep(
  folder: string,
  host: Host,
  modes: ReadonlyMap<string, number>,
  { earlier, change }: Pick<Kept, 'earlier' | 'change'>,
): Promise<Kept> {
  const already = await loadKept(folder);
  if (already) return already;
  const files: PreviousFile[] = [];
  for (const path of [...change.written, ...change.removed]) {
    if (keyName(path) !== null) await host.keys?.keep(path);
    files.push({ path, mode: modes.get(path) ?? 0o644, content: await host.read(path).catch(atFile(path)) });
  }
  const { written, removed } = change;
  const flat: FlatChange = { ...factsKept(folder, change), written, removed };
  const text = JSON.stringify({ files, earlier, change: flat });
  await replaceFile(join(folder, RESERVE), '\0'.repeat(Buffer.byteLength(text) + RESERVE_BYTES), 0o600);
  await replaceFile(join(folder, FILE), text, 0o600);
  return { files, earlier, change };
}

/** Gives the space free that was set aside for going back: the plan stays. */
export async function freeReserves(folder: string, plan_id: string): Promise<void> {
  for (const id of keptUnits(folder, plan_id))
    await rm(join(keptFolder(folder, plan_id, id), RESERVE), { force: true });
}

/** Units of a plan whose way back was kept, in the order of a plan. */
export const keptUnits = (folder: string, plan_id: string): UnitId[] =>
  UNIT_IDS.filter((id) => existsSync(join(keptFolder(folder, plan_id, id), FILE)));

/** What was kept, or null when it was never finished. */
export async function loadKept(folder: string): Promise<Kept | null> {
  try {
    const read = JSON.parse(await readOrdinary(join(folder, FILE))) as Kept & { change: AnyChange };
    return { ...read, change: changeIn(basename(folder), read) };
  } catch (error) {
    // Any other fault must stop the run: taking it for "never kept" would keep half-new files as the previous ones.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

interface FlatChange extends Pick<UnitChange, 'written' | 'removed'> {
  was: [string, Data][] | null;
  /** Facts that come or become others, and keys of those that go: of ten thousand one may differ. */
  sets: [string, Data][];
  unsets: string[];
}

/** As an earlier release kept it. */
interface WholeChange extends Pick<UnitChange, 'written' | 'removed'> {
  was: [string, Data][] | null;
  becomes: [string, Data][];
}

function factsKept(folder: string, { before, after }: UnitChange): Pick<FlatChange, 'was' | 'sets' | 'unsets'> {
  if (findUnit(basename(folder) as UnitId).activatesByPaths) return { was: before && [], sets: [], unsets: [] };
  return { was: before && [...before], ...differing(before, after) };
}

function differing(before: UnitChange['before'], after: UnitChange['after']): Pick<FlatChange, 'sets' | 'unsets'> {
  const sets = [...after].filter(([key, value]) => !before?.has(key) || !sameData(before.get(key), value));
  return { sets, unsets: [...(before?.keys() ?? [])].filter((key) => !after.has(key)) };
}

function becoming({ was, sets, unsets }: FlatChange): UnitChange['after'] {
  const after = new Map([...(was ?? []), ...sets]);
  for (const key of unsets) after.delete(key);
  return after;
}

/** As the release before facts kept it, in the words of its reviews: it may have been replaced in the middle of a plan. */
interface FormerChange extends Pick<UnitChange, 'written' | 'removed'> {
  before: [string, string][] | null;
  after: [string, string][];
}

type AnyChange = FlatChange | WholeChange | FormerChange;

function changeIn(unit: string, { change, earlier }: Pick<Kept, 'earlier'> & { change: AnyChange }) {
  const { written, removed } = change;
  if ('sets' in change) return { before: change.was && new Map(change.was), after: becoming(change), written, removed };
  if ('becomes' in change) {
    return { before: change.was && new Map(change.was), after: new Map(change.becomes), written, removed };
  }
  const factsOf = (words: [string, string][], remembered: unknown) =>
    factsInForce(findUnit(unit as UnitId), { facts: null, words: new Map(words), remembered });
  const before = change.before && factsOf(change.before, earlier);
  return { before, after: factsOf(change.after, null), written, removed };
}

/** Private keys have a way back of their own, beside themselves: what is kept here says which ones. */
export async function forgetKeptKeys(folder: string, host: Host, plan_id: string): Promise<void> {
  for (const id of keptUnits(folder, plan_id)) {
    const kept = await loadKept(keptFolder(folder, plan_id, id));
    for (const { path } of kept?.files ?? []) if (keyName(path) !== null) await keysOf(host).forget(path);
  }
}

function keysOf({ keys }: Host): KeptKeys {
  if (!keys) throw new Error('this program puts no private key back');
  return keys;
}

/**
 * Puts the previous files in place and makes the service follow them; answers what it did, in sentences. Running it twice
 * is the same as running it once. With `files` nothing is activated: the services start later, with these files.
 */
export async function putBack(
  folder: string,
  host: Host,
  unit: AnyUnit,
  kept: Kept,
  how: 'activate' | 'files' = 'activate',
): Promise<string[]> {
  await rm(join(folder, RESERVE), { force: true });
  for (const { path, content, mode } of kept.files) {
    if (content === null) await host.remove(path);
    else if (keyName(path) !== null) await keysOf(host).putBack(path, content);
    else await (host.putBack ?? host.write)({ path, content, mode });
  }
  const said: string[] = [];
  if (host.enforces && how === 'activate' && kept.earlier !== null) {
    const { before, after, written, removed } = kept.change;
    const back = { before: after, after: before ?? new Map(), written, removed };
    said.push(`Rolled back: ${await unit.activate(host, kept.earlier, back)}`);
  }
  return [...said, 'The previous files are in force again'];
}
