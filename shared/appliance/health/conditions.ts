// What needs somebody: a fixed table of conditions with their thresholds. The page, its twin in the API and whatever is sent
// out say what this says.
import type { Family } from '../../ground/metrics/exposition.ts';
import type { JobCounts } from '../../kernel/jobs/counts.ts';
import type { Present } from '../../vcf/alerts/alert.ts';
import { type ConditionId, SEVERITIES } from '../../vcf/alerts/condition-ids.ts';
import type { Thresholds } from '../../vcf/alerts/rules.ts';
import type { LastApplies } from '../apply/last-applies.ts';
import type { PlanState } from '../apply/plan.ts';
import type { ArchiveStanding } from '../archive/schedule/standing.ts';
import type { Source } from '../metrics/sampled.ts';
import { minuteOf } from '../overview/key-protection.ts';
import type { Standing } from '../states/standing.ts';

/** `subject`: what it is of: a unit, the purpose of a certificate, a scope. `says`: a sentence or two, without a secret. */
export type Condition = Present;

export interface Facts {
  now: Date;
  units: readonly Pick<Standing, 'unit' | 'label' | 'state'>[];
  applies: LastApplies;
  certificates: readonly { purpose: string; not_after: string }[];
  archives: ArchiveStanding;
  /** Keys in no verified archive. */
  unprotected_keys: number;
  /** What daemons, leases and disks said last, and when; null: they were not asked since the service started. */
  sampled: { at: Date; families: readonly Family[]; failed: ReadonlySet<Source> } | null;
  /** Since the service started. */
  running_seconds: number;
  thresholds: Thresholds;
  /** How the last jobs of each kind ended. */
  jobs: JobCounts['ended'];
  /** Sign-ins that failed within a quarter of an hour. */
  failed_sign_ins: number;
  /** Receivers of alerts in use that take no message. */
  receivers: readonly { name: string; failing_since: string }[];
}

/** Bytes that are enough, whatever part of a large disk they are. */
export const FREE_ENOUGH = 20 * 2 ** 30;
/** Seconds after which a look at daemons, leases and disks is missing. */
export const SAMPLED_LATEST = 300;
const DAY = 86_400_000;
/** Milliseconds for which a job that failed needs somebody. */
const JOB_COUNTS = DAY;

/** Pure. What is worst comes first, then by the order of the table. */
export function conditionsOf(facts: Facts): Condition[] {
  const found = [
    ...ofUnits(facts),
    ...ofApplies(facts),
    ...ofCertificates(facts),
    ...ofDisks(facts),
    ...ofStorage(facts),
    ...ofPools(facts),
    ...ofClock(facts),
    ...ofSamples(facts),
    ...ofCopies(facts),
    ...ofJobs(facts),
    ...ofSignIns(facts),
    ...ofReceivers(facts),
  ];
  const rank = ({ severity }: Condition) => SEVERITIES.indexOf(severity);
  return found.sort((one, other) => rank(one) - rank(other));
}

const ofUnits = ({ units }: Facts): Condition[] =>
  units.flatMap(({ unit, label, state }): Condition[] => {
    if (state === 'failing') {
      return [
        { id: 'unit_failing', severity: 'critical', subject: unit, says: `${label} does not answer as applied.` },
      ];
    }
    if (state !== 'drifted') return [];
    const says = `${label} was changed on the host since the last apply.`;
    return [{ id: 'unit_drifted', severity: 'warning', subject: unit, says }];
  });

/** What a plan that was not put in force says of itself; somebody who cancelled one, or rolled it back, knows. */
function failureOf(state: PlanState, reverted_by: LastApplies['reverted_by']): string | null {
  if (state === 'failed') return 'The last apply failed. Its plan says why.';
  if (state !== 'reverted' || reverted_by === 'cancelled') return null;
  return 'The last apply was rolled back: the configuration before it is in force.';
}

function ofApplies({ applies: { ended, reverted_by, deadline_at } }: Facts): Condition[] {
  // A plan that was cancelled before it changed anything says nothing of the one before it.
  const [last] = ended
    .filter(({ state }) => state !== 'cancelled' && state !== 'superseded')
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const failed = last ? failureOf(last.state, reverted_by) : null;
  const found: Condition[] = [];
  if (failed !== null) found.push({ id: 'apply_failed', severity: 'warning', subject: 'apply', says: failed });
  if (deadline_at !== null) {
    const says = `An apply waits for confirmation, and is rolled back at ${minuteOf(deadline_at)} unless it is confirmed.`;
    found.push({ id: 'window_open', severity: 'warning', subject: 'apply', says });
  }
  return found;
}

