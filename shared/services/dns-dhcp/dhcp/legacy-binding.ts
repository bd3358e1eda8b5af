// The legacy global binding: the one subnet that DHCP had before there were scopes, for compatibility. It is in force
// only while there is no scope.
import * as v from 'valibot';
import { type Clock, instant } from '../../../ground/clock.ts';
import { component, integerSchema } from '../../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { LEGACY_SCOPE, type ScopeRow } from '../../../platform/interfaces/refresh/snapshot.ts';
import { saveDocument, savedDocument } from '../../../platform/units/documents.ts';
import { flag } from '../../../platform/units/settings-schemas.ts';
import { LEASE_SECONDS } from '../dhcp-settings.ts';
import { SUBNET_ANSWER, SUBNET_MEMBERS } from './members.ts';
import { requireServed, settleSubnet } from './subnet-rules.ts';
import { LEGACY_KEY, readSurroundings, type ServedSubnet } from './surroundings.ts';

const enabled = flag('Whether it is served while there is no scope.');

export const legacyBindingSchema = component(
  'DhcpLegacyBinding',
  v.object({
    enabled,
    ...SUBNET_ANSWER,
    revision: v.pipe(integerSchema, v.description('0 while nothing was ever saved and the defaults hold.')),
    updated_at: v.pipe(v.nullable(v.string()), v.description('RFC 3339 in UTC; null while nothing was ever saved.')),
  }),
);
export type LegacyBinding = v.InferOutput<typeof legacyBindingSchema>;

export const legacyBindingUpdateSchema = component(
  'DhcpLegacyBindingUpdate',
  v.partial(v.strictObject({ enabled, ...SUBNET_MEMBERS })),
  {
    enabled: true,
    interface: 'ens224',
    subnet_cidr: '192.0.2.0/24',
    ranges: [{ start: '192.0.2.100', end: '192.0.2.199' }],
    gateway: '192.0.2.1',
    domain: 'lab.test',
  },
);
export type LegacyBindingUpdate = v.InferOutput<typeof legacyBindingUpdateSchema>;

/** The values while nothing was ever saved. */
export const LEGACY_DEFAULTS: Omit<LegacyBinding, 'revision' | 'updated_at'> = {
  enabled: false,
  interface: '',
  subnet_cidr: '',
  ranges: [],
  gateway: '',
  dns_servers: [],
  ntp_servers: [],
  lease_time: LEASE_SECONDS.usual,
  domain: '',
};
const MEMBERS = Object.keys(LEGACY_DEFAULTS) as (keyof typeof LEGACY_DEFAULTS)[];

const pick = (source: object): typeof LEGACY_DEFAULTS =>
  Object.fromEntries(
    MEMBERS.map((member) => [member, (source as typeof LEGACY_DEFAULTS)[member] ?? LEGACY_DEFAULTS[member]]),
  ) as typeof LEGACY_DEFAULTS;

/** As saved, or the defaults at revision 0. */
export async function readLegacyBinding(db: Database): Promise<LegacyBinding> {
  const row = await savedDocument(db, LEGACY_KEY);
  if (!row) return { ...LEGACY_DEFAULTS, revision: 0, updated_at: null };
  return { ...pick(JSON.parse(row.document) as object), revision: row.revision, updated_at: row.updated_at };
}

const asScope = (binding: typeof LEGACY_DEFAULTS): ServedSubnet & typeof LEGACY_DEFAULTS => ({
  ...binding,
  id: LEGACY_SCOPE,
  name: 'legacy',
  address_family: 'ipv4',
});

/**
 * Changes the members that were sent, by the rules of a scope; without a difference nothing is written.
 * @throws Problem 412; 422 with pointers to members; 409 when enabled reservations would be in no scope.
 */
export async function saveLegacyBinding(
  tx: Transaction,
  { clock }: { clock: Clock },
  update: LegacyBindingUpdate,
  if_match: Precondition,
): Promise<{ saved: LegacyBinding; changed: string[] }> {
  const before = await readLegacyBinding(tx);
  requireRevision(if_match, before.revision);
  const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
  const wanted = pick({ ...before, ...given });
  if (differing(before, wanted).length === 0) return { saved: before, changed: [] };
  const surroundings = await readSurroundings(tx);
  const was: ScopeRow = asScope(pick(before));
  const scope = settleSubnet(asScope(wanted), was, surroundings, { mayLackSubnet: !wanted.enabled });
  await requireServed(tx, surroundings, { ...surroundings, legacy: scope });
  const after = pick(scope);
  const changed = differing(before, after);
  if (changed.length === 0) return { saved: before, changed };
  const now = instant(clock.now());
  await saveDocument(tx, LEGACY_KEY, after, now);
  return { saved: { ...after, revision: before.revision + 1, updated_at: now }, changed };
}

const differing = (before: typeof LEGACY_DEFAULTS, after: typeof LEGACY_DEFAULTS): string[] =>
  MEMBERS.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
