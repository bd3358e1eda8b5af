// What an organization of VCF Automation has before anything is set: its LDAP, its roles, and whether it trusts our root.
import type { Services } from '../../kernel/operation/services.ts';
import { trustedId } from '../automation-api/certificates.ts';
import { listRoles } from '../automation-api/groups.ts';
import { isSet, type LdapSettings, readLdap, settingsMark } from '../automation-api/ldap.ts';
import { openAutomation } from '../automation-api/session.ts';
import { clientFor } from '../connection/reach.ts';
import { VISIT_SECONDS } from '../remote/appliance-visit.ts';
import type { Read, Ready } from '../remote/wizard-operations.ts';
import { requireDirectory } from './local.ts';
import type { FoundThere } from './task.ts';

/** Roles that can be chosen. */
const ROLES_MOST = 500;
const LOGOUT_MS = 5000;

function shown(settings: LdapSettings): FoundThere['now'] {
  if (!isSet(settings)) return null;
  const { enabled, settingsSource, definedSettings } = settings;
  const { hostName = '', port = 0, ssl = false, searchBase = '', userName = '' } = definedSettings ?? {};
  const url = hostName ? `${ssl ? 'ldaps' : 'ldap'}://${hostName}:${port}` : '';
  return {
    ...{ enabled: enabled ?? false, source: settingsSource ?? '', url },
    ...{ search_base: searchBase ?? '', user_name: userName ?? '' },
  };
}

/** Changes nothing there. @throws Problem 409 */
export async function inspectAutomation(services: Services, { trusted, credential }: Ready): Promise<Read> {
  const { root } = await requireDirectory(services);
  const client = await clientFor(services, trusted);
  try {
    const signal = AbortSignal.timeout(VISIT_SECONDS * 1000);
    const session = await openAutomation(client, await credential(), signal);
    try {
      const settings = await readLdap(session, signal);
      const roles = (await listRoles(session, signal)).slice(0, ROLES_MOST);
      const trusts_root = (await trustedId(session, root.sha256, signal)) !== null;
      const { organization, version } = session;
      const found = { organization, mark: settingsMark(settings), now: shown(settings), roles, trusts_root };
      const title = `VCF Automation, organization ${organization.name}, API`;
      return { appliance: { title, version }, more: { automation_ldap: { found } } };
    } finally {
      await session.close(AbortSignal.timeout(LOGOUT_MS));
    }
  } finally {
    client.close();
  }
}
