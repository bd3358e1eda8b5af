// Random edits of a world's interfaces and VLANs, what undoes them, and how both are carried out.

import {
  addVlan,
  removePhysical,
  removeVlan,
  type Saved,
  updatePhysical,
  updateVlan,
} from '../../shared/appliance/edits/edits.ts';
import { networkOf, parseCidr } from '../../shared/ground/addresses/address.ts';
import type { Clock, Entropy } from '../../shared/ground/clock.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { interfaceFromRow, type NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import type { VlanCreate } from '../../shared/platform/interfaces/interface-schema.ts';
import type { AddressFamily } from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { type Dice, hostIn, prefixIn, TARGETS } from './world-dice.ts';
import type { World } from './worlds.ts';

/** Any of the desired fields; what is wrong of them is refused. */
type Update = Partial<
  Pick<
    NetworkInterface,
    | 'role'
    | 'mode'
    | 'ipv4_method'
    | 'ipv4_cidr'
    | 'ipv4_gateway'
    | 'ipv6_enabled'
    | 'ipv6_cidr'
    | 'ipv6_gateway'
    | 'enabled'
    | 'access_management_ui_enabled'
  >
>;

export type WorldEdit =
  | { kind: 'physical'; name: string; update: Update }
  | { kind: 'vlan'; id: string; name: string; update: Update }
  | { kind: 'create'; name: string; input: VlanCreate }
  | { kind: 'delete'; id: string; name: string }
  /** A physical interface whose adapter is gone, or not. */
  | { kind: 'forget'; name: string };

export interface Shell {
  clock: Clock;
  entropy: Entropy;
}

export function perform(tx: Transaction, shell: Shell, edit: WorldEdit): Promise<Saved> {
  const work = {
    physical: (of: Extract<WorldEdit, { kind: 'physical' }>) => updatePhysical(tx, shell, of.name, of.update, null),
    vlan: (of: Extract<WorldEdit, { kind: 'vlan' }>) => updateVlan(tx, shell, of.id, of.update, null),
    create: (of: Extract<WorldEdit, { kind: 'create' }>) => addVlan(tx, shell, of.input),
    delete: (of: Extract<WorldEdit, { kind: 'delete' }>) => removeVlan(tx, shell, of.id, null),
    forget: (of: Extract<WorldEdit, { kind: 'forget' }>) => removePhysical(tx, shell, of.name, null, []),
  };
  return (work[edit.kind] as (of: WorldEdit) => Promise<Saved>)(edit);
}

export const interfacesOf = (world: World): NetworkInterface[] => world.interface.map(interfaceFromRow);

/** Address with prefix at the same host offset of another network where that is possible. */
function elsewhere(dice: Dice, cidr: string, family: AddressFamily, samePrefix: boolean): string {
  const old = parseCidr(cidr);
  const prefix = old && samePrefix ? old.prefix : prefixIn(dice, family);
  const network = parseCidr(`${dice.pick(TARGETS[family])}/${prefix}`)!;
  const offset = old && dice.chance(0.7) ? old.address.value - old.first : undefined;
  return `${hostIn(dice, network, offset)}/${prefix}`;
}

function sameNetwork(dice: Dice, cidr: string): string {
  const old = parseCidr(cidr);
  return old ? `${hostIn(dice, parseCidr(networkOf(old))!)}/${old.prefix}` : '';
}

/** The same address in a wider or narrower network. */
function resized(dice: Dice, cidr: string): string {
  const old = parseCidr(cidr);
  return old ? `${old.address.text}/${Math.max(8, old.prefix + dice.pick([-8, -4, -2, -1, 1, 2, 4]))}` : '';
}

const to4 = (ipv4_cidr: string): Update => ({ ipv4_method: 'static', ipv4_cidr, ipv4_gateway: '' });
const to6 = (ipv6_cidr: string): Update =>
  ipv6_cidr === '' ? {} : { ipv6_enabled: true, ipv6_cidr, ipv6_gateway: '' };
const move4 = (dice: Dice, row: NetworkInterface): Update => to4(elsewhere(dice, row.ipv4_cidr, 'ipv4', true));
const move6 = (dice: Dice, row: NetworkInterface): Update => to6(elsewhere(dice, row.ipv6_cidr, 'ipv6', true));

type Change = (dice: Dice, row: NetworkInterface, all: readonly NetworkInterface[]) => Update;

