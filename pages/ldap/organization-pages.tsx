// The pages of organisations: fields, facts and words.
import { type Organization, organizations } from '../../shared/services/ldap/organizations.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { LDAP, ORGANIZATIONS } from './places.tsx';

export const ORGANIZATION_PAGES: ItemPages<Organization, null> = {
  collection: organizations,
  component: 'LdapOrganization',
  noun: 'organization',
  what: 'the directory',
  home: LDAP,
  base: ORGANIZATIONS,
  blank: { slug: '', suffix: '', enabled: true, description: '' },
  load: async () => null,
  groups: (_extra, item) => [
    ...(item
      ? []
      : [
          {
            legend: 'Organization',
            fields: [
              {
                name: 'slug',
                label: 'Short name',
                kind: 'text' as const,
                mono: true,
                required: true,
                maxlength: 32,
                placeholder: 'lab',
                help: 'Lower-case letters, digits and hyphens. It can’t be changed later.',
              },
              {
                name: 'suffix',
                label: 'Suffix',
                kind: 'text' as const,
                mono: true,
                wide: true,
                required: true,
                maxlength: 255,
                placeholder: 'dc=lab,dc=example',
                help: 'Distinguished name of the top of its tree: the base DN that clients are given. It can’t be changed later.',
              },
            ],
          },
        ]),
    commonGroup('organization', 'A disabled organization is kept but not served.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="organization" row={row} />,
  facts: ({ suffix }) => [
    { label: 'Base DN', value: <Copyable id="suffix" text={suffix} /> },
    { label: 'Users below', value: <Copyable id="people" text={`ou=people,${suffix}`} /> },
    { label: 'Groups below', value: <Copyable id="groups" text={`ou=groups,${suffix}`} /> },
  ],
  below: ({ id }, _extra, { user }) => (
    <Transfer href={itemHref(ORGANIZATIONS, id)} writes={user.scopes.includes('write:ldap')} />
  ),
  deleting: () => 'Its tree goes with the next apply. It must be empty.',
};

/** What is done with all of its users and groups. */
function Transfer({ href, writes }: { href: string; writes: boolean }) {
  return (
    <section class="below" aria-labelledby="transfer-title">
      <h2 id="transfer-title">Users and groups</h2>
      <p>Files hold everything that is saved of them but passwords.</p>
      <div class="actions">
        <ButtonLink href={`${href}/entries.csv?kind=users`}>Download users</ButtonLink>
        <ButtonLink href={`${href}/entries.csv?kind=groups`}>Download groups</ButtonLink>
        {writes && <ButtonLink href={`${href}/import`}>Import</ButtonLink>}
        {writes && <ButtonLink href={`${href}/test-users`}>Make test users</ButtonLink>}
      </div>
    </section>
  );
}
