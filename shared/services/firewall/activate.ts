// Loads the table in one transaction: the kernel has the old rules until it has all new ones, and keeps them when nft
// refuses.
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { FirewallDesired } from './desired.ts';
import { CHAINS, TABLE } from './filter-rule.ts';
import { comparable, type KernelTable, readTable } from './kernel-table.ts';
import { RULES_FILE, WITHOUT_TABLE } from './render.ts';
import { ruleSet } from './rule-set.ts';

/** Answers what it did in one sentence. @throws Error with nft's message; the rules are unchanged then. */
export async function activate(host: Host, desired: FirewallDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the rules are kept, none is loaded.';
  const on = desired.settings.enabled;
  const result = on
    ? await host.exec('nft', ['-f', host.resolve(RULES_FILE)])
    : await host.exec('nft', ['-f', '-'], { input: WITHOUT_TABLE });
  if (result.code !== 0) throw new Error(`nft did not load the rules: ${firstLine(result)}`);
  return on ? 'nft replaced the table in one step.' : 'The table is gone; nothing is filtered.';
}

/** Reads the table from the kernel and compares it with the rendered one. */
export async function probe(host: Host, desired: FirewallDesired): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  const table = await readTable(host).catch((error: Error) => error);
  if (table instanceof Error) return { ok: false, said: table.message };
  const [difference] = differences(desired, table);
  const name = `nft list table inet ${TABLE}`;
  if (difference !== undefined) return { ok: false, said: `${name}: ${difference}.` };
  return { ok: true, said: table ? `${name}: ${table.rules.length} rules, as rendered.` : `${name}: there is none.` };
}

/**
 * One clause for each difference between the kernel and what was applied.
 * @throws Error when nft can't list the table.
 */
export async function drift(host: Host, inForce: FirewallDesired): Promise<string[]> {
  return differences(inForce, await readTable(host));
}

/** Pure. */
export function differences(desired: FirewallDesired, table: KernelTable | null): string[] {
  if (!desired.settings.enabled) return table === null ? [] : ['there is a table, though the firewall is off'];
  if (table === null) return ['the table is not loaded'];
  const policies = CHAINS.filter((chain) => !table.chains.includes(`${chain} drop`));
  const rendered = ruleSet(desired).map(comparable);
  const loaded = table.rules.map(comparable);
  const missing = rendered.filter((rule) => !loaded.includes(rule));
  const foreign = loaded.filter((rule) => !rendered.includes(rule));
  const found = [
    ...policies.map((chain) => `the chain ${chain} does not refuse what no rule accepts`),
    ...missing.map((rule) => `it lacks the rule ${rule}`),
    ...foreign.map((rule) => `it has the rule ${rule}`),
  ];
  const same = loaded.length === rendered.length && loaded.every((rule, at) => rule === rendered[at]);
  return found.length > 0 || same ? found : ['its rules are in another order'];
}
