// Metrics as text: the two formats, what has to be escaped in them, and histograms.
import { expect, test } from '@jest/globals';
import { Distribution } from '../../../../shared/ground/metrics/distribution.ts';
import { exposition, type Family, formatOf } from '../../../../shared/ground/metrics/exposition.ts';

const FAMILIES: Family[] = [
  { name: 'gc_requests', type: 'counter', help: 'Requests.', samples: [{ labels: { plane: 'api' }, value: 3 }] },
  { name: 'gc_empty', type: 'gauge', help: 'Nothing is known of it.', samples: [] },
  {
    name: 'gc_leases',
    type: 'gauge',
    help: 'A \\ and\na break.',
    samples: [{ labels: { scope: 'a "b" \\ c\nd' }, value: 0.5 }, { value: Number.POSITIVE_INFINITY }],
  },
];

test('OpenMetrics: a counter has its suffix at the sample alone, and the text ends with its mark', () => {
  expect(exposition(FAMILIES, 'openmetrics')).toBe(
    [
      '# HELP gc_requests Requests.',
      '# TYPE gc_requests counter',
      'gc_requests_total{plane="api"} 3',
      '# HELP gc_leases A \\\\ and\\na break.',
      '# TYPE gc_leases gauge',
      'gc_leases{scope="a \\"b\\" \\\\ c\\nd"} 0.5',
      'gc_leases +Inf',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('the text format of Prometheus: the family has the name of its samples, and there is no mark', () => {
  const text = exposition(FAMILIES, 'prometheus');
  expect(text).toContain('# TYPE gc_requests_total counter\ngc_requests_total{plane="api"} 3\n');
  expect(text).not.toContain('EOF');
});

test.each([
  ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3', 'openmetrics'],
  ['text/plain', 'prometheus'],
  [undefined, 'prometheus'],
])('%p is answered in %s', (accept, format) => expect(formatOf(accept)).toBe(format));

test('a histogram counts up to each bound, the bound included, and what is above all of them', () => {
  const distribution = new Distribution([0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) distribution.observe(value);
  const samples = distribution.samples({ plane: 'api' });
  expect(samples.map(({ suffix, labels, value }) => [suffix, labels?.le, value])).toEqual([
    ['_bucket', '0.1', 2],
    ['_bucket', '1', 3],
    ['_bucket', '+Inf', 4],
    ['_sum', undefined, 7.65],
    ['_count', undefined, 4],
  ]);
  expect(samples.every(({ labels }) => labels?.plane === 'api')).toBe(true);
});
