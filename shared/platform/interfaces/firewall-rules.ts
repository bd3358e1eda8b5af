// Rules of the firewall that name an interface: they would be rendered on when it is gone for good, and fit a new link
// that gets its name.
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Change } from './refresh/change.ts';
import type { Snapshot } from './refresh/snapshot.ts';
import { standingIn } from './refresh/standing.ts';

/** Enabled rules that stand in the way of deleting a VLAN, or of forgetting an interface that is gone. */
export function rulesOn({ rules = [] }: Pick<Snapshot, 'rules'>, { before }: Pick<Change, 'before'>): Blocker[] {
  return rules.map(({ id, name, interface: on }) => ({
    subject: `Firewall rule ${name}`,
    reason: `It applies to ${on}, which ${standingIn(before, on).gone ?? 'would be deleted'}.`,
    page: pagePath('firewall-rule', id),
    unblock: 'Give the rule another interface, disable it, or delete it.',
  }));
}
