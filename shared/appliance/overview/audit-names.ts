// What audit events were done to, by name: as the event itself says, or as the row is called now.

import type { Database } from '../../ground/store/database.ts';
import type { Scope } from '../../kernel/access/scopes.ts';
import { NAMED_TOKENS } from '../../kernel/access/token.ts';
import { NAMED_USERS } from '../../kernel/access/user.ts';
import type { AuditView } from '../../kernel/audit/list.ts';
import { NAMED_INTERFACES } from '../../platform/interfaces/interface-store.ts';
import { isUnit, unitName } from '../../platform/unit-names.ts';
import { NAMED_VAULTS } from '../../platform/vaults/vault-store.ts';
import { NAMED_PLANS } from '../apply/plan-store.ts';
import { MANIFESTS } from '../manifests.ts';

interface Named {
  /** Type of the resource in its events. */
  type: string;
  table: string;
  column: string;
  scope: Scope;
}

const NAMED: readonly Named[] = [
  { type: 'user', ...NAMED_USERS, scope: 'read:users' },
  { type: 'token', ...NAMED_TOKENS, scope: 'read:tokens' },
  { type: 'vault', ...NAMED_VAULTS, scope: 'read:vaults' },
  { type: 'vlan', ...NAMED_INTERFACES, scope: 'read:vlans' },
  { type: 'plan', ...NAMED_PLANS, scope: 'read:apply' },
  ...MANIFESTS.flatMap(({ tables }) => tables).flatMap(({ name, found }): Named[] =>
    found ? [{ type: name, table: name, column: found.columns[0]!, scope: `read:${found.resource}` }] : [],
  ),
];

const KEY = ({ resource: { type, id } }: Pick<AuditView, 'resource'>): string => `${type} ${id}`;

/** Name in the event's own facts: it is the name of that time, and is there after the thing is gone. */
function ownName({ detail, resource, actor, action }: AuditView): string | null {
  if (action.startsWith('session.') && resource.type === 'user') return actor.name;
  if (resource.type === 'unit' || resource.type === 'unit_settings')
    return isUnit(resource.id ?? '') ? unitName(resource.id!) : null;
  if (resource.type === 'vault_entry' && typeof detail.key === 'string') {
    return typeof detail.vault === 'string' ? `${detail.vault} / ${detail.key}` : detail.key;
  }
  const name = detail.name ?? detail.title ?? detail.fqdn ?? detail.hostname ?? detail.file ?? subjectOf(detail);
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Of a certificate: its common name. */
function subjectOf({ subject }: AuditView['detail']): string | null {
  return typeof subject === 'string' ? (/(?:^|, ?)CN=([^,]+)/.exec(subject)?.[1] ?? null) : null;
}

export type AuditNames = (event: AuditView) => string | null;

/** Names of what the events were done to, of what the caller may read; one statement at most. */
export async function auditNames(
  db: Database,
  events: readonly AuditView[],
  scopes: ReadonlySet<Scope>,
): Promise<AuditNames> {
  const asked = events.filter((event) => event.resource.id !== null && ownName(event) === null);
  const types = new Set(asked.map(({ resource }) => resource.type));
  const tables = NAMED.filter(({ type, scope }) => types.has(type) && scopes.has(scope));
  const ids = JSON.stringify([...new Set(asked.map(({ resource }) => resource.id))]);
  const each = tables.map(
    ({ type, table, column }) =>
      `SELECT '${type} ' || id AS key, ${column} AS name FROM ${table} WHERE id IN (SELECT value FROM json_each(?1))`,
  );
  const rows = each.length === 0 ? [] : await db.all<{ key: string; name: string }>(each.join(' UNION ALL '), [ids]);
  const names = new Map(rows.map(({ key, name }) => [key, name]));
  return (event) => ownName(event) ?? names.get(KEY(event)) ?? null;
}
