// Second factors of a user, in a table.
import type { ComponentChildren } from 'preact';
import type { SecondFactor } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { FACTOR_WORDS } from './factor-words.ts';

interface FactorTableProps {
  factors: readonly SecondFactor[];
  now: string;
  actions?: (factor: SecondFactor) => ComponentChildren;
}

const kindOf = ({ kind, rp_id }: SecondFactor): ComponentChildren =>
  rp_id === null ? (
    FACTOR_WORDS[kind]
  ) : (
    <>
      {FACTOR_WORDS[kind]} for <code>{rp_id}</code>
    </>
  );

export function FactorTable({ factors, now, actions }: FactorTableProps) {
  return (
    <DataTable
      caption="Second factors, oldest first"
      columns={[
        { key: 'name', label: 'Name', cell: ({ name }) => <b>{name}</b> },
        { key: 'kind', label: 'Kind', cell: kindOf },
        {
          key: 'added',
          label: 'Added',
          look: 'nowrap',
          cell: ({ created_at }) => <Instant at={created_at} now={now} />,
        },
        {
          key: 'used',
          label: 'Last use',
          look: 'nowrap',
          cell: ({ last_used_at }) =>
            last_used_at === null ? <span class="muted">never</span> : <Instant at={last_used_at} now={now} />,
        },
      ]}
      rows={[...factors]}
      rowKey={({ id }) => id}
      {...(actions && { actions })}
      empty="None: the password alone signs in."
    />
  );
}
