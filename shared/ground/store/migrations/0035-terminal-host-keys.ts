// Schema of the host keys of other machines that the web terminal goes to.
import type { Knex } from 'knex';

export const name = '0035-terminal-host-keys';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE terminal_host_key (
    host TEXT NOT NULL, port INTEGER NOT NULL, sha256 TEXT NOT NULL, algorithm TEXT NOT NULL,
    confirmed_by TEXT NOT NULL, confirmed_at TEXT NOT NULL, PRIMARY KEY (host, port)) STRICT, WITHOUT ROWID`);
}
