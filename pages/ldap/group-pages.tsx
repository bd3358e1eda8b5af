// The pages of directory groups: fields, facts and words.
import { type DirectoryGroup, groups, MEMBERS_MOST } from '../../shared/services/ldap/groups.ts';
import { Copyable } from '../components/copyable.tsx';
import { commonGroup, type ItemPages } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';
import { GROUPS, type InOrganization, inOrganization, LDAP, noOrganization, organizationField } from './places.tsx';

export const GROUP_PAGES: ItemPages<DirectoryGroup, InOrganization> = {
  collection: groups,
  component: 'LdapGroup',
  noun: 'group',
  what: 'the directory',
  home: GROUPS,
  above: [LDAP],
  base: GROUPS.href,
  blank: ({ organization_id }) => ({
    organization_id,
    name: '',
    member_users: [],
    member_groups: [],
    enabled: true,
    description: '',
  }),
  load: (db, _item, asked) => inOrganization(db, asked),
  missing: noOrganization,
  groups: (extra, item) => [
    {
      legend: 'Group',
      fields: [
        ...(item
          ? []
          : [
              organizationField(extra),
              {
                name: 'name',
                label: 'Name',
                kind: 'text' as const,
                required: true,
                maxlength: 63,
                placeholder: 'VCF Admins',
                help: 'Letters, digits, dots, hyphens, underscores and single blanks. It can’t be changed later.',
              },
            ]),
        {
          name: 'member_users',
          label: 'Users',
          kind: 'list',
          rows: 8,
          placeholder: 'ada',
          help: `Names of users of the organization, one a line, ${MEMBERS_MOST} at most.`,
        },
        {
          name: 'member_groups',
          label: 'Groups',
          kind: 'list',
          rows: 4,
          placeholder: 'Operators',
          help: 'Groups of the organization whose members belong to this one as well, one a line.',
        },
      ],
    },
    commonGroup('group', 'A disabled group is kept but not in the directory.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="directoryGroup" row={row} />,
  facts: ({ name, organization, organization_id, entry_uuid }, { organizations }) => [
    { label: 'Organization', value: organization },
    {
      label: 'DN',
      value: (
        <Copyable
          id="dn"
          text={`cn=${name},ou=groups,${organizations.find(({ id }) => id === organization_id)?.suffix ?? ''}`}
        />
      ),
    },
    { label: 'entryUUID', value: <code>{entry_uuid}</code> },
  ],
  deleting: () => 'Its members lose what products gave to the group.',
};
