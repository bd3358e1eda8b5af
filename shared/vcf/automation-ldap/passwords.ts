// The passwords of the directory that the task needs: that of the bind account, which VCF Automation keeps, and that of the
// user who signs in at the end. They are compared here first: a wrong one that is tried from there locks the account.
import { type FieldError, Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { listItems } from '../../platform/units/collection-store.ts';
import { bindAccounts } from '../../services/ldap/bind-accounts.ts';
import { organizations } from '../../services/ldap/organizations.ts';
import { isHashOf } from '../../services/ldap/password-hash.ts';
import { type Holder, knownHashes } from '../../services/ldap/password-store.ts';
import { users } from '../../services/ldap/users.ts';
import { type DirectoryHere, organizationHere } from './local.ts';
import type { ChosenDirectory } from './task.ts';

export interface DirectoryPasswords {
  bind_password: string;
  user_password: string;
}

/** Whether it is the password of this mark, which is the one in force: a later one may be saved and not applied. */
async function isOf(
  { store }: Pick<Services, 'store'>,
  holder: Holder,
  mark: string,
  password: string,
): Promise<boolean> {
  const hash = (await knownHashes(store, holder)).find((one) => one.mark === mark)?.hash;
  return hash !== undefined && (await isHashOf(hash, password));
}

/** The faults at their fields; none: both are those in force. */
export async function passwordFaults(
  services: Pick<Services, 'store'>,
  here: DirectoryHere,
  { slug, account, user }: Pick<ChosenDirectory, 'slug' | 'account' | 'user'>,
  { bind_password, user_password }: DirectoryPasswords,
): Promise<FieldError[]> {
  const { store } = services;
  const inForce = organizationHere(here, slug);
  const [saved] = (await listItems(store, organizations, { limit: 1, filters: { slug } })).items;
  const within = { limit: 1, filters: { organization_id: saved?.id ?? '' } };
  const [bind] = (await listItems(store, bindAccounts, { ...within, filters: { ...within.filters, name: account } }))
    .items;
  const [person] = (await listItems(store, users, { ...within, filters: { ...within.filters, uid: user } })).items;
  const marks = {
    account: inForce?.accounts.find(({ name }) => name === account)?.mark ?? '',
    user: inForce?.users.find(({ uid }) => uid === user)?.mark ?? '',
  };
  const faults: FieldError[] = [];
  if (!bind || !(await isOf(services, { account_id: bind.id }, marks.account, bind_password)))
    faults.push({
      pointer: '/bind_password',
      detail: bind_password === '' ? 'Enter the password.' : `This is not the password of ${account} that is in force.`,
    });
  if (!person || !(await isOf(services, { user_id: person.id }, marks.user, user_password)))
    faults.push({
      pointer: '/user_password',
      detail: user_password === '' ? 'Enter the password.' : `This is not the password of ${user} that is in force.`,
    });
  return faults;
}

/** For what was typed after the review. @throws Problem `remote_credential_gone`: to be typed again, nothing was sent */
export async function requirePasswords(...given: Parameters<typeof passwordFaults>): Promise<void> {
  const faults = await passwordFaults(...given);
  if (faults.length === 0) return;
  const said = faults.map(({ detail }) => detail).join(' ');
  throw new Problem('remote_credential_gone', `${said} Nothing was sent. Enter it again to continue.`);
}
