// How a user of the appliance, or somebody of the directory, becomes a person of OpenID Connect: what tokens say and what is
// pushed by SCIM is the same.
import { subjectOf } from '../../../kernel/access/subject.ts';
import type { User } from '../../../kernel/access/user.ts';
import type { Person } from './people.ts';

export const personOfUser = ({ id, name, role, updated_at }: User): Person => ({
  sub: subjectOf(id),
  username: name,
  name,
  groups: [role],
  updated_at: Math.floor(Date.parse(updated_at) / 1000),
});

/** What the directory has of somebody: this room does not know that one. */
export interface InDirectory {
  entry_uuid: string;
  uid: string;
  display_name: string;
  given_name: string;
  surname: string;
  mail: string;
  upn: string;
  groups: readonly string[];
}

export const personOfDirectory = (found: InDirectory): Person => ({
  ...{ sub: found.entry_uuid, username: found.uid, name: found.display_name },
  ...{ given_name: found.given_name, family_name: found.surname, email: found.mail },
  ...{ upn: found.upn, groups: found.groups },
});
