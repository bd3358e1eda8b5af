// Depot users in the database: accounts for the offline depot alone, not for the management UI. A password is written
// and never read back.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { Problem } from '../../ground/problems.ts';
import {
  component,
  idParam,
  idSchema,
  instantSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../kernel/access/password.ts';
import { type Collection, told } from '../../platform/units/collection.ts';
import { findItem, type ItemQuery, listItems, visible } from '../../platform/units/collection-store.ts';
import { documentOf } from '../../platform/units/documents.ts';

/** Basic authentication (RFC 7617) permits no colon in the name; the rest is easy to type. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const name = v.pipe(
  v.string(),
  v.regex(
    NAME,
    'Lower-case letters, digits, dots, hyphens and underscores; 1 to 64, beginning with a letter or digit.',
  ),
  v.description('Unique. It can’t be changed later.'),
);

const password = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN_LENGTH, `At least ${PASSWORD_MIN_LENGTH} characters.`),
  v.maxLength(PASSWORD_MAX_LENGTH, `At most ${PASSWORD_MAX_LENGTH} characters.`),
  v.regex(/^[^\p{Cc}]*$/u, 'Control characters are not accepted.'),
  v.description('Write-only. It is typed where an appliance is configured for this depot.'),
);

export const depotUserSchema = component(
  'DepotUser',
  v.object({
    id: idSchema,
    name: text('Name with which it signs in to the depot.'),
    selected: v.pipe(v.boolean(), v.description('Whether the saved settings name it as the user of the depot.')),
    revision: revisionSchema,
    created_at: instantSchema,
    updated_at: v.pipe(v.string(), v.isoTimestamp(), v.description('When its password was last set.')),
  }),
);
export const depotUserListSchema = listOf('DepotUserList', depotUserSchema);
export const depotUserCreateSchema = component('DepotUserCreate', v.strictObject({ name, password }), {
  name: 'vcf-installer',
  password: 'a passphrase of your own',
});
export const depotUserUpdateSchema = component('DepotUserUpdate', v.strictObject({ password }), {
  password: 'another passphrase of your own',
});
export const depotUserParams = idParam('http_user_id', 'Id of the depot user.');

export type DepotUser = v.InferOutput<typeof depotUserSchema>;

/** As it is kept: the password is never answered. */
interface DepotAccount extends DepotUser {
  password_hash: string;
  created_by: string;
}

const selectedName = `coalesce(json_extract(${documentOf('private-cloud-services')}, '$.http_user'), '')`;

export const depotUsers: Collection<DepotAccount> = {
  table: 'depot_user',
  prefix: 'depotuser',
  noun: 'depot user',
  plural: 'depot users',
  effect: 'immediate',
  saves: null,
  tag: 'Offline depot',
  resource: 'depot',
  path: '/api/v1/private-cloud-services/http-users',
  param: 'http_user_id',
  pages: { all: 'offline-depot-users', one: 'offline-depot-user', home: 'offline-depot' },
  live: true,
  action: 'depot.http_user',
  columns: {
    name: 'text',
    selected: { sql: `(${selectedName} = name)`, as: 'boolean' },
    revision: 'integer',
    created_at: 'text',
    updated_at: 'text',
    password_hash: 'text',
    created_by: 'text',
  },
  hidden: { password_hash: 'password', created_by: 'created_by' },
  order: ['name'],
  lookups: [],
  immutable: [],
  defaults: {},
  schemas: {
    item: depotUserSchema,
    list: depotUserListSchema,
    create: depotUserCreateSchema,
    update: depotUserUpdateSchema,
  },
  title: ({ name }) => name,
  facts: told('name'),
  async settle(tx, next, before) {
    // Its name stays, so that a change of the password does not change whether the settings name it.
    if (before) return next;
    const chosen = await tx.one<{ name: string }>(`SELECT ${selectedName} AS name`);
    return { ...next, selected: chosen?.name === next.name };
  },
  taken: ({ name }) =>
    new Problem('already_exists', `There is a depot user ${name} already.`, {
      errors: [{ pointer: '/name', detail: 'Another depot user has this name.' }],
    }),
  async deletable(_tx, { name, selected }) {
    if (!selected) return;
    throw new Problem('still_referenced', `The settings of the offline depot name ${name}.`, {
      blockers: [
        {
          subject: 'Settings of the offline depot',
          reason: `They name ${name} as the user of the depot.`,
          page: pagePath('offline-depot-settings'),
          unblock: 'Choose another depot user there, or none, and save the settings.',
        },
      ],
    });
  },
};

/** By name. */
export async function listDepotUsers(db: Database, query: ItemQuery): Promise<DepotUser[]> {
  const { items } = await listItems(db, depotUsers, query);
  return items.map((user) => visible(depotUsers, user));
}

/** @throws Problem 404 */
export const findDepotUser = async (db: Database, id: string): Promise<DepotUser> =>
  visible(depotUsers, await findItem(db, depotUsers, id));

export async function depotUserNamed(db: Database, named: string): Promise<boolean> {
  return (await db.one('SELECT 1 AS yes FROM depot_user WHERE name = ?', [named])) !== undefined;
}

/** The hash that a login is checked against. */
export async function passwordHashOf(db: Database, named: string): Promise<string | null> {
  const row = await db.one<{ password_hash: string }>('SELECT password_hash FROM depot_user WHERE name = ?', [named]);
  return row?.password_hash ?? null;
}
