// The table of conditions: each threshold from both sides, the order, and that each condition of the table can come.
import { expect, test } from '@jest/globals';
import { conditionsOf, type Facts, unknownOf } from '../../../../shared/appliance/health/conditions.ts';
import type { Family } from '../../../../shared/ground/metrics/exposition.ts';
import { CONDITIONS } from '../../../../shared/vcf/alerts/condition-ids.ts';
import { RULES_DEFAULTS } from '../../../../shared/vcf/alerts/rules.ts';

const NOW = new Date('2026-03-14T09:00:00Z');
const gauge = (name: string, label: string | null, values: Record<string, number>): Family => ({
  ...{ name, type: 'gauge', help: '' },
  samples: Object.entries(values).map(([key, value]) => ({ ...(label && { labels: { [label]: key } }), value })),
});
const at = (...families: Family[][]): NonNullable<Facts['sampled']> => ({
  at: NOW,
  families: families.flat(),
  failed: new Set(),
});
const GIB = 2 ** 30;
const disk = (free: number): Family[] => [
  gauge('groundcrew_disk_size_bytes', 'holds', { data: 100 * GIB }),
  gauge('groundcrew_disk_free_bytes', 'holds', { data: free * GIB }),
];
const pool = (leases: number): Family[] => [
  gauge('groundcrew_dhcp_pool_addresses', 'scope', { Lab: 100 }),
  gauge('groundcrew_dhcp_leases', 'scope', { Lab: leases }),
];
/** Nine tenths of a whole of 100 GiB: 90. */
const stored = (kind: 'volume' | 'datastore', used: number, limited?: 'yes' | 'no'): Family[] =>
  Object.entries({ size: 100, free: 100 - used }).map(([what, part]) => ({
    ...{ name: `groundcrew_${kind}_${what}_bytes`, type: 'gauge', help: '' },
    samples: [{ labels: { [kind]: 'disk-1', ...(limited && { limited }) }, value: part * GIB }],
  }));
const mounted = (value: number): Family[] => [gauge('groundcrew_volume_mounted', 'volume', { 'disk-1': value })];
const clock = (followed: number, sources: number): Family[] => [
  gauge('groundcrew_ntp_synchronised', null, { '': followed }),
  gauge('groundcrew_ntp_configured_sources', null, { '': sources }),
];
const offset = (seconds: number): Family[] => [gauge('groundcrew_ntp_offset_seconds', null, { '': seconds })];
const job = (state: string, hour: number, day = 14) => ({
  ...{ kind: 'scim-push', state, count: 1 },
  last_at: `2026-03-${day}T0${hour}:00:00Z`,
});
const ntp = (state: 'in_force' | 'off' | 'failing' | 'drifted') =>
  ({
    unit: 'ntp',
    label: 'NTP',
    state,
    probe: { ok: false, said: 'Nobody answered.', asked_at: '', since: '' },
  }) as const;
const CALM: Facts = {
  now: NOW,
  units: [ntp('in_force')],
  applies: { ended: [{ state: 'applied', at: '2026-03-14T08:00:00Z' }], reverted_by: null, deadline_at: null },
  certificates: [{ purpose: 'kms', not_after: '2026-04-14T09:00:00Z' }],
  archives: { state: 'current', newest_verified_at: null, late: [], next_at: null },
  unprotected_keys: 0,
  sampled: at(disk(50), pool(50), clock(1, 2)),
  running_seconds: 10,
  thresholds: RULES_DEFAULTS,
  jobs: [],
  failed_sign_ins: 0,
  receivers: [],
};
const idsOf = (facts: Partial<Facts>): string[] =>
  conditionsOf({ ...CALM, ...facts }).map(({ id, severity, subject }) => `${severity} ${id} ${subject}`);

test('where all is well nothing is said', () => expect(idsOf({})).toEqual([]));

