// What a role may do, in words, from the table of its scopes: the words can't differ from the rights.
import { isScope, type Resource, type Role, SCOPES, scopesOfRole } from './scopes.ts';

/** Every writing role may change these as far as it reaches; the words say so of the apply alone. */
const OPERATING: readonly string[] = ['tokens', 'jobs', 'apply'];
const NAMES: Partial<Record<Resource, string>> = {
  vlans: 'VLANs',
  'management-tls': 'the certificate of the management UI',
  'terminal-recordings': 'recordings of terminals',
};

/** Every role watches these, and nobody writes them. */
const WATCHED: readonly string[] = ['audit', 'metrics'];

const resources = [...new Set(SCOPES.map((scope) => scope.slice(scope.indexOf(':') + 1)))].filter(
  (resource) => !WATCHED.includes(resource) && !OPERATING.includes(resource),
) as Resource[];

/** `admin` → `everything`; the other roles by what they change, or by what they don't where that is shorter. */
export function roleWords(role: Role): string {
  const scopes: ReadonlySet<string> = scopesOfRole(role);
  if (SCOPES.every((scope) => scopes.has(scope))) return 'everything';
  const reach = (verb: string) => reachWords(verb, (resource) => scopes.has(`${verb}:${resource}`));
  if (!scopes.has('write:apply')) return `looks at ${reach('read')}`;
  return `changes ${reach('write')}, and applies the saved changes of the whole appliance`;
}

/** What nobody may do to a resource is not told of anybody. */
function reachWords(verb: string, within: (resource: Resource) => boolean): string {
  const all = resources.filter((resource) => isScope(`${verb}:${resource}`));
  const inside = all.filter(within);
  const outside = all.filter((resource) => !within(resource));
  return outside.length < inside.length ? `everything but ${names(outside)}` : names(inside);
}

function names(of: readonly Resource[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(of.map((each) => NAMES[each] ?? each));
}
