// Rules that name an interface: when it is deleted they would still be rendered, and would match a new link of that
// name.
import type { Transaction } from '../../ground/store/database.ts';

/** SQL: a JSON array of the enabled rules on the interfaces of a JSON array of names. */
export const rulesColumn = (names: string): string =>
  `(SELECT json_group_array(json_object('id', id, 'name', name, 'interface', interface)) FROM (SELECT * FROM firewall_rule
    WHERE enabled = 1 AND interface IN (SELECT value FROM json_each(${names})) ORDER BY position, id)) AS rules`;

const RENAME = 'UPDATE firewall_rule SET interface = ?, revision = revision + ? WHERE interface = ?';

/** Rules follow the new name of their link. A temporary name (`~…`) does not count as a revision. */
export const renameInRules = (tx: Transaction, from: string, to: string): Promise<number> =>
  tx.run(RENAME, [to, Number(!to.startsWith('~')), from]);
