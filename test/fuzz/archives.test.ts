// Random states, each made of the last by edits over the API: its archive on an empty appliance is the same to the row, and
// the archive of that has the same bytes. What is not whole is refused, and no byte of the database changes. What is chosen of
// it at random either goes through, and then it is a whole state as any other, or it is refused and names a row; with all rows in
// memory the same comes of it.
// GROUNDCREW_FUZZ_ARCHIVES: how many states; the long run is 20000. GROUNDCREW_FUZZ_SEED begins elsewhere.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Choice, ChosenPart } from '../../shared/appliance/archive/choose.ts';
import { MODES } from '../../shared/appliance/archive/modes.ts';
import { collectionOf, PARTS, TABLES } from '../../shared/appliance/archive/tables.ts';
import { Problem } from '../../shared/ground/problems.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import { preferDriver } from '../../shared/ground/store/driver.ts';
import { membersOf, tarOf } from '../shared/appliance/archive/scene.ts';
import { rowsIn, Scene } from './archive-scene.ts';
import { Dice } from './world-dice.ts';

const STATES = Number(process.env.GROUNDCREW_FUZZ_ARCHIVES ?? 20);
const SEED = Number(process.env.GROUNDCREW_FUZZ_SEED ?? 1);
const ALL: Choice = { mode: 'replace', units: null };
const EDITS_MOST = 8;
const MANIFEST_BYTES = 8 << 10;
/** States that are restored with a commit: the first ones, and then one of so many. */
const COMMITTED = 20;

type Rows = Record<string, Row[]>;

// Statements of small states take less time than the way to a thread and back: only the sample is on the usual driver.
if (STATES > COMMITTED) preferDriver(process.env.GROUNDCREW_SQLITE ?? 'node:sqlite');

let scene: Scene;
const dice = new Dice(SEED);
beforeAll(async () => {
  scene = await Scene.open(dice);
}, 120_000);
afterAll(() => scene.close());

/** Its archive on an empty appliance is the same. */
async function comesBack(bytes: Buffer, rows: Rows, commits: boolean): Promise<void> {
  const answer = await scene.tried('empty', bytes, { choice: ALL, commits }, async (db) => {
    expect(await rowsIn(db)).toEqual(rows);
    expect((await scene.archive(db, false)).equals(bytes)).toBe(true);
    expect(await db.all('PRAGMA foreign_key_check')).toEqual([]);
  });
  if (answer instanceof Problem) throw answer;
}

/** What is done to an archive so that it is not whole. */
async function broken(bytes: Buffer, before: Buffer): Promise<Buffer> {
  const kind = dice.below(4);
  // Of few bytes other rules hold: those of the manifest, which come first.
  const at = dice.below(dice.chance(0.3) ? MANIFEST_BYTES : bytes.length);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << dice.below(8);
    return flipped;
  }
  const [members, others] = [await membersOf(bytes), await membersOf(before)];
  const names = [...members.keys()].filter((name) => name !== 'manifest.json');
  if (kind === 2) {
    const [one, other] = [dice.pick(names), dice.pick(names)];
    const swapped = members.get(one)!;
    members.set(one, members.get(other)!).set(other, swapped);
  } else {
    const differs = names.filter((name) => members.get(name) !== others.get(name));
    for (const name of differs.slice(0, 1)) members.set(name, others.get(name)!);
  }
  return tarOf(members);
}

async function isRefused(bytes: Buffer, before: Buffer, commits: boolean): Promise<boolean> {
  const other = await broken(bytes, before);
  if (other.equals(bytes)) return false;
  const answer = await scene.tried('empty', other, { choice: ALL, commits }, async () => 'it went through');
  expect(answer).toBeInstanceOf(Problem);
  expect((answer as Problem).code).toBe('state_conflict');
  return true;
}

/** Whole parts, collections, and rows. */
async function randomChoice(bytes: Buffer): Promise<Choice> {
  if (dice.chance(0.15)) return ALL;
  const members = await membersOf(bytes);
  const idsOf = (name: string, as: string): string[] =>
    (members.get(`${as}/${name}.jsonl`) ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: string }).id);
  const units = dice.some(PARTS, dice.pick([0.1, 0.3, 0.6])).map(({ id, tables, documents }): ChosenPart => {
    if (dice.chance(0.25)) return { unit: id };
    const collections = dice.some(tables, 0.4).map(({ name, as }) => ({
      collection: collectionOf(name),
      rows: dice.chance(0.5) ? undefined : dice.some(idsOf(name, as), 0.6),
    }));
    const settings = documents.length > 0 && dice.chance(0.5) ? [{ collection: 'settings' }] : [];
    return { unit: id, collections: [...collections, ...settings] };
  });
  return { mode: dice.pick(MODES), units };
}