/** Purposes that are no unit, and what a person calls them. */
const PURPOSES: Readonly<Record<string, string>> = { authority: 'the root CA', 'management-ui': 'the management UI' };

/** What a certificate is for, in words. */
export const purposeWords = (purpose: string, units: Facts['units']): string =>
  PURPOSES[purpose] ?? units.find(({ unit }) => unit === purpose)?.label ?? purpose;

const ofCertificates = ({ certificates, units, now, thresholds }: Facts): Condition[] =>
  certificates.flatMap(({ purpose, not_after }): Condition[] => {
    const left = Date.parse(not_after) - now.getTime();
    if (left > thresholds.certificate_days * DAY) return [];
    const over = left <= 0;
    const says = `The certificate of ${purposeWords(purpose, units)} ${over ? 'expired' : 'expires'} at ${minuteOf(not_after)}.`;
    return [{ id: 'certificate_ending', severity: over ? 'critical' : 'warning', subject: purpose, says }];
  });

function ofDisks({ sampled, thresholds }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_disk_size_bytes', 'holds');
  return [...byLabel(sampled, 'groundcrew_disk_free_bytes', 'holds')].flatMap(([holds, free]): Condition[] => {
    const size = sizes.get(holds) ?? 0;
    if (size === 0 || 100 * free >= (100 - thresholds.disk_percent) * size || free >= FREE_ENOUGH) return [];
    const says = `Of the disk that holds the ${holds}, ${Math.floor((100 * free) / size)} % is free.`;
    return [{ id: 'disk_full', severity: 'critical', subject: holds, says }];
  });
}

/** A datastore without a limit is as full as its volume, which is told once. */
function ofStorage({ sampled, thresholds }: Facts): Condition[] {
  const all = (name: string) => sampled?.families.find((family) => family.name === name)?.samples ?? [];
  const full = (kind: 'volume' | 'datastore', words: string): Condition[] => {
    const sizes = byLabel(sampled, `groundcrew_${kind}_size_bytes`, kind);
    return all(`groundcrew_${kind}_free_bytes`).flatMap(({ labels, value }): Condition[] => {
      const [name = '', size = 0] = [labels?.[kind], sizes.get(labels?.[kind] ?? '')];
      if (labels?.limited === 'no' || size === 0 || 100 * (1 - value / size) < thresholds.disk_percent) return [];
      const says = `The ${words} ${name} is ${Math.floor(100 * (1 - value / size))} % full.`;
      return [{ id: 'datastore_full', severity: 'warning', subject: name, says }];
    });
  };
  const missing = all('groundcrew_volume_mounted').flatMap(({ labels, value }): Condition[] => {
    const name = labels?.volume ?? '';
    const says = `The disk of the storage volume ${name} is not mounted: hosts have lost the datastores on it. Its page says why.`;
    return value === 0 ? [{ id: 'volume_missing', severity: 'critical', subject: name, says }] : [];
  });
  return [...missing, ...full('volume', 'storage volume'), ...full('datastore', 'datastore')];
}

function ofPools({ sampled, thresholds }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_dhcp_pool_addresses', 'scope');
  return [...byLabel(sampled, 'groundcrew_dhcp_leases', 'scope')].flatMap(([scope, leases]): Condition[] => {
    const size = sizes.get(scope) ?? 0;
    if (size === 0 || 100 * leases < thresholds.pool_percent * size) return [];
    const says = `The DHCP scope ${scope} has leased ${leases} of the ${size} addresses in its ranges.`;
    return [{ id: 'pool_full', severity: 'warning', subject: scope, says }];
  });
}

/** The first look comes as soon as the service runs. */
function ofSamples({ sampled, now, running_seconds }: Facts): Condition[] {
  const late = sampled ? (now.getTime() - sampled.at.getTime()) / 1000 : running_seconds;
  if (late <= SAMPLED_LATEST) return [];
  const says = `Daemons, leases and disks were not looked at ${sampled ? `since ${minuteOf(sampled.at.toISOString())}` : 'since the service started'}. The log of the service says why.`;
  return [{ id: 'not_sampled', severity: 'warning', subject: 'metrics', says }];
}

