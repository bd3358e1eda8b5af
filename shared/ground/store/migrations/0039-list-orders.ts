// Schema 39: orders of lists that had no index: jobs and requests for certificates, the newest first, and what an organization of
// the directory holds, by name. A page of them sorted all rows that there are.
import type { Knex } from 'knex';

export const name = '0039-list-orders';

export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS = [
  'CREATE INDEX job_created ON job(created_at, id)',
  'CREATE INDEX certificate_request_created ON certificate_request(created_at, id)',
  'DROP INDEX ldap_user_organization',
  'CREATE INDEX ldap_user_organization ON ldap_user(organization_id, uid, id)',
  'DROP INDEX ldap_group_organization',
  'CREATE INDEX ldap_group_organization ON ldap_group(organization_id, name, id)',
];
