// Host keys of other machines that somebody compared and confirmed: a terminal goes to no other machine, and to none that shows
// another key than the confirmed one.
import { type Clock, instant } from '../../ground/clock.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';

export interface HostKeyPlace {
  /** As a vault's URI has it: lower-case name, or an address without brackets. */
  host: string;
  port: number;
}

/** `SHA256:…`; null: none was confirmed. */
export async function confirmedHostKey(db: Database, { host, port }: HostKeyPlace): Promise<string | null> {
  const sql = 'SELECT sha256 FROM terminal_host_key WHERE host = ? AND port = ?';
  return (await db.one<{ sha256: string }>(sql, [host, port]))?.sha256 ?? null;
}

/** All of them: the next terminal to each machine asks anew. */
export async function forgetHostKeys(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM terminal_host_key');
}

/** In place of the one before. */
export async function confirmHostKey(
  tx: Transaction,
  clock: Clock,
  { host, port }: HostKeyPlace,
  key: { sha256: string; algorithm: string; confirmed_by: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO terminal_host_key (host, port, sha256, algorithm, confirmed_by, confirmed_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (host, port) DO UPDATE SET sha256 = excluded.sha256, algorithm = excluded.algorithm,
        confirmed_by = excluded.confirmed_by, confirmed_at = excluded.confirmed_at`,
    [host, port, key.sha256, key.algorithm, key.confirmed_by, instant(clock.now())],
  );
}
