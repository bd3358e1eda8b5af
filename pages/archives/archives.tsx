// Archives that lie on the appliance.
import * as v from 'valibot';
import { type KeptArchive, listArchives } from '../../shared/appliance/archive/kept.ts';
import { type ArchiveStanding, archiveStanding } from '../../shared/appliance/archive/schedule/standing.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FileName } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { SCHEDULE, StandingNote } from './schedule-words.tsx';
import { ARCHIVES, encryptionWords, ORIGIN_WORDS } from './words.ts';

const OF_A_PAGE = 50;

export const page = definePage({
  id: 'archivesPage',
  path: ARCHIVES.href,
  access: { session: 'read:archives' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  load: async ({ db, query, services }): Promise<Page<KeptArchive> & { standing: ArchiveStanding }> => ({
    ...(await listArchives(db, { cursor: query.cursor, limit: OF_A_PAGE })),
    standing: await archiveStanding(db, services),
  }),
  title: () => 'Archives',
  view({ data: { items, next_cursor, standing }, state }) {
    const may = state.user.scopes.includes('write:archives');
    return (
      <>
        <PageHead
          title="Archives"
          intro="All saved settings in one file. Download it: files kept here are lost with the appliance."
        >
          {may && (
            <>
              <ButtonLink kind="primary" icon="plus" href={`${ARCHIVES.href}/new`}>
                Make an archive
              </ButtonLink>
              <ButtonLink href={`${ARCHIVES.href}/upload`}>Upload</ButtonLink>
              <ButtonLink href={pagePath('factory-reset')}>Factory reset</ButtonLink>
            </>
          )}
          <ButtonLink href={SCHEDULE.href}>Schedule</ButtonLink>
        </PageHead>
        <StandingNote standing={standing} />
        <DataTable
          caption="Archives, the newest first"
          columns={[
            {
              key: 'name',
              label: 'Archive',
              cell: ({ id, name }) => (
                <a class="mono" href={pagePath('archive', id)}>
                  <FileName>{name}</FileName>
                </a>
              ),
            },
            { key: 'origin', label: 'From', look: 'nowrap', cell: ({ origin }) => ORIGIN_WORDS[origin] },
            { key: 'encryption', label: 'Encrypted', cell: encryptionWords },
            { key: 'size', label: 'Size', look: 'number', cell: ({ size_bytes }) => byteWords(size_bytes) },
            {
              key: 'at',
              label: 'When',
              look: 'nowrap',
              cell: ({ created_at }) => <Instant at={created_at} now={state.now} />,
            },
            { key: 'by', label: 'By', cell: ({ created_by }) => created_by },
          ]}
          rows={items}
          rowKey={({ id }) => id}
          actions={({ id, name, state: is }) => (
            <>
              {is === 'ready' && (
                <ButtonLink kind="row" href={`${pagePath('archive', id)}/content`} label={`Download ${name}`}>
                  Download
                </ButtonLink>
              )}
              {may && (
                <ButtonLink kind="row" href={`${pagePath('archive', id)}/delete`} label={`Delete ${name}`}>
                  Delete
                </ButtonLink>
              )}
            </>
          )}
          empty={
            may ? (
              <Empty action={<ButtonLink href={`${ARCHIVES.href}/new`}>Make an archive</ButtonLink>}>
                No archive is kept here.
              </Empty>
            ) : (
              'No archive is kept here.'
            )
          }
        />
        <Pagination place={{ path: ARCHIVES.href, query: state.query }} nextCursor={next_cursor} />
      </>
    );
  },
});
