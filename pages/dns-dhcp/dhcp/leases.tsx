// The leases that are in force, sought by any part of a name or an address.
import * as v from 'valibot';
import { PAGE_DEFAULT } from '../../../shared/ground/store/pagination.ts';
import { type DhcpLease, listLeases } from '../../../shared/services/dns-dhcp/dhcp/lease-list.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Instant } from '../../components/time.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { ListPage } from '../../units/row-list.tsx';
import { DHCP, LEASES, RESERVATIONS } from './dhcp-words.tsx';

interface Data {
  items: DhcpLease[];
  next: string | null;
  total: number;
  /** False where no service runs. */
  enforces: boolean;
}

export const page = definePage({
  id: 'dhcpLeasesPage',
  path: LEASES.href,
  current: DHCP.href,
  access: { session: 'read:dhcp' },
  query: v.object({
    search: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
    cursor: v.optional(v.pipe(v.string(), v.maxLength(512))),
  }),
  async load({ db, services, query: { search, cursor } }): Promise<Data> {
    const { items, next_cursor, total } = await listLeases(db, services, { search, cursor, limit: PAGE_DEFAULT });
    return { items, next: next_cursor, total, enforces: services.host.enforces };
  },
  title: () => 'DHCP leases',
  view: Leases,
});

function Leases({ data: { items, next, total, enforces }, state }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:dhcp');
  return (
    <ListPage
      head={{ title: 'Leases', trail: [DHCP], intro: 'Addresses that the running service has given out.' }}
      more={<ButtonLink href={RESERVATIONS.href}>Reservations</ButtonLink>}
      of="lease"
      listed={{ items: items.map((lease) => ({ ...lease, id: lease.ip_address })), next, at: state.query }}
      outcome={null}
      csrf={state.csrf}
      href={LEASES.href}
      csv={{ path: `${LEASES.href}.csv`, by: ['search'] }}
      searchLabel="Part of a name, MAC or IP"
      note={total === 1 ? '1 lease' : `${total.toLocaleString('en')} leases`}
      caption="Leases by address"
      columns={[
        { key: 'ip', label: 'IP address', look: 'code', cell: ({ ip_address }) => ip_address },
        {
          key: 'hostname',
          label: 'Host name',
          look: 'code',
          cell: ({ hostname }) => hostname || <span class="muted">none</span>,
        },
        { key: 'client', label: 'Machine', cell: (lease) => <Machine lease={lease} /> },
        {
          key: 'expires',
          label: 'Ends',
          look: 'nowrap',
          cell: ({ expires_at }) => (expires_at === null ? 'never' : <Instant at={expires_at} now={state.now} />),
        },
        {
          key: 'reserved',
          label: 'Address',
          look: 'nowrap',
          cell: ({ reserved, ip_address }) =>
            reserved ? (
              <a href={`${RESERVATIONS.href}?search=${encodeURIComponent(ip_address)}`}>reserved</a>
            ) : (
              'of a range'
            ),
        },
      ]}
      actions={({ ip_address, reserved, hostname, mac_address }) =>
        writes &&
        !reserved && (
          <ButtonLink
            kind="row"
            href={`${RESERVATIONS.href}/new?${new URLSearchParams({ ip_address, hostname, mac_address: mac_address ?? '' })}`}
            label={`Reserve ${ip_address}`}
          >
            Reserve
          </ButtonLink>
        )
      }
      empty={<Nothing enforces={enforces} />}
    />
  );
}

/** What the client is told apart by. */
function Machine({ lease: { mac_address, client_id } }: { lease: DhcpLease }) {
  if (mac_address !== null) return <code>{mac_address}</code>;
  return client_id === null ? (
    <span class="muted">unknown</span>
  ) : (
    <>
      <span class="muted">DUID</span> <code>{client_id}</code>
    </>
  );
}

function Nothing({ enforces }: { enforces: boolean }) {
  return (
    <Empty>
      {enforces
        ? 'No address is given out now.'
        : 'This is a rehearsal: no DHCP service runs, so that nobody can have an address of it.'}
    </Empty>
  );
}
