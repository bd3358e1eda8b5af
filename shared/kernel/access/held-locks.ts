// Locks that no job holds, and whose holder may be gone: requests end with the service, commands of the shell with their
// process, which the owner names.
import { processMark } from '../../ground/machine/process-alive.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { REQUEST, releaseLocks } from './mutation-lock.ts';

/** Commands of the shell own everything as requests do, for as long as their process lives. */
const COMMAND = `${REQUEST}cli_`;
export const commandOwner = (pid: number): string => `${COMMAND}${processMark(pid) ?? pid}`;

/** At the start: whoever was asked before it is not answered any more. A command of the shell goes on. */
export async function releaseRequests(transaction: Transaction): Promise<void> {
  await transaction.run('DELETE FROM mutation_lock WHERE substr(job_id, 1, ?) = ? AND substr(job_id, 1, ?) <> ?', [
    REQUEST.length,
    REQUEST,
    COMMAND.length,
    COMMAND,
  ]);
  await releaseDead(transaction);
}

/** Owners that are commands whose process is no more: killed, they could not release what they held. */
export async function deadCommands(database: Database): Promise<string[]> {
  const rows = await database.all<{ job_id: string }>(
    'SELECT DISTINCT job_id FROM mutation_lock WHERE substr(job_id, 1, ?) = ?',
    [COMMAND.length, COMMAND],
  );
  const mark = (owner: string): string => owner.slice(COMMAND.length);
  return rows
    .map(({ job_id }) => job_id)
    .filter((owner) => processMark(Number.parseInt(mark(owner), 10)) !== mark(owner));
}

/** Answers whose locks went. */
export async function releaseDead(transaction: Transaction): Promise<string[]> {
  const dead = await deadCommands(transaction);
  for (const owner of dead) await releaseLocks(transaction, owner);
  return dead;
}
