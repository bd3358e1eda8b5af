// Keys as a table; never their material.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { KeyView } from '../../shared/services/kms/keys/administration.ts';
import { Empty } from '../components/empty.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { KeyState } from './kms-words.tsx';

export function LastGet({ of, now }: { of: Pick<KeyView, 'last_get_at' | 'last_get_from'>; now: string }) {
  if (of.last_get_at === null) return <span class="muted">never</span>;
  return (
    <>
      <Instant at={of.last_get_at} now={now} /> <code>{of.last_get_from}</code>
    </>
  );
}

export function keyColumns(now: string): [Column<KeyView>, ...Column<KeyView>[]] {
  return [
    { key: 'id', label: 'Key', look: 'code', cell: ({ id }) => <a href={pagePath('kms-key', id)}>{id}</a> },
    { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <KeyState of={state} /> },
    { key: 'kind', label: 'Kind', look: 'nowrap', cell: ({ length_bits }) => `AES-${length_bits}` },
    { key: 'created_by', label: 'Made for', cell: ({ created_by }) => created_by },
    {
      key: 'created_at',
      label: 'Created',
      look: 'nowrap',
      cell: ({ created_at }) => <Instant at={created_at} now={now} />,
    },
    { key: 'last_get_at', label: 'Last given', look: 'nowrap', cell: (key) => <LastGet of={key} now={now} /> },
  ];
}

export const NoKeys = () => <Empty>There is no key yet. vCenter makes one when something is encrypted.</Empty>;

/** The newest of a provider. */
export function KeysTable({ keys, now }: { keys: readonly KeyView[]; now: string }) {
  return (
    <DataTable
      caption="Keys, the newest first"
      columns={keyColumns(now)}
      rows={keys}
      rowKey={({ id }) => id}
      empty={<NoKeys />}
    />
  );
}