const CASES: [what: string, facts: Partial<Facts>, found: string[]][] = [
  ['a service that does not answer', { units: [ntp('failing')] }, ['critical unit_failing ntp']],
  ['a host that was changed', { units: [ntp('drifted')] }, ['warning unit_drifted ntp']],
  [
    'an apply that failed last',
    {
      applies: {
        ended: [...CALM.applies.ended, { state: 'failed', at: '2026-03-14T08:30:00Z' }],
        reverted_by: null,
        deadline_at: null,
      },
    },
    ['warning apply_failed apply'],
  ],
  [
    'an apply that failed before the last one',
    {
      applies: {
        ended: [{ state: 'failed', at: '2026-03-14T07:30:00Z' }, ...CALM.applies.ended],
        reverted_by: null,
        deadline_at: null,
      },
    },
    [],
  ],
  [
    'a window',
    { applies: { ended: [], reverted_by: null, deadline_at: '2026-03-14T09:05:00Z' } },
    ['warning window_open apply'],
  ],
  [
    'a certificate fifteen days before its end',
    { certificates: [{ purpose: 'kms', not_after: '2026-03-29T09:00:00Z' }] },
    [],
  ],
  [
    'a certificate fourteen days before its end',
    { certificates: [{ purpose: 'kms', not_after: '2026-03-28T09:00:00Z' }] },
    ['warning certificate_ending kms'],
  ],
  [
    'a certificate that ended',
    { certificates: [{ purpose: 'kms', not_after: '2026-03-14T08:59:59Z' }] },
    ['critical certificate_ending kms'],
  ],
  ['a disk with a tenth free', { sampled: at(disk(10)) }, []],
  ['a disk with less', { sampled: at(disk(9)) }, ['critical disk_full data']],
  [
    'a large disk with less, which is enough',
    {
      sampled: at([
        gauge('groundcrew_disk_size_bytes', 'holds', { depot: 2_000 * GIB }),
        gauge('groundcrew_disk_free_bytes', 'holds', { depot: 100 * GIB }),
      ]),
    },
    [],
  ],
  ['a pool with less than nine tenths given out', { sampled: at(pool(89)) }, []],
  ['a pool with nine tenths given out', { sampled: at(pool(90)) }, ['warning pool_full Lab']],
  ['a volume that is less than nine tenths full', { sampled: at(stored('volume', 89)) }, []],
  ['a volume that is nine tenths full', { sampled: at(stored('volume', 90)) }, ['warning datastore_full disk-1']],
  [
    'a datastore that is as full as its size limit lets it be',
    { sampled: at(stored('datastore', 100, 'yes')) },
    ['warning datastore_full disk-1'],
  ],
  ['a datastore without a limit, which its volume tells', { sampled: at(stored('datastore', 100, 'no')) }, []],
  ['a volume whose disk is mounted', { sampled: at(mounted(1)) }, []],
  ['a volume whose disk is missing', { sampled: at(mounted(0)) }, ['critical volume_missing disk-1']],
  ['a clock that follows none of its sources', { sampled: at(clock(0, 2)) }, ['warning clock_unsynchronised ntp']],
  ['a clock that has no sources', { sampled: at(clock(0, 0)) }, []],
  ['a time service that is off', { units: [ntp('off')], sampled: at(clock(0, 2)) }, []],
  [
    'copies without a target',
    { archives: { ...CALM.archives, state: 'no-target' } },
    ['warning archives_overdue archives'],
  ],
  [
    'an apply that was rolled back by itself',
    {
      applies: {
        ended: [{ state: 'reverted', at: '2026-03-14T08:30:00Z' }],
        reverted_by: 'timeout',
        deadline_at: null,
      },
    },
    ['warning apply_failed apply'],
  ],
  [
    'an apply that somebody rolled back',
    {
      applies: {
        ended: [{ state: 'reverted', at: '2026-03-14T08:30:00Z' }],
        reverted_by: 'cancelled',
        deadline_at: null,
      },
    },
    [],
  ],
  [
    'an apply that failed, and a plan that was cancelled after it',
    {
      applies: {
        ended: [
          { state: 'failed', at: '2026-03-14T08:30:00Z' },
          { state: 'cancelled', at: '2026-03-14T08:40:00Z' },
        ],
        reverted_by: null,
        deadline_at: null,
      },
    },
    ['warning apply_failed apply'],
  ],
  ['no look since the start, ten seconds ago', { sampled: null }, []],
  [
    'no look since the start, ten minutes ago',
    { sampled: null, running_seconds: 600 },
    ['warning not_sampled metrics'],
  ],
  [
    'a last look ten minutes ago',
    { sampled: { at: new Date('2026-03-14T08:50:00Z'), families: [], failed: new Set() } },
    ['warning not_sampled metrics'],
  ],
  ['a clock that is off by a second', { sampled: at(clock(1, 2), offset(-1)) }, []],
  ['a clock that is off by more', { sampled: at(clock(1, 2), offset(-1.001)) }, ['warning clock_offset ntp']],
  ['a job that failed', { jobs: [job('failed', 8)] }, ['warning job_failed scim-push']],
  ['a job that failed yesterday', { jobs: [job('failed', 8, 13)] }, []],
  ['a job that failed before one that succeeded', { jobs: [job('failed', 7), job('succeeded', 8)] }, []],
  [
    'a job that failed after one that succeeded',
    { jobs: [job('succeeded', 7), job('failed', 8)] },
    ['warning job_failed scim-push'],
  ],
  ['an apply that failed, as a job', { jobs: [{ ...job('failed', 8), kind: 'apply' }] }, []],
  ['few sign-ins that failed', { failed_sign_ins: 49 }, []],
  ['many sign-ins that failed', { failed_sign_ins: 50 }, ['warning sign_ins_refused sign-in']],
  [
    'a receiver that takes nothing',
    { receivers: [{ name: 'chat', failing_since: '2026-03-14T08:00:00Z' }] },
    ['warning receiver_failing chat'],
  ],
  [
    'a certificate within the days of the rules',
    {
      certificates: [{ purpose: 'kms', not_after: '2026-04-04T09:00:00Z' }],
      thresholds: { ...RULES_DEFAULTS, certificate_days: 21 },
    },
    ['warning certificate_ending kms'],
  ],
  [
    'disks and pools beyond the shares of the rules',
    { sampled: at(disk(19), pool(80)), thresholds: { ...RULES_DEFAULTS, disk_percent: 80, pool_percent: 80 } },
    ['critical disk_full data', 'warning pool_full Lab'],
  ],
  ['keys without a copy', { unprotected_keys: 2 }, ['critical keys_unprotected kms']],
];

