// The parts of the overview, each a heading with a short list and the way to the whole.

import type { ComponentChildren } from 'preact';
import { jobHref, jobWords } from '../../shared/appliance/about-jobs.ts';
import type { UnitStanding } from '../../shared/appliance/apply/drift-store.ts';
import type { JobGlance, PlanGlance } from '../../shared/appliance/overview/overview.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { DriverName } from '../../shared/ground/store/driver.ts';
import type { AuditView } from '../../shared/kernel/audit/list.ts';
import { interfacePage } from '../../shared/platform/interfaces/edit-together.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { usableAddresses } from '../../shared/platform/interfaces/management-listener.ts';
import { ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { JobStateWord, unsaidOf } from '../jobs/job-words.tsx';
import type { Step } from './first-steps.ts';

function Part({ title, children, all }: { title: string; children: ComponentChildren; all?: ComponentChildren }) {
  return (
    <section class="found">
      <h2>{title}</h2>
      {children}
      {all !== undefined && <p>{all}</p>}
    </section>
  );
}

export function Steps({ steps }: { steps: readonly Step[] }) {
  const next = steps.find(({ done }) => !done);
  return (
    <Part title="First steps">
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.label}>
            <State kind={step.done ? 'ok' : step === next ? 'pending' : 'off'} icon={step.done ? 'check' : 'pending'}>
              <span class="vh">{step.done ? 'done: ' : 'to do: '}</span>
            </State>
            <div>
              <b>{step.label}</b>
              <span class="muted">{step.text}</span>
            </div>
            {!step.done && (
              <ButtonLink
                kind={step === next ? 'primary' : 'plain'}
                href={step.href}
                label={`${step.verb}: ${step.label}`}
              >
                {step.verb}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
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
                <a href={jobHref(job)}>{jobWords(job)}</a>
                {/* two of a kind may read alike */}
                <code class="job-id">{unsaidOf(job) || job.id}</code>
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

interface InForceProps {
  units: readonly { label: string; state: UnitStanding | undefined }[];
  now: string;
  rehearsal: boolean;
}

export function InForceNow({ units, now, rehearsal }: InForceProps) {
  return (
    <Part title={rehearsal ? 'In force (rehearsal)' : 'In force'}>
      <DataTable
        caption="Units and when they were last applied"
        dense
        columns={[
          { key: 'unit', label: 'Unit', cell: ({ label }) => label },
          { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <Standing state={state} /> },
          {
            key: 'at',
            label: 'Last applied',
            look: 'nowrap',
            cell: ({ state }) =>
              state?.applied_at ? <Instant at={state.applied_at} now={now} /> : <span class="muted">never</span>,
          },
        ]}
        rows={units}
        rowKey={({ label }) => label}
        empty="There are no units."
      />
    </Part>
  );
}

function Standing({ state }: { state: UnitStanding | undefined }) {
  if (state?.drift?.state === 'drifted') {
    return (
      <a href={`${pagePath('apply')}#drift`}>
        <State kind="bad">Host differs</State>
      </a>
    );
  }
  if (state && state.desired_version !== state.applied_version)
    return <State kind="pending">Changed, not applied</State>;
  if (!state?.applied_at) return <State kind="off">Not set up</State>;
  return (
    <State kind="off" icon="solid">
      In force
    </State>
  );
}

const PLAN_STATES: Partial<Record<PlanGlance['state'], { kind: StateKind; word: string }>> = {
  submitted: { kind: 'warn', word: 'Being applied' },
  applied: { kind: 'ok', word: 'Applied' },
  failed: { kind: 'bad', word: 'Failed' },
  cancelled: { kind: 'off', word: 'Stopped' },
};

export function Applies({ applies, now }: { applies: readonly PlanGlance[]; now: string }) {
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
            cell: ({ state }) => (
              <State kind={PLAN_STATES[state]?.kind ?? 'off'}>{PLAN_STATES[state]?.word ?? state}</State>
            ),
          },
          {
            key: 'units',
            label: 'Units',
            cell: ({ id, units }) => <a href={pagePath('plan', id)}>{units.join(', ')}</a>,
          },
          { key: 'by', label: 'By', cell: ({ by }) => by },
          { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
        ]}
        rows={applies}
        rowKey={({ id }) => id}
        empty="Nothing was applied yet."
      />
    </Part>
  );
}

const VLANS_OF_A_GLANCE = 12;

export function Interfaces({ interfaces }: { interfaces: readonly NetworkInterface[] }) {
  const used = interfaces.filter(({ role, kind }) => role !== 'unused' || kind === 'physical');
  const shown = used.slice(0, VLANS_OF_A_GLANCE);
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
          { key: 'role', label: 'Role', cell: ({ role, mode }) => (mode === 'trunk' ? 'trunk' : role) },
          { key: 'address', label: 'Address', look: 'code', cell: (row) => usableAddresses(row)[0] ?? '' },
          { key: 'link', label: 'Link', look: 'nowrap', cell: (row) => <Link row={row} /> },
        ]}
        rows={shown}
        rowKey={({ id }) => id}
        empty="The host has not reported any interface yet."
      />
    </Part>
  );
}

function Link({ row }: { row: NetworkInterface }) {
  if (!row.present) return <State kind={row.role === 'unused' ? 'off' : 'warn'}>gone</State>;
  if (!row.enabled) return <State kind="off">disabled</State>;
  if (row.observed === null) return <State kind="off">not observed</State>;
  const up = row.observed.link === 'up';
  return <State kind={up ? 'ok' : row.role === 'unused' ? 'off' : 'warn'}>{row.observed.link}</State>;
}

export function Recent({ events, now }: { events: readonly AuditView[]; now: string }) {
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
            look: 'code',
            cell: ({ action, outcome }) => (outcome === 'failure' ? <State kind="bad">{action}</State> : action),
          },
          { key: 'who', label: 'Who', cell: ({ actor }) => actor.name },
          {
            key: 'what',
            label: 'What',
            cell: ({ resource, detail }) => String(detail.name ?? detail.fqdn ?? resource.id ?? resource.type),
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
