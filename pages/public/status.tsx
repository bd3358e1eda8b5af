// Which services answer at the interface that was called.
import { calledAt } from '../../shared/appliance/overview/called-at.ts';
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { publicStatus, type ServiceStatus } from '../../shared/appliance/overview/public-status.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { SERVICE_WORDS } from './service-words.ts';

const WORDS: Record<ServiceStatus['answers'], { kind: StateKind; word: string }> = {
  yes: { kind: 'ok', word: 'Answers' },
  no: { kind: 'bad', word: 'Does not answer' },
  not_asked: { kind: 'off', word: 'Not asked yet' },
};

export const page = definePlainPage({
  id: 'publicStatusPage',
  path: pagePath('public-status'),
  plane: 'public',
  async load({ services, db, request }) {
    await requireOffered(db, 'status');
    const status = await publicStatus(services, await calledAt(services, request.connection));
    return { hostname: services.settings.hostname, status };
  },
  title: ({ hostname }) => `Status of ${hostname}`,
  view: ({ data: { hostname, status } }) => (
    <>
      <h1>Status of {hostname}</h1>
      <DataTable
        caption="Services that are offered to this network"
        columns={[
          { key: 'service', label: 'Service', cell: ({ service }) => SERVICE_WORDS[service] },
          {
            key: 'answers',
            label: 'State',
            look: 'nowrap',
            cell: ({ answers }) => <State kind={WORDS[answers].kind}>{WORDS[answers].word}</State>,
          },
          {
            key: 'asked',
            label: 'Asked',
            look: 'nowrap',
            cell: ({ asked_at }) => (asked_at === null ? '' : <ExactInstant at={asked_at} />),
          },
        ]}
        rows={status.services}
        rowKey={({ service }) => service}
        empty="No service is offered to this network yet."
      />
      <div class="actions">
        <ButtonLink href={`${pagePath('public-status')}.json`}>The same as JSON</ButtonLink>
        <ButtonLink href={pagePath('public')}>How to use them</ButtonLink>
      </div>
    </>
  ),
});