test.each(CASES)('%s', (_what, facts, found) => expect(idsOf(facts)).toEqual(found));

test('each condition of the table can come', () => {
  const seen = CASES.flatMap(([, , found]) => found.map((line) => line.split(' ')[1]));
  expect([...new Set(seen)].sort()).toEqual(Object.keys(CONDITIONS).sort());
});

test('what is worst comes first', () => {
  expect(idsOf({ units: [ntp('drifted')], sampled: at(disk(0)), unprotected_keys: 1 })).toEqual([
    'critical disk_full data',
    'critical keys_unprotected kms',
    'warning unit_drifted ntp',
  ]);
});

test('of what was not looked at, or failed, nothing is known', () => {
  const known = (sampled: Facts['sampled']) => [...unknownOf({ sampled, now: NOW })].sort();
  expect(known(CALM.sampled)).toEqual([]);
  expect(known({ ...CALM.sampled!, failed: new Set(['disks']) })).toEqual(['disk_full']);
  expect(known({ ...CALM.sampled!, failed: new Set(['ntp']) })).toEqual(['clock_offset', 'clock_unsynchronised']);
  const all = ['clock_offset', 'clock_unsynchronised', 'datastore_full', 'disk_full', 'pool_full', 'volume_missing'];
  expect(known(null)).toEqual(all);
  expect(known({ ...CALM.sampled!, at: new Date('2026-03-14T08:50:00Z') })).toEqual(all);
});
