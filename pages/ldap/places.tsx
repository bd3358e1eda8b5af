// Where the pages of the directory are, and what its lists and forms share.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import type { FilterSelect } from '../components/filter-bar.tsx';
import type { Field } from '../units/fields.tsx';

export const LDAP = { href: pagePath('ldap'), label: 'LDAP' };
export const ORGANIZATIONS = pagePath('ldap-organizations');
export const USERS = { href: pagePath('ldap-users'), label: 'Users' };
export const GROUPS = { href: pagePath('ldap-groups'), label: 'Groups' };
export const ACCOUNTS = { href: pagePath('ldap-bind-accounts'), label: 'Bind accounts' };

/** What forms of things in an organisation need. */
export interface InOrganization {
  organizations: readonly Organization[];
  /** Of a new one: the organization that it was asked for. */
  organization_id: string;
}

export async function allOrganizations(db: Database): Promise<Organization[]> {
  return (await listItems(db, organizations, { limit: PAGE_MAX })).items;
}

export async function inOrganization(
  db: Database,
  { query }: { query: Readonly<Record<string, string>> },
): Promise<InOrganization> {
  const all = await allOrganizations(db);
  const asked = all.find(({ id }) => id === query.organization_id) ?? all[0];
  return { organizations: all, organization_id: asked?.id ?? '' };
}

/** The first field of a new one; a saved one stays where it is. */
export const organizationField = ({ organizations: all }: InOrganization): Field => ({
  name: 'organization_id',
  label: 'Organization',
  kind: 'choice',
  options: all.map(({ id, slug, suffix }) => ({ value: id, label: `${slug}: ${suffix}` })),
});

export const noOrganization = ({ organizations: all }: InOrganization) =>
  all.length > 0 ? null : (
    <Empty>
      There is no organization yet, in which it could be.{' '}
      <ButtonLink kind="primary" icon="plus" href={`${ORGANIZATIONS}/new`}>
        Add organization
      </ButtonLink>
    </Empty>
  );

export const organizationSelect = (all: readonly Organization[], value: string): FilterSelect => ({
  name: 'organization_id',
  label: 'Organization',
  any: 'Any organization',
  value,
  options: all.map(({ id, slug }) => ({ value: id, label: slug })),
});