/** Without a source in force the appliance's own clock is what clients are told: that is no fault. */
function ofClock({ sampled, units, thresholds }: Facts): Condition[] {
  const [followed] = byLabel(sampled, 'groundcrew_ntp_synchronised', '').values();
  const runs = units.some(({ unit, state }) => unit === 'ntp' && state !== 'off');
  if (!runs) return [];
  const found: Condition[] = [];
  if (followed === 0 && byLabel(sampled, 'groundcrew_ntp_configured_sources', '').get('')) {
    const says = 'The clock follows none of its time sources.';
    found.push({ id: 'clock_unsynchronised', severity: 'warning', subject: 'ntp', says });
  }
  const [offset = 0] = byLabel(sampled, 'groundcrew_ntp_offset_seconds', '').values();
  if (Math.abs(offset) * 1000 > thresholds.clock_offset_ms) {
    const says = `The clock is off by ${Math.abs(offset).toFixed(3)} s.`;
    found.push({ id: 'clock_offset', severity: 'warning', subject: 'ntp', says });
  }
  return found;
}

/** The last of its kind failed, a while ago at most. An apply has a condition of its own. */
const ofJobs = ({ jobs, now }: Facts): Condition[] =>
  jobs.flatMap(({ kind, state, last_at }): Condition[] => {
    if (state !== 'failed' || kind === 'apply' || now.getTime() - Date.parse(last_at) > JOB_COUNTS) return [];
    if (jobs.some((other) => other.kind === kind && other.state === 'succeeded' && other.last_at > last_at)) return [];
    const says = `The last job of the kind ${kind} failed at ${minuteOf(last_at)}. Its page says why.`;
    return [{ id: 'job_failed', severity: 'warning', subject: kind, says }];
  });

/** Of nobody by name: names that are typed may be passwords. */
function ofSignIns({ failed_sign_ins, thresholds }: Facts): Condition[] {
  if (failed_sign_ins < thresholds.failed_sign_ins) return [];
  const says = `${failed_sign_ins} sign-ins failed in the last quarter of an hour: somebody may be guessing passwords. The audit log says from where.`;
  return [{ id: 'sign_ins_refused', severity: 'warning', subject: 'sign-in', says }];
}

const ofReceivers = ({ receivers }: Facts): Condition[] =>
  receivers.map(({ name, failing_since }): Condition => {
    const says = `The receiver ${name} takes no alerts since ${minuteOf(failing_since)}. Its page says why.`;
    return { id: 'receiver_failing', severity: 'warning', subject: name, says };
  });

/** Conditions that could not be looked at: whether they are there is not known. Pure. */
export function unknownOf({ sampled, now }: Pick<Facts, 'sampled' | 'now'>): ReadonlySet<ConditionId> {
  const late = sampled === null || now.getTime() - sampled.at.getTime() > SAMPLED_LATEST * 1000;
  const missing = (source: Source) => late || sampled.failed.has(source);
  const unknown: (ConditionId | null)[] = [
    missing('disks') ? 'disk_full' : null,
    ...(missing('storage') ? (['datastore_full', 'volume_missing'] as const) : []),
    missing('dhcp') ? 'pool_full' : null,
    ...(missing('ntp') ? (['clock_unsynchronised', 'clock_offset'] as const) : []),
  ];
  return new Set(unknown.filter((id) => id !== null));
}

/** Names of targets are for whoever may read archives. */
const OVERDUE: Readonly<Partial<Record<ArchiveStanding['state'], string>>> = {
  overdue: 'Scheduled archives are missing or too old.',
  'no-target': 'Archives are scheduled, but no target is in use.',
};

function ofCopies({ archives, unprotected_keys }: Facts): Condition[] {
  const keys =
    unprotected_keys === 1 ? 'A key of the KMIP server is' : `${unprotected_keys} keys of the KMIP server are`;
  const found: Condition[] = [];
  if (unprotected_keys > 0) {
    const says = `${keys} in no verified archive. If this appliance is lost, what they encrypt is lost too.`;
    found.push({ id: 'keys_unprotected', severity: 'critical', subject: 'kms', says });
  }
  const overdue = OVERDUE[archives.state];
  if (overdue) found.push({ id: 'archives_overdue', severity: 'warning', subject: 'archives', says: overdue });
  return found;
}

/** Label → value; without a label the key is empty. */
export function byLabel(sampled: Facts['sampled'], name: string, label: string): Map<string, number> {
  const samples = sampled?.families.find((family) => family.name === name)?.samples ?? [];
  return new Map(samples.map(({ labels, value }) => [labels?.[label] ?? '', value]));
}
