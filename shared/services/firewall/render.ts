// The file for nft. It replaces the whole table in one transaction: the first two lines make a table and delete it,
// whether there was one or not. Other tables are not touched. nft(8).
import type { RenderedFile } from '../../ground/machine/host.ts';
import type { FirewallDesired } from './desired.ts';
import { CHAINS, type Chain, type ExplainedRule, type Origin, ruleText, TABLE } from './filter-rule.ts';
import { ruleSet } from './rule-set.ts';

export const RULES_FILE = '/etc/groundcrew/nftables/groundcrew.nft';

const HEADER = `# Written by Groundcrew from its desired state; changes are overwritten by the next apply.
# Loaded with: nft -f ${RULES_FILE}`;

/** Deletes the table if there is one. */
export const WITHOUT_TABLE = `table inet ${TABLE}\ndelete table inet ${TABLE}\n`;

/** Without a file while the firewall is off: there is no table then. */
export function render(desired: FirewallDesired): RenderedFile[] {
  if (!desired.settings.enabled) return [];
  return [{ path: RULES_FILE, content: content(ruleSet(desired)), mode: 0o644 }];
}

export function content(rules: readonly ExplainedRule[]): string {
  const chains = CHAINS.map((chain) =>
    chainText(
      chain,
      rules.filter((rule) => rule.chain === chain),
    ),
  );
  return `${HEADER}\n\n${WITHOUT_TABLE}\ntable inet ${TABLE} {\n${chains.join('\n')}}\n`;
}

/** The file has no names of rules or datastores, which people wrote: the comment of a rule has its id. */
const HEADINGS: Readonly<Partial<Record<Origin, string>>> = {
  service: 'What services need, by the name of the service.',
  operator: 'Rules of the operator, by their ids.',
};

function chainText(chain: Chain, rules: readonly ExplainedRule[]): string {
  let heading = '';
  const lines = rules.flatMap((rule) => {
    const above = HEADINGS[rule.origin] ?? rule.why;
    const said = above === heading ? [] : [`\t\t# ${above}`];
    heading = above;
    return [...said, `\t\t${ruleText(rule)} comment "${rule.key}"`];
  });
  const hook = `\t\ttype filter hook ${chain} priority filter; policy drop;`;
  return `\tchain ${chain} {\n${[hook, ...lines].join('\n')}\n\t}\n`;
}
