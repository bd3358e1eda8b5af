// Whether slapd runs as applied, with the applied configuration, and its trees hold the applied entries. Its files are compared
// elsewhere, by content.
import type { Host } from '../../ground/machine/host.ts';
import type { DriftLook } from '../../platform/units/unit.ts';
import { appliedSays, filesSay, readRunning } from './adopt/configuration.ts';
import { isPolicy } from './adopt/policy.ts';
import { adoptableAs, namesIn } from './adopt/rows.ts';
import { findPolicy, findRunning, nothingFound, type SettingsFound, settingsClauses } from './adopt/settings.ts';
import type { LdapDesired } from './desired.ts';
import { type AppliedEntries, type OrganizationEntries, policyOf, readEntries } from './entries.ts';
import { slapdDaemon } from './files.ts';
import { changesBetween } from './follow/difference.ts';
import { differencesOf } from './follow/follow.ts';
import type { Change, Entry } from './follow/ldif.ts';
import { leftTrees } from './follow/left.ts';
import { appliedOf, type WantedEntry, wantedEntries } from './follow/wanted.ts';

/** In the place of a hash, which drift neither knows nor writes. */
const UNTOLD = '?';
/** Values and entries that are named. */
const MOST = 10;

/** What an apply would write over in one tree, and the entries there. */
interface Differing {
  changes: Change[];
  found: readonly Entry[];
}

function clause(change: Change, organization: OrganizationEntries): string {
  if ('add' in change) return `${change.dn} is missing`;
  if ('delete' in change) {
    const [row, there] = [adoptableAs(change.dn, organization), `${change.dn} is there, though nobody applied it`];
    return `${there}: the next apply removes it${row === null ? '' : `, unless it is adopted as ${row}`}`;
  }
  return `${change.dn} was changed (${namesIn([change]).join(', ')})`;
}

/** Another entry under the name of one that was applied is one difference, though it has to go and to come. */
function clauses({ changes, found }: Differing, organization: OrganizationEntries, settings: SettingsFound): string[] {
  const there = new Map(found.map((entry) => [entry.dn.toLowerCase(), entry]));
  const comes = new Set(changes.flatMap((change) => ('add' in change ? change.dn : [])));
  const others = new Set(changes.flatMap((change) => ('delete' in change && comes.has(change.dn) ? change.dn : [])));
  return changes.flatMap((change) => {
    const entry = there.get(change.dn.toLowerCase());
    if ('replace' in change && entry && isPolicy(change.dn, organization.suffix)) {
      const { attributes } = entry;
      findPolicy(settings, change.dn, organization, { names: Object.keys(change.replace), attributes });
      return [];
    }
    if (!others.has(change.dn)) return clause(change, organization);
    return 'delete' in change ? [] : `${change.dn} has another entryUUID than the one that was applied`;
  });
}

export async function drift(host: Host, inForce: LdapDesired, how: DriftLook<LdapDesired> = {}): Promise<string[]> {
  const running = await host.daemonRunning(slapdDaemon(host));
  const { enabled } = inForce.settings;
  if (running !== enabled) return [running ? 'slapd runs, though it was applied as off' : 'slapd does not run'];
  const applied = enabled ? await readEntries(host) : null;
  if (applied === null) return [];
  const found: string[] = [];
  const settings = nothingFound();
  for (const organization of applied.entries.organizations) {
    const wanted = how.wanted && wantedIn(how.wanted, organization);
    const differing = await changesIn(host, organization, applied, how.look, wanted);
    found.push(...clauses(differing, organization, settings));
  }
  // What is wanted may be another one than what was applied: then only its files tell what slapd was started with.
  const said = how.wanted ? await filesSay(host) : await appliedSays(host, inForce);
  if (said) findRunning(settings, inForce, said, await readRunning(host));
  const saved = how.wanted?.settings;
  const values = settings.values.filter(({ member, value }) => saved?.[member] !== value);
  found.unshift(...settingsClauses({ ...settings, values }));
  const more = found.length - MOST;
  return more > 0 ? [...found.slice(0, MOST), `${more} more values and entries differ`] : found;
}

/** What an apply would write over in one tree; `wanted`: less what is wanted as it is there. */
async function changesIn(
  host: Host,
  organization: OrganizationEntries,
  applied: AppliedEntries,
  look: 'touched' | 'all' = 'all',
  wanted: readonly WantedEntry[] | null = null,
): Promise<Differing> {
  const how = { hashOf: () => UNTOLD, look, left: leftTrees(host) };
  const { changes, found } = await differencesOf(host, organization, applied, how);
  // The entry that tells what is applied differs with any other: it is no entry that somebody saved.
  const told = changes.filter(({ dn }) => dn !== appliedOf(organization.suffix));
  if (wanted === null || told.length === 0) return { changes: told, found };
  const differing = new Set(told.map(({ dn }) => dn.toLowerCase()));
  const among = <E extends Entry>(all: readonly E[]) => all.filter(({ dn }) => differing.has(dn.toLowerCase()));
  const left = changesBetween(among(wanted), among(found), () => UNTOLD);
  // An entry that was adopted since is completed by the apply, not overwritten.
  const strange = new Set(told.flatMap((change) => ('delete' in change ? change.dn : [])));
  const kept = left.filter((change) => !strange.has(change.dn) || 'delete' in change || 'add' in change);
  return { changes: kept, found };
}

function wantedIn({ settings, organizations }: LdapDesired, { slug }: OrganizationEntries): readonly WantedEntry[] {
  const organization = organizations.find((one) => one.slug === slug);
  return organization ? wantedEntries(organization, policyOf(settings), '') : [];
}
