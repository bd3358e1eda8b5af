// Records as a table that is sorted by the columns that an index carries.
import type { ComponentChildren } from 'preact';
import { ownerWords } from '../../../shared/services/dns-dhcp/dns/record-store.ts';
import type { DnsRecord } from '../../../shared/services/dns-dhcp/schemas.ts';
import { ButtonLink } from '../../components/button.tsx';
import type { Place } from '../../components/query.ts';
import { DataTable, sortOf } from '../../components/table.tsx';
import type { ShellState } from '../../layout/state.ts';
import { RowWord } from '../../units/row-words.tsx';
import { recordHref } from './form-state.tsx';
import { Value } from './record-words.tsx';

export interface RecordTableProps {
  caption: string;
  records: readonly DnsRecord[];
  place: Place;
  writes: boolean;
  /** The box that chooses a record. */
  box?: (record: DnsRecord) => ComponentChildren;
  standings: ShellState['standings'];
  empty: ComponentChildren;
}

export function RecordTable({ caption, records, place, writes, box, standings, empty }: RecordTableProps) {
  return (
    <DataTable
      caption={caption}
      place={place}
      sort={sortOf(place.query, ['fqdn', 'value']) ?? { key: 'fqdn', descending: false }}
      columns={[
        {
          key: 'fqdn',
          label: 'Name',
          look: 'code',
          sortable: true,
          cell: ({ id, fqdn }) => <a href={recordHref(id)}>{fqdn}</a>,
        },
        { key: 'type', label: 'Type', look: 'code', cell: ({ type }) => type },
        { key: 'value', label: 'Value', sortable: true, look: 'nowrap', cell: ({ value }) => <Value of={value} /> },
        { key: 'description', label: 'Description', cell: About },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: (row) => <RowWord standings={standings} of="record" row={row} />,
        },
      ]}
      rows={records}
      rowKey={({ id }) => id}
      {...(box && { box })}
      actions={({ id, fqdn, type }) => (
        <ButtonLink kind="row" href={recordHref(id)} label={`${writes ? 'Edit' : 'Open'} ${fqdn} ${type}`}>
          {writes ? 'Edit' : 'Open'}
        </ButtonLink>
      )}
      empty={empty}
    />
  );
}

function About({ description, owner }: DnsRecord) {
  return (
    <>
      {description}
      {owner && <span class="muted line">kept by {ownerWords(owner)}</span>}
    </>
  );
}
