// The time service: whom it answers, and where the appliance takes the time from.
import * as v from 'valibot';
import { PAGE_DEFAULT } from '../../shared/store/pagination.ts';
import { listItems } from '../../shared/units/collection-store.ts';
import { ntpSettings } from '../../shared/units/ntp/settings.ts';
import { type NtpSource, ntpSources } from '../../shared/units/ntp/sources.ts';
import type { SavedSettings } from '../../shared/units/settings.ts';
import { readSettings } from '../../shared/units/settings-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { NotEnforced } from '../components/not-enforced.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Enabled, List, listenFacts, yesNo } from '../units/listing.tsx';
import { NTP, SOURCE_PAGES } from './source-pages.tsx';

interface Data {
  settings: SavedSettings<(typeof ntpSettings)['defaults']>;
  sources: NtpSource[];
  next: string | null;
}

export const page = definePage({
  id: 'ntpPage',
  path: NTP.href,
  access: { session: 'read:ntp' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  async load({ db, query }): Promise<Data> {
    const [{ saved }, { items, next_cursor }] = await Promise.all([
      readSettings(db, ntpSettings),
      listItems(db, ntpSources, { limit: PAGE_DEFAULT, cursor: query.cursor }),
    ]);
    return { settings: saved, sources: items, next: next_cursor };
  },
  title: () => 'NTP',
  view: Ntp,
});

function Ntp({ data: { settings, sources, next }, state }: ViewProps<Data>) {
  const { base } = SOURCE_PAGES;
  const add = state.user.scopes.includes('write:ntp') && (
    <ButtonLink kind="primary" icon="plus" href={`${base}/new`}>
      Add source
    </ButtonLink>
  );
  const { allowed_clients, nts_enabled, local_stratum, minimum_sources } = settings;
  return (
    <>
      <PageHead
        title="NTP"
        intro="One time for the whole lab: ESX hosts, vCenter and NSX refuse each other when their clocks disagree."
      >
        <ButtonLink href={`${NTP.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <NotEnforced what="NTP" />
      <Facts
        facts={[
          ...listenFacts('Time service', settings),
          {
            label: 'Clients',
            value: allowed_clients.length === 0 ? 'everybody' : `${allowed_clients.length} networks`,
          },
          { label: 'NTS', value: yesNo(nts_enabled) },
          { label: 'Local stratum', value: local_stratum === 0 ? 'off' : local_stratum },
          { label: 'Least sources', value: minimum_sources },
        ]}
      />
      <List title="Sources" action={sources.length > 0 && add}>
        <DataTable
          caption="Time sources by address"
          columns={[
            {
              key: 'address',
              label: 'Source',
              look: 'code',
              cell: ({ id, address }) => <a href={itemHref(base, id)}>{address}</a>,
            },
            { key: 'kind', label: 'Kind', cell: ({ kind }) => kind },
            { key: 'nts', label: 'NTS', cell: ({ nts }) => yesNo(nts) },
            { key: 'prefer', label: 'Preferred', cell: ({ prefer }) => yesNo(prefer) },
            { key: 'state', label: 'State', look: 'nowrap', cell: ({ enabled }) => <Enabled enabled={enabled} /> },
            { key: 'description', label: 'Description', cell: ({ description }) => description },
            {
              key: 'changed',
              label: 'Changed',
              look: 'nowrap',
              cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
            },
          ]}
          rows={sources}
          rowKey={({ id }) => id}
          actions={({ id, address }) => (
            <ButtonLink kind="row" href={itemHref(base, id)} label={`Open ${address}`}>
              Open
            </ButtonLink>
          )}
          empty={
            <Empty action={add}>
              There is no time source yet.{' '}
              {local_stratum === 0
                ? 'Without one, clients get no answer.'
                : 'Without one, the appliance’s own clock is what the lab agrees on.'}
            </Empty>
          }
        />
        <Pagination place={{ path: NTP.href, query: state.query }} nextCursor={next} />
      </List>
    </>
  );
}
