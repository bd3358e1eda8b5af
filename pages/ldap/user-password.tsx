// The password of a directory user.
import { users } from '../../shared/services/ldap/users.ts';
import { passwordPage } from './password-page.tsx';
import { USERS } from './places.tsx';

export const page = passwordPage(users, { component: 'LdapUser', home: USERS });
