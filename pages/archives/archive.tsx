// One archive that lies on the appliance.
import { archiveFile, findArchive, type KeptArchive, personOf } from '../../shared/appliance/archive/kept.ts';
import { archiveParam } from '../../shared/appliance/archive/schemas.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { UPLOAD_HOURS } from '../../shared/platform/uploads/abandoned.ts';
import { receivedBytes } from '../../shared/platform/uploads/pieces.ts';
import { Note } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FactsList } from '../components/facts.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ArchiveDrop } from './archive-drop.tsx';
import { ARCHIVES, encryptionWords, ORIGIN_WORDS, SECRET_ROWS } from './words.ts';

const WAITS = `It waits for the rest of its bytes and is removed ${UPLOAD_HOURS} hours after the last of them.`;

export const page = definePage({
  id: 'archivePage',
  path: pageRoute('archive'),
  current: ARCHIVES.href,
  access: { session: 'read:archives' },
  params: archiveParam,
  load: async ({ db, services, params }): Promise<KeptArchive & { received_bytes: number }> => {
    const archive = await findArchive(db, params.archive_id);
    const { id, state } = archive;
    return {
      ...archive,
      received_bytes: state === 'receiving' ? await receivedBytes(archiveFile(services.settings, id)) : 0,
    };
  },
  title: ({ name }) => name,
  view({ data: archive, state }) {
    const { id, name, origin, encryption, size_bytes, sha256, created_at, created_by } = archive;
    const href = pagePath('archive', id);
    const may = state.user.scopes.includes('write:archives');
    const mine = state.user.name === personOf(created_by);
    return (
      <>
        <PageHead title={<span class="mono">{name}</span>} trail={[ARCHIVES]}>
          {archive.state === 'ready' && (
            <ButtonLink kind="primary" href={`${href}/content`}>
              Download
            </ButtonLink>
          )}
          {may && archive.state === 'ready' && <ButtonLink href={`${href}/restore`}>Compare and restore</ButtonLink>}
          {may && <ButtonLink href={`${href}/delete`}>Delete</ButtonLink>}
        </PageHead>
        {archive.state === 'receiving' && (
          <>
            <Note>
              {mine ? WAITS : `${personOf(created_by)} began this upload; nobody else sends its bytes. ${WAITS}`}
            </Note>
            {may && mine && <ArchiveDrop csrf={state.csrf} archive={archive} />}
          </>
        )}
        <FactsList
          facts={[
            { label: 'From', value: ORIGIN_WORDS[origin] },
            { label: 'Encrypted', value: encryptionWords(archive) },
            ...(encryption === 'none' && origin === 'made'
              ? [{ label: 'Left out', value: SECRET_ROWS.join(', ') }]
              : []),
            { label: 'Size', value: byteWords(size_bytes) },
            ...(sha256 === null ? [] : [{ label: 'SHA-256', value: <code class="wrap">{sha256}</code> }]),
            {
              label: 'When',
              value: (
                <>
                  <Instant at={created_at} now={state.now} /> <span class="muted">by {created_by}</span>
                </>
              ),
            },
          ]}
        />
      </>
    );
  },
});
