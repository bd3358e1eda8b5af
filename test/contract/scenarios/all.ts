// Every scenario, by operation id, with the body that its operation takes. A new area adds its file here.
import { PASSWORD } from '../../setup/house.ts';
import { BODIES } from '../clients/bodies.ts';
import type { BodiesOf } from '../clients/bodies-of.ts';
import { ACCESS } from './access.ts';
import { ALERT_SCENARIOS } from './alerts.ts';
import { APPLY } from './apply.ts';
import { ARCHIVE_SCHEDULE } from './archive-schedule.ts';
import { ARCHIVES } from './archives.ts';
import { AUTOMATION_LDAP } from './automation-ldap.ts';
import { BOOT_AUTHORIZATION } from './boot-authorization.ts';
import { BOOT_MEDIA } from './boot-media.ts';
import { CERTIFICATES } from './certificates.ts';
import { DATASTORE_MOUNT } from './datastore-mount.ts';
import { DEPLOYMENT } from './deployment.ts';
import { DEPOT } from './depot.ts';
import { DEPOT_UPLOADS } from './depot-uploads.ts';
import { DHCP } from './dhcp.ts';
import { DNS } from './dns.ts';
import { EXTERNAL_SIGN_IN } from './external-sign-in.ts';
import { FIREWALL } from './firewall.ts';
import { IMPORTS } from './imports.ts';
import { KEY_PROVIDER } from './key-provider.ts';
import { KMS_SCENARIOS } from './kms.ts';
import { DIRECTORY } from './ldap.ts';
import { MANAGEMENT_TLS } from './management-tls.ts';
import { NETWORK } from './network.ts';
import { NETWORK_BOOT } from './network-boot.ts';
import { NTP } from './ntp.ts';
import { OIDC_SCENARIOS } from './oidc.ts';
import { OIDC_SCIM_SCENARIOS } from './oidc-scim.ts';
import { PUBLIC_PAGES } from './public-pages.ts';
import { REMOTE } from './remote.ts';
import { REMOTE_DEPOT } from './remote-depot.ts';
import { REMOTE_WIZARD } from './remote-wizard.ts';
import type { Scenario, Scenarios } from './scenario.ts';
import { SERVICE } from './service.ts';
import { SETTINGS } from './settings.ts';
import { STORAGE } from './storage.ts';
import { VAULT_PAGES } from './vault-pages.ts';
import { VAULTS } from './vaults.ts';
import { VCF_HELPER } from './vcf-helper.ts';
import { WEB_TERMINAL } from './web-terminal.ts';

const ALL: Scenarios = {
  ...ACCESS,
  ...EXTERNAL_SIGN_IN,
  ...SERVICE,
  ...NETWORK,
  ...DNS,
  ...IMPORTS,
  ...DHCP,
  ...APPLY,
  ...SETTINGS,
  ...FIREWALL,
  ...NTP,
  ...DIRECTORY,
  ...MANAGEMENT_TLS,
  ...OIDC_SCENARIOS,
  ...OIDC_SCIM_SCENARIOS,
  ...STORAGE,
  ...BOOT_AUTHORIZATION,
  ...BOOT_MEDIA,
  ...DEPOT,
  ...DEPOT_UPLOADS,
  ...NETWORK_BOOT,
  ...VCF_HELPER,
  ...DEPLOYMENT,
  ...PUBLIC_PAGES,
  ...REMOTE,
  ...REMOTE_DEPOT,
  ...REMOTE_WIZARD,
  ...VAULTS,
  ...CERTIFICATES,
  ...KMS_SCENARIOS,
  ...DATASTORE_MOUNT,
  ...KEY_PROVIDER,
  ...AUTOMATION_LDAP,
  ...VAULT_PAGES,
  ...ARCHIVES,
  ...ARCHIVE_SCHEDULE,
  ...ALERT_SCENARIOS,
  ...WEB_TERMINAL,
};

