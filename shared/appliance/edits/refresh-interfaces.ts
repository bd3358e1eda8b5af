// Brings the saved interfaces up to date with the machine, and what names them.
import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import type { ObservedLink } from '../../ground/machine/host.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { mergeDiscovered, renameSteps } from '../../platform/interfaces/discovery.ts';
import { loadInterfaces } from '../../platform/interfaces/interface.ts';
import { renameInterface, saveInterfaces } from '../../platform/interfaces/interface-store.ts';
import { UNIT_IDS, type UnitId } from '../../platform/unit-names.ts';
import { renameInRules } from '../../services/firewall/interface-rules.ts';
import { followDiscovery } from './dependents.ts';

/** What a discovery changed, as it is audited. */
export interface RefreshedInterfaces {
  /** Units whose settings followed: to the new name of a link, or to an address that the network gave. */
  refreshed_units: UnitId[];
  /** Rows written; 0 when the machine is as it was. */
  changed: number;
  added: string[];
  vanished: string[];
  renamed: string[];
}

/** Brings the saved interfaces up to date with the links observed on the host. */
export async function refreshInterfaces(
  transaction: Transaction,
  shell: { clock: Clock; entropy: Entropy },
  links: readonly ObservedLink[],
): Promise<RefreshedInterfaces> {
  const before = await loadInterfaces(transaction);
  const { upserts, renames } = mergeDiscovered(before, links, instant(shell.clock.now()));
  let rules = 0;
  for (const { from, to } of renameSteps(renames)) {
    await renameInterface(transaction, from, to);
    rules += await renameInRules(transaction, from, to);
  }
  await saveInterfaces(transaction, upserts);
  const home = new Map(renames.map(({ from, to }) => [from, to]));
  const known = new Map(before.map((row) => [home.get(row.name) ?? row.name, row]));
  const followed = upserts.length > 0 ? await followDiscovery(transaction, shell, before, home) : [];
  const refreshed_units = UNIT_IDS.filter((unit) => followed.includes(unit) || (unit === 'firewall' && rules > 0));
  return {
    refreshed_units,
    changed: upserts.length,
    added: upserts.filter((row) => !known.has(row.name)).map((row) => row.name),
    vanished: upserts.filter((row) => !row.present && known.get(row.name)?.present).map((row) => row.name),
    renamed: renames.map(({ from, to }) => `${from} to ${to}`),
  };
}
