// What pages about interfaces show: every interface as saved beside what is in force, and who depends on it.

import { pagePath } from '../../ground/page-paths.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { interfacePage } from '../../platform/interfaces/edit-together.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import {
  effectiveManagementListeners,
  type ManagementListener,
} from '../../platform/interfaces/management-listener.ts';
import { byInterface, type InterfaceFacts, type NetworkFact, sameInterface } from '../../platform/network/facts.ts';
import { LABELS, valueWords } from '../../platform/network/words.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { sameData } from '../../platform/units/facts.ts';
import { lineWords } from '../apply/drift-store.ts';
import { type Binding, loadBindings } from '../edits/bindings.ts';
import { factsBefore } from './comparison.ts';
import type { StateId, Standing as UnitStanding } from './standing.ts';

export const NOTHING: InterfaceFacts = {};
export const isNothing = (facts: InterfaceFacts): boolean => Object.keys(facts).length === 0;

/** An interface of the desired state, or one that is only in force any more. */
export interface Line {
  name: string;
  /** Page where it is edited; null when it is no longer in the desired state. */
  href: string | null;
  /** Null when it is no longer in the desired state. */
  saved: NetworkInterface | null;
  /** What it has in force, and as saved. */
  was: InterfaceFacts;
  becomes: InterfaceFacts;
  pending: boolean;
  state: StateId;
  /** Services, scopes and datastores that are bound to it. */
  dependents: Binding[];
}

export interface Standing {
  interfaces: NetworkInterface[];
  lines: Line[];
  listeners: ManagementListener[];
  /** The management UI, and everything else that is bound to interfaces. */
  bindings: Binding[];
}

/** Two statements; one more for the number of each scope's reservations, when wanted. */
export async function loadStanding(
  { services: { store }, standings }: Standings,
  { reservations = false }: { reservations?: boolean } = {},
): Promise<Standing> {
  const interfaces = await loadInterfaces(store);
  const saved = await loadBindings(store, interfaces, { reservations });
  const network = standings.get('network');
  const inForce = byInterface(network?.comparison ? factsBefore(network.comparison) : null);
  const desired = byInterface(network?.comparison?.facts ?? null);
  const listeners = effectiveManagementListeners(interfaces);
  const bindings = [managementUi(listeners), ...saved];
  const gone = [...inForce.keys()].filter((name) => !interfaces.some((row) => row.name === name));
  const lineOf = (name: string, saved: NetworkInterface | null): Line => {
    const was = inForce.get(name) ?? NOTHING;
    const becomes = desired.get(name) ?? NOTHING;
    const pending = !sameInterface(was, becomes);
    const dependents = bindings.filter((binding) => binding.interfaces.includes(name));
    const state = pending ? 'pending' : stateHere(name, becomes, network);
    return { name, href: saved && interfacePage(saved), saved, was, becomes, pending, state, dependents };
  };
  const lines = interfaces.map((row) => lineOf(row.name, row));
  for (const name of gone) {
    // A deleted VLAN stands below its parent until the apply has removed it.
    const parent = lines.findLastIndex((line) => name.startsWith(`${line.saved?.parent_interface ?? line.name}.`));
    lines.splice(parent < 0 ? lines.length : parent + 1, 0, lineOf(name, null));
  }
  return { interfaces, lines, listeners, bindings };
}

/** What a page about interfaces is loaded with. */
interface Standings {
  services: Pick<Services, 'store'>;
  standings: ReadonlyMap<UnitId, UnitStanding>;
}

/** By its name, for a list that shows no more of it than that. */
export function interfaceStates(network: UnitStanding | undefined): (name: string) => StateId {
  const inForce = byInterface(network?.comparison ? factsBefore(network.comparison) : null);
  const desired = byInterface(network?.comparison?.facts ?? null);
  return (name) => {
    const [was, becomes] = [inForce.get(name) ?? NOTHING, desired.get(name) ?? NOTHING];
    return sameInterface(was, becomes) ? stateHere(name, becomes, network) : 'pending';
  };
}

/** Of an interface that no apply would change. */
function stateHere(name: string, { enabled }: InterfaceFacts, network: UnitStanding | undefined): StateId {
  if (network && isDrifted(name, network)) return 'drifted';
  if (enabled !== true) return 'off';
  if (!network) return 'saved';
  return network.state === 'failing' ? 'failing' : network.applied;
}

/** Whether what was found on the host names the interface, or too much was found to keep all of it. */
function isDrifted(name: string, { drift }: UnitStanding): boolean {
  if (drift?.state !== 'drifted') return false;
  return drift.more > 0 || drift.lines.some((line) => wordsIn(lineWords(line)).includes(name));
}

/** Its words; of the path of a file of the network the interface that it is for. */
const wordsIn = (line: string): string[] =>
  line.split(/[\s:/]+/).map((word) => word.replace(/^\d+-groundcrew-(.+)\.(?:network|netdev|link)$/, '$1'));

const managementUi = (listeners: readonly ManagementListener[]): Binding => ({
  label: 'Management UI',
  page: pagePath('interfaces'),
  interfaces: [...new Set(listeners.map((listener) => listener.interface))],
  addresses: listeners.map(({ address }) => address),
  faults: [],
  reservations: null,
});

export interface SettingDifference {
  setting: NetworkFact;
  label: string;
  was: string | null;
  becomes: string | null;
}

/** Settings that an apply would change, in the order of a review. */
export function differencesOf({ was, becomes }: Line): SettingDifference[] {
  return (Object.entries(LABELS) as [NetworkFact, string][]).flatMap(([setting, label]) => {
    if (sameData(was[setting], becomes[setting])) return [];
    const [old, next] = [was, becomes].map((facts) => valueWords(setting, facts[setting]) ?? null);
    return [{ setting, label, was: old!, becomes: next! }];
  });
}

/** Name of the trunk that a VLAN stands on; null for a physical interface. */
export function parentOf({ saved, name }: Line): string | null {
  return saved ? saved.parent_interface : (/^(.+)\.\d+$/.exec(name)?.[1] ?? null);
}

/** Of an interface whose adapter was taken out, and of a VLAN on it. */
export const GONE = 'Gone';

/** The role as people read it: a trunk has none, since its VLANs have. */
export const roleWords = ({ role, mode }: { role?: string | undefined; mode?: string | undefined }): string =>
  mode === 'trunk' ? 'trunk' : (role ?? '');

/** What keeps an interface from working, in words; null when nothing does. */
export function troubleOf({ saved }: Line): string | null {
  if (!saved?.enabled || (saved.role === 'unused' && saved.mode === 'access')) return null;
  if (!saved.present) return GONE;
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
