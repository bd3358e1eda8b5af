// Where rows of the directory stand that are to take over what slapd has. One or two statements each. What they would take over has
// to be what an edit of them could set.
import * as v from 'valibot';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { AnyCollection, Draft } from '../../../platform/units/collection.ts';
import type { RowAdoption } from '../../../platform/units/row-adoption.ts';

const ORGANIZATION = 'SELECT id FROM ldap_organization WHERE slug = ?';
const ROWS = {
  user: `SELECT ldap_user.id, entry_uuid, '[]' AS member_users, '[]' AS member_groups FROM ldap_user
    JOIN ldap_organization ON ldap_organization.id = organization_id WHERE slug = ? AND uid = ?`,
  group: `SELECT ldap_group.id, entry_uuid, member_users, member_groups FROM ldap_group
    JOIN ldap_organization ON ldap_organization.id = organization_id WHERE slug = ? AND name = ?`,
};

export type RowKind = keyof typeof ROWS;

export interface Named {
  kind: RowKind;
  /** Short name of the organisation. */
  slug: string;
  name: string;
}

interface SavedRow {
  id: string;
  entry_uuid: string;
  member_users: string[];
  member_groups: string[];
}

async function find(db: Database, { kind, slug, name }: Named): Promise<SavedRow | undefined> {
  const row = await db.one<Record<keyof SavedRow, string>>(ROWS[kind], [slug, name]);
  return (
    row && {
      ...row,
      member_users: JSON.parse(row.member_users) as string[],
      member_groups: JSON.parse(row.member_groups) as string[],
    }
  );
}

export const subjectOf = ({ kind, name, slug }: Named): string =>
  `${kind === 'user' ? 'User' : 'Group'} ${name} of ${slug}`;

export function blocker(named: Named, reason: string, unblock = 'Change it here, or in slapd'): Blocker {
  return {
    subject: subjectOf(named),
    reason,
    page: pagePath(named.kind === 'user' ? 'ldap-users' : 'ldap-groups'),
    unblock,
  };
}

type Settled = Awaited<ReturnType<RowAdoption['settle']>>;

/** `draft`: as the collection takes it, but for the entryUUID of a new entry, which no edit sets. */
function settled(named: Named, { schemas }: AnyCollection, id: string | null, draft: Draft): Settled {
  const { entry_uuid, ...typed } = draft as Record<string, unknown>;
  const valid = v.safeParse(id === null ? schemas.create : schemas.update, typed);
  if (!valid.success) return { refused: blocker(named, wordsOf(valid.issues).join(' ')) };
  return { id, draft: { ...(valid.output as Draft), ...(id === null && { entry_uuid }) } as Draft };
}

/** What is wrong, by member, without the value. */
export const wordsOf = (issues: readonly v.BaseIssue<unknown>[]): string[] =>
  issues.map((issue) => `${v.getDotPath(issue) ?? 'It'}: ${issue.message}`);

/** A row that was applied, whose entry is another one now. `draft`: from the row as it is saved. */
export function changedRow(
  named: Named,
  collection: AnyCollection,
  draft: (saved: Pick<SavedRow, 'member_users' | 'member_groups'>) => Draft,
): RowAdoption {
  return {
    subject: subjectOf(named),
    collection,
    async settle(db) {
      const row = await find(db, named);
      if (row) return settled(named, collection, row.id, draft(row));
      return { refused: blocker(named, 'It was deleted here since it was applied.', 'Apply, which removes its entry') };
    },
  };
}

/** An entry that nobody applied. It keeps its entryUUID, by which clients know it. */
export function newRow(named: Named, collection: AnyCollection, draft: Draft & { entry_uuid: string }): RowAdoption {
  return {
    subject: subjectOf(named),
    collection,
    async settle(db) {
      const row = await find(db, named);
      // Adopted before, and not applied since.
      if (row?.entry_uuid === draft.entry_uuid) return { id: row.id, draft: {} };
      if (row) return { refused: blocker(named, 'Another one of this name is saved here and not applied yet.') };
      const organization = await db.one<{ id: string }>(ORGANIZATION, [named.slug]);
      if (organization) return settled(named, collection, null, { ...draft, organization_id: organization.id });
      return { refused: blocker(named, 'Its organization was deleted here.', 'Apply, which removes its tree') };
    },
  };
}
