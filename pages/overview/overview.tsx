// The overview: what waits, what runs, what was last applied, the interfaces at a glance, and what happened lately.

import type { LastApplies } from '../../shared/appliance/apply/last-applies.ts';
import { listPlans, type PlanSummary } from '../../shared/appliance/apply/plan-store.ts';
import { isWindowDamaged } from '../../shared/appliance/apply/window/view.ts';
import { type ArchiveStanding, archiveStanding } from '../../shared/appliance/archive/schedule/standing.ts';
import { type Health, healthOf } from '../../shared/appliance/health/health.ts';
import { readHistory } from '../../shared/appliance/metrics/history.ts';
import { lastSamples } from '../../shared/appliance/metrics/sampled.ts';
import { type AuditNames, auditNames } from '../../shared/appliance/overview/audit-names.ts';
import { type KeyWarnings, keyWarnings } from '../../shared/appliance/overview/key-protection.ts';
import { readinesses } from '../../shared/appliance/readiness/readiness.ts';
import { withOthers } from '../../shared/appliance/states/standing.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { DriverName } from '../../shared/ground/store/driver.ts';
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { type AuditView, listAudit } from '../../shared/kernel/audit/list.ts';
import { type JobGlance, unfinishedJobs } from '../../shared/kernel/jobs/glances.ts';
import { loadInterfaces, type NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { endingSoon } from '../../shared/services/management-tls/ending.ts';
import { DamagedWindowNote } from '../apply/damaged-window.tsx';
import { StandingNote } from '../archives/schedule-words.tsx';
import { KeyNotes } from '../kms/kms-words.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { EndingNote } from '../management-tls/ending-note.tsx';
import { Figures, figuresOf, type Known } from './figures.tsx';
import { firstSteps, type Standing } from './first-steps.tsx';
import {
  Applies,
  ENDS,
  Interfaces,
  Jobs,
  NeedsAttention,
  OverTime,
  Recent,
  Services,
  StartFromArchive,
  Steps,
  ThisService,
} from './overview-parts.tsx';

export interface Overview extends Standing {
  interfaces: NetworkInterface[] | null;
  jobs: JobGlance[] | null;
  applies: PlanSummary[] | null;
  services: Health['services'];
  /** What is numbered and drawn; null for whoever may not read metrics. */
  numbers: Omit<Known, 'now' | 'jobs'> | null;
  audit: { events: AuditView[]; nameOf: AuditNames } | null;
  hostname: string;
  /** Which of the two SQLite drivers the store runs on. */
  sqlite: DriverName;
  /** Whether the record of a confirm window is damaged. */
  damaged: boolean;
  /** Of copies of archives; null for whoever may not read archives. */
  archives: ArchiveStanding | null;
  /** Of the KMIP server; null for whoever may not read of it. */
  keys: KeyWarnings | null;
  /** When the certificate of the management UI ends, where that is near or past; null also for whoever may not read of it. */
  ending: string | null;
  /** First start is not over: the reader may start from an archive. */
  startable: boolean;
}

/** Loaded only for whoever may. */
async function mayStart(db: Database): Promise<boolean> {
  const { isNew } = await import('../../shared/appliance/archive/first-start.ts');
  return isNew(db);
}

/** As far as the listed ones tell. A plan that waits for its confirmation has the strip. */
function lastOf(applies: readonly PlanSummary[]): LastApplies {
  const ended = applies.flatMap(({ state, finished_at: at }) => (at === null ? [] : [{ state, at }]));
  const cause = applies.find(({ state }) => state === 'reverted')?.window?.ended?.cause ?? null;
  return { ended, reverted_by: cause === 'confirmed' ? null : cause, deadline_at: null };
}

async function recent(db: Database, scopes: ReadonlySet<Scope>): Promise<Overview['audit']> {
  const events = (await listAudit(db, { limit: 8 })).items;
  return { events, nameOf: await auditNames(db, events, scopes) };
}

export const page = definePage({
  id: 'overviewPage',
  path: pagePath('overview'),
  access: { session: 'any' },
  load: async ({ db, actor, services, standings }): Promise<Overview> => {
    const may = actor.scopes;
    const interfaces = may.has('read:interfaces') ? await loadInterfaces(db) : null;
    const found = await withOthers(db, standings);
    const units = [...found.values()];
    const applies = may.has('read:apply') ? (await listPlans(db, { states: ENDS, limit: 5 })).items : null;
    const known = { units: found, unprotected_keys: 0, applies: lastOf(applies ?? []) };
    const health = may.has('read:metrics') ? await healthOf(services, known) : null;
    return {
      interfaces,
      readiness: await readinesses(services, found),
      applied: units.some(({ applied_at }) => applied_at !== null),
      services: units,
      numbers: health && { health, history: await readHistory(services, 'day'), sampled: lastSamples(services) },
      jobs: may.has('read:jobs') ? await unfinishedJobs(db) : null,
      applies,
      audit: may.has('read:audit') ? await recent(db, may) : null,
      hostname: services.settings.hostname,
      sqlite: services.store.driver,
      damaged: may.has('read:apply') && (await isWindowDamaged(services)),
      archives: may.has('read:archives') ? (health?.archives ?? (await archiveStanding(db, services))) : null,
      keys: may.has('read:kms') ? await keyWarnings(db, services.clock.now()) : null,
      ending: may.has('read:management-tls') ? endingSoon(services.settings, services.clock.now().toISOString()) : null,
      startable: may.has('write:archives') && (await mayStart(db)),
    };
  },
  title: () => 'Overview',
  refreshes: ({ jobs }) => (jobs?.length ?? 0) > 0,
  view: OverviewView,
});

function OverviewView({ data, state }: ViewProps<Overview>) {
  const steps = firstSteps(data, state);
  const left = steps.some((step) => step.state !== 'done') && <Steps steps={steps} />;
  return (
    <>
      <PageHead title="Overview" intro={<code>{data.hostname}</code>} />
      {data.damaged && <DamagedWindowNote />}
      {data.archives && <StandingNote standing={data.archives} />}
      {data.keys && <KeyNotes of={data.keys} now={state.now} />}
      {data.ending !== null && <EndingNote not_after={data.ending} now={state.now} linked />}
      {data.startable && <StartFromArchive />}
      {!data.applied && left}
      {data.numbers && (
        <>
          {(untold(data).length > 0 || !told(data)) && <NeedsAttention conditions={untold(data)} user={state.user} />}
          <Figures figures={figuresOf({ ...data.numbers, jobs: data.jobs?.length ?? null, now: state.now })} />
        </>
      )}
      <Services services={data.services} now={state.now} rehearsal={state.host.kind === 'rehearsal'} />
      {data.numbers && <OverTime history={data.numbers.history} />}
      {data.applied && left}
      <div class="glance">
        <div data-live="jobs" id="overview-jobs" data-done={data.jobs?.length === 0 ? 'true' : undefined}>
          {data.jobs && data.jobs.length > 0 && <Jobs jobs={data.jobs} now={state.now} />}
          {data.applies && <Applies applies={data.applies} now={state.now} />}
          {data.audit && <Recent {...data.audit} now={state.now} />}
        </div>
        <div>
          {data.interfaces && <Interfaces interfaces={data.interfaces} network={state.standings.get('network')} />}
          <ThisService sqlite={data.sqlite} />
        </div>
      </div>
    </>
  );
}

/** Whether a note or a strip above says already that something needs somebody. */
const told = ({ damaged, keys, ending, numbers }: Overview): boolean =>
  damaged ||
  ending !== null ||
  (keys !== null && keys.destroyed.length + keys.expiring.length > 0) ||
  numbers!.health.conditions.length > 0;

/** Conditions that no note on this page, and no strip above every page, tells already. */
function untold({ numbers, archives, ending }: Overview): Health['conditions'] {
  return numbers!.health.conditions.filter(
    ({ id, subject }) =>
      id !== 'keys_unprotected' &&
      !(id === 'archives_overdue' && archives !== null) &&
      !(id === 'certificate_ending' && subject === 'management-ui' && ending !== null),
  );
}
