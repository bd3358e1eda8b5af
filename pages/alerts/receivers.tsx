// Who is told of alerts.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { messageCounts } from '../../shared/vcf/alerts/queue.ts';
import { placeWords, type Receiver } from '../../shared/vcf/alerts/receiver.ts';
import { allReceivers } from '../../shared/vcf/alerts/receiver-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, KIND_WORDS, RECEIVERS, ReceiverState } from './alert-words.tsx';

interface Data {
  receivers: Receiver[];
  counts: Awaited<ReturnType<typeof messageCounts>>;
}

export const page = definePage({
  id: 'alertReceiversPage',
  path: RECEIVERS.href,
  current: ALERTS.href,
  access: { session: 'read:alerts' },
  load: async ({ db }): Promise<Data> => ({ receivers: await allReceivers(db), counts: await messageCounts(db) }),
  title: () => 'Receivers of alerts',
  view: ReceiversView,
});

function ReceiversView({ data: { receivers, counts }, state }: ViewProps<Data>) {
  const may = state.user.scopes.includes('write:alerts');
  return (
    <>
      <PageHead
        title="Receivers of alerts"
        trail={[ALERTS]}
        here={RECEIVERS.label}
        intro="Get a message when an alert opens and closes. A message that fails is sent again."
      >
        {may && (
          <ButtonLink kind="primary" icon="plus" href={`${RECEIVERS.href}/new`}>
            Add receiver
          </ButtonLink>
        )}
      </PageHead>
      <DataTable
        caption="Receivers of alerts"
        columns={[
          {
            key: 'name',
            label: 'Receiver',
            cell: ({ id, name }) => <a href={pagePath('alert-receiver', id)}>{name}</a>,
          },
          { key: 'kind', label: 'Kind', look: 'nowrap', cell: ({ kind }) => KIND_WORDS[kind] },
          { key: 'place', label: 'Where', cell: (receiver) => <code class="wrap">{placeWords(receiver)}</code> },
          { key: 'state', label: 'State', look: 'nowrap', cell: (receiver) => <ReceiverState receiver={receiver} /> },
          { key: 'queue', label: 'Messages', cell: ({ id }) => <Queue of={counts.get(id)} /> },
          {
            key: 'sent',
            label: 'Last delivery',
            look: 'nowrap',
            cell: ({ last_sent_at }) =>
              last_sent_at === null ? <span class="muted">never</span> : <Instant at={last_sent_at} now={state.now} />,
          },
        ]}
        rows={receivers}
        rowKey={({ id }) => id}
        empty="There is no receiver yet. Alerts are shown here alone."
      />
    </>
  );
}

function Queue({ of = { queued: 0, dead: 0 } }: { of?: { queued: number; dead: number } | undefined }) {
  const { queued, dead } = of;
  if (queued === 0 && dead === 0) return <span class="muted">none</span>;
  return (
    <>
      {queued > 0 && <div>{queued} queued</div>}
      {dead > 0 && <State kind="bad">{dead} given up</State>}
    </>
  );
}
