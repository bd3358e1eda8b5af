// Each service: whether it is wanted, what was applied of it, whether it runs, and when it was last asked.
import { MANIFESTS } from '../../shared/appliance/manifests.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { PageLink } from '../components/page-link.tsx';
import { State } from '../components/state-word.tsx';
import { StateOf } from '../components/state-words.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';

interface ServiceTableProps {
  services: readonly Standing[];
  now: string;
  /** Nothing runs then, and nothing is asked: there is nothing to say of either. */
  rehearsal: boolean;
}

export const ServiceTable = ({ services, now, rehearsal }: ServiceTableProps) => (
  <DataTable
    caption="Services: whether each is wanted, what was applied, and whether it answers"
    dense
    columns={[
      { key: 'unit', label: 'Service', cell: (of) => <Name of={of} /> },
      { key: 'wanted', label: 'Wanted', look: 'nowrap', cell: (of) => (isWanted(of) ? 'Enabled' : 'Disabled') },
      { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <StateWord state={state} /> },
      {
        key: 'applied',
        label: 'Last applied',
        look: 'nowrap',
        cell: ({ applied_at }) => <When at={applied_at} now={now} />,
      },
      ...(rehearsal ? [] : asked(now)),
    ]}
    rows={services}
    rowKey={({ unit }) => unit}
    empty="There are no services."
  />
);

const asked = (now: string): Column<Standing>[] => [
  { key: 'running', label: 'Running', cell: ({ probe }) => <Running probe={probe} /> },
  {
    key: 'asked',
    label: 'Last asked',
    look: 'nowrap',
    cell: ({ probe }) => <When at={probe?.asked_at ?? null} now={now} />,
  },
];

const When = ({ at, now }: { at: string | null; now: string }) =>
  at === null ? <span class="muted">never</span> : <Instant at={at} now={now} />;

/** As saved. What takes effect at once is on while the rest of its unit is off. */
const isWanted = ({ state, comparison }: Standing): boolean =>
  comparison === null || state === 'in_force' ? state !== 'off' : !comparison.off;

function Name({ of: { unit, label } }: { of: Standing }) {
  const page = MANIFESTS.find(({ id }) => id === unit)?.pages[0]?.page;
  return page === undefined ? label : <PageLink href={pageRoute(page)}>{label}</PageLink>;
}

function StateWord({ state }: Pick<Standing, 'state'>) {
  if (state !== 'drifted') return <StateOf state={state} />;
  return (
    <PageLink href={`${pagePath('apply')}#drift`}>
      <StateOf state={state} />
    </PageLink>
  );
}

/** The question and its answer in full where something is wrong; else on hover. */
function Running({ probe }: Pick<Standing, 'probe'>) {
  if (probe === null) return <span class="muted">not asked</span>;
  if (!probe.ok) return <State kind="bad">{probe.said}</State>;
  return (
    <span title={probe.said}>
      <State kind="ok">Answers</State>
    </span>
  );
}
