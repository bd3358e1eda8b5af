// The timeline of an apply or a deployment: what ran when, drawn to scale, with the same facts as a list.
import { More } from './code.tsx';
import { Scroll } from './scroll.tsx';
import { duration } from './time.tsx';

/** `step`, `now` and `bad`: a step as a whole, one that goes on, one that did not come to a good end. */
export type BarKind = 'write' | 'act' | 'probe' | 'wait' | 'step' | 'now' | 'bad';
export interface Bar {
  kind: BarKind;
  start_ms: number;
  duration_ms: number;
  /** Written into the bar when it is long enough, and into the list always. */
  text?: string;
}
export interface TimelineRow {
  label: string;
  bars: readonly Bar[];
}

const WORDS: Record<BarKind, string> = {
  write: 'write',
  act: 'activate',
  probe: 'probe',
  wait: 'waiting for you',
  step: 'done',
  now: 'goes on',
  bad: 'failed or stopped',
};
const KINDS = Object.keys(WORDS) as BarKind[];
/** Fits beside the navigation in a window of 1280. */
const WIDTH = 992;
/** Where the scale ends: half of the last tick’s label stands right of it. */
const END = WIDTH - 40;
/** Where it ends when a wait follows it. */
const END_BEFORE_WAIT = 640;
/** Room for labels beside the bars, and a letter of one. Longer ones stand above their bars. */
const LEFT = 168;
const LETTER = 7.2;
/** Without labels beside them, the bars begin where the first tick has room. */
const LEFT_ABOVE = 14;
/** Height of a row, and how far below its top the bar begins. */
const BESIDE = { row: 36, bar: 0, left: LEFT };
const ABOVE = { row: 54, bar: 22, left: LEFT_ABOVE };
const TICKS = [
  10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000,
  1_800_000, 3_600_000,
];

/** Geometry of a timeline: the scale covers the work; a wait after it runs to the right edge, out of scale. */
export function timelineGeometry(rows: readonly TimelineRow[], total_ms: number) {
  const work = rows.flatMap(({ bars }) => bars.filter(({ kind }) => kind !== 'wait'));
  const worked = Math.max(0, ...work.map((bar) => bar.start_ms + bar.duration_ms));
  const waits = rows.some(({ bars }) => bars.some(({ kind }) => kind === 'wait'));
  const span = Math.max(1, waits && worked > 0 ? worked : Math.max(worked, total_ms));
  const right = waits ? END_BEFORE_WAIT : END;
  const look = rows.some(({ label }) => label.length * LETTER > LEFT) ? ABOVE : BESIDE;
  const { left } = look;
  const step = TICKS.find((tick) => span / tick <= 9) ?? Math.ceil(span / 9);
  const per_ms = (right - left) / (Math.ceil(span / step) * step);
  const x = (ms: number): number => Math.min(END, Math.round((left + ms * per_ms) * 10) / 10);
  const ticks = Array.from({ length: Math.ceil(span / step) + 1 }, (_, index) => index * step);
  const box = (bar: Bar) => {
    const from = x(bar.start_ms);
    const to = bar.kind === 'wait' && bar.start_ms >= worked ? END : x(bar.start_ms + bar.duration_ms);
    return { x: from, width: Math.max(3, to - from - 1.6) };
  };
  return { ticks: ticks.map((ms) => ({ ms, x: x(ms) })), box, look, height: 30 + rows.length * look.row };
}

export interface TimelineProps {
  rows: readonly TimelineRow[];
  total_ms: number;
  title?: string;
}

export function Timeline({ rows, total_ms, title = 'Timeline' }: TimelineProps) {
  const { ticks, box, look, height } = timelineGeometry(rows, total_ms);
  const used = KINDS.filter((kind) => rows.some(({ bars }) => bars.some((bar) => bar.kind === kind)));
  return (
    <figure class="fig">
      <figcaption>
        <h2>{title}</h2>
        <ul class="key">
          {used.map((kind) => (
            <li key={kind}>
              <svg width="14" height="14" aria-hidden="true">
                <rect class={`bar-${kind}`} x="1" y="1" width="12" height="12" />
              </svg>
              {WORDS[kind]}
            </li>
          ))}
        </ul>
      </figcaption>
      <Scroll class="canvas" label={title}>
        <svg width={WIDTH} height={height} viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={inWords(rows)}>
          {ticks.map((tick) => (
            <g key={tick.ms}>
              <path class="rule" d={`M${tick.x} 26V${height}`} />
              <text class="dim" x={tick.x} y="14" text-anchor="middle">
                {tick.ms === 0 ? '0 s' : duration(tick.ms)}
              </text>
            </g>
          ))}
          {rows.map((row, index) => (
            <g key={row.label} transform={`translate(0 ${38 + index * look.row})`}>
              <text class={look === ABOVE ? 'above' : undefined} x={look === ABOVE ? LEFT_ABOVE : 0} y="14">
                {row.label}
              </text>
              {row.bars.map((bar) => {
                const { x, width } = box(bar);
                return (
                  <g key={bar.start_ms}>
                    <rect class={`bar-${bar.kind}`} x={x} y={look.bar} width={width} height="20" rx="1" />
                    {bar.text !== undefined && bar.text.length * 7 + 20 < width && (
                      <text x={x + 11} y={look.bar + 15}>
                        {bar.text}
                      </text>
                    )}
                  </g>
                );
              })}
            </g>
          ))}
        </svg>
      </Scroll>
      <More summary="Read the timeline as a list">
        <ul class="says">
          {rows.map((row) => (
            <li key={row.label}>
              {row.label}: {row.bars.map((bar) => barInWords(bar)).join(', ') || 'not started'}
            </li>
          ))}
        </ul>
      </More>
    </figure>
  );
}

function barInWords(bar: Bar): string {
  if (bar.kind === 'wait' && bar.text !== undefined) return bar.text;
  return `${WORDS[bar.kind]} ${duration(bar.duration_ms)} from ${duration(bar.start_ms)}`;
}

function inWords(rows: readonly TimelineRow[]): string {
  const sum = (bars: readonly Bar[]) => duration(bars.reduce((total, bar) => total + bar.duration_ms, 0));
  return rows.map(({ label, bars }) => `${label} ${bars.length > 0 ? sum(bars) : 'not started'}`).join(', ');
}
