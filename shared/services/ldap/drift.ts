// Whether slapd runs as applied, and its trees hold the applied entries. Its files are compared elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import type { LdapDesired } from './desired.ts';
import { readEntries } from './entries.ts';
import { slapdDaemon } from './files.ts';
import { differencesOf } from './follow/follow.ts';
import { type Change, LOCKED } from './follow/ldif.ts';
import { appliedOf } from './follow/wanted.ts';

/** In the place of a hash, which drift neither knows nor writes. */
const UNTOLD = '?';
/** Entries that are named. */
const MOST = 10;

function clause(change: Change): string {
  if ('add' in change) return `${change.dn} is missing`;
  if ('delete' in change) return `${change.dn} is there, though nobody applied it`;
  const what = 'replace' in change ? Object.keys(change.replace) : 'unlock' in change ? [LOCKED] : ['userPassword'];
  return `${change.dn} was changed (${what.join(', ')})`;
}

export async function drift(host: Host, inForce: LdapDesired): Promise<string[]> {
  const running = await host.daemonRunning(slapdDaemon(host));
  const { enabled } = inForce.settings;
  if (running !== enabled) return [running ? 'slapd runs, though it was applied as off' : 'slapd does not run'];
  const applied = enabled ? await readEntries(host) : null;
  if (applied === null) return [];
  const found: string[] = [];
  for (const organization of applied.entries.organizations) {
    // Whether a password is the saved one can't be told from here, and need not be: its mark is compared, and whether it is there.
    const changes = await differencesOf(host, organization, applied, () => UNTOLD);
    found.push(...changes.filter(({ dn }) => dn !== appliedOf(organization.suffix)).map(clause));
  }
  const more = found.length - MOST;
  return more > 0 ? [...found.slice(0, MOST), `${more} more entries differ`] : found;
}
