// The pages of the hosts that boot from the network: fields, facts and words.
import { PAGE_DEFAULT } from '../../shared/store/pagination.ts';
import { listItems } from '../../shared/units/collection-store.ts';
import { type DhcpReservation, dhcpReservations } from '../../shared/units/dns-dhcp/dhcp/reservations.ts';
import { type DhcpScope, dhcpScopes } from '../../shared/units/dns-dhcp/dhcp/scopes.ts';
import { type EsxiHost, esxiHosts } from '../../shared/units/network-boot/hosts.ts';
import { Copyable } from '../components/copyable.tsx';
import { ROOT } from '../layout/navigation.ts';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { InUse } from '../units/listing.tsx';

export const NETWORK_BOOT = { href: `${ROOT}/network-boot`, label: 'Network boot' };
const DHCP = `${ROOT}/dhcp`;

interface Around {
  /** Those whose addresses a host can have. */
  scopes: DhcpScope[];
  /** The reservation that is kept for the host. */
  reservation: DhcpReservation | null;
}

export const HOST_PAGES: ItemPages<EsxiHost, Around> = {
  collection: esxiHosts,
  component: 'EsxiHost',
  noun: 'host',
  what: 'network boot',
  home: NETWORK_BOOT,
  base: `${NETWORK_BOOT.href}/hosts`,
  blank: { hostname: '', mac_address: '', ip_address: '', enabled: true, description: '' },
  async load(db, host) {
    const ip_address = host?.ip_address ?? '';
    const [{ items: scopes }, { items: reservations }] = await Promise.all([
      listItems(db, dhcpScopes, { filters: { enabled: 'true' }, limit: PAGE_DEFAULT }),
      ip_address === '' ? { items: [] } : listItems(db, dhcpReservations, { filters: { ip_address }, limit: 1 }),
    ]);
    return { scopes, reservation: reservations.find(({ owner }) => owner?.ref === host?.id) ?? null };
  },
  groups: ({ scopes }) => [
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
          help: 'With or without domain.',
        },
        {
          name: 'mac_address',
          label: 'MAC address',
          kind: 'text',
          mono: true,
          required: true,
          placeholder: '00:50:56:01:02:03',
          help: 'Of the card that it boots from, in any usual spelling.',
        },
        {
          name: 'ip_address',
          label: 'Address',
          kind: 'text',
          mono: true,
          placeholder: 'from a range of DHCP',
          help: (
            <>
              A DHCP reservation is kept for it, and follows. It has to lie in exactly one enabled scope:{' '}
              <Scopes scopes={scopes} />.
            </>
          ),
        },
      ],
    },
    commonGroup('host', 'While it is not in use it is kept, but does not boot, and its reservation is not given out.'),
  ],
  facts: ({ enabled, mac_address, ip_address }, { reservation }) => [
    { label: 'Saved as', value: <InUse enabled={enabled} /> },
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
  ],
  deleting: ({ ip_address }) =>
    ip_address === ''
      ? 'It could no longer boot from here.'
      : 'It could no longer boot from here, and the DHCP reservation that is kept for it goes too.',
};

function Scopes({ scopes }: { scopes: readonly DhcpScope[] }) {
  if (scopes.length === 0) return <a href={`${DHCP}/scopes/new`}>there is none yet</a>;
  return (
    <>
      {scopes.slice(0, 8).map(({ id, subnet_cidr, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <code>{subnet_cidr}</code> (<a href={itemHref(`${DHCP}/scopes`, id)}>{name}</a>)
        </span>
      ))}
      {scopes.length > 8 && ` and ${scopes.length - 8} more`}
    </>
  );
}
