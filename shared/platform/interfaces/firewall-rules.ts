// Rules of the firewall that name an interface: they would be rendered on when it is gone for good, and fit a new link
// that gets its name.
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Database } from '../../ground/store/database.ts';
import { goneWords, type NetworkInterface } from './interface.ts';

const RULES = 'SELECT id, name FROM firewall_rule WHERE interface = ? AND enabled = 1 ORDER BY position, id';

/** Enabled rules that stand in the way of forgetting an interface that is gone. */
export async function rulesOn(db: Database, row: NetworkInterface): Promise<Blocker[]> {
  const { name } = row;
  const rules = await db.all<{ id: string; name: string }>(RULES, [name]);
  return rules.map((rule) => ({
    subject: `Firewall rule ${rule.name}`,
    reason: `It applies to ${name}, which ${goneWords(row)}.`,
    page: pagePath('firewall-rule', rule.id),
    unblock: 'Give the rule another interface, disable it, or delete it.',
  }));
}
