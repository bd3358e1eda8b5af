// Depot users in the database: accounts for the offline depot alone, not for the management UI. A password is written
// and never read back.

import * as v from 'valibot';
import { type Clock, type Entropy, instant, newId } from '../../ground/clock.ts';
import { pagePath } from '../../ground/page-paths.ts';
import { notFound, Problem } from '../../ground/problems.ts';
import {
  component,
  idParam,
  idSchema,
  instantSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { decodeCursor, type Page, pageOf } from '../../ground/store/pagination.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../kernel/access/password.ts';
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
    selected: v.pipe(
      v.boolean(),
      v.description('Whether the saved settings name it as the one user that the depot lets in.'),
    ),
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

interface Row extends Omit<DepotUser, 'selected'> {
  selected: number;
}

const SELECTED = `coalesce(json_extract(${documentOf('private-cloud-services')}, '$.http_user') = u.name, 0)`;
const COLUMNS = `u.id, u.name, u.revision, u.created_at, u.updated_at, ${SELECTED} AS selected`;

const view = ({ selected, ...row }: Row): DepotUser => ({ ...row, selected: selected === 1 });

/** By name. */
export async function listDepotUsers(
  db: Database,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<DepotUser>> {
  const list = build<Row>('depot_user as u').select(build.raw(COLUMNS)).orderBy('u.name');
  if (cursor) list.where('u.name', '>', String(decodeCursor(cursor, 1)[0]));
  return pageOf(await db.all<Row>(list.limit(limit + 1)), limit, ({ name: last }) => [last], view);
}

/** @throws Problem 404 */
export async function findDepotUser(db: Database, id: string): Promise<DepotUser> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM depot_user u WHERE u.id = ?`, [id]);
  if (!row) throw notFound('This depot user');
  return view(row);
}

export async function depotUserNamed(db: Database, named: string): Promise<boolean> {
  return (await db.one('SELECT 1 AS yes FROM depot_user WHERE name = ?', [named])) !== undefined;
}

/** The hash that a login is checked against. */
export async function passwordHashOf(db: Database, named: string): Promise<string | null> {
  const row = await db.one<{ password_hash: string }>('SELECT password_hash FROM depot_user WHERE name = ?', [named]);
  return row?.password_hash ?? null;
}

interface Shell {
  clock: Clock;
  entropy: Entropy;
}

/** @throws Problem 409 for a name that is taken */
export async function createDepotUser(
  tx: Transaction,
  { clock, entropy }: Shell,
  draft: { name: string; password_hash: string; created_by: string },
): Promise<DepotUser> {
  const id = newId('depotuser', entropy);
  const now = instant(clock.now());
  await tx
    .run(
      `INSERT INTO depot_user (id, name, password_hash, revision, created_by, created_at, updated_at)
       VALUES (?, ?, ?, 1, ?, ?, ?)`,
      [id, draft.name, draft.password_hash, draft.created_by, now, now],
    )
    .catch((error: Error) => {
      if (!error.message.includes('UNIQUE')) throw error;
      throw new Problem('already_exists', `There is a depot user ${draft.name} already.`, {
        errors: [{ pointer: '/name', detail: 'Another depot user has this name.' }],
      });
    });
  return findDepotUser(tx, id);
}

/** @throws Problem 404, 412 */
export async function setDepotPassword(
  tx: Transaction,
  { clock }: Pick<Shell, 'clock'>,
  id: string,
  password_hash: string,
  if_match: Precondition,
): Promise<DepotUser> {
  const before = await findDepotUser(tx, id);
  requireRevision(if_match, before.revision);
  const updated_at = instant(clock.now());
  await tx.run('UPDATE depot_user SET password_hash = ?, updated_at = ?, revision = revision + 1 WHERE id = ?', [
    password_hash,
    updated_at,
    id,
  ]);
  return { ...before, updated_at, revision: before.revision + 1 };
}

/** @throws Problem 404, 412; 409 while the settings name it */
export async function deleteDepotUser(tx: Transaction, id: string, if_match: Precondition): Promise<DepotUser> {
  const user = await findDepotUser(tx, id);
  requireRevision(if_match, user.revision);
  if (user.selected) {
    throw new Problem('still_referenced', `The settings of the offline depot name ${user.name}.`, {
      blockers: [
        {
          subject: 'Settings of the offline depot',
          reason: `They name ${user.name} as the user that the depot lets in.`,
          page: pagePath('offline-depot-settings'),
          unblock: 'Choose another depot user there, or none, and save the settings.',
        },
      ],
    });
  }
  await tx.run('DELETE FROM depot_user WHERE id = ?', [id]);
  return user;
}
