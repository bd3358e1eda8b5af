// What pages about interfaces show: every interface as saved beside what is in force, and who depends on it.
import { baselineOf } from '../../shared/apply/make-plan.ts';
import { unitStates } from '../../shared/apply/unit-state.ts';
import { loadBindings } from '../../shared/network/bindings.ts';
import { loadInterfaces, type NetworkInterface } from '../../shared/network/interface.ts';
import { effectiveManagementListeners, type ManagementListener } from '../../shared/network/management-listener.ts';
import type { Services } from '../../shared/operation/services.ts';
import { byInterface, entries } from '../../shared/units/network/desired.ts';

export type Settings = ReadonlyMap<string, string>;
const NOTHING: Settings = new Map();

/** An interface of the desired state, or one that is only in force any more. */
export interface Line {
  name: string;
  /** Page where it is edited; null when it is no longer in the desired state. */
  href: string | null;
  /** Null when it is no longer in the desired state. */
  saved: NetworkInterface | null;
  /** Settings in force, and as saved; the words of a review. */
  was: Settings;
  becomes: Settings;
  pending: boolean;
  /** Services that listen on it. */
  services: string[];
}

export interface Standing {
  interfaces: NetworkInterface[];
  lines: Line[];
  listeners: ManagementListener[];
  /** Services and the interfaces that they listen on. */
  services: { label: string; page: string; interfaces: string[] }[];
}

/** Names of units as services on an interface, and their pages. */
const SERVICES: Readonly<Record<string, { label: string; page: string }>> = {
  'dns-dhcp': { label: 'DNS listener', page: '/ui/management/dns' },
};
const MANAGEMENT_UI = { label: 'Management UI', page: '/ui/management/interfaces' };

export function hrefOf({ kind, name, id }: NetworkInterface): string {
  const path = kind === 'vlan' ? `vlans/${id}` : `interfaces/${name}`;
  return `/ui/management/${path}`;
}

/** Three statements and, once something was applied, the baseline file. */
export async function loadStanding(appliance: Pick<Services, 'store' | 'settings' | 'logger'>): Promise<Standing> {
  const { store } = appliance;
  const [interfaces, states, bindings] = await Promise.all([
    loadInterfaces(store),
    unitStates(store),
    loadBindings(store),
  ]);
  const baseline = await baselineOf(appliance, states.get('network')?.entries_digest ?? null);
  const inForce = byInterface(baseline?.entries ?? null);
  const desired = byInterface(entries({ interfaces }));
  const listeners = effectiveManagementListeners(interfaces);
  const services = [
    { ...MANAGEMENT_UI, interfaces: [...new Set(listeners.map((listener) => listener.interface))] },
    ...bindings.map((binding) => ({
      ...(SERVICES[binding.unit] ?? { label: binding.unit, page: `/ui/management/${binding.unit}` }),
      interfaces: binding.interfaces,
    })),
  ];
  const gone = [...inForce.keys()].filter((name) => !interfaces.some((row) => row.name === name));
  const lineOf = (name: string, saved: NetworkInterface | null): Line => {
    const was = inForce.get(name) ?? NOTHING;
    const becomes = desired.get(name) ?? NOTHING;
    const pending = !sameSettings(was, becomes);
    const on = services.filter((service) => service.interfaces.includes(name)).map(({ label }) => label);
    return { name, href: saved && hrefOf(saved), saved, was, becomes, pending, services: on };
  };
  const lines = interfaces.map((row) => lineOf(row.name, row));
  for (const name of gone) {
    // A deleted VLAN stands below its parent until the apply has removed it.
    const parent = lines.findLastIndex((line) => name.startsWith(`${line.saved?.parent_interface ?? line.name}.`));
    lines.splice(parent < 0 ? lines.length : parent + 1, 0, lineOf(name, null));
  }
  return { interfaces, lines, listeners, services };
}

function sameSettings(one: Settings, other: Settings): boolean {
  return one.size === other.size && [...one].every(([setting, value]) => other.get(setting) === value);
}

const WORDS: Readonly<Record<string, string>> = {
  enabled: 'enabled',
  role: 'role',
  mode: 'mode',
  vlan: 'VLAN',
  ipv4_method: 'IPv4 method',
  ipv4_cidr: 'IPv4 CIDR',
  ipv4_gateway: 'IPv4 gateway',
  ipv6_cidr: 'IPv6 CIDR',
  ipv6_gateway: 'IPv6 gateway',
  mtu: 'MTU',
  management_ui: 'management UI',
};

export interface SettingDifference {
  setting: string;
  label: string;
  was: string | null;
  becomes: string | null;
}

/** Settings that an apply would change, in the order of a review. */
export function differencesOf({ was, becomes }: Line): SettingDifference[] {
  return Object.entries(WORDS).flatMap(([setting, label]) => {
    const [old, next] = [was.get(setting) ?? null, becomes.get(setting) ?? null];
    return old === next ? [] : [{ setting, label, was: old, becomes: next }];
  });
}

/** Name of the trunk that a VLAN stands on; null for a physical interface. */
export function parentOf({ saved, name }: Line): string | null {
  return saved ? saved.parent_interface : (/^(.+)\.\d+$/.exec(name)?.[1] ?? null);
}

/** What keeps an interface from working, in words; null when nothing does. */
export function troubleOf({ saved }: Line): string | null {
  if (!saved?.enabled || (saved.role === 'unused' && saved.mode === 'access')) return null;
  if (!saved.present) return 'Not on this machine';
  return saved.observed?.link === 'down' ? 'No link' : null;
}

const PAGE = 200;

/** One page of lines by `cursor`, the name of the last line shown. */
export function pageOfLines(
  lines: readonly Line[],
  cursor: string | undefined,
): { shown: Line[]; next: string | null } {
  const start = cursor === undefined ? 0 : lines.findIndex((line) => line.name === cursor) + 1;
  const shown = lines.slice(start, start + PAGE);
  return { shown, next: start + PAGE < lines.length ? (shown.at(-1)?.name ?? null) : null };
}
