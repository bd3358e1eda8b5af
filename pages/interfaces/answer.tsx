// What became of an interface form that is shown again: refused with its faults and ways out, out of date, or checked.
import { BLOCKERS_MOST } from '../../shared/appliance/edits/interface-edit.ts';
import type { ProblemDocument } from '../../shared/kernel/operation/problem-document.ts';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Change } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { faultsOf } from './filled.ts';
import { refusalOf } from './foreseen.ts';
import { Hindrance } from './preview.tsx';

export { faultsOf };

export const FIELD_LABELS = {
  role: 'Role',
  mode: 'Mode',
  mtu: 'MTU',
  enabled: 'Enabled',
  access_management_ui_enabled: 'Management UI',
  ipv4_method: 'IPv4 method',
  ipv4_cidr: 'IPv4 CIDR',
  ipv4_gateway: 'IPv4 gateway',
  ipv6_enabled: 'IPv6',
  ipv6_cidr: 'IPv6 CIDR',
  ipv6_gateway: 'IPv6 gateway',
} as const;

export const VLAN_LABELS = {
  parent_interface: 'Parent',
  vlan_id: 'VLAN number',
  role: FIELD_LABELS.role,
  mtu: FIELD_LABELS.mtu,
  enabled: FIELD_LABELS.enabled,
  access_management_ui_enabled: FIELD_LABELS.access_management_ui_enabled,
  ipv4_cidr: FIELD_LABELS.ipv4_cidr,
  ipv6_cidr: FIELD_LABELS.ipv6_cidr,
} as const;

const { parent_interface: _parent, vlan_id: _number, ...editable } = VLAN_LABELS;

/** Of a saved VLAN, whose parent and number are fixed. */
export const EDITABLE_VLAN_LABELS = editable;

/** The refusal on top of a form: faults with links to their fields, or what stands in the way. */
export function Refusal({ problem, labels }: { problem: ProblemDocument | null; labels: Record<string, string> }) {
  if (problem === null || problem.status === 412) return null;
  const errors = faultsOf(problem);
  if (errors.length > 0) return <ErrorSummary errors={errors} labels={labels} />;
  const { title, ...refused } = refusalOf(problem);
  const blockers = refused.blockers.length;
  const few = blockers === 0 ? title.toLowerCase() : `${blockers} ${blockers === 1 ? 'thing' : 'things'} in the way`;
  const why = blockers >= BLOCKERS_MOST ? `more than ${blockers} things in the way` : few;
  return (
    <div role="alert" tabIndex={-1} class="refused">
      <Hindrance {...refused} level="h2" title={`Nothing was saved: ${why}`} />
    </div>
  );
}

/** Settings that the next apply changes on the host. */
export function NextApply({
  differences,
}: {
  differences: readonly { label: string; was: string | null; becomes: string | null }[];
}) {
  if (differences.length === 0) return null;
  return (
    <DataTable
      caption="What the next apply changes"
      dense
      columns={[
        { key: 'what', label: 'What', cell: ({ label }) => label },
        {
          key: 'change',
          label: 'In force and after apply',
          cell: ({ was, becomes }) => <Change from={was} to={becomes} />,
        },
      ]}
      rows={differences}
      rowKey={({ label }) => label}
      empty=""
    />
  );
}
