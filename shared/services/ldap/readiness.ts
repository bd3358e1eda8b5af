// What the directory still needs before products can look users up in it.
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { ldap } from './facts.ts';
import { ldapSettings } from './settings.ts';

type LdapStep = 'root' | 'organization' | 'bind_account' | 'enabled' | 'applied';

/** `root` is of the certificate authority. */
export const readiness: UnitReadiness<LdapStep> = {
  settings: ldapSettings,
  order: [['root'], ['organization'], ['bind_account', 'organization'], ['enabled'], ['applied', 'enabled', 'root']],
  rows: {
    organization: 'SELECT 1 FROM ldap_organization WHERE enabled = 1',
    bind_account: `SELECT 1 FROM ldap_bind_account WHERE enabled = 1
      AND EXISTS (SELECT 1 FROM ldap_password WHERE account_id = ldap_bind_account.id)`,
  },
  set: (saved) => ({ enabled: listening(saved) }),
  inForce: (facts) => ({
    enabled: ldap.get(facts, 'enabled') === true,
    organization: !ldap.all(facts, 'organization').next().done,
    bind_account: !ldap.all(facts, 'bind_password').next().done,
  }),
};
