// Recordings of terminals. What was printed is on the page of each.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { listRecordings, type Recording } from '../../shared/services/web-terminal/recording/recordings.ts';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { machineWords, RECORDINGS, STATE_WORDS, TERMINAL } from './recording-words.ts';

const OF_A_PAGE = 50;

export const page = definePage({
  id: 'terminalRecordingsPage',
  path: RECORDINGS.href,
  current: TERMINAL.href,
  access: { session: 'read:terminal-recordings' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  load: ({ query, services }): Promise<Page<Recording>> =>
    listRecordings(services, { cursor: query.cursor, limit: OF_A_PAGE }),
  title: () => 'Recordings',
  view({ data: { items, next_cursor }, state }) {
    const may = state.user.scopes.includes('write:terminal-recordings');
    return (
      <>
        <PageHead
          title="Recordings"
          intro="Output of terminals, sealed on this appliance and in no archive. Replays and exports are in the audit log."
          trail={[TERMINAL]}
        />
        <DataTable
          caption="Recordings, the newest first"
          columns={[
            {
              key: 'at',
              label: 'Began',
              look: 'nowrap',
              cell: ({ id, started_at }) => (
                <a href={pagePath('terminal-recording', id)}>
                  <Instant at={started_at} now={state.now} />
                </a>
              ),
            },
            { key: 'user', label: 'User', cell: ({ user }) => user || '—' },
            { key: 'account', label: 'Account', cell: ({ account }) => <code>{account || '—'}</code> },
            { key: 'machine', label: 'Machine', cell: machineWords },
            { key: 'from', label: 'From', cell: ({ source_address }) => <code>{source_address || '—'}</code> },
            { key: 'state', label: 'State', cell: ({ state: is }) => STATE_WORDS[is] },
            { key: 'size', label: 'Size', look: 'number', cell: ({ size_bytes }) => byteWords(size_bytes) },
            {
              key: 'until',
              label: 'Kept until',
              look: 'nowrap',
              cell: ({ kept_until }) => (kept_until === null ? '—' : <Instant at={kept_until} now={state.now} />),
            },
          ]}
          rows={items}
          rowKey={({ id }) => id}
          actions={({ id, state: is, started_at }) =>
            may &&
            is !== 'running' && (
              <ButtonLink
                kind="row"
                href={`${pagePath('terminal-recording', id)}/delete`}
                label={`Delete the recording of ${started_at}`}
              >
                Delete
              </ButtonLink>
            )
          }
          empty="No terminal was recorded. Recording is a choice in the settings of the web terminal."
        />
        <Pagination place={{ path: RECORDINGS.href, query: state.query }} nextCursor={next_cursor} />
      </>
    );
  },
});
