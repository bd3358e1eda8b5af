// Organisations of the directory: each is a tree of its own, below its suffix, that no account of another one can read.
import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import { component, idSchema, listOf, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { canonicalSuffix, domainOf, isBelow, suffixFault } from './names.ts';

export interface Organization extends Kept {
  slug: string;
  suffix: string;
}

/** slapd opens a database for each. */
export const ORGANIZATIONS_MOST = 64;

const slug = v.pipe(
  v.string(),
  v.regex(
    /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/,
    'Lower-case letters, digits and inner hyphens, beginning with a letter; 32 at most.',
  ),
  v.description('Short name, unique. It can’t be changed later.'),
);
const suffix = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description(
    'Distinguished name of the top of its tree: parts dc=, o= and ou= of letters, digits and inner hyphens, 2 to 8 for dc, such as dc=lab,dc=example. Not at, above or below that of another one. It can’t be changed later: everything that knows a name below it would lose it.',
  ),
);
const choices = {
  enabled: v.optional(enabledMember('saved, and not served.')),
  description: v.optional(descriptionMember),
};

const item = component(
  'LdapOrganization',
  v.object({
    id: idSchema,
    slug: text('Short name, unique.'),
    suffix: text('Distinguished name of the top of its tree, in canonical form.'),
    ...KEPT_MEMBERS,
  }),
);

export const organizations: Collection<Organization> = {
  table: 'ldap_organization',
  prefix: 'ldaporg',
  noun: 'organization',
  tag: 'LDAP',
  resource: 'ldap',
  path: '/api/v1/ldap/organizations',
  param: 'organization_id',
  pages: { all: 'ldap-organizations', one: 'ldap-organization', home: 'ldap' },
  listed: { component: 'LdapOrganizations', noun: 'organization', nouns: 'organizations' },
  imports: { key: ['slug'] },
  action: 'ldap.organization',
  columns: { slug: 'text', suffix: 'text' },
  order: ['slug'],
  lookups: ['slug', 'suffix', 'enabled'],
  spelling: { suffix: canonicalSuffix },
  immutable: ['slug', 'suffix'],
  defaults: {},
  schemas: {
    item,
    list: listOf('LdapOrganizationList', item),
    create: component('LdapOrganizationCreate', v.strictObject({ slug, suffix, ...choices }), {
      slug: 'lab',
      suffix: 'dc=lab,dc=example',
      description: 'People of the lab',
    }),
    update: component('LdapOrganizationUpdate', v.strictObject(choices), { enabled: false }),
  },
  title: (organization) => organization.slug,
  facts: told('suffix', 'enabled'),
  async settle(tx, next, before) {
    // Neither of its names can change.
    if (before) return next;
    const suffix = canonicalSuffix(next.suffix);
    const fault = suffixFault(suffix);
    if (fault) throw invalid({ pointer: '/suffix', detail: fault });
    const others = await tx.all<{ slug: string; suffix: string }>(
      'SELECT slug, suffix FROM ldap_organization WHERE id <> ?',
      [next.id],
    );
    if (others.length >= ORGANIZATIONS_MOST) {
      throw new Problem('state_conflict', `There are ${ORGANIZATIONS_MOST} organizations, which is the most.`);
    }
    const near = others.find((other) => isBelow(suffix, other.suffix) || isBelow(other.suffix, suffix));
    if (near) {
      const detail = `The tree of ${near.slug} is ${near.suffix}: one tree can’t stand at, above or below another.`;
      throw new Problem('already_exists', detail, { errors: [{ pointer: '/suffix', detail }] });
    }
    return { ...next, suffix };
  },
  async deletable(tx, { id, slug }) {
    const held = (await tx.one<Held>(HELD, [id]))!;
    if (held.users + held.groups + held.accounts === 0) return;
    throw new Problem('still_referenced', `The organization ${slug} is not empty.`, {
      blockers: [
        {
          subject: `Organization ${slug}`,
          reason: `It holds ${held.users} users, ${held.groups} groups and ${held.accounts} bind accounts.`,
          page: pagePath('ldap'),
          unblock: 'Delete them first. To stop serving it and keep them, disable it instead.',
        },
      ],
    });
  },
};

interface Held {
  users: number;
  groups: number;
  accounts: number;
}
const HELD = `SELECT (SELECT count(*) FROM ldap_user WHERE organization_id = ?1) AS users,
  (SELECT count(*) FROM ldap_group WHERE organization_id = ?1) AS groups,
  (SELECT count(*) FROM ldap_bind_account WHERE organization_id = ?1) AS accounts`;

/** The slug of an organisation that something is saved in. @throws Problem 422 at `/organization_id` */
export async function organizationNamed(db: Database, id: string): Promise<{ slug: string; suffix: string }> {
  const found = await db.one<{ slug: string; suffix: string }>(
    'SELECT slug, suffix FROM ldap_organization WHERE id = ?',
    [id],
  );
  if (!found) throw invalid({ pointer: '/organization_id', detail: 'There is no such organization.' });
  return found;
}

/** Reads the slug beside a row of the organisation. */
export const SLUG = { sql: '(SELECT slug FROM ldap_organization WHERE id = organization_id)' } as const;

/** Addresses of people for whom none is saved are below this domain. */
export const mailDomain = ({ suffix, slug }: { suffix: string; slug: string }): string =>
  domainOf(suffix) || `${slug}.internal`;
