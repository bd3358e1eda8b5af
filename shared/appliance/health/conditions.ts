// What needs somebody: a fixed table of conditions with their thresholds. The page, its twin in the API and whatever is sent
// out say what this says.
import type { Family } from '../../ground/metrics/exposition.ts';
import type { LastApplies } from '../apply/last-applies.ts';
import type { PlanState } from '../apply/plan.ts';
import type { ArchiveStanding } from '../archive/schedule/standing.ts';
import { minuteOf } from '../overview/key-protection.ts';
import type { Standing } from '../states/standing.ts';
import { type ConditionId, SEVERITIES } from './condition-ids.ts';

export interface Condition {
  id: ConditionId;
  severity: (typeof SEVERITIES)[number];
  /** What it is of: a unit, the purpose of a certificate, a scope. */
  subject: string;
  /** A sentence or two. */
  says: string;
}

export interface Facts {
  now: Date;
  units: readonly Pick<Standing, 'unit' | 'label' | 'state'>[];
  applies: LastApplies;
  certificates: readonly { purpose: string; not_after: string }[];
  archives: ArchiveStanding;
  /** Keys in no verified archive. */
  unprotected_keys: number;
  /** What daemons, leases and disks said last, and when; null: they were not asked since the service started. */
  sampled: { at: Date; families: readonly Family[] } | null;
  /** Since the service started. */
  running_seconds: number;
}

/** Days before the end from which on a certificate counts. Those that renew themselves did so long before. */
export const ENDING_DAYS = 14;
/** Part of a disk that has to be free. */
export const FREE_LEAST = 0.1;
/** Bytes that are enough, whatever part of a large disk they are. */
export const FREE_ENOUGH = 20 * 2 ** 30;
/** Part of a volume, or of a datastore, that may be used. */
export const STORED_MOST = 0.9;
/** Part of a pool that may be given out. */
export const LEASED_MOST = 0.9;
/** Seconds after which a look at daemons, leases and disks is missing. */
export const SAMPLED_LATEST = 300;
const DAY = 86_400_000;

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

const ofCertificates = ({ certificates, units, now }: Facts): Condition[] =>
  certificates.flatMap(({ purpose, not_after }): Condition[] => {
    const left = Date.parse(not_after) - now.getTime();
    if (left > ENDING_DAYS * DAY) return [];
    const over = left <= 0;
    const says = `The certificate of ${purposeWords(purpose, units)} ${over ? 'expired' : 'expires'} at ${minuteOf(not_after)}.`;
    return [{ id: 'certificate_ending', severity: over ? 'critical' : 'warning', subject: purpose, says }];
  });

function ofDisks({ sampled }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_disk_size_bytes', 'holds');
  return [...byLabel(sampled, 'groundcrew_disk_free_bytes', 'holds')].flatMap(([holds, free]): Condition[] => {
    const size = sizes.get(holds) ?? 0;
    if (size === 0 || free / size >= FREE_LEAST || free >= FREE_ENOUGH) return [];
    const says = `Of the disk that holds the ${holds}, ${Math.floor((100 * free) / size)} % is free.`;
    return [{ id: 'disk_full', severity: 'critical', subject: holds, says }];
  });
}

/** A datastore without a limit is as full as its volume, which is told once. */
function ofStorage({ sampled }: Facts): Condition[] {
  const all = (name: string) => sampled?.families.find((family) => family.name === name)?.samples ?? [];
  const full = (kind: 'volume' | 'datastore', words: string): Condition[] => {
    const sizes = byLabel(sampled, `groundcrew_${kind}_size_bytes`, kind);
    return all(`groundcrew_${kind}_free_bytes`).flatMap(({ labels, value }): Condition[] => {
      const [name = '', size = 0] = [labels?.[kind], sizes.get(labels?.[kind] ?? '')];
      if (labels?.limited === 'no' || size === 0 || 1 - value / size < STORED_MOST) return [];
      const says = `The ${words} ${name} is ${Math.floor(100 * (1 - value / size))} % full.`;
      return [{ id: 'datastore_full', severity: 'warning', subject: name, says }];
    });
  };
  return [...full('volume', 'storage volume'), ...full('datastore', 'datastore')];
}

function ofPools({ sampled }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_dhcp_pool_addresses', 'scope');
  return [...byLabel(sampled, 'groundcrew_dhcp_leases', 'scope')].flatMap(([scope, leases]): Condition[] => {
    const size = sizes.get(scope) ?? 0;
    if (size === 0 || leases / size < LEASED_MOST) return [];
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
function ofClock({ sampled, units }: Facts): Condition[] {
  const [followed] = byLabel(sampled, 'groundcrew_ntp_synchronised', '').values();
  const runs = units.some(({ unit, state }) => unit === 'ntp' && state !== 'off');
  if (!runs || followed !== 0 || !byLabel(sampled, 'groundcrew_ntp_configured_sources', '').get('')) return [];
  return [
    {
      id: 'clock_unsynchronised',
      severity: 'warning',
      subject: 'ntp',
      says: 'The clock follows none of its time sources.',
    },
  ];
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
function byLabel(sampled: Facts['sampled'], name: string, label: string): Map<string, number> {
  const samples = sampled?.families.find((family) => family.name === name)?.samples ?? [];
  return new Map(samples.map(({ labels, value }) => [labels?.[label] ?? '', value]));
}
