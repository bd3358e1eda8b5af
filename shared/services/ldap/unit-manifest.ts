// What the appliance knows of the unit "LDAP".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'ldap',
  order: 70,
  name: 'LDAP',
  resources: { ldap: 'service-admin' },
  group: 'Trust and identity',
  tags: {
    LDAP: 'The directory of users and groups.',
  },
  pages: [{ page: 'ldap', label: 'LDAP', resource: 'ldap' }],
  enforces: ['ldap'],
  listeners: [
    {
      key: 'ldap',
      label: 'LDAP',
      page: pagePath('ldap-settings'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      opens: [
        { protocol: 'tcp', ports: 'ldaps_port', why: 'The directory over TLS.', when: 'ldaps_enabled' },
        { protocol: 'tcp', ports: 'ldap_port', why: 'The directory, with TLS on request.', when: 'ldap_enabled' },
      ],
    },
  ],
  certified_by_plan: true,
  comes_back: 'rows',
  tables: [
    {
      name: 'ldap_organization',
      kept: { label: 'Organizations', columns: 'slug suffix', unique: 'slug suffix' },
      archive: {
        as: 'desired',
        label: 'Organizations of the directory',
        columns: 'slug suffix description enabled',
        key: 'slug',
        unique: 'slug suffix',
        booleans: 'enabled',
      },
    },
    {
      name: 'ldap_user',
      kept: {
        label: 'Directory users',
        columns: 'organization_id uid kind given_name surname display_name mail telephone entry_uuid',
        unique: 'uid entry_uuid',
      },
      found: {
        kind: 'directory_user',
        label: 'Directory users',
        resource: 'ldap',
        page: 'ldap-user',
        columns: ['uid'],
        fact: "display_name || ' ' || description",
      },
      archive: {
        as: 'desired',
        label: 'Directory users',
        columns:
          'organization_id uid kind given_name surname display_name mail telephone entry_uuid description enabled',
        key: 'organization_id uid',
        unique: 'uid entry_uuid',
        booleans: 'enabled',
        refers: { organization_id: 'ldap_organization' },
      },
    },
    {
      name: 'ldap_group',
      kept: {
        label: 'Directory groups',
        columns: 'organization_id name member_users member_groups entry_uuid',
        unique: 'name entry_uuid',
      },
      found: {
        kind: 'directory_group',
        label: 'Directory groups',
        resource: 'ldap',
        page: 'ldap-group',
        columns: ['name'],
        fact: 'description',
      },
      archive: {
        as: 'desired',
        label: 'Directory groups',
        columns: 'organization_id name member_users member_groups entry_uuid description enabled',
        key: 'organization_id name',
        unique: 'name entry_uuid',
        booleans: 'enabled',
        json: 'member_users member_groups',
        refers: { organization_id: 'ldap_organization' },
        names: 'ldap_user ldap_group',
      },
    },
    {
      name: 'ldap_bind_account',
      kept: { label: 'Bind accounts', columns: 'organization_id name entry_uuid', unique: 'name entry_uuid' },
      archive: {
        as: 'desired',
        label: 'Bind accounts of the directory',
        columns: 'organization_id name entry_uuid description enabled',
        key: 'organization_id name',
        unique: 'name entry_uuid',
        booleans: 'enabled',
        refers: { organization_id: 'ldap_organization' },
      },
    },
    // Hashes: they come back from an encrypted archive, and with no plan, since a copy would outlive a change of them.
    {
      name: 'ldap_password',
      archive: {
        as: 'sealed',
        label: 'Passwords of the directory',
        columns: 'user_id account_id hash former mark',
        left: 'settled',
        key: 'user_id account_id',
        json: 'former',
        refers: { user_id: 'ldap_user', account_id: 'ldap_bind_account' },
      },
    },
  ],
};
