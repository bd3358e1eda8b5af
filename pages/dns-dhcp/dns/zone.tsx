// One zone: its records, and below them the zone itself.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../../shared/appliance/readiness/readiness.ts';
import { rowsInState } from '../../../shared/appliance/states/rows-in-state.ts';
import type { StateId } from '../../../shared/appliance/states/state-ids.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import type { FormOutcome } from '../../../shared/kernel/operation/services.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { listRecords, RECORD_SORTS, type RecordSort } from '../../../shared/services/dns-dhcp/dns/record-list.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';
import { countSomeRecords, dnsZones, RECORDS_COUNTED } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import type { DnsRecord, Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Name } from '../../components/code.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { linkWith } from '../../components/query.ts';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import type { LastSave } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import type { ShellState } from '../../layout/state.ts';
import { Answer, Box, chosenIn, Together } from '../../units/chosen-rows.tsx';
import { OffNotice } from '../../units/readiness.tsx';
import { RowWord, Unapplied } from '../../units/row-words.tsx';
import { stateQuery, stateSelect } from '../../units/state-filter.ts';
import { DNS, lastSaveOf, newRecordHref, Refused, StaleForm, typedInto, zoneHref } from './form-state.tsx';
import { RecordTable } from './record-table.tsx';
import { TYPE_CHOICES } from './record-words.tsx';
import { ZONE_LABELS } from './zone-fields.tsx';
import { ZoneItself, zoneFields } from './zone-itself.tsx';

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');
const query = v.object({
  search: text,
  type: text,
  state: stateQuery,
  sort: v.fallback(v.picklist(RECORD_SORTS), 'fqdn'),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
});

interface Data {
  readiness: Readiness;
  zone: Zone;
  records: DnsRecord[];
  next: string | null;
  /** Up to one more than are counted. */
  total: number;
  filter: { search: string; type: string; state: StateId | ''; sort: RecordSort };
  /** Query string of the list. */
  at: string;
  last: LastSave | null;
}

export const page = definePage({
  id: 'dnsZonePage',
  path: `${DNS}/zones/{zone_id}`,
  current: DNS,
  access: { session: 'read:dns' },
  params: idParam('zone_id', 'Id of the zone.'),
  query,
  async load({ db, services, standings, params, query: asked, outcome }): Promise<Data> {
    const zone_id = params.zone_id;
    // A form of the list that was refused is shown where it was sent from.
    const sent = chosenIn(dnsRecords, outcome).of?.values.get('at');
    const own =
      sent === undefined
        ? asked
        : v.parse(v.fallback(query, asked), Object.fromEntries(new URLSearchParams(sent ?? '')));
    const { cursor, ...filter } = own;
    const at = new URLSearchParams(
      Object.entries(own).filter(([, value]) => value !== undefined && value !== '') as [string, string][],
    ).toString();
    const type = filter.type === '' ? undefined : filter.type;
    // A search goes through all of the zone, on a thread: all else is read meanwhile.
    const [zone, { items, next_cursor }, total, last, readiness] = await Promise.all([
      findItem(db, dnsZones, zone_id),
      rowsInState({
        standings,
        of: 'record',
        state: filter.state,
        cursor,
        read: (page) => listRecords(db, { ...filter, type, zone_id, ...page }),
      }),
      countSomeRecords(db, zone_id),
      lastSaveOf(db, outcome, { type: 'dns_zone', id: zone_id }),
      readinessOf(services, 'dns', standings),
    ]);
    return { readiness, zone, records: items, next: next_cursor, total, filter, at, last };
  },
  title: ({ zone }) => zone.name,
  view: ZonePage,
});

