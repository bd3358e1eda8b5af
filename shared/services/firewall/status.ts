// The rules of the saved state one by one, with how many packets matched each where it is loaded.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { component, described, integerSchema, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import { load } from './desired.ts';
import type { FilterRule } from './filter-rule.ts';
import { type ExplainedRule, matchText } from './filter-rule.ts';
import type { KernelTable } from './kernel-table.ts';
import { ruleSet } from './rule-set.ts';

const VERDICTS = ['accept', 'drop', 'reject', 'log'] as const;
const ORIGINS = ['filter', 'service', 'operator'] as const;
const counted = (what: string) =>
  described(
    v.nullable(integerSchema),
    `${what} that matched the rule since the last apply; null where it is not loaded.`,
  );

export const firewallStatusSchema = component(
  'FirewallStatus',
  v.object({
    in_force: described(
      v.nullable(v.boolean()),
      'Whether the kernel has exactly these rules; null where that is not known, as in a rehearsal.',
    ),
    reason: described(v.nullable(v.string()), 'Why it does not, or why that is not known.'),
    rules: described(
      v.array(
        v.object({
          chain: described(v.picklist(['input', 'forward']), 'input: to the appliance; forward: through it.'),
          key: text('Names the rule; it stays the same from one apply to the next.'),
          origin: described(v.picklist(ORIGINS), 'Where the rule comes from.'),
          label: described(v.string(), 'The service, or the name of the rule.'),
          why: text('The reason for the rule, for people.'),
          match: described(v.string(), 'What it matches, in the words of nft; empty: every packet.'),
          verdict: described(
            v.picklist(VERDICTS),
            'Verdict on a matching packet; `log`: it is logged, and the next rules decide.',
          ),
          packets: counted('Packets'),
          bytes: counted('Bytes'),
        }),
      ),
      'The rules in the order of matching.',
    ),
  }),
);
export type FirewallStatus = v.InferOutput<typeof firewallStatusSchema>;

/** Three statements, and one call of nft where the host enforces. */
export async function firewallStatus(host: Host, db: Database, surroundings: Surroundings): Promise<FirewallStatus> {
  const desired = await load(db, surroundings);
  const rules = desired.settings.enabled ? ruleSet(desired) : [];
  const unknown = (reason: string): FirewallStatus => ({
    in_force: null,
    reason,
    rules: rules.map((rule) => shown(rule)),
  });
  if (!host.enforces) return unknown(`${host.label}: no rule is loaded.`);
  // Loaded where the kernel is asked.
  const [{ comparable, readTable }, { differences }] = await Promise.all([
    import('./kernel-table.ts'),
    import('./activate.ts'),
  ]);
  const table = await readTable(host).catch((error: Error) => error);
  if (table instanceof Error) return unknown(table.message);
  const [difference, ...more] = differences(desired, table);
  return {
    in_force: difference === undefined,
    reason: difference === undefined ? null : reasonOf(table, difference, more.length),
    rules: withCounters(rules, table, comparable),
  };
}

function reasonOf(table: KernelTable | null, difference: string, more: number): string {
  if (table === null) return 'The table is not loaded.';
  const others = more > 0 ? `, and ${more} more differences` : '';
  return `What is loaded differs from what is saved: ${difference}${others}.`;
}

function withCounters(
  rules: readonly ExplainedRule[],
  table: KernelTable | null,
  comparable: (rule: FilterRule) => string,
): FirewallStatus['rules'] {
  const loaded = new Map(table?.rules.map((rule) => [comparable(rule), rule]));
  return rules.map((rule) => shown(rule, loaded.get(comparable(rule))));
}

function shown(rule: ExplainedRule, counter?: { packets: number; bytes: number }): FirewallStatus['rules'][number] {
  const { chain, key, origin, label, why, matches, verdict } = rule;
  return {
    chain,
    key,
    origin,
    label,
    why,
    match: matches.map(matchText).join(' '),
    verdict: verdict ?? 'log',
    packets: counter?.packets ?? null,
    bytes: counter?.bytes ?? null,
  };
}
