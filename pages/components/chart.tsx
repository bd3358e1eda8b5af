// A line over time, drawn on the server: words are HTML beside the drawing, which takes whatever width there is. The same
// numbers stand in a table that opens below it.
import { type ChartPoint, type ChartRange, HEIGHT, isCurrent, layOut, rowsOf, WIDTH } from './chart-layout.ts';
import { More } from './code.tsx';
import { DataTable } from './table.tsx';
import { exact } from './time-words.ts';

interface ChartProps {
  label: string;
  unit: string;
  /** Places behind the point. */
  digits: number;
  points: readonly ChartPoint[];
  range: ChartRange;
  /** Seconds of a row of the table; null: another page has the numbers. */
  row: number | null;
}

const instantOf = (at: number): string => new Date(at * 1000).toISOString();

export function Chart({ label, unit, digits, points, range, row }: ChartProps) {
  const drawn = layOut(points, range);
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits });
  const last = points.at(-1);
  const current = isCurrent(last, range) ? last : undefined;
  return (
    <figure class="chart">
      <figcaption>
        <b>{label}</b>
        <span class="muted">{current ? `${number.format(current.value)} ${unit}` : 'not known now'}</span>
      </figcaption>
      {drawn === null ? (
        <p class="muted">Nothing was seen in this time.</p>
      ) : (
        <>
          <div class="plot">
            <span class="most">{number.format(drawn.top)}</span>
            <span class="least">0</span>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${words(points, label, unit, number)} ${row === null ? 'The numbers are on the page Health.' : 'The numbers are in the table below.'}`}
            >
              <path class="rule" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
              <path class="c-area" d={drawn.area} />
              <path class="c-line" d={drawn.line} />
            </svg>
            <span class="from">{exact(instantOf(range.from))}</span>
            <span class="until">now</span>
          </div>
          {row !== null && (
            <More summary="Show the numbers">
              <DataTable
                caption={`${label}, ${unit}`}
                dense
                columns={[
                  { key: 'at', label: 'From', look: 'nowrap', cell: ({ at }) => exact(instantOf(at)) },
                  { key: 'least', label: 'Lowest', look: 'number', cell: ({ least }) => number.format(least) },
                  { key: 'mean', label: 'Mean', look: 'number', cell: ({ mean }) => number.format(mean) },
                  { key: 'most', label: 'Highest', look: 'number', cell: ({ most }) => number.format(most) },
                ]}
                rows={rowsOf(points, row)}
                rowKey={({ at }) => String(at)}
                empty="Nothing was seen in this time."
              />
            </More>
          )}
        </>
      )}
    </figure>
  );
}

function words(points: readonly ChartPoint[], label: string, unit: string, number: Intl.NumberFormat): string {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => number.format(value));
  return `${label}: between ${least} and ${most} ${unit}, latest ${number.format(values.at(-1)!)}.`;
}
