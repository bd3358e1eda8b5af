// The packet filter of the appliance: the operator's rules, and all rules in the order in which they are matched.

import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { SavedSettings } from '../../shared/platform/units/settings.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { type FirewallRule, firewallRules } from '../../shared/services/firewall/rules.ts';
import { firewallSettings } from '../../shared/services/firewall/settings.ts';
import { type FirewallStatus, firewallStatus } from '../../shared/services/firewall/status.ts';
import { ruleWords } from '../../shared/services/firewall/words.ts';
import { ButtonLink } from '../components/button.tsx';
import { FirstOf, More } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { List, yesNo } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { ServiceState } from '../units/service-state.tsx';
import { FIREWALL, RULE_PAGES } from './rule-pages.tsx';

interface Data {
  readiness: Readiness;
  settings: SavedSettings<(typeof firewallSettings)['defaults']>;
  rules: Listed<FirewallRule>;
  status: FirewallStatus;
  interfaces: ReadonlySet<string>;
}

export const page = definePage({
  id: 'firewallPage',
  path: FIREWALL.href,
  access: { session: 'read:firewall' },
  query: v.object(LIST_QUERY),
  async load({ db, services, query, outcome, standings }): Promise<Data> {
    const [{ saved, interfaces }, rules, status] = await Promise.all([
      readSettings(db, firewallSettings),
      readListed(db, { collection: firewallRules, of: 'rule', standings, query, outcome }),
      firewallStatus(services.host, db, surroundingsOf(services.settings)),
    ]);
    const names = new Set(interfaces.map(({ name }) => name));
    const readiness = await readinessOf(services, 'firewall', standings);
    return { readiness, settings: saved, rules, status, interfaces: names };
  },
  title: () => 'Firewall',
  view: Firewall,
});

function Firewall({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, settings, rules, status } = data;
  const writes = state.user.scopes.includes('write:firewall');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${RULE_PAGES.base}/new`}>
      Add rule
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Firewall"
        intro="Packets that reach the appliance: your rules first, then what each service needs, and nothing else."
      >
        <ButtonLink href={`${FIREWALL.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={rules.items.length > 0 || rules.at !== ''} state={state} />
      <Facts facts={factsOf(settings, status, state.standings)} />
      <ReadinessList of={readiness} state={state} />
      <List title="Your rules" action={hasRows(rules) && add}>
        <OwnRules data={data} add={add} state={state} outcome={outcome} />
      </List>
      <List title="All rules as saved">
        <AllRules status={status} on={settings.enabled} />
      </List>
    </>
  );
}

function factsOf(
  settings: Data['settings'],
  { in_force, reason }: FirewallStatus,
  standings: ShellState['standings'],
): Fact[] {
  const { enabled, allow_ping, log_denied, management_networks } = settings;
  return [
    { label: 'State', value: <ServiceState standings={standings} unit="firewall" enabled={enabled} /> },
    { label: 'In the kernel', value: <Loaded in_force={in_force} reason={reason} /> },
    {
      label: 'Management UI from',
      value: management_networks.length === 0 ? 'everywhere' : <Networks of={management_networks} />,
    },
    { label: 'Ping', value: allow_ping ? 'answered' : 'refused' },
    { label: 'Log of refused packets', value: yesNo(log_denied) },
  ];
}

const NETWORKS_MOST = 4;

function Networks({ of }: { of: readonly string[] }) {
  const items = of.map((network) => (
    <code key={network} class="line">
      {network}
    </code>
  ));
  return <FirstOf most={NETWORKS_MOST} items={items} />;
}

function Loaded({ in_force, reason }: Pick<FirewallStatus, 'in_force' | 'reason'>) {
  if (in_force === true) return <State kind="ok">As saved</State>;
  const word = in_force === null ? <State kind="off">Not known</State> : <State kind="pending">Other than saved</State>;
  return (
    <>
      {word}
      <p class="muted">{reason}</p>
    </>
  );
}

