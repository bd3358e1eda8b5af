// Firewall rules that name an interface which is about to be deleted: they would still be rendered, and would match a
// new link of that name.
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Change } from './refresh/change.ts';
import type { Snapshot } from './refresh/snapshot.ts';
import { standingIn } from './refresh/standing.ts';

/** Enabled rules that block deleting a VLAN, or forgetting an interface that is gone. */
export function rulesOn({ rules = [] }: Pick<Snapshot, 'rules'>, { before }: Pick<Change, 'before'>): Blocker[] {
  return rules.map(({ id, name, interface: on }) => ({
    subject: `Firewall rule ${name}`,
    reason: `It applies to ${on}, which ${standingIn(before, on).gone ?? 'would be deleted'}.`,
    page: pagePath('firewall-rule', id),
    unblock: 'Give the rule another interface, disable it, or delete it.',
  }));
}