/** What is done with the chosen rows of a list, by the form that deletes one of them: it has the same effect for one. */
const CHOSEN = {
  changeNtpSourcesForm: ['deleteNtpSource', 'source_id'],
  changeFirewallRulesForm: ['deleteFirewallRule', 'rule_id'],
  changeDhcpScopesForm: ['deleteDhcpScope', 'scope_id'],
  changeDhcpOptionsForm: ['deleteDhcpOption', 'option_id'],
  changeDnsZonesForm: ['deleteDnsZone', 'zone_id'],
  changeDnsRecordsForm: ['deleteDnsRecord', 'record_id'],
  changeEsxiHostsForm: ['deleteEsxiHost', 'host_id'],
  changeKickstartsForm: ['deleteKickstart', 'kickstart_id'],
  changeLdapOrganizationsForm: ['deleteLdapOrganization', 'organization_id'],
  changeLdapUsersForm: ['deleteLdapUser', 'directory_user_id'],
  changeLdapGroupsForm: ['deleteLdapGroup', 'group_id'],
  changeLdapBindAccountsForm: ['deleteLdapBindAccount', 'bind_account_id'],
  changeStorageDatastoresForm: ['deleteStorageDatastore', 'datastore_id'],
  changeOidcClientsForm: ['deleteOidcClient', 'oidc_client_id'],
} as const;

const chosen = ([of, id]: readonly [string, string]): Scenario => ({
  ...ALL[of],
  send: (given) => ({ form: { ids: given[id]!, verb: 'delete', confirm: 'on' } }),
});

/** The same of lists that are of no declared collection: the verb, and what its question asks besides. */
const CHOSEN_ROWS = {
  changeUsersForm: ['deleteUserForm', 'user_id', { verb: 'delete', own_password: PASSWORD }],
  changeApiTokensForm: ['revokeApiTokenForm', 'token_id', { verb: 'revoke' }],
  changeJobsForm: ['cancelJobForm', 'job_id', { verb: 'cancel' }],
  changeCertificatesForm: ['revokeCertificateForm', 'certificate_id', { verb: 'revoke' }],
  changeVaultEntriesForm: ['deleteVaultEntryForm', 'entry_id', { verb: 'delete' }],
  changeVlansForm: ['deleteVlanForm', 'vlan_id', { verb: 'delete' }],
} as const;

const chosenRow = ([of, id, fields]: readonly [string, string, Record<string, string>]): Scenario => ({
  ...ALL[of],
  send: (given) => ({ form: { ids: given[id]!, confirm: 'on', ...fields } }),
});

export const SCENARIOS: Scenarios = {
  ...ALL,
  ...Object.fromEntries(Object.entries(CHOSEN).map(([id, by]) => [id, chosen(by)])),
  ...Object.fromEntries(Object.entries(CHOSEN_ROWS).map(([id, by]) => [id, chosenRow(by)])),
  // One more: the vault.
  changeVaultEntriesForm: { ...chosenRow(CHOSEN_ROWS.changeVaultEntriesForm), statements: 8 },
  // One more: which token made which.
  changeApiTokensForm: { ...chosenRow(CHOSEN_ROWS.changeApiTokensForm), statements: 8 },
  // The own password is looked at only when the question was answered, so it is no `confirms` of the form: six more.
  changeUsersForm: { ...chosenRow(CHOSEN_ROWS.changeUsersForm), statements: 18 },
  // One more: the zone.
  changeDnsRecordsForm: { ...chosen(CHOSEN.changeDnsRecordsForm), statements: 9 },
  ...Object.fromEntries(Object.entries(BODIES as BodiesOf).map(([id, body]) => [id, withBody(ALL[id] ?? {}, body)])),
};

function withBody(scenario: Scenario, body: BodiesOf[string]): Scenario {
  return { ...scenario, send: (given) => ({ ...scenario.send?.(given), body: body(given) }) };
}