/** How often, and what. */
const CHANGES: readonly (readonly [number, Change])[] = [
  [10, move4],
  [6, move6],
  [4, (dice, row) => ({ ...move4(dice, row), ...move6(dice, row) })],
  [3, (dice, row) => to4(elsewhere(dice, row.ipv4_cidr, 'ipv4', false))],
  [2, (dice, row) => to6(elsewhere(dice, row.ipv6_cidr, 'ipv6', false))],
  [4, (dice, row) => to4(sameNetwork(dice, row.ipv4_cidr))],
  [2, (dice, row) => to6(sameNetwork(dice, row.ipv6_cidr))],
  [3, (dice, row) => to4(resized(dice, row.ipv4_cidr))],
  [2, (dice, row) => to6(resized(dice, row.ipv6_cidr))],
  [1, (dice, _row, all) => to4(sameNetwork(dice, dice.pick(all).ipv4_cidr))],
  [2, () => to4('')],
  [2, (_dice, row) => ({ ipv6_cidr: '', ipv6_gateway: '', ...(row.kind === 'physical' && { ipv6_enabled: false }) })],
  [1, () => ({ ipv6_cidr: '', ipv6_gateway: '' })],
  [2, () => ({ mode: 'trunk' })],
  [1, () => ({ mode: 'access', role: 'access' })],
  [2, () => ({ enabled: false })],
  [2, () => ({ enabled: true })],
  [2, () => ({ role: 'unused' })],
  [2, (dice) => ({ role: dice.pick(['access', 'route', 'management'] as const) })],
  [1, (_dice, row) => (row.kind === 'physical' ? { role: 'management', ipv4_method: 'dhcp' } : { enabled: false })],
  [1, (dice) => ({ ipv4_method: 'static', ...(dice.chance(0.3) && { role: 'access' }) })],
  [1, () => ({})],
];
/** Each as often as it weighs. */
const BOWL: readonly Change[] = CHANGES.flatMap(([weight, change]) => Array<Change>(weight).fill(change));

const VLAN_FIELDS = ['role', 'ipv4_cidr', 'ipv6_cidr', 'enabled', 'access_management_ui_enabled'] as const;
const PHYSICAL_FIELDS = [
  ...VLAN_FIELDS,
  'mode',
  'ipv4_method',
  'ipv4_gateway',
  'ipv6_enabled',
  'ipv6_gateway',
] as const;

function named(row: NetworkInterface, update: Update): WorldEdit {
  if (row.kind === 'physical') return { kind: 'physical', name: row.name, update };
  const fields = Object.entries(update).filter(([field]) => (VLAN_FIELDS as readonly string[]).includes(field));
  return { kind: 'vlan', id: row.id, name: row.name, update: Object.fromEntries(fields) };
}

export function randomEdit(dice: Dice, world: World): WorldEdit {
  const all = interfacesOf(world);
  const trunk = all.find(({ mode }) => mode === 'trunk');
  if (trunk && dice.chance(0.05)) return creation(dice, trunk);
  const row = dice.pick(all);
  if (row.kind === 'vlan' && dice.chance(0.15)) return { kind: 'delete', id: row.id, name: row.name };
  if (row.kind === 'physical' && dice.chance(row.present ? 0.002 : 0.6)) return { kind: 'forget', name: row.name };
  // What DHCP gave is kept, or asked for.
  if (row.ipv4_method === 'dhcp' && dice.chance(0.35)) return named(row, { ipv4_method: 'static' });
  return named(row, dice.pick(BOWL)(dice, row, all));
}

function creation(dice: Dice, trunk: NetworkInterface): WorldEdit {
  const vlan_id = 100 + dice.below(4);
  const ipv4_cidr = elsewhere(dice, '10.1.1.1/24', 'ipv4', dice.chance(0.5));
  const input = { parent_interface: trunk.name, vlan_id, ipv4_cidr };
  return { kind: 'create', name: `${trunk.name}.${vlan_id}`, input };
}

/** The edit that leads back; null where only a discovery does. */
export function inverseOf(edit: WorldEdit, before: World, after: World): WorldEdit | null {
  if (edit.kind === 'forget') return null;
  const [was, is] = [before, after].map((world) => interfacesOf(world).find(({ name }) => name === edit.name));
  if (!was) return { kind: 'delete', id: is!.id, name: edit.name };
  if (!is) {
    const { role, ipv4_cidr, ipv6_cidr, enabled, access_management_ui_enabled, mtu } = was;
    const place = { parent_interface: was.parent_interface!, vlan_id: was.vlan_id! };
    const fields = { role, ipv4_cidr, ipv6_cidr, enabled, access_management_ui_enabled, mtu };
    return { kind: 'create', name: edit.name, input: { ...place, ...fields } };
  }
  const fields = was.kind === 'physical' ? PHYSICAL_FIELDS : VLAN_FIELDS;
  // What would follow by itself is always named: the flag from management to access, the address from dhcp to static.
  const differs = (field: (typeof fields)[number]): boolean =>
    was[field] !== is[field] ||
    (field === 'access_management_ui_enabled' && was.role !== is.role) ||
    (field === 'ipv4_cidr' && was.ipv4_method !== is.ipv4_method);
  return named(was, Object.fromEntries(fields.filter(differs).map((field) => [field, was[field]])));
}
