// What is to be at a target: from the people of the client, its group mapping, and the groups that the target names. Pure.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../ground/canonical-json.ts';
import type { Client } from '../../services/oidc/clients/clients.ts';
import type { Person } from '../../services/oidc/provider/people.ts';
import type { ScimTarget } from '../../services/oidc/scim/targets.ts';
import type { SourcePeople } from './people.ts';

export interface WantedUser {
  external_id: string;
  username: string;
  name: string;
  given_name: string;
  family_name: string;
  /** Empty: none is sent. */
  email: string;
  /** Empty: none is sent. */
  domain: string;
}

export interface WantedGroup {
  external_id: string;
  name: string;
  /** External ids of users, sorted. */
  members: string[];
}

export interface Wanted {
  users: WantedUser[];
  groups: WantedGroup[];
}

/** Products that keep the domain of a user beside the name. */
const WITH_DOMAIN: readonly string[] = ['vcenter', 'vcf-identity-broker'];

type Mapping = Pick<Client, 'sends_groups' | 'preset'>;
type Choice = Pick<ScimTarget, 'groups' | 'domain'>;

/** Users by name and groups by name, so that the same state always gives the same. */
export function wantedOf(client: Mapping, target: Choice, { people, groups }: SourcePeople): Wanted {
  const named = new Map(client.sends_groups.map(({ group, as }) => [group.toLowerCase(), as]));
  const chosen = new Set(target.groups.map((name) => name.toLowerCase()));
  const calledAs = (group: string): string | null => {
    const as = named.size === 0 ? group : (named.get(group.toLowerCase()) ?? null);
    return as !== null && (chosen.size === 0 || chosen.has(as.toLowerCase())) ? as : null;
  };
  const all = new Map<string, WantedGroup>();
  // Where several are told as one, that one has the id of the first by name.
  for (const { name, id } of [...groups].sort(byName)) {
    const as = calledAs(name);
    if (as !== null && !all.has(as)) all.set(as, { external_id: id, name: as, members: [] });
  }
  const everybody = named.size === 0 && chosen.size === 0;
  const users: WantedUser[] = [];
  for (const person of people) {
    const told = new Set(person.groups.map(calledAs).filter((as) => as !== null));
    for (const as of told) all.get(as)?.members.push(person.sub);
    if (everybody || told.size > 0) users.push(userOf(client, target, person));
  }
  return {
    users: users.sort((one, other) => (one.username < other.username ? -1 : 1)),
    groups: [...all.values()].map((group) => ({ ...group, members: group.members.sort() })).sort(byName),
  };
}

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);

function userOf({ preset }: Mapping, target: Choice, person: Person): WantedUser {
  const { sub, username, name, given_name, family_name, email, upn } = person;
  const domain = target.domain || (upn?.split('@')[1] ?? '');
  return {
    ...{ external_id: sub, username, name },
    // Both are asked for by identity brokers; who has one name has it twice.
    ...{ given_name: given_name || name, family_name: family_name || name },
    email: email || (domain && `${username}@${domain}`),
    domain: WITH_DOMAIN.includes(preset) ? domain : '',
  };
}

/** SHA-256 of anything that is sent. */
export const digestOf = (sent: unknown): string => createHash('sha256').update(canonicalJson(sent)).digest('hex');

/** SHA-256 of all that a push depends on: where it is the same, there is nothing to push. */
export const pushDigest = ({ base_url, departed }: Pick<ScimTarget, 'base_url' | 'departed'>, wanted: Wanted): string =>
  digestOf({ base_url, departed, wanted });