function ZonePage({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, zone, total, last } = data;
  const href = zoneHref(zone.id);
  const writes = state.user.scopes.includes('write:dns');
  const typed = typedInto('updateDnsZoneForm', outcome);
  return (
    <>
      <PageHead
        title={<Name>{zone.name}</Name>}
        here={zone.name}
        trail={[{ href: DNS, label: 'DNS' }]}
        intro={zone.description || undefined}
      >
        <RowWord standings={state.standings} of="zone" row={zone} />
        {writes && total > 0 && (
          <ButtonLink kind="primary" icon="plus" href={newRecordHref(zone.name)}>
            Add record
          </ButtonLink>
        )}
        {writes && total > 0 && <ButtonLink href={`${href}/import`}>Import</ButtonLink>}
        <ButtonLink href="#zone">Zone settings</ButtonLink>
        {writes && <ButtonLink href={`${href}/delete`}>Delete zone</ButtonLink>}
      </PageHead>
      <OffNotice of={readiness} filled={total > 0} state={state} />
      <Refused typed={typed} labels={ZONE_LABELS} />
      <StaleForm
        typed={typed}
        name={zone.name}
        revision={zone.revision}
        last={last}
        saved={zoneFields(zone)}
        now={state.now}
      />
      {total === 0 ? (
        <NoRecords zone={zone} writes={writes} />
      ) : (
        <Records data={data} state={state} outcome={outcome} writes={writes} />
      )}
      <ZoneItself zone={zone} typed={typed} state={state} />
    </>
  );
}

function Records(props: { data: Data; state: ShellState; outcome: FormOutcome | null; writes: boolean }) {
  const { zone, records, next, total, filter, at } = props.data;
  const href = zoneHref(zone.id);
  const { standings, csrf } = props.state;
  const place = { path: href, query: at };
  const many = props.writes && records.length > 0;
  const filtered = filter.search !== '' || filter.type !== '' || filter.state !== '';
  const table = (
    <RecordTable
      caption={`Records of ${zone.name}`}
      records={records}
      place={place}
      standings={standings}
      writes={props.writes}
      {...(many && {
        box: (record: DnsRecord) => (
          <Box collection={dnsRecords} outcome={props.outcome} item={record} choosable={ownRecord} />
        ),
      })}
      empty={
        <Empty action={<ButtonLink href={href}>Show all</ButtonLink>}>
          {filtered ? 'No record matches this filter.' : 'There is nothing on this page of the list.'}
        </Empty>
      }
    />
  );
  return (
    <>
      <FilterBar
        place={place}
        search={{ name: 'search', label: 'Part of a name or value', value: filter.search }}
        selects={[
          { name: 'type', label: 'Type', any: 'Any type', value: filter.type, options: TYPE_CHOICES },
          stateSelect(filter.state),
        ]}
        csv={linkWith({ path: `${href}/records.csv`, query: at }, {})}
        note={recordsNote(total)}
      />
      <Unapplied standings={standings} of="record" shows={(name) => inZone(name, zone.name)} />
      <Answer collection={dnsRecords} outcome={props.outcome} />
      {many ? (
        <Together
          collection={dnsRecords}
          listed={{ items: records, at }}
          outcome={props.outcome}
          csrf={csrf}
          home={href}
          action={`${href}/records/chosen`}
        >
          {table}
        </Together>
      ) : (
        table
      )}
      <Pagination place={place} nextCursor={next} />
    </>
  );
}

/** The list of zones has the number of each, however large. */
function recordsNote(total: number): string {
  if (total > RECORDS_COUNTED) return `More than ${RECORDS_COUNTED.toLocaleString('en')} records`;
  return total === 1 ? '1 record' : `${total.toLocaleString('en')} records`;
}

/** Nobody else keeps it. */
const ownRecord = ({ owner }: DnsRecord): boolean => owner === null;

/** Of the name of a record's fact: `vc01.lab.test A`. */
const inZone = (name: string, zone: string): boolean => {
  const [fqdn = ''] = name.split(' ');
  return fqdn === zone || fqdn.endsWith(`.${zone}`);
};

function NoRecords({ zone, writes }: { zone: Zone; writes: boolean }) {
  const actions = writes && (
    <>
      <ButtonLink kind="primary" icon="plus" href={newRecordHref(zone.name)}>
        Add record
      </ButtonLink>{' '}
      <ButtonLink href={`${zoneHref(zone.id)}/import`}>Import records</ButtonLink>
    </>
  );
  return (
    <Empty action={actions}>
      {zone.name} has no records: once it is applied, every name in it is answered as “no such name”.
    </Empty>
  );
}
