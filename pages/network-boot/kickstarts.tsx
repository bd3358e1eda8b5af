// The Kickstarts by name: which text each has, and what it asks of a host.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { type Kickstart, kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { OffNotice } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';
import { KICKSTARTS } from './kickstart-pages.tsx';

interface Data {
  listed: Listed<Kickstart>;
  readiness: Readiness;
}

export const page = definePage({
  id: 'kickstartsPage',
  path: KICKSTARTS.href,
  current: NETWORK_BOOT.href,
  access: { session: 'read:pxe' },
  query: v.object(LIST_QUERY),
  load: async ({ db, query, outcome, services, standings }): Promise<Data> => ({
    listed: await readListed(db, { collection: kickstarts, of: 'kickstart', standings, query, outcome }),
    readiness: await readinessOf(services, 'network-boot', standings),
  }),
  title: () => 'Kickstarts',
  view: Kickstarts,
});

function Kickstarts({ data: { readiness, listed }, state, outcome }: ViewProps<Data>) {
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
        intro="Instructions for the ESX installer, stored encrypted and sent once for each authorized boot."
      >
        {hasRows(listed) && add}
      </PageHead>
      <OffNotice of={readiness} filled={hasRows(listed)} state={state} />
      <CollectionList
        collection={kickstarts}
        of="kickstart"
        listed={listed}
        outcome={outcome}
        state={state}
        href={KICKSTARTS.href}
        itemHref={({ id }) => itemHref(KICKSTARTS.href, id)}
        caption="Kickstarts by name"
        columns={[
          { key: 'name', label: 'Name', cell: ({ id, name }) => <a href={itemHref(KICKSTARTS.href, id)}>{name}</a> },
          {
            key: 'text_revision',
            label: 'Revision',
            look: 'code',
            cell: ({ text_revision }) => <span title={text_revision}>{text_revision.slice(0, 12)}</span>,
          },
          { key: 'text_lines', label: 'Lines', look: 'number', cell: ({ text_lines }) => text_lines },
          { key: 'variables', label: 'Variables', cell: ({ variables }) => <Codes items={variables} /> },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (row) => <RowWord standings={state.standings} of="kickstart" row={row} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          {
            key: 'updated_at',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        empty={<Empty action={add}>There is no Kickstart yet. A host installs with one of them.</Empty>}
      />
    </>
  );
}
