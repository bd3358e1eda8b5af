// How the appliance is: what needs somebody, each service, certificates, and a few numbers over time.
import * as v from 'valibot';
import { purposeWords } from '../../shared/appliance/health/conditions.ts';
import { type Health, healthOf } from '../../shared/appliance/health/health.ts';
import { type History, type HistoryRange, RANGES, readHistory } from '../../shared/appliance/metrics/history.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { Chart } from '../components/chart.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { DataTable } from '../components/table.tsx';
import { exact, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOpen } from '../layout/may-open.ts';
import { PageHead } from '../layout/shell.tsx';
import { ServiceTable } from '../overview/service-table.tsx';
import { ConditionList } from './condition-list.tsx';

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
      <PageHead title="Health" intro="Services, certificates and trends. Monitoring reads GET /api/v1/health.">
        {mayOpen(state.user, pagePath('alerts')) && <ButtonLink href={pagePath('alerts')}>Alerts</ButtonLink>}
      </PageHead>
      <section class="found health">
        <h2>Needs attention</h2>
        <ConditionList conditions={conditions} user={state.user} />
      </section>
      <section class="found health" id="over-time">
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
        <ServiceTable services={services} now={state.now} rehearsal={state.host.kind === 'rehearsal'} />
      </section>
      <section class="found health" id="certificates">
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
