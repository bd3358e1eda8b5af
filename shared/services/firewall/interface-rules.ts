// Rules that name an interface: they would be rendered on when it is gone for good, and fit a new link that gets its name.
import type { Transaction } from '../../ground/store/database.ts';

/** A JSON array of the enabled rules on the interfaces of a JSON array of names, as a column of a statement. */
export const rulesColumn = (names: string): string =>
  `(SELECT json_group_array(json_object('id', id, 'name', name, 'interface', interface)) FROM (SELECT * FROM firewall_rule
    WHERE enabled = 1 AND interface IN (SELECT value FROM json_each(${names})) ORDER BY position, id)) AS rules`;

const RENAME = 'UPDATE firewall_rule SET interface = ?, revision = revision + ? WHERE interface = ?';

/** Rules follow the new name of their link; on the way through a name of nobody (`~…`) they stay as revised as they were. */
export const renameInRules = (tx: Transaction, from: string, to: string): Promise<number> =>
  tx.run(RENAME, [to, Number(!to.startsWith('~')), from]);
