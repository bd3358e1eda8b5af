// How the appliance is: what needs somebody, each service, certificates, and a few numbers over time.
import * as v from 'valibot';
import type { ConditionId } from '../../shared/appliance/health/condition-ids.ts';
import { type Condition, purposeWords } from '../../shared/appliance/health/conditions.ts';
import { type Health, healthOf } from '../../shared/appliance/health/health.ts';
import { type History, type HistoryRange, RANGES, readHistory } from '../../shared/appliance/metrics/history.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { type PageName, pagePath } from '../../shared/ground/page-paths.ts';
import { Chart } from '../components/chart.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { State } from '../components/state-word.tsx';
import { StateOf } from '../components/state-words.tsx';
import { DataTable } from '../components/table.tsx';
import { exact, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOpen } from '../layout/may-open.ts';
import { PageHead } from '../layout/shell.tsx';

const PATH = pagePath('health');
const WORDS: Readonly<Record<HistoryRange, string>> = { day: '24 hours', month: '30 days' };
/** Seconds of a row of the table beside a chart. */
const ROWS: Readonly<Record<HistoryRange, number>> = { day: 3_600, month: 86_400 };

interface Shown {
  health: Health;
  history: History;
  range: HistoryRange;
}

export const page = definePage({
  id: 'healthPage',
  path: PATH,
  access: { session: 'read:metrics' },
  query: v.object({ range: v.optional(v.string(), 'day') }),
  load: async ({ services, query }): Promise<Shown> => {
    const range = Object.hasOwn(RANGES, query.range) ? (query.range as HistoryRange) : 'day';
    return { health: await healthOf(services), history: await readHistory(services, range), range };
  },
  title: () => 'Health',
  view: HealthView,
});

function HealthView({ data: { health, history, range }, state }: ViewProps<Shown>) {
  const { conditions, services, certificates, sampled_at } = health;
  return (
    <>
      <PageHead
        title="Health"
        intro="What needs you, services, certificates, and numbers over time. Monitors read GET /api/v1/health."
      />
      <section class="found health">
        <h2>Needs attention</h2>
        {conditions.length === 0 ? (
          <p>
            <State kind="ok">Nothing needs you.</State>
          </p>
        ) : (
          <ul>
            {conditions.map((condition) => (
              <li key={`${condition.id} ${condition.subject}`}>
                <ConditionLine of={condition} user={state.user} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="found health">
        <h2>Over time</h2>
        <FilterBar
          place={{ path: PATH, query: state.query }}
          segments={{
            name: 'range',
            label: 'Range',
            value: range === 'day' ? '' : range,
            options: (Object.keys(RANGES) as HistoryRange[]).map((value) => ({
              value: value === 'day' ? '' : value,
              label: WORDS[value],
            })),
          }}
          note={
            sampled_at === null ? (
              'The first numbers come within a minute.'
            ) : (
              <>
                Last sampled <Instant at={sampled_at} now={state.now} />
              </>
            )
          }
        />
        <div class="charts">
          {history.series.map(({ key, label, unit, digits, points }) => (
            <Chart key={key} {...{ label, unit, digits, points }} range={history} row={ROWS[range]} />
          ))}
        </div>
      </section>
      <section class="found health">
        <h2>Services</h2>
        <Services services={services} now={state.now} />
      </section>
      <section class="found health">
        <h2>Certificates</h2>
        <DataTable
          caption="Certificates in use, the first to expire first"
          dense
          columns={[
            {
              key: 'purpose',
              label: 'Certificate of',
              cell: ({ purpose }) => capitalized(purposeWords(purpose, services)),
            },
            { key: 'end', label: 'Expires', look: 'nowrap', cell: ({ not_after }) => exact(not_after) },
          ]}
          rows={certificates}
          rowKey={({ purpose }) => purpose}
          empty="No certificate is in use."
        />
      </section>
    </>
  );
}

const capitalized = (words: string): string => words[0]!.toUpperCase() + words.slice(1);

/** Where a condition is dealt with. */
const LEADS: Readonly<Partial<Record<ConditionId, [PageName, string]>>> = {
  unit_drifted: ['apply', 'Appliance apply'],
  unit_failing: ['apply', 'Appliance apply'],
  apply_failed: ['apply', 'Appliance apply'],
  window_open: ['apply', 'Appliance apply'],
  archives_overdue: ['archives', 'Archives'],
  keys_unprotected: ['archives', 'Archives'],
  datastore_full: ['storage', 'Storage'],
  pool_full: ['dhcp-scopes', 'DHCP scopes'],
  clock_unsynchronised: ['ntp', 'NTP'],
};

function ConditionLine({ of: { id, severity, says }, user }: { of: Condition; user: Parameters<typeof mayOpen>[0] }) {
  const [page, words] = LEADS[id] ?? [];
  const opens = page !== undefined && mayOpen(user, pagePath(page));
  return (
    <State kind={severity === 'critical' ? 'bad' : 'warn'}>
      {says} {opens && <a href={pagePath(page)}>{words}</a>}
    </State>
  );
}

const Services = ({ services, now }: { services: readonly Standing[]; now: string }) => (
  <DataTable
    caption="Services: what is saved, applied and answered"
    dense
    columns={[
      { key: 'unit', label: 'Service', cell: ({ label }) => label },
      { key: 'state', label: 'State', look: 'nowrap', cell: ({ state }) => <StateOf state={state} /> },
      {
        key: 'applied',
        label: 'Last applied',
        look: 'nowrap',
        cell: ({ applied_at }) =>
          applied_at === null ? <span class="muted">never</span> : <Instant at={applied_at} now={now} />,
      },
      {
        key: 'answers',
        label: 'Last answer',
        cell: ({ probe }) =>
          probe === null ? (
            <span class="muted">not asked</span>
          ) : (
            <State kind={probe.ok ? 'ok' : 'bad'}>
              {probe.said} <Instant at={probe.asked_at} now={now} />
            </State>
          ),
      },
    ]}
    rows={services}
    rowKey={({ unit }) => unit}
    empty="There are no services."
  />
);
