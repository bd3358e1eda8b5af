// groundcrew archive create, inspect, restore.
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { bringForward, type Forward } from '../../shared/appliance/archive/bring-forward.ts';
import type { Choice } from '../../shared/appliance/archive/choose.ts';
import { type CollectionDifference, countsOf, totalOf } from '../../shared/appliance/archive/difference.ts';
import { refuseOnceStarted } from '../../shared/appliance/archive/first-start.ts';
import { archiveFolder } from '../../shared/appliance/archive/kept.ts';
import { archiveName, makeArchive } from '../../shared/appliance/archive/make.ts';
import { missingMedia } from '../../shared/appliance/archive/media.ts';
import { MODES, type Mode } from '../../shared/appliance/archive/modes.ts';
import { compare } from '../../shared/appliance/archive/now.ts';
import { rehearse, restoreState } from '../../shared/appliance/archive/restore.ts';
import { PARTS } from '../../shared/appliance/archive/tables.ts';
import { type AgeIdentity, type AgeRecipients, isRecipient } from '../../shared/ground/age/age.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { type Snapshot, takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { startFromArchive } from './archive-first-start.ts';
import { auditContext, type Command, change, owningAll, Refusal, readArguments, Usage } from './command.ts';
import { askForPassword, askOnce } from './password-prompt.ts';

const PASSPHRASE_SHORTEST = 12;
const NOT_MADE = 'No archive was made';

