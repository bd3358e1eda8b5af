// Schema 11: which token made a token, so that it ends with its maker. What disabling stopped stays stopped.
import type { Knex } from 'knex';

export const name = '0011-token-makers';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  // Tokens of before have none: their maker was not kept.
  'ALTER TABLE api_token ADD COLUMN created_by_token TEXT REFERENCES api_token(id) ON DELETE CASCADE',
  'CREATE INDEX api_token_maker ON api_token(created_by_token) WHERE created_by_token IS NOT NULL',
  // They would have worked again when their user is enabled.
  `UPDATE api_token SET revoked_at = (SELECT updated_at FROM user WHERE user.id = user_id)
    WHERE revoked_at IS NULL AND user_id IN (SELECT id FROM user WHERE enabled = 0)`,
];
