// The key of the vaults: which ones there are, how many values depend on each, what a rotation does, and those that ran.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ENDED, type Job, listJobs } from '../../shared/kernel/jobs/job.ts';
import { type KeyUse, keyUse, lostValues } from '../../shared/platform/vaults/overview.ts';
import { ROTATE_KIND } from '../../shared/platform/vaults/rotate-job.ts';
import { Block } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { JobStateWord } from '../jobs/job-words.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { List } from '../units/listing.tsx';
import { KEY_PAGE, sealedOf, VAULTS } from './vault-words.tsx';

/** Rotations on the page. */
const ROTATIONS = 5;

interface Data {
  keys: KeyUse[];
  fault: string | null;
  rotations: Job[];
}

export const page = definePage({
  id: 'vaultKeyPage',
  path: KEY_PAGE,
  current: VAULTS.href,
  access: { session: 'read:vaults' },
  async load({ db, services }): Promise<Data> {
    const { items: rotations } = await listJobs(db, { kind: ROTATE_KIND, limit: ROTATIONS });
    return { ...(await keyUse(db, services.keyring)), rotations };
  },
  title: () => 'Encryption key',
  refreshes: ({ rotations }) => rotations.some(({ state }) => !ENDED.includes(state)),
  view: KeyView,
});

function KeyView({ data: { keys, fault, rotations }, state }: ViewProps<Data>) {
  const running = rotations.find((job) => !ENDED.includes(job.state));
  const lost = fault === null ? lostValues(keys) : null;
  const why_not = running ? 'A rotation is under way.' : fault === null ? undefined : 'The keys file can’t be used.';
  return (
    <>
      <PageHead
        title="Encryption key"
        trail={[VAULTS]}
        intro="Encrypts the keys of vault values and of certificates. It is in the file vault.keys, which is in no backup of the database."
      />
      {fault !== null && <Block title="The keys file can’t be used">{fault}</Block>}
      {lost && (
        <Block title={`${sealedOf(lost)} can’t be opened`}>
          The file vault.keys lacks {lost.keys.join(', ')}: it may be a copy from before a rotation. Add what a later
          copy of it holds below <code>keys</code> to the file, which is read again at once, or store these values
          again. Keep the keys that are in it now: values may be sealed under them since.
        </Block>
      )}
      <div data-live="key" data-done={running ? undefined : 'true'}>
        <Keys keys={keys} />
        <section class="below" aria-labelledby="rotate">
          <h2 id="rotate">Rotate the key</h2>
          <p>Makes a new key, and seals the key of each value under it. All values can be used meanwhile.</p>
          <p>
            {why_not === undefined ? (
              <ButtonLink href={pagePath('rotate-vault-key')}>Rotate the key…</ButtonLink>
            ) : (
              <Button unavailable={why_not}>Rotate the key…</Button>
            )}
          </p>
          <More summary="From the shell">
            <CodeBlock label="The same from the shell">groundcrew vault rotate-key</CodeBlock>
          </More>
        </section>
        <Rotations jobs={rotations} now={state.now} />
      </div>
    </>
  );
}

const STATES: Record<KeyUse['state'], { kind: StateKind; word: string }> = {
  current: { kind: 'ok', word: 'Current' },
  kept: { kind: 'off', word: 'Of before' },
  missing: { kind: 'bad', word: 'Missing: its values can’t be opened' },
};

function Keys({ keys }: { keys: readonly KeyUse[] }) {
  return (
    <DataTable
      caption="Keys, the newest first"
      columns={[
        { key: 'id', label: 'Key', look: 'code', cell: ({ id }) => id },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: ({ state }) => <State kind={STATES[state].kind}>{STATES[state].word}</State>,
        },
        { key: 'entries', label: 'Seals', look: 'nowrap', cell: sealedOf },
      ]}
      rows={keys}
      rowKey={({ id }) => id}
      empty="No key can be read."
    />
  );
}

function Rotations({ jobs, now }: { jobs: readonly Job[]; now: string }) {
  return (
    <List title="Rotations">
      <DataTable
        caption="Rotations, the last first"
        dense
        columns={[
          {
            key: 'job',
            label: 'Job',
            look: 'code',
            cell: ({ id }) => <a href={pagePath('job', id)}>{id}</a>,
          },
          { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <JobStateWord state={state} /> },
          { key: 'by', label: 'By', cell: ({ created_by }) => created_by },
          {
            key: 'at',
            label: 'Queued',
            look: 'nowrap',
            cell: ({ created_at }) => <Instant at={created_at} now={now} />,
          },
        ]}
        rows={jobs}
        rowKey={({ id }) => id}
        empty="The key has not been rotated yet."
      />
    </List>
  );
}
