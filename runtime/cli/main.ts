// The command line of the appliance's shell: the same data folder as the service, with the service running or not.
// What a script needs goes to standard output, alone; everything else to standard error.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../shared/ground/problems.ts';
import { DATABASE_FILE, databaseFault, StartFault } from '../../shared/ground/store/open-store.ts';
import { SNAPSHOTS_FOLDER } from '../../shared/ground/store/snapshots.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { readConfig } from '../config.ts';
import { openServices } from '../services.ts';
import { createArchive, inspectArchive, restoreArchive } from './archive.ts';
import { verify } from './audit.ts';
import { type Command, type FolderCommand, Refusal, Usage } from './command.ts';
import * as data from './data.ts';
import { HELP } from './help.ts';
import { resetAppliance } from './reset.ts';
import { createToken, listTokens, revokeToken } from './token.ts';
import { resetPassword, resetSecondFactors } from './user.ts';
import { rotateKey } from './vault.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  'token create': createToken,
  'token list': listTokens,
  'token revoke': revokeToken,
  'user reset-password': resetPassword,
  'user reset-second-factors': resetSecondFactors,
  'archive create': createArchive,
  'archive inspect': inspectArchive,
  'archive restore': restoreArchive,
  'audit verify': verify,
  'vault rotate-key': rotateKey,
  'data snapshot': data.snapshot,
  'data reset': resetAppliance,
};

const FOLDER_COMMANDS: Readonly<Record<string, FolderCommand>> = {
  'data list': data.list,
  'data restore': data.restore,
};

/** Answers the exit code: 0 done, 1 refused or failed, 2 not understood. */
async function main(words: string[]): Promise<number> {
  if (words.length === 0) throw new Usage('A command is missing.');
  if (words.includes('--help') || words[0] === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (words[0] === 'openapi') return printOpenApi(words.slice(1));
  const name = words.slice(0, 2).join(' ');
  const onFolder = FOLDER_COMMANDS[name]?.parse(words.slice(2));
  if (onFolder) return onFolder(await folder());
  const command = COMMANDS[name];
  if (!command) throw new Usage(`There is no command ${name}.`);
  const run = command.parse(words.slice(2));
  const services = await open(command.begins?.(words.slice(2)) ?? false);
  try {
    return await run(services);
  } finally {
    await services.store.close();
  }
}

/** The data folder, which has a database, or snapshots of one. */
async function folder(): Promise<string> {
  process.umask(0o077);
  const { data: path } = readConfig();
  if (!existsSync(join(path, DATABASE_FILE)) && !existsSync(join(path, SNAPSHOTS_FOLDER))) throw noAppliance(path);
  return path;
}

const noAppliance = (path: string): Refusal =>
  new Refusal(
    `There is no appliance in ${path}. GROUNDCREW_DATA names the folder; the service makes it at its first start.`,
  );

/** Opens an existing data folder: a mistyped path must not become a new appliance, unless one is to be made. */
async function open(begins: boolean): Promise<Services> {
  process.umask(0o077);
  const config = { ...readConfig(), log_level: 'ERROR' as const };
  if (!begins && !existsSync(join(config.data, DATABASE_FILE))) throw noAppliance(config.data);
  return openServices(config);
}

/** Loaded only here: the document needs every operation of the program. */
async function printOpenApi(rest: string[]): Promise<number> {
  if (rest.length > 0) throw new Usage('openapi takes no argument.');
  const { openApiText } = await import('./openapi.ts');
  process.stdout.write(openApiText(readConfig().base_url));
  return 0;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** One line for a known error; a defect with its stack. */
function explain(reason: unknown): number {
  const isOfDatabase = (reason as { code?: string }).code?.startsWith('SQLITE_') === true;
  const error = isOfDatabase ? databaseFault(reason, join(readConfig().data, DATABASE_FILE)) : reason;
  if (error instanceof Usage) {
    say(`groundcrew: ${error.message}\nTry: groundcrew --help`);
    return 2;
  }
  if (error instanceof Problem) {
    const places = error.members.errors?.map(({ pointer, detail }) => `  ${pointer} ${detail}`) ?? [];
    say([`groundcrew: ${error.message}`, ...(places.length > 1 ? places : [])].join('\n'));
    return 1;
  }
  const known =
    error instanceof Refusal ||
    error instanceof StartFault ||
    (error as NodeJS.ErrnoException).code?.startsWith('E') === true;
  say(`groundcrew: ${known ? (error as Error).message : (error as Error).stack}`);
  return 1;
}

// A reader that has seen enough (`… | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2)).catch(explain);
