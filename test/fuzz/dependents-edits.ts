// Random saved states and random edits of interfaces and VLANs through the real store: each is refused and leaves every
// byte as it was, or all that depends on addresses has followed and nothing else was touched; a dry run says the same;
// and the way back leads back. GROUNDCREW_FUZZ_EDITS makes it longer, GROUNDCREW_FUZZ_SEED begins elsewhere. Two files
// take half of the edits each, so that two workers share them.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { followServiceRecords } from '../../shared/appliance/edits/service-records.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { openStore } from '../../shared/ground/store/open-store.ts';
import type { Store } from '../../shared/ground/store/store.ts';
import type { InterfaceImpact } from '../../shared/platform/interfaces/interface-resource.ts';
import { Dice } from './world-dice.ts';
import { inverseOf, perform, randomEdit, type WorldEdit } from './world-edits.ts';
import { type Dump, dumper, sow, worldOf } from './world-rows.ts';
import { brokenBy } from './world-rules.ts';
import { smallest } from './world-shrink.ts';
import { comesBack, valuesOf } from './world-ways.ts';
import { randomWorld, type World } from './worlds.ts';

const EDITS = Math.ceil(Number(process.env.GROUNDCREW_FUZZ_EDITS ?? 10_000) / 2);
const SEED = Number(process.env.GROUNDCREW_FUZZ_SEED ?? 1);
const EDITS_OF_A_WORLD = 10;
const MINUTE = 60_000;

/** Each look is a millisecond later: two edits may be done within one, and their rows are to differ. */
let looks = Date.parse('2026-01-01T00:00:00Z');
const shell = { clock: { now: () => new Date(looks++) }, entropy: systemEntropy };
let folder: string;
let store: Store;
let dump: (from: Store) => Promise<Dump>;

/** A world, with the records that the appliance keeps for its services. */
const plant = (world: World): Promise<void> =>
  store.write(async (tx) => {
    await sow(tx, world);
    await followServiceRecords(tx, shell);
  });

type Answer = { impact: InterfaceImpact } | { code: string; text: string };

async function answerOf(edit: WorldEdit, rollBack: boolean): Promise<Answer> {
  try {
    const { impact } = await store.write((tx) => perform(tx, shell, edit), { rollBack });
    return { impact };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, members } = error;
    return { code, text: JSON.stringify([code, message, members]) };
  }
}

/** What became of an edit. */
interface Try {
  answer: Answer;
  after: Dump;
  /** Sentences about what is wrong with it. */
  faults: string[];
}

const same = (one: Dump, other: Dump): boolean => Object.keys(one).every((table) => one[table] === other[table]);

async function attempt(edit: WorldEdit, before: Dump): Promise<Try> {
  const rehearsed = await answerOf(edit, true);
  const faults = same(before, await dump(store)) ? [] : ['a dry run saved something'];
  const answer = await answerOf(edit, false);
  const after = await dump(store);
  if (JSON.stringify(rehearsed) !== JSON.stringify(answer)) faults.push('a dry run says something else');
  if ('code' in answer) {
    if (!same(before, after)) faults.push('a refused edit saved something');
    if (!EXPECTED.has(answer.code) || answer.text.includes('This name or address is already in use'))
      faults.push(`refused by ${answer.text}`);
    return { answer, after, faults };
  }
  const worlds = { before: worldOf(before), after: worldOf(after) };
  faults.push(...brokenBy({ name: edit.name, ...worlds, impact: answer.impact }));
  return { answer, after, faults };
}

const EXPECTED = new Set([
  'request_validation_failed',
  'still_referenced',
  'already_exists',
  'state_conflict',
  'no_management_listener',
  'dependents_refuse',
]);

/** An edit and, when it was accepted, the way back. */
async function thereAndBack(edit: WorldEdit, before: Dump): Promise<Try & { back: Try | null; clean: boolean }> {
  const there = await attempt(edit, before);
  if ('code' in there.answer) return { ...there, back: null, clean: false };
  const [was, is] = [before, there.after].map(worldOf) as [World, World];
  const inverse = inverseOf(edit, was, is);
  if (inverse === null) return { ...there, back: null, clean: false };
  const back = await attempt(inverse, there.after);
  const clean = 'impact' in back.answer && comesBack(edit, was, is, [there.answer.impact, back.answer.impact]);
  if (clean && valuesOf(worldOf(back.after)) !== valuesOf(was)) back.faults.push('the way back leads elsewhere');
  return { ...there, back, clean };
}

