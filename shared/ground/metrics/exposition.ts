// Metrics as text: OpenMetrics 1.0 (https://github.com/prometheus/OpenMetrics, specification/OpenMetrics.md), and the
// text format 0.0.4 of Prometheus for whoever does not ask for the former.

/** The numbers of one name. */
export interface Family {
  /** With its base unit at the end, without `_total`: `groundcrew_job_duration_seconds`. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** A sentence. */
  help: string;
  samples: readonly Sample[];
}

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
  /** Of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
}

/** A gauge of these samples, or of one number. */
export const gauge = (name: string, help: string, samples: readonly Sample[] | number): Family => ({
  ...{ name, type: 'gauge', help },
  samples: typeof samples === 'number' ? [{ value: samples }] : samples,
});

/** Seconds since 1970 of an RFC 3339 instant. */
export const secondsOf = (at: string): number => Date.parse(at) / 1000;

export type Format = 'openmetrics' | 'prometheus';

export const MEDIA: Readonly<Record<Format, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
};

/** What a scraper asks for: OpenMetrics where its Accept header names it. */
export const formatOf = (accept: string | undefined): Format =>
  accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus';

/** Families without a sample are left out: there is nothing to say of them now. */
export function exposition(families: readonly Family[], format: Format): string {
  const text = families.filter(({ samples }) => samples.length > 0).map((family) => linesOf(family, format));
  return text.join('') + (format === 'openmetrics' ? '# EOF\n' : '');
}

function linesOf({ name, type, help, samples }: Family, format: Format): string {
  const total = type === 'counter' ? '_total' : '';
  // In OpenMetrics a counter's family has the name without the suffix that its samples have.
  const family = format === 'openmetrics' ? name : name + total;
  const lines = samples.map(
    ({ labels, value, suffix }) => `${name}${suffix ?? total}${labelsOf(labels)} ${numberOf(value)}\n`,
  );
  return `# HELP ${family} ${escaped(help)}\n# TYPE ${family} ${type}\n${lines.join('')}`;
}

function labelsOf(labels: Sample['labels']): string {
  const pairs = Object.entries(labels ?? {}).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const numberOf = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