export const createArchive: Command = {
  parse(words) {
    const { values, positionals } = readArguments({
      args: words,
      options: {
        recipient: { type: 'string', multiple: true, default: [] },
        'without-secrets': { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [named, ...more] = positionals;
    if (more.length > 0) throw new Usage('archive create takes the name of one file.');
    const recipients = values.recipient;
    const stranger = recipients.find((each) => !isRecipient(each));
    if (stranger !== undefined) throw new Usage(`${stranger} is no recipient of age: age1 and 58 more characters.`);
    const plain = values['without-secrets'];
    if (plain && recipients.length > 0) throw new Usage('--without-secrets is not encrypted, so it has no recipient.');
    return async (services) => {
      const to = plain ? null : recipients.length > 0 ? { recipients } : { passphrase: await newPassphrase() };
      const file = resolve(named ?? archiveName(services, to !== null));
      const detail = { secrets: !plain, recipients };
      // Recorded before the first byte: what was begun may have been read.
      await change(services, async () => ({
        result: null,
        event: { action: 'archive.create', resource_type: 'archive', resource_id: null, detail },
      }));
      await write(services, file, to);
      process.stdout.write(`${file}\n`);
      if (plain) process.stderr.write('Nothing that holds a secret is in it: no vaults, keys, Kickstarts or users.\n');
      return 0;
    };
  },
};

async function newPassphrase(): Promise<string> {
  const passphrase = await askForPassword('Passphrase of the archive: ', NOT_MADE);
  if (passphrase.length >= PASSPHRASE_SHORTEST) return passphrase;
  throw new Refusal(`${NOT_MADE}: the passphrase needs at least ${PASSPHRASE_SHORTEST} characters.`);
}

/** Whole or not at all, for nobody else to read. @throws Refusal where there is a file already */
async function write(services: Services, file: string, to: AgeRecipients | null): Promise<void> {
  const claimed = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Refusal(`${NOT_MADE}: there is ${file} already.`) : error;
  });
  await claimed.close();
  const part = `${file}.part`;
  try {
    const handle = await open(part, 'w', 0o600);
    try {
      for await (const piece of makeArchive(services, auditContext(services).actor.name, to))
        await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    await rm(file, { force: true });
    throw error;
  }
}

const OPENING = { identity: { type: 'string' } } as const;

/** One file, and what opens it: an identity file as the program `age` has them, or else a passphrase. */
async function opened(services: Services, file: string, identity: string | undefined): Promise<Forward> {
  const by = await identityOf(file, identity);
  return bringForward(archiveFolder(services.settings), createReadStream(file), by);
}

async function identityOf(file: string, identity: string | undefined): Promise<AgeIdentity | null> {
  if (identity !== undefined) {
    const [line] = (await readFile(identity, 'utf8')).split('\n').filter((each) => each.startsWith('AGE-SECRET-KEY-'));
    if (line === undefined) throw new Refusal(`${identity} holds no identity of age.`);
    return { identity: line.trim() };
  }
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(21), 0, 21, 0);
    if (!buffer.subarray(0, bytesRead).toString('latin1').startsWith('age-encryption.org/v1')) return null;
  } finally {
    await handle.close();
  }
  return { passphrase: await askOnce('Passphrase of the archive: ', 'The archive was not opened') };
}

function say(differences: readonly CollectionDifference[]): void {
  for (const each of differences) {
    const counts = Object.entries(countsOf(each)).map(([kind, count]) => `${count} ${kind}`);
    process.stdout.write(`${[each.part.id, each.collection, ...counts].join('\t')}\n`);
  }
  if (differences.length === 0) process.stderr.write('Nothing differs.\n');
}

const whereMade = ({ manifest: { host_name } }: Forward): string =>
  host_name === '' ? 'in plain JSON of schema 2' : `on ${host_name}`;

/** What the file has and this appliance has no place for. */
function sayUnplaced({ unplaced }: Forward): void {
  for (const { name, count, why } of unplaced) process.stderr.write(`Not taken over: ${count} of ${name}. ${why}\n`);
}

export const inspectArchive: Command = {
  parse(words) {
    const { values, positionals } = readArguments({ args: words, options: OPENING, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Usage('archive inspect takes one file.');
    return async (services) => {
      const forward = await opened(services, file, values.identity);
      const { manifest } = forward;
      const { now, archived, renamed, differences } = await compare(services.store, services, forward).finally(() =>
        forward.close(),
      );
      process.stderr.write(
        `Made ${manifest.created_at} by ${manifest.created_by} ${whereMade(forward)}, version ${manifest.program}.\n`,
      );
      sayUnplaced(forward);
      for (const [from, to] of renamed) process.stderr.write(`${from} is ${to} here.\n`);
      for (const { name } of missingMedia(now, archived)) process.stderr.write(`The files of ${name} are not in it.\n`);
      say(differences);
      return 0;
    };
  },
};

export const restoreArchive: Command = {
  begins: (words) => words.includes('--first-start'),
  parse(words) {
    const { values, positionals } = readArguments({
      args: words,
      options: {
        ...OPENING,
        mode: { type: 'string', default: 'replace' },
        unit: { type: 'string', multiple: true, default: [] },
        'dry-run': { type: 'boolean', default: false },
        'first-start': { type: 'boolean', default: false },
        'leave-out': { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Usage('archive restore takes one file.');
    const leave_out = values['leave-out'];
    refuseUnknown(leave_out);
    if (values['first-start']) {
      if (values['dry-run'] || values.unit.length > 0 || values.mode !== 'replace')
        throw new Usage('--first-start takes the whole archive: no --mode, no --unit and no --dry-run.');
      return (services) => started(services, { file, identity: values.identity, leave_out });
    }
    if (leave_out.length > 0)
      throw new Usage('--leave-out belongs to --first-start; otherwise name units with --unit.');
    const choice = choiceOf(values.mode, values.unit);
    const rollBack = values['dry-run'];
    return async (services) => {
      const forward = await opened(services, file, values.identity);
      const restore = () => restored(services, forward, { choice, rollBack });
      // The passphrase was typed before: nobody waits for a person.
      const { differences, kept } = await (rollBack ? restore() : owningAll(services, restore)).finally(() =>
        forward.close(),
      );
      sayUnplaced(forward);
      say(differences);
      if (differences.length === 0) return 0;
      if (kept) process.stderr.write(`How it was until now is kept: ${kept.name}\n`);
      process.stderr.write(
        rollBack ? 'A dry run: nothing was saved.\n' : 'Saved. Review and apply it in the management UI.\n',
      );
      return 0;
    };
  },
};

async function started(
  services: Services,
  { file, identity, leave_out }: { file: string; identity: string | undefined; leave_out: readonly string[] },
): Promise<number> {
  // Before a passphrase is asked for in vain.
  await refuseOnceStarted(services.store);
  const forward = await opened(services, file, identity);
  const { differences, accounts } = await startFromArchive(services, forward, leave_out).finally(() => forward.close());
  sayUnplaced(forward);
  say(differences);
  process.stderr.write(
    accounts === null
      ? 'The archive has no accounts: the one of the first start stays.\n'
      : `Its accounts may sign in here, with their passwords: ${accounts}.\n`,
  );
  process.stderr.write('Saved. Start the service, sign in, review and apply it.\n');
  return 0;
}

async function restored(
  services: Services,
  forward: Forward,
  { choice, rollBack }: { choice: Choice; rollBack: boolean },
): Promise<{ differences: readonly CollectionDifference[]; kept: Snapshot | null }> {
  const context = auditContext(services);
  const kept = await keptBefore(services, forward, choice, rollBack);
  const { differences } = await services.store.write(
    async (tx) => {
      const found = await restoreState(tx, services, context.actor, forward, choice);
      if (found.differences.length === 0) return found;
      const { created_at: made_at, host_name } = forward.manifest;
      const detail = { made_at, host_name, mode: choice.mode, collections: countsIn(found.differences) };
      const event = { action: 'archive.restore', resource_type: 'archive', resource_id: null, detail };
      await appendAudit(tx, services.keys, context, event, { holdsLock: true });
      return found;
    },
    { rollBack },
  );
  return { differences, kept };
}

/** `ntp/ntp_sources` → rows. */
const countsIn = (differences: readonly CollectionDifference[]): Record<string, number> =>
  Object.fromEntries(differences.map((each) => [`${each.part.id}/${each.collection}`, totalOf(each)]));

/** The way back; null where nothing would be saved. */
async function keptBefore(
  services: Services,
  forward: Forward,
  choice: Choice,
  rollBack: boolean,
): Promise<Snapshot | null> {
  const { picked } = await rehearse(services.store, services, forward, choice);
  if (rollBack || picked.length === 0) return null;
  return takeSnapshot(join(services.settings.data, DATABASE_FILE), 'before-restore', services.clock);
}

/** @throws Usage */
function choiceOf(mode: string, units: readonly string[]): Choice {
  if (!(MODES as readonly string[]).includes(mode)) throw new Usage(`--mode is one of ${MODES.join(', ')}.`);
  refuseUnknown(units);
  return { mode: mode as Mode, units: units.length === 0 ? null : units.map((unit) => ({ unit })) };
}

/** @throws Usage */
function refuseUnknown(units: readonly string[]): void {
  const known = PARTS.map(({ id }) => id);
  const unknown = units.find((unit) => !known.includes(unit));
  if (unknown !== undefined) throw new Usage(`There is no unit ${unknown}. There are: ${known.join(' ')}`);
}
