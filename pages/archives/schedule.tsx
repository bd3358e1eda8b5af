// The schedule of archives, its targets, and whether there is a copy that is young enough.

import { type Newest, newestCopies } from '../../shared/appliance/archive/schedule/copies.ts';
import { readSchedule, type SavedSchedule } from '../../shared/appliance/archive/schedule/document.ts';
import { type ArchiveStanding, archiveStanding } from '../../shared/appliance/archive/schedule/standing.ts';
import { placeWords, type Target } from '../../shared/appliance/archive/schedule/target.ts';
import { allTargets } from '../../shared/appliance/archive/schedule/target-store.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form } from '../components/form.tsx';
import { Enabled, State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KIND_WORDS, keepWords, SCHEDULE, StandingNote, timeWords } from './schedule-words.tsx';
import { ARCHIVES } from './words.ts';

interface Data {
  schedule: SavedSchedule;
  standing: ArchiveStanding;
  targets: Target[];
  newest: Map<string, Newest>;
}

export const page = definePage({
  id: 'archiveSchedulePage',
  path: SCHEDULE.href,
  current: ARCHIVES.href,
  access: { session: 'read:archives' },
  async load({ db, services }): Promise<Data> {
    const schedule = await readSchedule(db);
    return {
      schedule,
      standing: await archiveStanding(db, services, schedule),
      targets: await allTargets(db),
      newest: new Map((await newestCopies(db)).map((each) => [each.id, each])),
    };
  },
  title: () => 'Schedule of archives',
  view: ScheduleView,
});

function ScheduleView({ data, state, outcome }: ViewProps<Data>) {
  const { schedule, standing, targets } = data;
  const may = state.user.scopes.includes('write:archives');
  return (
    <>
      <PageHead
        title="Schedule of archives"
        trail={[ARCHIVES]}
        here={SCHEDULE.label}
        intro="Archives on a schedule: encrypted for recipients, copied to targets, and read back."
      >
        {may && (
          <ButtonLink kind="primary" href={`${SCHEDULE.href}/edit`}>
            Edit schedule
          </ButtonLink>
        )}
        {may && <ButtonLink href={`${pagePath('archive-targets')}/new`}>Add target</ButtonLink>}
      </PageHead>
      <Refused typed={typedInto('runArchiveScheduleForm', outcome)} labels={{}} />
      <StandingNote standing={standing} />
      <ScheduleFacts schedule={schedule} standing={standing} now={state.now} />
      {may && targets.some(({ enabled }) => enabled) && schedule.recipients.length > 0 && (
        <Form action={`${SCHEDULE.href}/run`} csrf={state.csrf} look="stack" label="Run now">
          <div class="actions">
            <Button>Run now</Button>
            <p class="muted">Runs as a job. The next time of the schedule stays.</p>
          </div>
        </Form>
      )}
      <section class="below" aria-labelledby="targets">
        <h2 id="targets">Targets</h2>
        <Targets {...data} now={state.now} />
      </section>
    </>
  );
}

function ScheduleFacts({
  schedule,
  standing,
  now,
}: {
  schedule: SavedSchedule;
  standing: ArchiveStanding;
  now: string;
}) {
  const { enabled, recipients } = schedule;
  const { newest_verified_at, next_at } = standing;
  return (
    <FactsList
      facts={[
        { label: 'Schedule', value: enabled ? <State kind="ok">Enabled</State> : <State kind="off">Disabled</State> },
        { label: 'When', value: timeWords(schedule) },
        ...(next_at === null ? [] : [{ label: 'Next', value: <Instant at={next_at} now={now} /> }]),
        {
          label: 'Newest copy',
          value:
            newest_verified_at === null ? (
              <span class="muted">none</span>
            ) : (
              <Instant at={newest_verified_at} now={now} />
            ),
        },
        {
          label: 'Recipients',
          value:
            recipients.length === 0 ? (
              <span class="muted">none</span>
            ) : (
              recipients.map((recipient) => (
                <div key={recipient}>
                  <code class="wrap">{recipient}</code>
                </div>
              ))
            ),
        },
        { label: 'Kept', value: keepWords(schedule) },
      ]}
    />
  );
}

function Targets({ targets, newest, now }: Data & { now: string }) {
  return (
    <DataTable
      caption="Targets of archives"
      columns={[
        { key: 'name', label: 'Target', cell: ({ id, name }) => <a href={pagePath('archive-target', id)}>{name}</a> },
        { key: 'kind', label: 'Kind', look: 'nowrap', cell: ({ kind }) => KIND_WORDS[kind] },
        { key: 'place', label: 'Where', cell: (target) => <code class="wrap">{placeWords(target)}</code> },
        { key: 'state', label: 'State', look: 'nowrap', cell: (target) => <TargetState target={target} /> },
        {
          key: 'copy',
          label: 'Newest verified copy',
          look: 'nowrap',
          cell: ({ id }) => {
            const at = newest.get(id)?.newest_verified_at ?? null;
            return at === null ? <span class="muted">none</span> : <Instant at={at} now={now} />;
          },
        },
      ]}
      rows={targets}
      rowKey={({ id }) => id}
      empty="There is no target yet: no copy is made."
    />
  );
}

export function TargetState({ target: { kind, place, enabled } }: { target: Target }) {
  if (enabled && kind === 'sftp' && place.host_key_sha256 === null)
    return <State kind="warn">Host key not confirmed</State>;
  return <Enabled enabled={enabled} />;
}
