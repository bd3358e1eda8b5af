// Which pages a reader may open, as far as a link has to know: none leads to where its reader is refused.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { IMPORT_TASK, TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import { NAVIGATION } from './navigation.ts';

/** Wizards do nothing but change: their pages ask for what they do. */
const WIZARDS: ReadonlyMap<string, string> = new Map(
  [DEPLOY_TASK, DEPOT_TASK, TRUST_TASK, IMPORT_TASK, KEY_PROVIDER_TASK, AUTOMATION_LDAP_TASK, MOUNT_TASK].map(
    ({ path, scope }) => [path, scope],
  ),
);
/** Pages that are there for a change, below a page that shows. */
const CHANGES = /\/(?:new|delete|edit|import|rotate|restore|adopt|reveal|format|grow)$/;

/** Below a page that more people may read. */
const OWN: readonly { href: string; permission: string }[] = [
  { href: pagePath('terminal-recordings'), permission: 'read:terminal-recordings' },
];

/** `href`: an address of the management plane, with or without its query. */
export function mayOpen({ scopes }: { scopes: readonly string[] }, href: string): boolean {
  const path = href.replace(/[?#].*$/, '');
  const wizard = WIZARDS.get(path);
  if (wizard !== undefined) return scopes.includes(wizard);
  const permission = permissionOf(path);
  if (permission === null) return true;
  const write = permission.replace(/^read:/, 'write:');
  return scopes.includes(write) || (!CHANGES.test(path) && scopes.includes(permission));
}

/** Scope of the navigation entry that the page lies below; null where every signed-in user may look. */
function permissionOf(path: string): string | null {
  const above = [...NAVIGATION, ...OWN].filter(({ href }) => path === href || path.startsWith(`${href}/`));
  return above.toSorted((one, other) => other.href.length - one.href.length)[0]?.permission ?? null;
}
