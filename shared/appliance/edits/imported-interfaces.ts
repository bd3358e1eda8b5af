// VLANs and interfaces as rows of a file: each row by the operation of one. All of them are read once, and held as they are saved.
import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import { invalid, notFound } from '../../ground/problems.ts';
import { canonicalUpdate } from '../../platform/interfaces/canonical.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { INTERFACE_HEAD } from '../../platform/interfaces/interface-csv.ts';
import {
  type PhysicalInterfaceUpdate,
  physicalInterfaceUpdate,
  vlanCreate,
  vlanUpdate,
} from '../../platform/interfaces/interface-schema.ts';
import { NAMED_INTERFACES } from '../../platform/interfaces/interface-store.ts';
import { INTERFACES_LIST, VLANS_LIST } from '../../platform/interfaces/vlan-list.ts';
import type { ColumnKind, Done } from '../../platform/units/collection.ts';
import type { ImportedRows } from '../../platform/units/imported-rows.ts';
import { addVlan, type HeldInterfaces, holdInterfaces, type Saved, updatePhysical, updateVlan } from './edits.ts';

const INTEGERS: readonly string[] = ['vlan_id', 'mtu', 'speed_mbps'];
const BOOLEANS: readonly string[] = ['enabled', 'access_management_ui_enabled', 'ipv6_enabled', 'present'];

/** Columns of the files of both lists; what of them no operation takes is passed over. */
const shared = {
  names: {},
  columns: ['id', ...INTERFACE_HEAD, 'revision'],
  kind: (column: string): ColumnKind =>
    INTEGERS.includes(column) ? 'integer' : BOOLEANS.includes(column) ? 'boolean' : 'text',
  spelled: (_member: string, text: string): string => text,
};

const ONE_BY_ONE = 'Rows are saved one after the other, so two';

/** `more`: what the audit event of the operation has besides. */
const done = ({ row, impact }: Saved, more: Record<string, unknown>): Done<NetworkInterface> => ({
  item: row,
  detail: { ...more, refreshed_units: impact.refreshed_units },
});

const named = ({ rows }: HeldInterfaces, name: string): NetworkInterface | null =>
  rows.find((row) => row.name === name) ?? null;

export const importedVlans: ImportedRows = {
  ...shared,
  table: 'vlan',
  noun: 'VLAN',
  tag: 'VLANs',
  resource: 'vlans',
  action: 'network.vlan',
  listed: VLANS_LIST,
  path: '/api/v1/vlans/import',
  page: `${pagePath('vlans')}/import`,
  home: 'vlans',
  key: ['parent_interface', 'vlan_id'],
  without: `A new VLAN needs a parent in trunk mode. ${ONE_BY_ONE} VLANs can’t exchange their networks in one file.`,
  schemas: { create: vlanCreate, update: vlanUpdate },
  async open(tx) {
    const held = await holdInterfaces(tx);
    return {
      async find([parent, number]) {
        const found = named(held, `${parent}.${number}`);
        return found?.kind === 'vlan' ? found : null;
      },
      async create({ services, body }) {
        const saved = await addVlan(tx, services, body, { held });
        const { name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled } = saved.row;
        return done(saved, { name, role, ipv4_cidr, ipv6_cidr, mtu, enabled, access_management_ui_enabled });
      },
      async update({ services, body, request }, id) {
        const saved = await updateVlan(tx, services, id, body, request.if_match, { held });
        return done(saved, { name: saved.row.name, changed: saved.impact.changed });
      },
    };
  },
};

const interfaceRow = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1, 'A name is missing.'), v.maxLength(32, 'At most 32 characters.')),
  ...physicalInterfaceUpdate.entries,
});

export const importedInterfaces: ImportedRows = {
  ...shared,
  table: NAMED_INTERFACES.table,
  noun: 'interface',
  tag: 'Interfaces',
  resource: 'interfaces',
  action: 'network.interface',
  listed: INTERFACES_LIST,
  path: '/api/v1/interfaces/import',
  page: pagePath('import-interfaces'),
  home: 'interfaces',
  key: ['name'],
  without: `Interfaces are found on the host, so a row with another name is refused. ${ONE_BY_ONE} interfaces can’t exchange their networks in one file. VLANs of the file may say what is saved; they are changed by a file of VLANs.`,
  schemas: { create: interfaceRow, update: physicalInterfaceUpdate },
  async open(tx) {
    const held = await holdInterfaces(tx);
    return {
      find: async ([name]) => named(held, String(name)),
      async create({ body: { name } }) {
        const detail = /\.\d+$/.test(name)
          ? 'No VLAN has this name. VLANs are made by a file of VLANs.'
          : 'No interface has this name. Interfaces are found on the host: refresh them there.';
        throw invalid({ pointer: '/name', detail });
      },
      async update({ services, body, request }, id) {
        const saved = held.rows.find((row) => row.id === id);
        if (!saved) throw notFound('This interface');
        if (saved.kind === 'vlan') return { item: sameOrRefused(saved, body), detail: {} };
        const edited = await updatePhysical(tx, services, saved.name, body, request.if_match, { held });
        return done(edited, { changed: edited.impact.changed });
      },
    };
  },
};

/** @throws Problem 422 at each member that says something else than is saved */
function sameOrRefused(vlan: NetworkInterface, update: PhysicalInterfaceUpdate): NetworkInterface {
  const saved = new Map<string, unknown>(Object.entries(vlan));
  const other = Object.entries(canonicalUpdate(update)).filter(([member, value]) => saved.get(member) !== value);
  const [first, ...more] = other.map(([member]) => ({
    pointer: `/${member}`,
    detail: 'Is of a VLAN: change it by a file of VLANs.',
  }));
  if (first) throw invalid(first, ...more);
  return vlan;
}
