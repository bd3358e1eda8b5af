// What needs somebody, in sentences that lead to where it is dealt with: on the pages Health and Overview.
import type { Condition } from '../../shared/appliance/health/conditions.ts';
import { type PageName, pagePath } from '../../shared/ground/page-paths.ts';
import type { ConditionId } from '../../shared/vcf/alerts/condition-ids.ts';
import { State } from '../components/state-word.tsx';
import { mayOpen } from '../layout/may-open.ts';

/** Where a condition is dealt with. */
const LEADS: Readonly<Partial<Record<ConditionId, [PageName, string]>>> = {
  unit_drifted: ['apply', 'Appliance apply'],
  unit_failing: ['apply', 'Appliance apply'],
  apply_failed: ['apply', 'Appliance apply'],
  window_open: ['apply', 'Appliance apply'],
  archives_overdue: ['archives', 'Archives'],
  keys_unprotected: ['archives', 'Archives'],
  datastore_full: ['storage', 'Storage'],
  volume_missing: ['storage', 'Storage'],
  pool_full: ['dhcp', 'DHCP scopes'],
  clock_unsynchronised: ['ntp', 'NTP'],
  clock_offset: ['ntp', 'NTP'],
  job_failed: ['jobs', 'Jobs'],
  sign_ins_refused: ['audit-log', 'Audit log'],
  receiver_failing: ['alert-receivers', 'Receivers of alerts'],
};

type User = Parameters<typeof mayOpen>[0];

export function ConditionList({ conditions, user }: { conditions: readonly Condition[]; user: User }) {
  if (conditions.length === 0) {
    return (
      <p>
        <State kind="ok">Nothing needs you.</State>
      </p>
    );
  }
  return (
    <ul>
      {conditions.map((condition) => (
        <li key={`${condition.id} ${condition.subject}`}>
          <ConditionLine of={condition} user={user} />
        </li>
      ))}
    </ul>
  );
}

function ConditionLine({ of: { id, severity, says }, user }: { of: Condition; user: User }) {
  const [page, words] = LEADS[id] ?? [];
  const opens = page !== undefined && mayOpen(user, pagePath(page));
  return (
    <State kind={severity === 'critical' ? 'bad' : 'warn'}>
      {says} {opens && <a href={pagePath(page)}>{words}</a>}
    </State>
  );
}
