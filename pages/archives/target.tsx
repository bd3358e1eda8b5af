// One target of archives: where it is, its host key, a test, and its copies.
import { type Copy, copiesAt } from '../../shared/appliance/archive/schedule/copies.ts';
import { placeWords, type Target } from '../../shared/appliance/archive/schedule/target.ts';
import { targetParam } from '../../shared/appliance/archive/schedule/target-schemas.ts';
import { findTarget } from '../../shared/appliance/archive/schedule/target-store.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FileName } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { HostKey } from './host-key.tsx';
import { TargetState } from './schedule.tsx';
import { KIND_WORDS, SCHEDULE, SECRET_WORDS } from './schedule-words.tsx';
import { ARCHIVES } from './words.ts';

/** Copies on the page, the newest. */
const SHOWN = 50;

interface Data {
  target: Target;
  copies: Copy[];
}

export const page = definePage({
  id: 'archiveTargetPage',
  path: pageRoute('archive-target'),
  current: ARCHIVES.href,
  access: { session: 'read:archives' },
  params: targetParam,
  load: async ({ db, params }): Promise<Data> => ({
    target: await findTarget(db, params.target_id),
    copies: await copiesAt(db, params.target_id, SHOWN),
  }),
  title: ({ target }) => target.name,
  view: TargetView,
});

function TargetView({ data: { target, copies }, state, outcome }: ViewProps<Data>) {
  const { id, name, kind, secret } = target;
  const href = pagePath('archive-target', id);
  const may = state.user.scopes.includes('write:archives');
  return (
    <>
      <PageHead title={name} trail={[ARCHIVES, SCHEDULE]}>
        {may && (
          <>
            <ButtonLink kind="primary" href={`${href}/edit`}>
              Edit target
            </ButtonLink>
            <ButtonLink href={`${href}/delete`}>Delete target</ButtonLink>
          </>
        )}
      </PageHead>
      {['testArchiveTargetForm', 'lookAtArchiveTargetHostKeyForm', 'confirmArchiveTargetHostKeyForm'].map((form) => (
        <Refused key={form} typed={typedInto(form, outcome)} labels={{}} />
      ))}
      <FactsList
        facts={[
          { label: 'State', value: <TargetState target={target} /> },
          { label: 'Kind', value: KIND_WORDS[kind] },
          { label: 'Where', value: <code class="wrap">{placeWords(target)}</code> },
          ...(secret === null ? [] : [{ label: SECRET_WORDS[secret], value: 'Stored, never shown' }]),
        ]}
      />
      {target.kind === 'sftp' && <HostKey target={target} may={may} csrf={state.csrf} outcome={outcome} />}
      {may && (
        <Form action={`${href}/test`} csrf={state.csrf} look="stack" label="Test">
          <div class="actions">
            <Button>Test target</Button>
            <p class="muted">Writes a small file there, reads it back and removes it.</p>
          </div>
        </Form>
      )}
      <section class="below">
        <h2>Verified copies</h2>
        <DataTable
          caption={`The newest ${SHOWN} copies that were read back and were the same`}
          columns={[
            {
              key: 'name',
              label: 'File',
              cell: (copy) => (
                <code class="wrap">
                  <FileName>{copy.name}</FileName>
                </code>
              ),
            },
            { key: 'size', label: 'Size', look: 'number', cell: ({ size_bytes }) => byteWords(size_bytes) },
            { key: 'sha256', label: 'SHA-256', cell: ({ sha256 }) => <code class="wrap">{sha256}</code> },
            {
              key: 'at',
              label: 'Verified',
              look: 'nowrap',
              cell: ({ verified_at }) => <Instant at={verified_at} now={state.now} />,
            },
          ]}
          rows={copies}
          rowKey={(copy) => copy.id}
          empty="No copy was verified there yet."
        />
      </section>
    </>
  );
}
