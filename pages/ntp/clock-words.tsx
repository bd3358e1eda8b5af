// What the running time service says, in words: the clock, and each source.
import type { ComponentChildren } from 'preact';
import { type SeenSource, SOURCE_STATES, type SourceState } from '../../shared/services/ntp/chronyc-output.ts';
import type { NtpStatus } from '../../shared/services/ntp/status.ts';
import { State, type StateKind } from '../components/state-word.tsx';

const UNITS: readonly [least: number, factor: number, unit: string][] = [
  [1, 1, 's'],
  [1e-3, 1e3, 'ms'],
  [1e-6, 1e6, 'µs'],
  [0, 1e9, 'ns'],
];

/** `0.00123` → `1.2 ms`, with its sign where it has one. */
export function duration(seconds: number): string {
  const [, factor, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least)!;
  const value = Math.abs(seconds * factor);
  const sign = seconds < 0 ? '−' : '';
  return `${sign}${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The appliance's clock as it is told to clients. */
export function clockWords({ clock, reason }: NtpStatus): ComponentChildren {
  if (clock === null) return <span class="muted">{reason}</span>;
  const { synchronised, stratum, reference, offset_seconds } = clock;
  if (!synchronised) {
    return (
      <State kind="warn">
        {stratum === null ? 'Follows no source yet' : `Its own clock, told as stratum ${stratum}`}
      </State>
    );
  }
  return (
    <>
      <State kind="ok">Stratum {stratum}</State> after <code>{reference}</code>
      {offset_seconds !== null && `, ${duration(offset_seconds)} to correct`}
    </>
  );
}

const STATES: Readonly<Record<SourceState, readonly [StateKind, string]>> = {
  selected: ['ok', 'Followed'],
  combined: ['ok', 'Counts, too'],
  not_combined: ['off', 'Not needed'],
  unusable: ['warn', 'No answer yet'],
  falseticker: ['bad', 'The others disagree'],
  too_variable: ['warn', 'Jumps'],
  not_selectable: ['off', 'Not chosen'],
};

/** How many of the last eight questions were answered. */
const answered = (reach: string): number =>
  [...Number.parseInt(reach, 8).toString(2)].filter((bit) => bit === '1').length;

const byState = (a: SeenSource, b: SeenSource): number =>
  SOURCE_STATES.indexOf(a.state) - SOURCE_STATES.indexOf(b.state);

/** The machines behind a source, of which there are several for a pool: the best one, and how many there are. */
export function SourceNow({ seen }: { seen: readonly SeenSource[] }) {
  const [best] = [...seen].sort(byState);
  if (!best) return null;
  const { state, stratum, reach, offset_seconds, error_seconds } = best;
  const [kind, word] = STATES[state];
  const facts = [
    ...(seen.length > 1 ? [`best of ${seen.length} machines`] : []),
    `${answered(reach)} of 8 answered`,
    ...(offset_seconds === null
      ? []
      : [`stratum ${stratum}`, `${duration(offset_seconds)} ± ${duration(error_seconds ?? 0)}`]),
  ];
  return (
    <>
      <State kind={kind}>{word},</State> <span class="muted">{facts.join(', ')}</span>
    </>
  );
}
