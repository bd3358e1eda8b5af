// All reservations, sought by any part of a name or an address.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../../shared/appliance/readiness/readiness.ts';
import { rowsInState } from '../../../shared/appliance/states/rows-in-state.ts';
import type { StateId } from '../../../shared/appliance/states/state-ids.ts';
import { type KeptRecord, recordsOf, searchReservations } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import type { DhcpReservation } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { countDhcp } from '../../../shared/services/dns-dhcp/dhcp/subnet-use.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { linkWith } from '../../components/query.ts';
import { DataTable, sortOf } from '../../components/table.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { OffNotice } from '../../units/readiness.tsx';
import { RowWord, Unapplied } from '../../units/row-words.tsx';
import { stateQuery, stateSelect } from '../../units/state-filter.ts';
import { recordHref } from '../dns/form-state.tsx';
import { DHCP, Keeper, RESERVATIONS, reservationHref } from './dhcp-words.tsx';
import { Answer, Box, chosenIn, Together } from './reservations-together.tsx';

const SORTS = ['hostname', 'ip_address', 'mac_address', 'description'];

interface Data {
  readiness: Readiness;
  items: DhcpReservation[];
  next: string | null;
  records: Map<string, KeptRecord>;
  total: number;
  search: string;
  sort: string;
  filter: StateId | '';
  cursor: string;
}

export const page = definePage({
  id: 'dhcpReservationsPage',
  path: RESERVATIONS.href,
  current: DHCP.href,
  access: { session: 'read:dhcp' },
  query: v.object({
    search: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
    state: stateQuery,
    sort: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
  }),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    // A form of the list that was refused is shown where it was sent from.
    const sent = chosenIn(outcome).of?.values;
    const search = sent?.get('search') ?? query.search;
    const sort = sent ? (sent.get('sort') ?? '') : query.sort;
    const cursor = sent ? sent.get('cursor') || undefined : query.cursor;
    const [{ items, next_cursor }, { reservations }] = await Promise.all([
      rowsInState({
        standings,
        of: 'reservation',
        state: query.state,
        cursor,
        read: (page) => searchReservations(db, { search, sort, ...page }),
      }),
      countDhcp(db),
    ]);
    const registered = items.filter(({ register_dns }) => register_dns).map(({ id }) => id);
    return {
      readiness: await readinessOf(services, 'dhcp', standings),
      items,
      next: next_cursor,
      records: await recordsOf(db, registered),
      total: reservations,
      search,
      sort,
      filter: query.state,
      cursor: cursor ?? '',
    };
  },
  title: () => 'DHCP reservations',
  view: Reservations,
});

function Reservations({
  data: { readiness, items, next, records, total, search, sort, filter, cursor },
  state,
  outcome,
}: ViewProps<Data>) {
  const place = { path: RESERVATIONS.href, query: state.query };
  const writes = state.user.scopes.includes('write:dhcp');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${RESERVATIONS.href}/new`}>
      Add reservation
    </ButtonLink>
  );
  const chosen = chosenIn(outcome).ids;
  const many = writes && items.some(({ owner }) => owner === null);
  const listed = (
    <DataTable
      caption="Reservations by host name"
      place={place}
      sort={sortOf(`sort=${sort}`, SORTS) ?? { key: 'hostname', descending: false }}
      columns={[
        {
          key: 'hostname',
          label: 'Host name',
          sortable: true,
          look: 'code',
          cell: (item) => (
            <>
              {many && <Box item={item} chosen={chosen.has(item.id)} />}
              <a href={reservationHref(item.id)}>{item.hostname}</a>
            </>
          ),
        },
        { key: 'ip_address', label: 'IP address', sortable: true, look: 'code', cell: ({ ip_address }) => ip_address },
        {
          key: 'mac_address',
          label: 'MAC address',
          sortable: true,
          look: 'code',
          cell: ({ mac_address }) => mac_address,
        },
        {
          key: 'dns',
          label: 'Record in DNS',
          look: 'nowrap',
          cell: (item) => <Registered item={item} record={records.get(item.id)} />,
        },
        { key: 'owner', label: 'Kept by', cell: ({ owner }) => <Keeper owner={owner} /> },
        { key: 'description', label: 'Description', sortable: true, cell: ({ description }) => description },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: (row) => <RowWord standings={state.standings} of="reservation" row={row} />,
        },
      ]}
      rows={items}
      rowKey={({ id }) => id}
      actions={({ id, hostname, owner }) => {
        const verb = writes && owner === null ? 'Edit' : 'Open';
        return (
          <ButtonLink kind="row" href={reservationHref(id)} label={`${verb} ${hostname}`}>
            {verb}
          </ButtonLink>
        );
      }}
      empty={
        total === 0 ? (
          <Empty action={add}>
            There is no reservation yet. Hosts of network boot that have an address bring their own.
          </Empty>
        ) : (
          <Empty action={<ButtonLink href={RESERVATIONS.href}>Show all</ButtonLink>}>
            {search || filter ? 'No reservation matches this filter.' : 'There is nothing on this page of the list.'}
          </Empty>
        )
      }
    />
  );
  return (
    <>
      <Answer outcome={outcome} />
      <PageHead title="Reservations" trail={[DHCP]} intro="Fixed addresses, by MAC address.">
        {total > 0 && add}
        {writes && total === 0 && <ButtonLink href={`${RESERVATIONS.href}/import`}>Import CSV</ButtonLink>}
      </PageHead>
      <OffNotice of={readiness} filled={total > 0} state={state} />
      {total > 0 && (
        <FilterBar
          place={place}
          search={{ name: 'search', label: 'Part of a name, MAC or IP', value: search }}
          selects={[stateSelect(filter)]}
          csv={linkWith(
            { path: `${RESERVATIONS.href}.csv`, query: '' },
            { search: search || null, sort: sort || null, state: filter || null },
          )}
          importing={writes ? `${RESERVATIONS.href}/import` : undefined}
          note={total === 1 ? '1 reservation' : `${total.toLocaleString('en')} reservations`}
        />
      )}
      <Unapplied standings={state.standings} of="reservation" />
      {many ? (
        <Together items={items} outcome={outcome} csrf={state.csrf} search={search} sort={sort} cursor={cursor}>
          {listed}
        </Together>
      ) : (
        listed
      )}
      <Pagination place={place} nextCursor={next} />
    </>
  );
}

function Registered({ item, record }: { item: DhcpReservation; record: KeptRecord | undefined }) {
  if (record) return <a href={recordHref(record.id)}>{record.fqdn}</a>;
  return <span class="muted">{item.register_dns ? 'none while disabled' : 'not kept'}</span>;
}
