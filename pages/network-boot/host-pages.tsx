// The pages of the hosts that boot from the network: fields, facts and words.
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type DhcpReservation, dhcpReservations } from '../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { type DhcpScope, dhcpScopes } from '../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { type HostBoot, type Installable, loadHostBoot } from '../../shared/services/network-boot/host-boot.ts';
import type { EsxiHost } from '../../shared/services/network-boot/hosts.ts';
import { Note } from '../components/block.tsx';
import { FirstOf } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import type { FieldOption } from '../components/form.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { RowWord } from '../units/row-words.tsx';
import { EndedState } from './attempt-words.tsx';
import { DriftTable } from './drift-table.tsx';

export const NETWORK_BOOT = { href: pagePath('network-boot'), label: 'Network boot' };
const DHCP = pagePath('dhcp');

interface Around {
  /** Those whose addresses a host can have. */
  scopes: DhcpScope[];
  /** The reservation that is kept for the host. */
  reservation: DhcpReservation | null;
  boot: HostBoot;
}

const options = (items: readonly Installable[], chosen: string | null, none: string): FieldOption[] => [
  { value: '', label: none },
  ...items.map(({ id, name, obstacle, takes_values }) => ({
    value: id,
    label: takes_values ? `${name} (takes values of vaults)` : name,
    unavailable: id === chosen ? undefined : (obstacle ?? undefined),
  })),
];

export const HOST_PAGES: ItemPages<EsxiHost, Around> = {
  collection: esxiHosts,
  component: 'EsxiHost',
  noun: 'host',
  what: 'network boot',
  home: NETWORK_BOOT,
  base: `${NETWORK_BOOT.href}/hosts`,
  blank: {
    hostname: '',
    mac_address: '',
    ip_address: '',
    kickstart_id: '',
    media_id: '',
    variables: '',
    enabled: true,
    description: '',
  },
  values: (host) => ({ ...host, kickstart_id: host.kickstart_id ?? '', media_id: host.media_id ?? '', variables: '' }),
  async load(db, host, _asked, services) {
    const ip_address = host?.ip_address ?? '';
    const [{ items: scopes }, { items: reservations }, boot] = await Promise.all([
      listItems(db, dhcpScopes, { filters: { enabled: 'true' }, limit: PAGE_DEFAULT }),
      ip_address === '' ? { items: [] } : listItems(db, dhcpReservations, { filters: { ip_address }, limit: 1 }),
      loadHostBoot(db, services.host, host),
    ]);
    return { scopes, boot, reservation: reservations.find(({ owner }) => owner?.ref === host?.id) ?? null };
  },
  groups: ({ scopes, boot }, host) => [
    {
      legend: 'Host',
      fields: [
        {
          name: 'hostname',
          label: 'Host name',
          kind: 'text',
          mono: true,
          wide: true,
          required: true,
          placeholder: 'esx01.lab.example',
          help: 'With or without the domain.',
        },
        {
          name: 'mac_address',
          label: 'MAC address',
          kind: 'text',
          mono: true,
          required: true,
          placeholder: '00:50:56:01:02:03',
          help: 'Of the card that the host boots from, in any usual notation.',
        },
        {
          name: 'ip_address',
          label: 'Address',
          kind: 'text',
          mono: true,
          placeholder: 'from a range of DHCP',
          help: (
            <>
              A DHCP reservation is kept for it, and follows. The address must be in exactly one enabled scope:{' '}
              <Scopes scopes={scopes} />.
            </>
          ),
        },
      ],
    },
    {
      legend: 'Installs',
      fields: [
        {
          name: 'media_id',
          label: 'Installer medium',
          kind: 'choice',
          options: options(boot.media, host?.media_id ?? null, 'none yet'),
        },
        {
          name: 'kickstart_id',
          label: 'Kickstart',
          kind: 'choice',
          options: options(boot.kickstarts, host?.kickstart_id ?? null, 'none yet'),
        },
        {
          name: 'variables',
          label: 'Variables',
          kind: 'area',
          rows: 4,
          placeholder: 'root_password_hash=$6$…',
          help: (
            <>
              Values for <code>{'{{ var.name }}'}</code> in the Kickstart, one <code>name=value</code> a line. They are
              encrypted and never shown again; a name with nothing behind it is removed, those that you don’t name stay.
              {host !== null && host.variable_names.length > 0 && (
                <>
                  {' '}
                  Saved: <code>{host.variable_names.join(', ')}</code>.
                </>
              )}
            </>
          ),
        },
      ],
    },
    commonGroup('host', 'A disabled host is kept but does not boot, and its reservation is not given out.'),
  ],
  before: ({ boot }, host, { user }) => (
    <>
      <Reserved boot={boot} host={host} reads={user.scopes.includes('read:vaults')} />
      {host !== null && <Standing host={host} boot={boot} />}
    </>
  ),
  state: (row, _extra, standings) => <RowWord standings={standings} of="bootHost" row={row} />,
  facts: ({ mac_address, ip_address, variable_names }, { reservation, boot }) => [
    { label: 'MAC address', value: <Copyable id="mac" text={mac_address} /> },
    {
      label: 'Address',
      value:
        ip_address === '' ? <span class="muted">from a range of DHCP</span> : <Copyable id="ip" text={ip_address} />,
    },
    {
      label: 'Reservation',
      value: reservation ? (
        <a href={itemHref(`${DHCP}/reservations`, reservation.id)}>{reservation.hostname}</a>
      ) : (
        <span class="muted">none</span>
      ),
    },
    { label: 'Variables', value: <Codes items={variable_names} /> },
    {
      label: 'Last boot',
      value: boot.last ? (
        <a href={`${NETWORK_BOOT.href}/waiting`}>
          {boot.last === 'pending' || boot.last === 'issued' ? 'waits now' : <EndedState state={boot.last} />}
        </a>
      ) : (
        <span class="muted">none</span>
      ),
    },
  ],
  deleting: ({ ip_address }) =>
    ip_address === ''
      ? 'It could no longer boot from here.'
      : 'It could no longer boot from here, and the DHCP reservation that is kept for it goes too.',
};

