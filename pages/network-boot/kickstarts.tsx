// The Kickstarts by name: which text each has, and what it asks of a host.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { PAGE_DEFAULT, type Page } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type Kickstart, kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { OffNotice } from '../units/readiness.tsx';
import { RowWord, Unapplied } from '../units/row-words.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';
import { KICKSTARTS } from './kickstart-pages.tsx';

type Data = Page<Kickstart> & { readiness: Readiness };

export const page = definePage({
  id: 'kickstartsPage',
  path: KICKSTARTS.href,
  current: NETWORK_BOOT.href,
  access: { session: 'read:pxe' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  load: async ({ db, query, services, standings }): Promise<Data> => ({
    ...(await listItems(db, kickstarts, { limit: PAGE_DEFAULT, cursor: query.cursor })),
    readiness: await readinessOf(services, 'network-boot', standings),
  }),
  title: () => 'Kickstarts',
  view: Kickstarts,
});

function Kickstarts({ data: { readiness, items, next_cursor }, state }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:pxe');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${KICKSTARTS.href}/new`}>
      Add Kickstart
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Kickstarts"
        trail={[NETWORK_BOOT]}
        intro="Instructions for the ESX installer. The text is stored encrypted and handed out once for each boot that an operator authorized."
      >
        {items.length > 0 && add}
      </PageHead>
      <OffNotice of={readiness} filled={items.length > 0} state={state} />
      <Unapplied standings={state.standings} of="kickstart" />
      <DataTable
        caption="Kickstarts by name"
        columns={[
          { key: 'name', label: 'Name', cell: ({ id, name }) => <a href={itemHref(KICKSTARTS.href, id)}>{name}</a> },
          {
            key: 'revision',
            label: 'Revision',
            look: 'code',
            cell: ({ text_revision }) => <span title={text_revision}>{text_revision.slice(0, 12)}</span>,
          },
          { key: 'lines', label: 'Lines', look: 'number', cell: ({ text_lines }) => text_lines },
          { key: 'variables', label: 'Variables', cell: ({ variables }) => <Codes items={variables} /> },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (row) => <RowWord standings={state.standings} of="kickstart" row={row} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          {
            key: 'changed',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        rows={items}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <ButtonLink kind="row" href={itemHref(KICKSTARTS.href, id)} label={`${writes ? 'Edit' : 'Open'} ${name}`}>
            {writes ? 'Edit' : 'Open'}
          </ButtonLink>
        )}
        empty={<Empty action={add}>There is no Kickstart yet. A host installs with one of them.</Empty>}
      />
      <Pagination place={{ path: KICKSTARTS.href, query: state.query }} nextCursor={next_cursor} />
    </>
  );
}
