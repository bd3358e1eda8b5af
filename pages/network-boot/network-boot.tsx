// Network boot: where boot programs come from, and the hosts that may have them.
import * as v from 'valibot';
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import type { SavedSettings } from '../../shared/platform/units/settings.ts';
import { readSettings } from '../../shared/platform/units/settings-store.ts';
import { isOpen, standing } from '../../shared/services/network-boot/boot/attempt.ts';
import { recentAttempts } from '../../shared/services/network-boot/boot/attempt-store.ts';
import { now } from '../../shared/services/network-boot/boot/context.ts';
import { loadHostBoot } from '../../shared/services/network-boot/host-boot.ts';
import type { EsxiHost } from '../../shared/services/network-boot/hosts.ts';
import { lacks } from '../../shared/services/network-boot/readiness.ts';
import { NO_BOOT_URL, networkBootSettings } from '../../shared/services/network-boot/settings.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { Count, State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { CollectionList, hasRows, LIST_QUERY, type Listed, readListed } from '../units/collection-list.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { List, listenFacts, yesNo } from '../units/listing.tsx';
import { OffNotice, ReadinessList } from '../units/readiness.tsx';
import { RowWord } from '../units/row-words.tsx';
import { HOST_PAGES, NETWORK_BOOT } from './host-pages.tsx';

interface Data {
  readiness: Readiness;
  settings: SavedSettings<(typeof networkBootSettings)['defaults']>;
  hosts: Listed<EsxiHost>;
  /** Names of Kickstarts and media, by id. */
  names: ReadonlyMap<string, string>;
  /** Boots that wait, for their codes or for the retrieval. */
  waiting: number;
}

export const page = definePage({
  id: 'networkBootPage',
  path: NETWORK_BOOT.href,
  access: { session: 'read:pxe' },
  query: v.object(LIST_QUERY),
  async load({ db, query, outcome, services, standings }): Promise<Data> {
    const [{ saved }, hosts, { kickstarts, media }, attempts] = await Promise.all([
      readSettings(db, networkBootSettings),
      readListed(db, { collection: esxiHosts, of: 'bootHost', standings, query, outcome }),
      loadHostBoot(db, services.host, null),
      recentAttempts(db, 0),
    ]);
    const moment = now(services);
    return {
      readiness: await readinessOf(services, 'network-boot', standings),
      settings: saved,
      hosts,
      names: new Map([...kickstarts, ...media].map(({ id, name }) => [id, name])),
      waiting: attempts.filter((attempt) => isOpen(standing(attempt, moment))).length,
    };
  },
  title: () => 'Network boot',
  view: NetworkBoot,
});

const missing = (kickstart_id: string | null, media_id: string | null): string =>
  kickstart_id ? 'no medium' : media_id ? 'no Kickstart' : 'nothing';

function NetworkBoot({ data, state, outcome }: ViewProps<Data>) {
  const { readiness, settings, hosts, names, waiting } = data;
  const { base } = HOST_PAGES;
  const writes = state.user.scopes.includes('write:pxe');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${base}/new`}>
      Add host
    </ButtonLink>
  );
  return (
    <>
      <PageHead title="Network boot" intro="Hosts without an operating system that start the ESX installer from here.">
        <ButtonLink href={`${NETWORK_BOOT.href}/waiting`}>
          Waiting to boot{waiting > 0 && <Count of={waiting} />}
        </ButtonLink>
        <ButtonLink href={`${NETWORK_BOOT.href}/kickstarts`}>Kickstarts</ButtonLink>
        <ButtonLink href={`${NETWORK_BOOT.href}/media`}>Installer media</ButtonLink>
        <ButtonLink href={`${NETWORK_BOOT.href}/settings`}>Settings</ButtonLink>
      </PageHead>
      <OffNotice of={readiness} filled={hosts.items.length > 0 || hosts.at !== ''} state={state} />
      <Facts
        facts={[
          ...listenFacts(state.standings, 'network-boot', settings),
          { label: 'HTTP port', value: settings.http_port },
          { label: 'TFTP', value: yesNo(settings.tftp_enabled) },
          { label: 'UEFI HTTP boot', value: yesNo(settings.uefi_http_url !== NO_BOOT_URL) },
        ]}
      />
      <ReadinessList of={readiness} state={state} />
      <List title="Hosts" action={hasRows(hosts) && add}>
        <CollectionList
          collection={esxiHosts}
          of="bootHost"
          listed={hosts}
          outcome={outcome}
          state={state}
          href={NETWORK_BOOT.href}
          itemHref={({ id }) => itemHref(base, id)}
          caption="Hosts by name"
          columns={[
            {
              key: 'hostname',
              label: 'Host',
              look: 'code',
              cell: ({ id, hostname }) => <a href={itemHref(base, id)}>{hostname}</a>,
            },
            { key: 'mac_address', label: 'MAC address', look: 'code', cell: ({ mac_address }) => mac_address },
            {
              key: 'ip_address',
              label: 'Address',
              look: 'code',
              cell: ({ ip_address }) => ip_address || <span class="muted">by DHCP</span>,
            },
            {
              key: 'installs',
              label: 'Installs',
              cell: ({ kickstart_id, media_id }) =>
                kickstart_id && media_id ? (
                  `${names.get(media_id) ?? ''}, ${names.get(kickstart_id) ?? ''}`
                ) : (
                  <span class="muted">{missing(kickstart_id, media_id)}</span>
                ),
            },
            {
              key: 'state',
              label: 'State',
              look: 'nowrap',
              cell: (host) => (
                <>
                  <RowWord standings={state.standings} of="bootHost" row={host} />
                  <HostLacks host={host} />
                </>
              ),
            },
            { key: 'description', label: 'Description', cell: ({ description }) => description },
            {
              key: 'updated_at',
              label: 'Changed',
              look: 'nowrap',
              cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
            },
          ]}
          empty={
            <Empty>There is no host yet. A host is known by the MAC address of the card that it boots from.</Empty>
          }
        />
      </List>
    </>
  );
}

const LACKS = {
  medium: 'Needs a medium',
  kickstart: 'Needs a Kickstart',
  both: 'Needs a medium and a Kickstart',
};

/** A host that has nothing to install is not in use, whatever its switch says. */
function HostLacks({ host }: { host: EsxiHost }) {
  const lacking = host.enabled ? lacks(host) : null;
  return (
    lacking !== null && (
      <span class="line">
        <State kind="warn">{LACKS[lacking]}</State>
      </span>
    )
  );
}