/** What the form would refuse to somebody who may not read vaults. */
function Reserved({ boot, host, reads }: { boot: HostBoot; host: EsxiHost | null; reads: boolean }) {
  const taking = boot.kickstarts.filter(({ takes_values }) => takes_values);
  if (reads || taking.length === 0) return null;
  const own = taking.some(({ id }) => id === host?.kickstart_id);
  return (
    <Note>
      {own
        ? 'The Kickstart of this host takes values of vaults. Only an administrator can change its MAC address, medium or variables, or enable it.'
        : 'Only an administrator can give a host a Kickstart that takes values of vaults.'}
    </Note>
  );
}

/** Whether what is in force is what is saved: only then can a boot be authorized. */
function Standing({ host, boot }: { host: EsxiHost; boot: HostBoot }) {
  if (boot.applied === null) {
    return (
      <Note>
        {host.enabled
          ? 'Not applied yet: the host can’t boot from here until network boot is applied.'
          : 'Disabled: the host can’t boot from here.'}
      </Note>
    );
  }
  if (boot.applied.length === 0) return null;
  return (
    <section class="drifted" aria-labelledby="drift">
      <h2 id="drift">Saved, not applied</h2>
      <DriftTable hostname={host.hostname} drift={boot.applied} />
      <p>
        No boot can be authorized before <a href={pagePath('apply')}>network boot is applied</a>.
      </p>
    </section>
  );
}

function Scopes({ scopes }: { scopes: readonly DhcpScope[] }) {
  if (scopes.length === 0) return <a href={`${DHCP}/scopes/new`}>there is none yet</a>;
  return (
    <FirstOf
      most={8}
      items={scopes.map(({ id, subnet_cidr, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <code>{subnet_cidr}</code> (<a href={itemHref(`${DHCP}/scopes`, id)}>{name}</a>)
        </span>
      ))}
    />
  );
}
