// The people of a client and their groups, of the appliance or of one organization of the directory: the same who may sign in.
import { Problem } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { PAGE_MAX } from '../../ground/store/pagination.ts';
import { ROLES } from '../../kernel/access/scopes.ts';
import { subjectOf } from '../../kernel/access/subject.ts';
import { listUsers, type User } from '../../kernel/access/user.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { organizationPeople } from '../../services/ldap/all-people.ts';
import type { Client } from '../../services/oidc/clients/clients.ts';
import type { Person } from '../../services/oidc/provider/people.ts';
import { personOfDirectory, personOfUser } from '../../services/oidc/provider/person-of.ts';

export interface SourcePeople {
  people: Person[];
  /** All groups of the source; `id` stays whatever the group is called. */
  groups: { name: string; id: string }[];
}

type Shell = Pick<Services, 'store' | 'host'>;

/** @throws Problem 409 while the directory is not in force: then it is not known who is there */
export function peopleOf(services: Shell, client: Client): Promise<SourcePeople> {
  return client.source === 'appliance' ? ofAppliance(services.store, client) : ofDirectory(services, client);
}

async function ofAppliance(db: Database, { id }: Client): Promise<SourcePeople> {
  const users: User[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listUsers(db, { limit: PAGE_MAX, cursor });
    users.push(...page.items);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  const people = users
    // Those of an external provider have no password: nobody signs in as them at this one.
    .filter(({ enabled, external }) => enabled && !external)
    .map(personOfUser);
  // Roles are the same on each appliance, and two may push to one target: so the id is that of the client's own.
  return { people, groups: ROLES.map((name) => ({ name, id: subjectOf(`${id}/${name}`) })) };
}

async function ofDirectory({ store, host }: Shell, { organization }: Client): Promise<SourcePeople> {
  const found = await organizationPeople(host, store, organization);
  if (!found)
    throw new Problem(
      'state_conflict',
      `The directory is not in force, or has no organization ${organization} in use. Nothing is pushed: who is missing would be taken for somebody who left.`,
    );
  const people = found.people.map(personOfDirectory);
  return { people, groups: found.groups.map(({ name, entry_uuid }) => ({ name, id: entry_uuid })) };
}