/** What comes of it where no rows are compared by statements: the rows, or why not. */
async function outcomeOf(
  bytes: Buffer,
  on: string,
  choice: Choice,
  commits: boolean,
): Promise<readonly string[] | Rows> {
  const answer = await scene.tried(on, bytes, { choice, commits, inMemory: true }, rowsIn);
  return answer instanceof Problem ? refusal(answer) : alike(answer);
}

/** All that stands in the way, whichever comes first. */
const refusal = ({ message, members: { blockers } }: Problem): string[] =>
  blockers?.map(({ subject, reason }) => `${subject}: ${reason}`).sort() ?? [message];

/** Records that a service or a reservation owns are made anew, under ids of chance. */
function alike(rows: Rows): Rows {
  const records = rows.dns_record!.map((row) => (row.owner_source === null ? row : { ...row, id: '', created_at: '' }));
  const text = (row: Row): string => JSON.stringify([row.fqdn, row.type, row.value]);
  return { ...rows, dns_record: records.sort((a, b) => text(a).localeCompare(text(b))) };
}

/** Whether it went through. */
async function partOf(bytes: Buffer, on: string, commits: boolean): Promise<boolean> {
  const choice = await randomChoice(bytes);
  const inMemory = await outcomeOf(bytes, on, choice, commits);
  const answer = await scene.tried(on, bytes, { choice, commits }, async (db) => {
    expect(await db.all('PRAGMA foreign_key_check')).toEqual([]);
    return { rows: await rowsIn(db), archive: await scene.archive(db, false) };
  });
  const found = answer instanceof Problem ? refusal(answer) : alike(answer.rows);
  expect({ choice, found }).toEqual({ choice, found: inMemory });
  if (answer instanceof Problem) {
    const { blockers = [], errors = [] } = answer.members;
    expect([answer.message, blockers.length + errors.length > 0 || NAMES.test(answer.message)]).toEqual([
      answer.message,
      true,
    ]);
    for (const { subject, reason } of blockers) expect([subject, reason]).not.toContain('');
    return false;
  }
  await comesBack(answer.archive, answer.rows, commits).catch((error: Error) => {
    throw new Error(`after ${JSON.stringify(choice)} on ${on}: ${error.message}`);
  });
  return true;
}

/** Refusals that say in their sentence what they are about. */
const NAMES = /management/;

test(
  `${STATES} states come back, whole or chosen parts of them`,
  async () => {
    let before = await scene.archive(scene.house.services.store, true);
    const counts = { edits: 0, refused: 0, through: 0, parts: 0 };
    await scene.on('empty', async (store) => {
      await scene.restore(store, before, ALL);
      await scene.keep(store, 'earlier');
    });
    for (let at = 0; at < STATES; at++) {
      counts.edits += await scene.edit(1 + dice.below(EDITS_MOST));
      // What is committed is the same as what is seen before its commit: that is held at a sample.
      const commits = at < COMMITTED || at % COMMITTED === 0;
      const { store } = scene.house.services;
      const bytes = await scene.archive(store, true);
      await comesBack(bytes, await rowsIn(store), commits);
      counts.refused += (await isRefused(bytes, before, commits)) ? 1 : 0;
      counts.parts += 1;
      counts.through += (await partOf(bytes, dice.pick(['empty', 'earlier']), commits)) ? 1 : 0;
      before = bytes;
    }
    const peak_mb = Math.round(process.resourceUsage().maxRSS / 1024);
    process.stdout.write(`${STATES} states: ${JSON.stringify({ ...counts, peak_mb })}\n`);
    expect(counts.edits).toBeGreaterThan(STATES);
    expect(counts.refused).toBeGreaterThan(STATES / 2);
    if (STATES < 300) return;
    // Both ways of a part, and an edit of each table; a root is what all others of its unit stand on.
    expect(Math.min(counts.through, counts.parts - counts.through)).toBeGreaterThan(STATES / 10);
    expect(TABLES.map(({ name }) => name).filter((name) => !scene.changed.has(name))).toEqual([
      'certificate_authority',
    ]);
  },
  4 * 60 * 60_000,
);
