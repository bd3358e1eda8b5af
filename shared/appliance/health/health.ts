// How the appliance is: each service with what was saved, applied and last answered, and what needs somebody.
import type * as v from 'valibot';
import { instant } from '../../ground/clock.ts';
import { recentFailures } from '../../kernel/access/throttle-rows.ts';
import { endedJobs } from '../../kernel/jobs/counts.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { CertificateEnd } from '../../platform/certificate-authority/certificate-ends.ts';
import type { ConditionId } from '../../vcf/alerts/condition-ids.ts';
import { failingReceivers } from '../../vcf/alerts/receiver-store.ts';
import { readRules } from '../../vcf/alerts/rules.ts';
import { type LastApplies, lastApplies } from '../apply/last-applies.ts';
import { archiveStanding } from '../archive/schedule/standing.ts';
import { certificatesInUse } from '../metrics/certificates.ts';
import { lastSamples } from '../metrics/sampled.ts';
import { keyProtection } from '../overview/key-protection.ts';
import { type Standing, standings } from '../states/standing.ts';
import { type Condition, conditionsOf, type Facts, unknownOf } from './conditions.ts';
import type { healthSchema } from './schemas.ts';

export interface Health {
  status: 'ok' | 'attention';
  checked_at: string;
  conditions: Condition[];
  services: Standing[];
  /** Certificates in use, the first to end first. */
  certificates: CertificateEnd[];
  archives: Awaited<ReturnType<typeof archiveStanding>>;
  /** When daemons, leases and disks were last checked; null: not since the service started. */
  sampled_at: string | null;
  /** Conditions that could not be looked at. */
  unknown: ReadonlySet<ConditionId>;
}

/** What a caller has already. */
interface Known {
  units: ReadonlyMap<string, Standing>;
  /** Keys in no verified archive: 0 where every page says it of them anyway. */
  unprotected_keys: number;
  applies: LastApplies;
}

/** About fourteen statements and no program; seven where the rest is known. */
export async function healthOf(services: Services, known?: Known): Promise<Health> {
  const { store, clock, settings } = services;
  const now = clock.now();
  const units = [...(known?.units ?? (await standings(services))).values()];
  const certificates = await certificatesInUse(store, settings, units);
  const archives = await archiveStanding(store, services);
  const unprotected_keys = known?.unprotected_keys ?? (await keyProtection(store)).unprotected;
  const sampled = lastSamples(services);
  const facts: Facts = {
    ...{ now, units, certificates, archives, applies: known?.applies ?? (await lastApplies(store)) },
    unprotected_keys,
    sampled,
    running_seconds: process.uptime(),
    thresholds: await readRules(store),
    jobs: await endedJobs(store),
    failed_sign_ins: await recentFailures(store, now),
    receivers: await failingReceivers(store),
  };
  const conditions = conditionsOf(facts);
  return {
    status: conditions.length === 0 ? 'ok' : 'attention',
    checked_at: instant(now),
    ...{ conditions, services: units, certificates, archives },
    sampled_at: sampled && instant(sampled.at),
    unknown: unknownOf(facts),
  };
}

const DAY = 86_400_000;

/** As the API answers it. */
export function healthAnswer(health: Health): v.InferOutput<typeof healthSchema> {
  const { status, checked_at, conditions, services, certificates, archives, sampled_at } = health;
  return {
    ...{ status, checked_at, conditions, sampled_at },
    services: services.map(({ unit, label, state, pending, applied_at, probe }) => ({
      ...{ unit, label, state, pending, applied_at },
      answers: probe?.ok ?? null,
      asked_at: probe?.asked_at ?? null,
    })),
    certificates: certificates.map(({ purpose, not_after }) => ({
      ...{ purpose, not_after },
      days_left: Math.floor((Date.parse(not_after) - Date.parse(checked_at)) / DAY),
    })),
    newest_archive_at: archives.newest_verified_at,
  };
}
