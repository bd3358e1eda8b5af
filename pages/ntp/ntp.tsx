// The time service: whom it answers, and where the appliance takes the time from.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { currentIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import type { SavedSettings } from '../../shared/platform/units/settings.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import type { SeenSource } from '../../shared/services/ntp/chronyc-output.ts';
import { NTS_PURPOSE } from '../../shared/services/ntp/desired.ts';
import { ntpSettings } from '../../shared/services/ntp/settings.ts';
import { type NtpSource, ntpSources } from '../../shared/services/ntp/sources.ts';
import { type NtpStatus, ntpStatus } from '../../shared/services/ntp/status.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { List, listenFacts, yesNo } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { clockWords, SourceNow } from './clock-words.tsx';
import { NTP, SOURCE_PAGES } from './source-pages.tsx';

interface Data {
  readiness: Readiness;
  settings: SavedSettings<(typeof ntpSettings)['defaults']>;
  sources: Listed<NtpSource>;
  /** What is in force, told by the running service. */
  status: NtpStatus;
  /** When the certificate of NTS ends; null: none was made. */
  certificate_until: string | null;
}

export const page = definePage({
  id: 'ntpPage',
  path: NTP.href,
  access: { session: 'read:ntp' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved }, sources, status] = await Promise.all([
      readSettings(db, ntpSettings),
      readListed(db, { collection: ntpSources, of: 'source', standings, query, outcome }),
      ntpStatus(services.host),
    ]);
    const readiness = await readinessOf(services, 'ntp', standings);
    const certificate = saved.nts_enabled ? await currentIssued(db, NTS_PURPOSE) : null;
    const certificate_until = certificate?.not_after ?? null;
    return { certificate_until, readiness, settings: saved, sources, status };
  },
  title: () => 'NTP',
  view: Ntp,
});

const askedAs = ({ kind, nts, prefer }: NtpSource): string =>
  [kind, ...(nts ? ['NTS'] : []), ...(prefer ? ['preferred'] : [])].join(', ');

const NtsCertificate = ({ until, now }: { until: string | null; now: string }) =>
  until === null ? (
    <>waits for its certificate</>
  ) : (
    <>
      certificate until <Instant at={until} now={now} />
    </>
  );

/** What the running service says of a source; one that it does not know is not applied yet. */
const now = (seen: readonly SeenSource[]): Column<NtpSource> => ({
  key: 'now',
  label: 'Now',
  cell: ({ address, enabled }) => {
    const found = seen.filter((source) => source.address === address);
    if (found.length === 0) return enabled && <span class="muted">no answer yet</span>;
    return <SourceNow seen={found} />;
  },
});

function Ntp({ data: { certificate_until, readiness, settings, sources, status }, state, outcome }: ViewProps<Data>) {
  const { base } = SOURCE_PAGES;
  const writes = state.user.scopes.includes('write:ntp');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${base}/new`}>
      Add source
    </ButtonLink>
  );
  const { allowed_clients, nts_enabled, local_stratum, minimum_sources } = settings;
  return (
    <>
      <PageHead
        title="NTP"
        intro="One time for the whole lab. ESX hosts, vCenter and NSX reject each other when their clocks differ."
      >
        <ButtonLink href={`${NTP.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={hasRows(sources)} state={state} />
      <Facts
        facts={[
          { label: 'Clock', value: clockWords(status) },
          ...listenFacts(state.standings, 'ntp', settings),
          {
            label: 'Clients',
            value: allowed_clients.length === 0 ? 'everybody' : `${allowed_clients.length} networks`,
          },
          {
            label: 'NTS',
            value: nts_enabled ? <NtsCertificate until={certificate_until} now={state.now} /> : yesNo(false),
          },
          { label: 'Local stratum', value: local_stratum === 0 ? 'off' : local_stratum },
          { label: 'Minimum sources', value: minimum_sources },
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <List title="Sources" action={hasRows(sources) && add}>
        <CollectionList
          collection={ntpSources}
          of="source"
          listed={sources}
          outcome={outcome}
          state={state}
          href={NTP.href}
          itemHref={({ id }) => itemHref(base, id)}
          caption="Time sources by address"
          columns={[
            {
              key: 'address',
              label: 'Source',
              look: 'code',
              cell: ({ id, address }) => <a href={itemHref(base, id)}>{address}</a>,
            },
            { key: 'kind', label: 'Kind', cell: askedAs },
            {
              key: 'state',
              label: 'State',
              look: 'nowrap',
              cell: (source) => <RowWord standings={state.standings} of="source" row={source} />,
            },
            ...(status.sources === null ? [] : [now(status.sources)]),
            { key: 'description', label: 'Description', cell: ({ description }) => description },
            {
              key: 'updated_at',
              label: 'Changed',
              look: 'nowrap',
              cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
            },
          ]}
          empty={
            <Empty>
              There is no time source yet.{' '}
              {local_stratum === 0
                ? 'Without one, the service reports itself to clients as not synchronized.'
                : 'Without one, the appliance’s own clock is what the lab agrees on.'}
            </Empty>
          }
        />
      </List>
    </>
  );
}