interface OwnRulesProps {
  data: Data;
  add: ComponentChildren;
  state: ShellState;
  outcome: FormOutcome | null;
}

function OwnRules({ data: { rules, interfaces }, add, state, outcome }: OwnRulesProps) {
  return (
    <CollectionList
      collection={firewallRules}
      of="rule"
      listed={rules}
      outcome={outcome}
      state={state}
      href={FIREWALL.href}
      itemHref={({ id }) => itemHref(RULE_PAGES.base, id)}
      caption="Your rules in the order in which they are matched"
      columns={[
        {
          key: 'name',
          label: 'Rule',
          cell: ({ id, name }) => <a href={itemHref(RULE_PAGES.base, id)}>{name}</a>,
        },
        { key: 'position', label: 'Position', look: 'number', cell: ({ position }) => position },
        { key: 'says', label: 'Says', cell: (rule) => <Says rule={rule} known={interfaces} /> },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: (rule) => <RowWord standings={state.standings} of="rule" row={rule} />,
        },
        { key: 'description', label: 'Description', cell: ({ description }) => description },
      ]}
      empty={
        <Empty action={add}>
          There is no rule of your own. Services are reachable where they listen; everything else is refused.
        </Empty>
      }
    />
  );
}

function Says({ rule, known }: { rule: FirewallRule; known: ReadonlySet<string> }) {
  const gone = rule.interface !== '' && !known.has(rule.interface);
  return (
    <>
      {ruleWords(rule)}
      {gone && <span class="line muted">There is no {rule.interface}: it fits no packet.</span>}
    </>
  );
}

type Row = FirewallStatus['rules'][number];

const VERDICTS: Record<Row['verdict'], string> = { accept: 'Accept', drop: 'Drop', reject: 'Reject', log: 'Log' };
const CHAINS: Record<Row['chain'], string> = { input: 'to the appliance', forward: 'through it' };

/** A list with more than a few values begins with these. */
const VALUES_SHOWN = 3;

/** In the words of nft, with the rest of a long list counted. */
function shortened(match: string): string {
  return match.replaceAll(/\{ ([^}]*) \}/g, (whole, list: string) => {
    const values = list.split(', ');
    const more = values.length - VALUES_SHOWN;
    return more > 1 ? `{ ${values.slice(0, VALUES_SHOWN).join(', ')} and ${more} more }` : whole;
  });
}

function Packets({ row: { chain, match } }: { row: Row }) {
  const short = shortened(match);
  return (
    <>
      {match === '' ? <span class="muted">all others</span> : <code>{short}</code>}
      {short !== match && (
        <More summary="Show all">
          <code>{match}</code>
        </More>
      )}
      <span class="line muted">{CHAINS[chain]}</span>
    </>
  );
}

function AllRules({ status: { rules }, on }: { status: FirewallStatus; on: boolean }) {
  const counted = rules.some(({ packets }) => packets !== null);
  const number = (value: number | null) => (value === null ? <span class="muted">–</span> : value.toLocaleString('en'));
  return (
    <DataTable
      caption="All rules in the order in which they are matched"
      dense
      columns={[
        { key: 'label', label: 'For', cell: ({ label }) => label },
        { key: 'verdict', label: 'Verdict', look: 'nowrap', cell: ({ verdict }) => VERDICTS[verdict] },
        { key: 'match', label: 'Packets', cell: (row) => <Packets row={row} /> },
        ...(counted
          ? [
              { key: 'packets', label: 'Met', look: 'number' as const, cell: (row: Row) => number(row.packets) },
              { key: 'bytes', label: 'Bytes', look: 'number' as const, cell: (row: Row) => number(row.bytes) },
            ]
          : []),
        { key: 'why', label: 'Why', cell: ({ why }) => <span class="muted">{why}</span> },
      ]}
      rows={rules}
      rowKey={({ chain, key }) => `${chain} ${key}`}
      empty={on ? 'There are no rules.' : 'The firewall is off: nothing is filtered.'}
    />
  );
}
