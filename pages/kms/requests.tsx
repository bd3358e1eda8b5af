// The last requests of clients, without any value of theirs.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { type KmsRequest, lastRequests } from '../../shared/services/kms/serving/requests.ts';
import { REQUESTS_MOST } from '../../shared/services/kms/serving/trace.ts';
import { Empty } from '../components/empty.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { KMS } from './kms-words.tsx';

export const page = definePage({
  id: 'kmsRequestsPage',
  path: `${KMS.href}/requests`,
  current: KMS.href,
  access: { session: 'read:kms' },
  load: ({ db }) => lastRequests(db),
  title: () => 'Last KMIP requests',
  view: ({ data, state }) => (
    <>
      <PageHead
        title="Last KMIP requests"
        trail={[KMS]}
        here="Last requests"
        intro={`The last ${REQUESTS_MOST}: who asked for what, and how it ended. Names of attributes, never values.`}
      />
      <Requests of={data} now={state.now} />
    </>
  ),
});

const Requests = ({ of, now }: { of: readonly KmsRequest[]; now: string }) => (
  <DataTable
    caption="Requests, the newest first"
    columns={[
      { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
      {
        key: 'who',
        label: 'Client',
        cell: ({ client, provider, source_address }) => (
          <>
            {client} <span class="muted">{provider}</span> <code>{source_address}</code>
          </>
        ),
      },
      {
        key: 'operation',
        label: 'Operation',
        look: 'nowrap',
        cell: ({ operation, version }) => (
          <>
            {operation} <span class="muted">{version}</span>
          </>
        ),
      },
      { key: 'attributes', label: 'Attributes', cell: ({ attributes }) => <Codes items={attributes} /> },
      {
        key: 'key',
        label: 'Key',
        look: 'code',
        cell: ({ key_id }) => key_id !== null && <a href={pagePath('kms-key', key_id)}>{key_id}</a>,
      },
      {
        key: 'result',
        label: 'Result',
        cell: ({ result }) =>
          result === 'success' ? <State kind="ok">Success</State> : <State kind="bad">{result}</State>,
      },
    ]}
    rows={of.map((request, at) => ({ ...request, place: at }))}
    rowKey={({ place }) => String(place)}
    empty={<Empty>No client has asked for anything yet.</Empty>}
  />
);
