// DHCP: its scopes with what is in each subnet, options for every scope, and the ways to reservations and settings.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../../shared/appliance/readiness/readiness.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import { readSettings } from '../../../shared/platform/units/settings-store.ts';
import { type DhcpOption, dhcpOptions } from '../../../shared/services/dns-dhcp/dhcp/options.ts';
import { optionsFor } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import { type DhcpScope, dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { countDhcp, type DhcpCounts, loadSubnetUse } from '../../../shared/services/dns-dhcp/dhcp/subnet-use.ts';
import { FAMILY_NAME } from '../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { readSurroundings, type Surroundings } from '../../../shared/services/dns-dhcp/dhcp/surroundings.ts';
import { dhcpSettings } from '../../../shared/services/dns-dhcp/dhcp-settings.ts';
import { AddressLine } from '../../components/address-strip.tsx';
import { Note } from '../../components/block.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { FirstOf } from '../../components/code.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { DataTable } from '../../components/table.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import type { ShellState } from '../../layout/state.ts';
import { Answer, Box, Together } from '../../units/chosen-rows.tsx';
import { CollectionList, LIST_QUERY, type Listed, readListed } from '../../units/collection-list.tsx';
import { OffNotice, ReadinessList } from '../../units/readiness.tsx';
import { RowWord, Unapplied } from '../../units/row-words.tsx';
import { ServiceState } from '../../units/service-state.tsx';
import {
  DHCP,
  Gateway,
  LEASES,
  LEGACY,
  Obstacle,
  OPTIONS,
  optionHref,
  RESERVATIONS,
  rangeText,
  SCOPES,
  scopeHref,
} from './dhcp-words.tsx';
import { type Drawn, drawnOf } from './subnet-strip.tsx';

interface Data {
  readiness: Readiness;
  settings: typeof dhcpSettings.defaults;
  scopes: Listed<DhcpScope>;
  drawn: Map<string, Drawn>;
  standing: Surroundings['standing'];
  counts: DhcpCounts;
  options: DhcpOption[];
}

export const page = definePage({
  id: 'dhcpPage',
  path: DHCP.href,
  access: { session: 'read:dhcp' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved }, scopes, { standing }, counts, options] = await Promise.all([
      readSettings(db, dhcpSettings),
      readListed(db, { collection: dhcpScopes, of: 'scope', standings, query, outcome }),
      readSurroundings(db),
      countDhcp(db),
      optionsFor(db, null),
    ]);
    const use = await loadSubnetUse(
      db,
      scopes.items.map(({ subnet_cidr }) => subnet_cidr),
    );
    const drawn = new Map(scopes.items.map((scope, at) => [scope.id, drawnOf(scope, use[at] ?? [], standing)]));
    const readiness = await readinessOf(services, 'dhcp', standings);
    return { readiness, settings: saved, scopes, drawn, standing, counts, options };
  },
  title: () => 'DHCP',
  view: Dhcp,
});

