// Reading organizations from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(organizations, [{ href: pagePath('ldap'), label: 'LDAP' }]);
