// The parts of the overview, each a heading with a short list and the way to the whole.

import type { ComponentChildren } from 'preact';
import { jobHref, jobWords } from '../../shared/appliance/about-jobs.ts';
import type { PlanState } from '../../shared/appliance/apply/plan.ts';
import type { PlanSummary } from '../../shared/appliance/apply/plan-store.ts';
import type { History, SeriesKey } from '../../shared/appliance/metrics/history.ts';
import type { AuditNames } from '../../shared/appliance/overview/audit-names.ts';
import { GONE, interfaceStates, roleWords } from '../../shared/appliance/states/interface-lines.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { DriverName } from '../../shared/ground/store/driver.ts';
import type { AuditView } from '../../shared/kernel/audit/list.ts';
import { actionWords, actorWords, resourceWords } from '../../shared/kernel/audit/words.ts';
import type { JobGlance } from '../../shared/kernel/jobs/glances.ts';
import { interfacePage } from '../../shared/platform/interfaces/edit-together.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { usableAddresses } from '../../shared/platform/interfaces/management-listener.ts';
import { PlanStateWord } from '../apply/words.tsx';
import { Chart } from '../components/chart.tsx';
import { FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { StateOf } from '../components/state-words.tsx';
import { type ListedStep, StepList } from '../components/steps.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { ConditionList } from '../health/condition-list.tsx';
import { JobStateWord, unsaidOf } from '../jobs/job-words.tsx';
import { ServiceTable } from './service-table.tsx';

function Part({ title, children, all }: { title: string; children: ComponentChildren; all?: ComponentChildren }) {
  return (
    <section class="found health">
      <h2>{title}</h2>
      {children}
      {all !== undefined && <p>{all}</p>}
    </section>
  );
}

export function Steps({ steps }: { steps: readonly ListedStep[] }) {
  return (
    <Part title="First steps">
      <StepList steps={steps} label="First steps" />
    </Part>
  );
}

/** Beside the steps by hand, while first start is not over. */
export function StartFromArchive() {
  return (
    <Part title="First start">
      <p>
        This appliance is new. Set it up by the steps below, or bring back what another one had:{' '}
        <a href={pagePath('first-start')}>Start from an archive</a>.
      </p>
    </Part>
  );
}

export function Jobs({ jobs, now }: { jobs: readonly JobGlance[]; now: string }) {
  return (
    <Part title="Running now">
      <DataTable
        caption="Jobs that have not ended"
        dense
        columns={[
          {
            key: 'job',
            label: 'Job',
            cell: (job) => (
              <>
                <a href={jobHref(job)} title={job.id}>
                  {jobWords(job)}
                </a>
                {unsaidOf(job) !== '' && <code class="job-id">{unsaidOf(job)}</code>}
              </>
            ),
          },
          { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <JobStateWord state={state} /> },
          { key: 'progress', label: 'Progress', look: 'number', cell: (job) => `${job.progress_percent} %` },
          {
            key: 'since',
            label: 'Started',
            look: 'nowrap',
            cell: ({ started_at }) => (started_at === null ? 'not yet' : <Instant at={started_at} now={now} />),
          },
        ]}
        rows={jobs}
        rowKey={({ id }) => id}
        empty="None."
      />
    </Part>
  );
}

export function NeedsAttention({ conditions, user }: Parameters<typeof ConditionList>[0]) {
  return (
    <section class="found health">
      <h2>Needs attention</h2>
      <ConditionList conditions={conditions} user={user} />
    </section>
  );
}

interface ServicesProps {
  services: readonly Standing[];
  now: string;
  rehearsal: boolean;
}

export function Services(props: ServicesProps) {
  return (
    <Part title={props.rehearsal ? 'Services (rehearsal)' : 'Services'}>
      <ServiceTable {...props} />
    </Part>
  );
}

const DRAWN: readonly SeriesKey[] = ['names', 'leases', 'offset', 'processors'];

/** The few that say most, of a day; those of which nothing is known are left out. */
export function OverTime({ history }: { history: History }) {
  const drawn = history.series.filter(({ key, points }) => DRAWN.includes(key) && points.length > 0);
  if (drawn.length === 0) return null;
  return (
    <Part title="Last 24 hours" all={<a href={pagePath('health')}>All numbers and 30 days</a>}>
      <div class="charts few">
        {drawn.map(({ key, label, unit, digits, points }) => (
          <Chart key={key} {...{ label, unit, digits, points }} range={history} row={null} />
        ))}
      </div>
    </Part>
  );
}

/** What becomes of a plan that was submitted. */
export const ENDS: readonly PlanState[] = ['submitted', 'confirming', 'applied', 'reverted', 'failed', 'cancelled'];

export function Applies({ applies, now }: { applies: readonly PlanSummary[]; now: string }) {
  return (
    <Part title="Last applies" all={<a href={pagePath('apply')}>Appliance apply</a>}>
      <DataTable
        caption="Plans that were applied, newest first"
        dense
        columns={[
          {
            key: 'state',
            label: 'Result',
            look: 'nowrap',
            cell: ({ state }) => <PlanStateWord state={state} />,
          },
          {
            key: 'units',
            label: 'Units',
            cell: ({ id, units }) => <a href={pagePath('plan', id)}>{units.map(({ label }) => label).join(', ')}</a>,
          },
          {
            key: 'by',
            label: 'By',
            look: 'nowrap',
            cell: ({ submitted_by, created_by }) => submitted_by ?? created_by,
          },
          {
            key: 'at',
            label: 'When',
            look: 'nowrap',
            cell: ({ finished_at, submitted_at, created_at }) => (
              <Instant at={finished_at ?? submitted_at ?? created_at} now={now} />
            ),
          },
        ]}
        rows={applies}
        rowKey={({ id }) => id}
        empty="Nothing was applied yet."
      />
    </Part>
  );
}

const VLANS_OF_A_GLANCE = 12;

interface InterfacesProps {
  interfaces: readonly NetworkInterface[];
  network: Standing | undefined;
}

export function Interfaces({ interfaces, network }: InterfacesProps) {
  const used = interfaces.filter(({ role, kind }) => role !== 'unused' || kind === 'physical');
  const shown = used.slice(0, VLANS_OF_A_GLANCE);
  const stateOf = interfaceStates(network);
  const rest = interfaces.length - shown.length;
  return (
    <Part
      title="Interfaces"
      all={<a href={pagePath('interfaces')}>{rest > 0 ? `All ${interfaces.length} interfaces` : 'All interfaces'}</a>}
    >
      <DataTable
        caption="Interfaces at a glance, as saved"
        dense
        columns={[
          { key: 'name', label: 'Name', look: 'code', cell: (row) => <a href={interfacePage(row)}>{row.name}</a> },
          {
            key: 'role',
            label: 'Role',
            cell: roleWords,
          },
          { key: 'address', label: 'Address', look: 'code', cell: (row) => usableAddresses(row)[0] ?? '' },
          { key: 'state', label: 'State', look: 'nowrap', cell: ({ name }) => <StateOf state={stateOf(name)} /> },
          { key: 'link', label: 'Link', cell: (row) => <Link row={row} /> },
        ]}
        rows={shown}
        rowKey={({ id }) => id}
        empty="The host has not reported any interface yet."
      />
    </Part>
  );
}

function Link({ row }: { row: NetworkInterface }) {
  if (!row.present) return <State kind={row.role === 'unused' ? 'off' : 'warn'}>{GONE}</State>;
  if (!row.enabled) return <State kind="off">Disabled</State>;
  if (row.observed === null) return <State kind="off">Not on the host yet</State>;
  const up = row.observed.link === 'up';
  return <State kind={up ? 'ok' : row.role === 'unused' ? 'off' : 'warn'}>{up ? 'Up' : 'No link'}</State>;
}

interface RecentProps {
  events: readonly AuditView[];
  nameOf: AuditNames;
  now: string;
}

export function Recent({ events, nameOf, now }: RecentProps) {
  return (
    <Part title="Recent activity" all={<a href={pagePath('audit-log')}>Audit log</a>}>
      <DataTable
        caption="The newest audit events"
        dense
        columns={[
          { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
          {
            key: 'action',
            label: 'Action',
            cell: ({ action, outcome }) =>
              outcome === 'failure' ? <State kind="bad">{actionWords(action)}</State> : actionWords(action),
          },
          { key: 'who', label: 'Who', look: 'nowrap', cell: ({ actor }) => actorWords(actor) },
          {
            key: 'what',
            label: 'What',
            cell: (event) => (
              <span title={event.resource.id ?? undefined}>
                {(event.resource.type === 'plan' ? null : nameOf(event)) ?? resourceWords(event.resource.type)}
              </span>
            ),
          },
        ]}
        rows={events}
        rowKey={({ seq }) => String(seq)}
        empty="Nothing has been changed yet."
      />
    </Part>
  );
}

export function ThisService({ sqlite }: { sqlite: DriverName }) {
  return (
    <Part title="This service">
      <FactsList facts={[{ label: 'SQLite driver', value: <code>{sqlite}</code> }]} />
    </Part>
  );
}
