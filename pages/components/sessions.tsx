// Sessions in tables: of the appliance, and at the OpenID Connect provider. Used by the own account, a user, and the provider.
import type { ComponentChildren } from 'preact';
import type { Session } from '../../shared/kernel/access/session-list.ts';
import type { OidcSession } from '../../shared/services/oidc/sessions/sessions.ts';
import { State } from './state-word.tsx';
import { type Column, DataTable } from './table.tsx';
import { Instant } from './time.tsx';

export type Shown = Omit<Session, 'id_hash'> & { current: boolean };

interface TableProps<Row> {
  sessions: readonly Row[];
  caption: string;
  now: string;
  actions?: ((session: Row) => ComponentChildren) | undefined;
}

const PAGES = { management: 'Management pages', public: 'Public pages' } as const;

export function SessionTable({ sessions, caption, now, actions }: TableProps<Shown>) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'from', label: 'From', look: 'code', cell: ({ source_address }) => source_address },
        {
          key: 'state',
          label: 'Session',
          look: 'nowrap',
          cell: ({ current, plane }) => (current ? <State kind="ok">This browser</State> : PAGES[plane]),
        },
        {
          key: 'since',
          label: 'Signed in',
          look: 'nowrap',
          cell: ({ created_at }) => <Instant at={created_at} now={now} />,
        },
        {
          key: 'seen',
          label: 'Last seen',
          look: 'nowrap',
          cell: ({ last_seen_at }) => <Instant at={last_seen_at} now={now} />,
        },
      ]}
      rows={[...sessions]}
      rowKey={({ id }) => id}
      {...(actions && { actions })}
      empty="No sessions."
    />
  );
}

/** What a session is called where a button needs a name. */
export const oidcSessionName = ({ clients, source_address }: OidcSession): string =>
  `${clients.map(({ name }) => name).join(', ') || 'no client'} from ${source_address}`;

interface OidcTableProps extends TableProps<OidcSession> {
  empty: string;
}

/** `person`: whose it is, where it is not everybody’s own. */
export function oidcSessionColumns(
  now: string,
  person?: (session: OidcSession) => ComponentChildren,
): [Column<OidcSession>, ...Column<OidcSession>[]] {
  return [
    {
      key: 'clients',
      label: 'Signed in to',
      cell: ({ clients }) =>
        clients.length === 0 ? <span class="muted">no client</span> : clients.map(({ name }) => name).join(', '),
    },
    ...(person ? [{ key: 'user_name', label: 'Person', cell: person }] : []),
    { key: 'source_address', label: 'From', look: 'code', cell: ({ source_address }) => source_address },
    {
      key: 'created_at',
      label: 'Signed in',
      look: 'nowrap',
      cell: ({ created_at }) => <Instant at={created_at} now={now} />,
    },
    {
      key: 'last_used_at',
      label: 'Last use',
      look: 'nowrap',
      cell: ({ last_used_at }) => <Instant at={last_used_at} now={now} />,
    },
  ];
}

export function OidcSessionTable({ sessions, caption, now, actions, empty }: OidcTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={oidcSessionColumns(now)}
      rows={[...sessions]}
      rowKey={({ id }) => id}
      {...(actions && { actions })}
      empty={empty}
    />
  );
}