function Dhcp({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, settings, scopes, counts, options } = data;
  const some = scopes.items.length > 0;
  const writes = state.user.scopes.includes('write:dhcp');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${SCOPES}/new`}>
      Add scope
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="DHCP"
        intro="Addresses and settings for clients. A scope follows when its interface gets another address."
      >
        {some && add}
        <ButtonLink href={LEASES.href}>Leases</ButtonLink>
        <ButtonLink href={RESERVATIONS.href}>Reservations</ButtonLink>
        <ButtonLink href={`${DHCP.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={some || scopes.at !== ''} state={state} />
      <Facts
        facts={[
          {
            label: 'State',
            value: (
              <ServiceState standings={state.standings} unit="dns-dhcp" document="dhcp" enabled={settings.enabled} />
            ),
          },
          {
            label: 'Reservations',
            value: <a href={RESERVATIONS.href}>{counts.reservations.toLocaleString('en')}</a>,
          },
          { label: 'Lease time of new scopes', value: spell(settings.lease_time) },
          { label: 'Authoritative', value: settings.authoritative ? 'yes' : 'no' },
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <ScopeTable data={data} state={state} outcome={outcome} />
      {(counts.legacy || (!some && scopes.at === '')) && (
        <Note>
          The <a href={LEGACY}>legacy binding</a> of older releases{' '}
          {!some ? 'counts while there is no scope.' : 'counts for nothing while there is a scope.'}
        </Note>
      )}
      {(some || counts.options > 0) && <Options options={options} writes={writes} state={state} outcome={outcome} />}
    </>
  );
}

interface ScopeTableProps {
  data: Data;
  state: ShellState;
  outcome: FormOutcome | null;
}

function ScopeTable({ data, state, outcome }: ScopeTableProps) {
  const { scopes, drawn, standing } = data;
  return (
    <CollectionList
      collection={dhcpScopes}
      of="scope"
      listed={scopes}
      outcome={outcome}
      state={state}
      href={DHCP.href}
      itemHref={({ id }) => scopeHref(id)}
      caption="Scopes by name"
      columns={[
        {
          key: 'name',
          label: 'Scope',
          cell: ({ id, name, interface: on }) => (
            <>
              <a href={scopeHref(id)}>{name}</a>
              <span class="line">{on === '' ? <span class="muted">no interface</span> : <code>{on}</code>}</span>
            </>
          ),
        },
        {
          key: 'subnet_cidr',
          label: 'Subnet, gateway',
          look: 'nowrap',
          cell: ({ id, subnet_cidr, gateway }) => (
            <>
              <code>{subnet_cidr}</code>
              <span class="line">
                <Gateway of={gateway} told={drawn.get(id)?.data.gateway ?? ''} />
              </span>
            </>
          ),
        },
        { key: 'ranges', label: 'Ranges', look: 'nowrap', cell: ({ ranges }) => <Ranges ranges={ranges} /> },
        {
          key: 'addresses',
          label: 'Addresses',
          look: 'nowrap',
          cell: ({ id }) => {
            const own = drawn.get(id);
            if (!own) return null;
            const { data: strip, reservations } = own;
            return <AddressLine data={strip}>{reservations > 0 && ` · ${reservations} reserved`}</AddressLine>;
          },
        },
        {
          key: 'state',
          label: 'State',
          cell: (scope) => (
            <>
              <RowWord standings={state.standings} of="scope" row={scope} />
              <Obstacle scope={scope} standing={standing} />
            </>
          ),
        },
      ]}
      empty={
        <Empty>
          There is no scope yet. A scope is a subnet on one of the interfaces, with the ranges that machines get their
          addresses from.
        </Empty>
      }
    />
  );
}

const MOST_RANGES = 3;

function Ranges({ ranges }: { ranges: DhcpScope['ranges'] }) {
  if (ranges.length === 0) return <span class="muted">reservations only</span>;
  const items = ranges.map((range) => (
    <code key={range.start} class="line">
      {rangeText(range)}
    </code>
  ));
  return <FirstOf most={MOST_RANGES} items={items} />;
}

interface OptionsProps {
  options: readonly DhcpOption[];
  writes: boolean;
  state: ShellState;
  outcome: FormOutcome | null;
}

function Options({ options, writes, state, outcome }: OptionsProps) {
  const { standings } = state;
  const many = writes && options.length > 0;
  const table = (
    <DataTable
      caption="Options of every scope"
      columns={[
        { key: 'code', label: 'Code', look: 'code', cell: ({ id, code }) => <a href={optionHref(id)}>{code}</a> },
        { key: 'family', label: 'Family', cell: ({ address_family }) => FAMILY_NAME[address_family] },
        { key: 'value', label: 'Value', look: 'code', cell: ({ value }) => value },
        { key: 'description', label: 'Description', cell: ({ description }) => description },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: (option) => <RowWord standings={standings} of="option" row={{ ...option, scope: null }} />,
        },
      ]}
      {...(many && { box: (option: DhcpOption) => <Box collection={dhcpOptions} outcome={outcome} item={option} /> })}
      rows={options}
      rowKey={({ id }) => id}
      actions={({ id, code }) => (
        <ButtonLink kind="row" href={optionHref(id)} label={`${writes ? 'Edit' : 'Open'} option ${code}`}>
          {writes ? 'Edit' : 'Open'}
        </ButtonLink>
      )}
      empty="None. Options of a single scope are on the page of the scope."
    />
  );
  return (
    <section class="below">
      <div class="head">
        <h2 id="options">Options of every scope</h2>
        {writes && (
          <ButtonLink icon="plus" href={`${OPTIONS}/new`}>
            Add option
          </ButtonLink>
        )}
      </div>
      <Answer collection={dhcpOptions} outcome={outcome} />
      <Unapplied standings={standings} of="option" shows={ofEveryScope} />
      {many ? (
        <Together
          collection={dhcpOptions}
          listed={{ items: options, at: '' }}
          home={DHCP.href}
          action={`${OPTIONS}/chosen`}
          outcome={outcome}
          csrf={state.csrf}
        >
          {table}
        </Together>
      ) : (
        table
      )}
    </section>
  );
}

/** By the name of its fact: that of one scope ends with the scope. */
const ofEveryScope = (name: string): boolean => name.split(' ').length === 2;

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** `12 h`; seconds where no larger unit is even. */
function spell(seconds: number): string {
  const [per, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, 's'];
  return `${seconds / per} ${unit}`;
}