const faultsOf = ({ faults, back }: { faults: string[]; back: Try | null }): string[] => [
  ...faults,
  ...(back?.faults ?? []).map((fault) => `on the way back: ${fault}`),
];

/** From dhcp to static without a word on the address. */
function leavesDhcp(edit: WorldEdit, world: World): boolean {
  if (edit.kind !== 'physical' || edit.update.ipv4_method !== 'static') return false;
  const row = world.interface.find(({ name }) => name === edit.name);
  return row?.ipv4_method === 'dhcp' && edit.update.ipv4_cidr === undefined;
}

/** A fault without what it names. */
const kindOf = (fault: string): string => fault.replaceAll(/\S*[\d.:_]\S*/g, '').slice(0, 60);

async function report(seed: number, edit: WorldEdit, before: Dump, faults: string[]): Promise<string> {
  const fails = async (world: World): Promise<boolean> => {
    await store.write((tx) => sow(tx, world));
    const again = faultsOf(await thereAndBack(edit, await dump(store)));
    return again.some((fault) => faults.some((known) => kindOf(known) === kindOf(fault)));
  };
  const world = await smallest(worldOf(before), fails);
  return `seed ${seed}: ${JSON.stringify(edit)}\n${faults.join('\n')}\nin ${JSON.stringify(world, null, 1)}`;
}

/** Declares the test of one half: its worlds are none of the other's. */
export function fuzzEdits(half: 0 | 1): void {
  const first = SEED + half * EDITS;

  beforeAll(async () => {
    // In memory where the machine has such a folder: what is tested is what is saved, not the disk.
    folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'groundcrew-fuzz-'));
    store = await openStore(folder);
    dump = await dumper(store);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    `${EDITS} edits of random worlds: refused and nothing is saved, or everything follows`,
    async () => {
      const counts = { edits: 0, accepted: 0, moved: 0, deselected: 0, refused: 0, byDependents: 0, back: 0, clean: 0 };
      const named = { forgotten: 0, notForgotten: 0, leased: 0, notLeased: 0 };
      for (let seed = first; counts.edits < EDITS; seed++) {
        const dice = new Dice(seed * 7919);
        await plant(randomWorld(seed));
        let before = await dump(store);
        for (let n = 0; n < EDITS_OF_A_WORLD; n++) {
          const edit = randomEdit(dice, worldOf(before));
          const tried = await thereAndBack(edit, before);
          const faults = faultsOf(tried);
          if (faults.length > 0) throw new Error(await report(seed, edit, before, faults));
          counts.edits++;
          const accepted = 'impact' in tried.answer;
          if (edit.kind === 'forget') named[accepted ? 'forgotten' : 'notForgotten']++;
          if (leavesDhcp(edit, worldOf(before))) named[accepted ? 'leased' : 'notLeased']++;
          if ('code' in tried.answer) {
            counts.refused++;
            if (tried.answer.code === 'dependents_refuse') counts.byDependents++;
          } else {
            counts.accepted++;
            if (tried.answer.impact.moves_total > 0) counts.moved++;
            if (tried.answer.impact.deselected.length > 0) counts.deselected++;
            if (tried.back && 'impact' in tried.back.answer) counts.back++;
            if (tried.clean) counts.clean++;
          }
          before = tried.back?.after ?? tried.after;
        }
      }
      const share = (count: number): number => count / counts.edits;
      console.log(`seed ${first}: ${JSON.stringify({ ...counts, ...named })}`);
      // Enough of each kind, or the rules above hold of nothing.
      expect(share(counts.accepted)).toBeGreaterThan(0.4);
      expect(share(counts.moved)).toBeGreaterThan(0.2);
      expect(share(counts.deselected)).toBeGreaterThan(0.01);
      expect(share(counts.refused)).toBeGreaterThan(0.15);
      expect(share(counts.byDependents)).toBeGreaterThan(0.08);
      expect(share(counts.clean)).toBeGreaterThan(0.2);
      expect(Object.entries(named).filter(([, count]) => share(count) < 0.0005)).toEqual([]);
    },
    10 * MINUTE,
  );
}
