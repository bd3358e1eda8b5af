// What a client is told of a person (OpenID Connect Core 1.0, 5.1), by the scopes that it asked for.
import type { Client } from '../clients/clients.ts';
import type { Person } from './people.ts';

/** Scope → the claims that it gives. */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'upn', 'acct', 'updated_at'],
  email: ['email', 'email_verified'],
  groups: ['groups'],
};

/**
 * Groups as this client is to be told of them. Products that know no scope `groups` have it with `profile`: the library leaves out
 * what no scope asked for.
 */
export function groupsFor({ sends_groups }: Pick<Client, 'sends_groups'>, groups: readonly string[]): string[] {
  if (sends_groups.length === 0) return [...groups].sort();
  const known = new Map(sends_groups.map(({ group, as }) => [group.toLowerCase(), as]));
  const named = groups.flatMap((group) => known.get(group.toLowerCase()) ?? []);
  return [...new Set(named)].sort();
}

export function claimsOf(client: Pick<Client, 'sends_groups'>, person: Person) {
  const { sub, username, name, given_name, family_name, email, upn, updated_at, groups } = person;
  return {
    sub,
    name,
    preferred_username: username,
    acct: username,
    ...(given_name && { given_name }),
    ...(family_name && { family_name }),
    ...(email && { email, email_verified: true }),
    ...(upn && { upn }),
    ...(updated_at !== undefined && { updated_at }),
    groups: groupsFor(client, groups),
  };
}
