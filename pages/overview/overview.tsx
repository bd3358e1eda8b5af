// The overview: what waits, what runs, what was last applied, the interfaces at a glance, and what happened lately.

import { type UnitStanding, unitStandings } from '../../shared/appliance/apply/drift-store.ts';
import { isWindowDamaged } from '../../shared/appliance/apply/window/view.ts';
import {
  glanceAtDns,
  type JobGlance,
  lastApplies,
  type PlanGlance,
  unfinishedJobs,
} from '../../shared/appliance/overview/overview.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { DriverName } from '../../shared/ground/store/driver.ts';
import { type AuditView, listAudit } from '../../shared/kernel/audit/list.ts';
import { loadInterfaces, type NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { effectiveManagementListeners } from '../../shared/platform/interfaces/management-listener.ts';
import { DamagedWindowNote } from '../apply/damaged-window.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { firstSteps, type Standing } from './first-steps.ts';
import { Applies, InForceNow, Interfaces, Jobs, Recent, Steps, ThisService } from './overview-parts.tsx';

export interface Overview extends Standing {
  interfaces: NetworkInterface[] | null;
  jobs: JobGlance[] | null;
  applies: PlanGlance[] | null;
  units: { label: string; state: UnitStanding | undefined }[];
  audit: AuditView[] | null;
  hostname: string;
  /** Which of the two SQLite drivers the store runs on. */
  sqlite: DriverName;
  /** Whether the record of a confirm window is damaged. */
  damaged: boolean;
}

export const page = definePage({
  id: 'overviewPage',
  path: pagePath('overview'),
  access: { session: 'any' },
  load: async ({ db, actor, services }): Promise<Overview> => {
    const may = actor.scopes;
    const interfaces = may.has('read:interfaces') ? await loadInterfaces(db) : null;
    const states = await unitStandings(db);
    return {
      interfaces,
      listeners: interfaces && effectiveManagementListeners(interfaces),
      dns: may.has('read:dns') ? await glanceAtDns(db) : null,
      applied: [...states.values()].some(({ applied_at }) => applied_at !== null),
      units: UNITS.map(({ id, label }) => ({ label, state: states.get(id) })),
      jobs: may.has('read:jobs') ? await unfinishedJobs(db) : null,
      applies: may.has('read:apply') ? await lastApplies(db, 5) : null,
      audit: may.has('read:audit') ? (await listAudit(db, { limit: 8 })).items : null,
      hostname: services.settings.hostname,
      sqlite: services.store.driver,
      damaged: may.has('read:apply') && (await isWindowDamaged(services)),
    };
  },
  title: () => 'Overview',
  view: OverviewView,
});

function OverviewView({ data, state }: ViewProps<Overview>) {
  const steps = firstSteps(data);
  return (
    <>
      <PageHead title={<code>{data.hostname}</code>} />
      {data.damaged && <DamagedWindowNote />}
      {steps.some(({ done }) => !done) && <Steps steps={steps} />}
      <div class="glance">
        <div data-live="jobs" id="overview-jobs" data-done={data.jobs?.length === 0 ? 'true' : undefined}>
          {data.jobs && data.jobs.length > 0 && <Jobs jobs={data.jobs} now={state.now} />}
          <InForceNow units={data.units} now={state.now} rehearsal={state.host.kind === 'rehearsal'} />
          {data.applies && <Applies applies={data.applies} now={state.now} />}
        </div>
        <div>
          {data.interfaces && <Interfaces interfaces={data.interfaces} />}
          {data.audit && <Recent events={data.audit} now={state.now} />}
          <ThisService sqlite={data.sqlite} />
        </div>
      </div>
    </>
  );
}
