// From a data folder to keys and an open store: checks the folder's owner and fills a new folder. A folder that lost
// its database is refused: a fresh database would come with a new password of `admin`, beside the keys of the old one.
//
// In a new folder, the whole database is written under another name, then the keys, and then the database is renamed.
// So keys without a database mean one of two things: an interrupted first start, which still has the other name and is
// resumed, or a lost database. No step overwrites anything: of two starts at once, the second takes what is there.
import { chmod, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entropy } from '../shared/ground/clock.ts';
import { syncFolder } from '../shared/ground/machine/durable-file.ts';
import { isAlive } from '../shared/ground/machine/process-alive.ts';
import { KEYRING_FILE } from '../shared/ground/sealing/keyring.ts';
import { KEYS_FILE, type Keys, openKeys } from '../shared/ground/sealing/keys.ts';
import { DATABASE_FILE, migrate, openStore, StartFault } from '../shared/ground/store/open-store.ts';
import type { Store } from '../shared/ground/store/store.ts';

/** The database of a first start until the keys are there. */
const UNNAMED = `${DATABASE_FILE}.first`;
/** Its temporary name, with the id of the process at the end. */
const HALF_MADE = new RegExp(`^${UNNAMED.replaceAll('.', '\\.')}-([0-9]+)(?:-journal|-wal|-shm)?$`);

/** Tests: called after each step of a first start. */
export type Step = (name: 'made' | 'unnamed' | 'keys' | 'named') => void | Promise<void>;

/**
 * @throws StartFault with the way out, for a folder of others, a database that is missing, empty or damaged, lost keys.
 */
export async function openData(
  folder: string,
  entropy: Entropy,
  step: Step = () => undefined,
): Promise<{ keys: Keys; store: Store }> {
  await ownFolder(folder);
  const begun = await isBegun(folder);
  if (!begun) await makeUnnamed(folder, step);
  const keys = await openKeys(folder, entropy, begun);
  if (!begun) {
    await step('keys');
    await giveName(folder);
    await step('named');
  }
  await rm(join(folder, UNNAMED), { force: true });
  await closeToOthers(folder);
  return { keys, store: await openStore(folder, undefined, { begun: true }) };
}

const NO_FOLDER: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name',
  ENOTDIR: 'a part of this path is a file',
  ENOENT: 'it is a link to what does not exist',
  EACCES: 'the user that this runs as may not make one there',
  EROFS: 'the file system is read-only',
};

/** Makes the folder with mode 0700, or refuses one that others could write to. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const why = NO_FOLDER[error.code ?? ''] ?? error.message;
    throw new StartFault(`There can’t be a data folder ${folder} (GROUNDCREW_DATA): ${why}.`);
  });
  const { uid, mode } = await stat(folder);
  const own = process.geteuid?.() ?? uid;
  if (uid !== own && uid !== 0) {
    throw new StartFault(
      `The data folder ${folder} belongs to the user with id ${uid}, but the service runs as ${own}: run it as that user, or change the owner (chown -R).`,
    );
  }
  if ((mode & 0o022) === 0) return;
  // An empty folder holds nothing foreign.
  if (uid === own && (await readdir(folder)).length === 0) return chmod(folder, 0o700);
  throw new StartFault(
    `The data folder ${folder} can be written by others (mode ${(mode & 0o777).toString(8)}), so its files may not be the service’s own. Look through them, then run: chmod 700 ${folder}`,
  );
}

/** A restored copy is often readable by all. SQLite gives its log the mode of the database. */
async function closeToOthers(folder: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) {
    const file = join(folder, DATABASE_FILE + suffix);
    const found = await facts(file);
    if (found && (found.mode & 0o077) !== 0 && found.uid === process.geteuid?.()) await chmod(file, 0o600);
  }
}

/** False for a folder in which a first start is to begin or to go on. @throws StartFault */
async function isBegun(folder: string): Promise<boolean> {
  const database = join(folder, DATABASE_FILE);
  const found = await facts(database);
  if (found && found.size > 0) return true;
  const beside: string[] = [];
  for (const name of [KEYS_FILE, KEYRING_FILE, `${DATABASE_FILE}-wal`]) {
    if ((await facts(join(folder, name)))?.size) beside.push(join(folder, name));
  }
  if (!found && (beside.length === 0 || (await facts(join(folder, UNNAMED))))) return false;
  const away = [...beside, ...(found ? [database] : [])].join(', ');
  throw new StartFault(
    `The database ${database} is ${found ? 'empty' : 'missing'}${beside.length > 0 ? `, but its other files are there: ${beside.join(', ')}` : ''}. Put the database back from a copy of the same time; or, to start over without its content, move away: ${away}`,
  );
}

async function makeUnnamed(folder: string, step: Step): Promise<void> {
  const unnamed = join(folder, UNNAMED);
  await removeHalfMade(folder);
  if (await facts(unnamed)) return;
  const made = `${unnamed}-${process.pid}`;
  const file = await open(made, 'wx', 0o600);
  await file.close();
  await migrate(made);
  await step('made');
  const whole = await open(made, 'r+');
  await whole.sync();
  await whole.close();
  await link(made, unnamed).catch(unless('EEXIST'));
  await rm(made);
  await syncFolder(folder);
  await step('unnamed');
}

async function giveName(folder: string): Promise<void> {
  const database = join(folder, DATABASE_FILE);
  await link(join(folder, UNNAMED), database).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was faster.
    if (!(await facts(database))) throw error;
  });
  await syncFolder(folder);
}

/** What first starts that were killed left; not that of one which runs now. */
async function removeHalfMade(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(HALF_MADE.exec(name)?.[1]);
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) await rm(join(folder, name), { force: true });
  }
}

const facts = (path: string) => stat(path).catch(unless('ENOENT'));

const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };
