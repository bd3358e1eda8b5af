// VLANs and interfaces as rows of a file: each row by the operation of one. They have no table of the declared shape, so only what
// an import asks of a collection is declared here.
import * as v from 'valibot';
import { invalid } from '../../ground/problems.ts';
import { canonicalUpdate } from '../../platform/interfaces/canonical.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { INTERFACE_HEAD } from '../../platform/interfaces/interface-csv.ts';
import { findVlan, interfaceNamed } from '../../platform/interfaces/interface-list.ts';
import {
  type PhysicalInterfaceUpdate,
  physicalInterfaceUpdate,
  type VlanCreate,
  type VlanUpdate,
  vlanCreate,
  vlanUpdate,
} from '../../platform/interfaces/interface-schema.ts';
import { NAMED_INTERFACES } from '../../platform/interfaces/interface-store.ts';
import { INTERFACES_LIST, VLANS_LIST } from '../../platform/interfaces/vlan-list.ts';
import type { AnyCollection, ColumnKind, Done } from '../../platform/units/collection.ts';
import { addVlan, type Saved, updatePhysical, updateVlan } from './edits.ts';

const INTEGERS: readonly string[] = ['vlan_id', 'mtu', 'speed_mbps'];
const BOOLEANS: readonly string[] = ['enabled', 'access_management_ui_enabled', 'ipv6_enabled', 'present'];
const kindOf = (column: string): ColumnKind =>
  INTEGERS.includes(column) ? 'integer' : BOOLEANS.includes(column) ? 'boolean' : 'text';

/** Those of the files of both lists; what of them no operation takes is passed over. */
const columns = {
  ...Object.fromEntries(INTERFACE_HEAD.map((column) => [column, kindOf(column)])),
  revision: 'integer' as const,
};

const unsaved = (): never => {
  throw new Error('Interfaces are saved by their own operations.');
};

const shared = {
  prefix: 'interface',
  columns,
  order: ['name'],
  lookups: ['name'],
  immutable: [],
  defaults: {},
  title: ({ name }: NetworkInterface) => name,
  facts: () => ({}),
  settle: unsaved,
} as const;

/** `more`: what the audit event of the operation has besides. */
const done = ({ row, impact }: Saved, more: Record<string, unknown>): Done<NetworkInterface> => ({
  item: row,
  detail: { ...more, refreshed_units: impact.refreshed_units },
});

export const importedVlans: AnyCollection = {
  ...shared,
  table: 'vlan',
  noun: 'VLAN',
  tag: 'VLANs',
  resource: 'vlans',
  path: '/api/v1/vlans',
  param: 'vlan_id',
  pages: { all: 'vlans', one: 'vlan', home: 'vlans' },
  listed: VLANS_LIST,
  action: 'network.vlan',
  imports: {
    key: ['parent_interface', 'vlan_id'],
    find: async (tx, [parent, number]) => {
      const found = await interfaceNamed(tx, `${parent}.${number}`);
      return found?.kind === 'vlan' ? (found as never) : null;
    },
    without:
      'A new VLAN needs a parent in trunk mode. Rows are saved one after the other, so two VLANs can’t exchange their networks in one file.',
  },
  schemas: { item: vlanCreate, list: vlanCreate, create: vlanCreate, update: vlanUpdate },
  verbs: {
    async create({ tx, services, body }) {
      const saved = await addVlan(tx, services, body as VlanCreate);
      const { name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled } = saved.row;
      return done(saved, { name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled });
    },
    async update({ tx, services, params, body, request }) {
      const saved = await updateVlan(tx, services, params.vlan_id!, body as VlanUpdate, request.if_match);
      return done(saved, { name: saved.row.name, changed: saved.impact.changed });
    },
  },
};

const interfaceRow = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1, 'A name is missing.'), v.maxLength(32, 'At most 32 characters.')),
  ...physicalInterfaceUpdate.entries,
});

export const importedInterfaces: AnyCollection = {
  ...shared,
  table: NAMED_INTERFACES.table,
  noun: 'interface',
  tag: 'Interfaces',
  resource: 'interfaces',
  path: '/api/v1/interfaces/physical',
  param: 'name',
  pages: { all: 'interfaces', one: 'interface', home: 'interfaces' },
  listed: INTERFACES_LIST,
  action: 'network.interface',
  imports: {
    key: ['name'],
    find: async (tx, [name]) => (await interfaceNamed(tx, String(name))) as never,
    without:
      'Interfaces are found on the host, so a row with another name is refused. VLANs of the file may say what is saved; they are changed by a file of VLANs.',
  },
  schemas: { item: interfaceRow, list: interfaceRow, create: interfaceRow, update: physicalInterfaceUpdate },
  verbs: {
    async create({ body }) {
      const { name } = body as { name: string };
      const detail = /\.\d+$/.test(name)
        ? 'No VLAN has this name. VLANs are made by a file of VLANs.'
        : 'No interface has this name. Interfaces are found on the host: refresh them there.';
      throw invalid({ pointer: '/name', detail });
    },
    async update({ tx, services, params, body, request }) {
      const update = body as PhysicalInterfaceUpdate;
      // The id of a physical interface is its name; a VLAN has one of its own.
      if (params.name!.startsWith('vlan_')) {
        return done({ row: sameOrRefused(await findVlan(tx, params.name!), update), impact: NO_IMPACT }, {});
      }
      const saved = await updatePhysical(tx, services, params.name!, update, request.if_match);
      return done(saved, { changed: saved.impact.changed });
    },
  },
};

const NO_IMPACT = { changed: [], refreshed_units: [], moves: [], moves_total: 0, deselected: [], notes: [] };

/** @throws Problem 422 at each member that says something else than is saved */
function sameOrRefused(vlan: NetworkInterface, update: PhysicalInterfaceUpdate): NetworkInterface {
  const other = Object.entries(canonicalUpdate(update)).filter(
    ([member, value]) => vlan[member as keyof NetworkInterface] !== value,
  );
  const [first, ...more] = other.map(([member]) => ({
    pointer: `/${member}`,
    detail: 'Is of a VLAN: change it by a file of VLANs.',
  }));
  if (first) throw invalid(first, ...more);
  return vlan;
}
