// All metrics of the appliance. Labels are of fixed words or of what an operator named, and bounded: units, kinds of jobs,
// purposes of certificates, scopes of DHCP. No user, no address, no path is one.
import { type Family, gauge, secondsOf } from '../../ground/metrics/exposition.ts';
import type { Database } from '../../ground/store/database.ts';
import { countCredentials } from '../../kernel/access/credential-counts.ts';
import { countJobs } from '../../kernel/jobs/counts.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { archiveStanding } from '../archive/schedule/standing.ts';
import { type Standing, standings } from '../states/standing.ts';
import { certificatesInUse } from './certificates.ts';
import { processMetrics } from './process.ts';
import { lastSamples } from './sampled.ts';
import { applyMetrics, unitMetrics } from './units.ts';

export async function gather(services: Services): Promise<Family[]> {
  const { store, settings, traffic, clock } = services;
  const now = clock.now();
  const sampled = lastSamples(services);
  const units = [...(await standings(services)).values()];
  return [
    gauge('groundcrew_build_info', 'Always 1; the version is its label.', [
      { labels: { version: settings.version }, value: 1 },
    ]),
    ...(await processMetrics()),
    ...(traffic?.families() ?? []),
    ...unitMetrics(units),
    ...(await applyMetrics(store, now)),
    ...(await jobMetrics(store)),
    ...(await certificateMetrics(store, settings, units)),
    ...(await accessMetrics(store, now)),
    ...(await archiveMetrics(store, services)),
    ...(sampled?.families ?? []),
    gauge(
      'groundcrew_sampled_timestamp_seconds',
      'When the daemons were last asked for their numbers, in seconds since 1970.',
      sampled ? [{ value: sampled.at.getTime() / 1000 }] : [],
    ),
  ];
}

async function jobMetrics(db: Database): Promise<Family[]> {
  const { unfinished, ended } = await countJobs(db);
  return [
    gauge(
      'groundcrew_jobs_unfinished',
      'Jobs that are not over, by state.',
      (['queued', 'running', 'waiting'] as const).map((state) => ({
        labels: { state },
        value: unfinished[state] ?? 0,
      })),
    ),
    gauge(
      'groundcrew_jobs_ended',
      'Jobs that are over and still listed, by kind and how they ended.',
      ended.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    ),
    gauge(
      'groundcrew_job_last_ended_timestamp_seconds',
      'When the last job of the kind ended so, in seconds since 1970.',
      ended.map(({ kind, state, last_at }) => ({ labels: { kind, state }, value: secondsOf(last_at) })),
    ),
  ];
}

async function certificateMetrics(
  db: Database,
  settings: Services['settings'],
  units: readonly Standing[],
): Promise<Family[]> {
  const ends = await certificatesInUse(db, settings, units);
  return [
    gauge(
      'groundcrew_certificate_not_after_timestamp_seconds',
      'When the certificate in use expires, in seconds since 1970: of each purpose the first.',
      ends.map(({ purpose, not_after }) => ({ labels: { purpose }, value: secondsOf(not_after) })),
    ),
  ];
}

async function accessMetrics(db: Database, now: Date): Promise<Family[]> {
  const { sessions, tokens, tokens_ending } = await countCredentials(db, now);
  return [
    gauge('groundcrew_sessions', 'Sessions, with those that ended and were not removed yet.', [{ value: sessions }]),
    gauge('groundcrew_tokens', 'API tokens that hold.', [{ value: tokens }]),
    gauge('groundcrew_tokens_ending', 'API tokens that end within seven days.', [{ value: tokens_ending }]),
  ];
}

async function archiveMetrics(db: Database, services: Services): Promise<Family[]> {
  const { state, newest_verified_at } = await archiveStanding(db, services);
  return [
    gauge('groundcrew_archive_overdue', 'Whether scheduled copies are missing or too old: 1 or 0.', [
      { value: state === 'overdue' || state === 'no-target' ? 1 : 0 },
    ]),
    gauge(
      'groundcrew_archive_verified_timestamp_seconds',
      'When the newest verified copy of an archive was made, in seconds since 1970.',
      newest_verified_at === null ? [] : [{ value: secondsOf(newest_verified_at) }],
    ),
  ];
}
