// The name service: whether and where it answers, and the zones it answers for.
import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../../shared/appliance/readiness/readiness.ts';
import { type Listenable, readSettings } from '../../../shared/platform/units/settings-store.ts';
import { countRecords, dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import type { Zone } from '../../../shared/services/dns-dhcp/schemas.ts';
import { dnsDhcpSettings, type SavedDnsDhcpSettings } from '../../../shared/services/dns-dhcp/settings.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Instant } from '../../components/time.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../../units/collection-list.tsx';
import { OffNotice, ReadinessList } from '../../units/readiness.tsx';
import { RowWord } from '../../units/row-words.tsx';
import { ServiceState } from '../../units/service-state.tsx';
import { DNS, zoneHref } from './form-state.tsx';

interface Data {
  readiness: Readiness;
  settings: SavedDnsDhcpSettings;
  interfaces: Listenable[];
  zones: Listed<Zone>;
  counts: Map<string, number>;
}

export const page = definePage({
  id: 'dnsPage',
  path: DNS,
  access: { session: 'read:dns' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved, interfaces }, zones] = await Promise.all([
      readSettings(db, dnsDhcpSettings),
      readListed(db, { collection: dnsZones, of: 'zone', standings, query, outcome }),
    ]);
    const ids = zones.items.map(({ id }) => id);
    const readiness = await readinessOf(services, 'dns', standings);
    return {
      readiness,
      settings: saved,
      interfaces,
      zones,
      counts: await countRecords(db, ids),
    };
  },
  title: () => 'DNS',
  view: Dns,
});

function Dns({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, settings, interfaces, zones, counts } = data;
  const add = state.user.scopes.includes('write:dns') && (
    <ButtonLink kind="primary" icon="plus" href={`${DNS}/zones/new`}>
      Add zone
    </ButtonLink>
  );
  return (
    <>
      <PageHead title="DNS" intro="The zones that this appliance answers for. Other names go to the upstream servers.">
        {hasRows(zones) && add}
        <ButtonLink href={`${DNS}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={zones.items.length > 0 || zones.at !== ''} state={state} />
      <Facts
        facts={[
          {
            label: 'State',
            value: <ServiceState standings={state.standings} unit="dns-dhcp" enabled={settings.enabled} />,
          },
          { label: 'Listens on', value: <Listens on={settings.listen_interfaces} interfaces={interfaces} /> },
          { label: 'Upstream servers', value: <Codes items={settings.upstream_servers} /> },
          { label: 'Time to live', value: `${settings.ttl_seconds} s` },
          { label: 'Search domain', value: <Codes items={settings.domain === '' ? [] : [settings.domain]} /> },
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <CollectionList
        collection={dnsZones}
        of="zone"
        listed={zones}
        outcome={outcome}
        state={state}
        href={DNS}
        itemHref={({ id }) => zoneHref(id)}
        caption="Zones by name"
        columns={[
          { key: 'name', label: 'Zone', look: 'code', cell: (zone) => <a href={zoneHref(zone.id)}>{zone.name}</a> },
          { key: 'records', label: 'Records', look: 'number', cell: ({ id }) => counts.get(id) ?? 0 },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: (zone) => <RowWord standings={state.standings} of="zone" row={zone} />,
          },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          {
            key: 'updated_at',
            label: 'Changed',
            look: 'nowrap',
            cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
          },
        ]}
        empty={<Empty>There is no zone yet. Records belong to zones: add the zone of your lab first.</Empty>}
      />
    </>
  );
}

function Codes({ items }: { items: readonly string[] }) {
  if (items.length === 0) return <span class="muted">none</span>;
  return <code>{items.join(', ')}</code>;
}

/** Each interface with the addresses that clients ask at. */
function Listens({ on, interfaces }: { on: readonly string[]; interfaces: readonly Listenable[] }) {
  if (on.length === 0) return <span class="muted">no interface</span>;
  return (
    <>
      {on.map((name) => {
        const addresses = interfaces.find((each) => each.name === name)?.addresses ?? [];
        return (
          <span key={name} class="line">
            <code>{name}</code> <span class="muted mono">{addresses.join(', ')}</span>
          </span>
        );
      })}
    </>
  );
}
