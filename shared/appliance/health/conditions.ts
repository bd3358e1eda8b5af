// What needs somebody: a fixed table of conditions with their thresholds. The page, its twin in the API and whatever is sent
// out say what this says.
import type { Family } from '../../ground/metrics/exposition.ts';
import type { PlanState } from '../apply/plan.ts';
import { type ArchiveStanding, standingFault } from '../archive/schedule/standing.ts';
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
  units: readonly Pick<Standing, 'unit' | 'label' | 'state' | 'probe'>[];
  applies: { ended: readonly { state: PlanState; at: string }[]; deadline_at: string | null };
  certificates: readonly { purpose: string; not_after: string }[];
  archives: ArchiveStanding;
  /** Keys in no verified archive. */
  unprotected_keys: number;
  /** What daemons, leases and disks said last. */
  sampled: readonly Family[];
}

/** Days before the end from which on a certificate counts. Those that renew themselves did so long before. */
export const ENDING_DAYS = 14;
/** Part of a disk that has to be free. */
export const FREE_LEAST = 0.1;
/** Part of a pool that may be given out. */
export const LEASED_MOST = 0.9;
const DAY = 86_400_000;

/** Pure. What is worst comes first, then by the order of the table. */
export function conditionsOf(facts: Facts): Condition[] {
  const found = [
    ...ofUnits(facts),
    ...ofApplies(facts),
    ...ofCertificates(facts),
    ...ofDisks(facts),
    ...ofPools(facts),
    ...ofClock(facts),
    ...ofCopies(facts),
  ];
  const rank = ({ severity }: Condition) => SEVERITIES.indexOf(severity);
  return found.sort((one, other) => rank(one) - rank(other));
}

const ofUnits = ({ units }: Facts): Condition[] =>
  units.flatMap(({ unit, label, state, probe }): Condition[] => {
    if (state === 'failing') {
      const said = probe === null ? '' : ` ${probe.said}`;
      return [
        {
          id: 'unit_failing',
          severity: 'critical',
          subject: unit,
          says: `${label} does not answer as applied.${said}`,
        },
      ];
    }
    if (state !== 'drifted') return [];
    return [
      {
        id: 'unit_drifted',
        severity: 'warning',
        subject: unit,
        says: `${label} was changed on the host since the last apply.`,
      },
    ];
  });

function ofApplies({ applies: { ended, deadline_at } }: Facts): Condition[] {
  const last = ended.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
  const says = {
    failed: 'The last apply failed. Its plan says why.',
    reverted: 'The last apply was rolled back: the configuration before it is in force.',
  } as Partial<Record<PlanState, string>>;
  const failed = last && says[last.state];
  return [
    ...(failed ? [{ id: 'apply_failed', severity: 'warning', subject: 'apply', says: failed } as const] : []),
    ...(deadline_at === null
      ? []
      : [
          {
            id: 'window_open',
            severity: 'warning',
            subject: 'apply',
            says: `An apply waits for its confirmation, and is rolled back at ${minuteOf(deadline_at)}.`,
          } as const,
        ]),
  ];
}

/** Purposes that are no unit, and what a person calls them. */
const PURPOSES: Readonly<Record<string, string>> = { authority: 'the root', 'management-ui': 'the management UI' };

/** What a certificate is for, in words. */
export const purposeWords = (purpose: string, units: Facts['units']): string =>
  PURPOSES[purpose] ?? units.find(({ unit }) => unit === purpose)?.label ?? purpose;

const ofCertificates = ({ certificates, units, now }: Facts): Condition[] =>
  certificates.flatMap(({ purpose, not_after }): Condition[] => {
    const left = Date.parse(not_after) - now.getTime();
    if (left > ENDING_DAYS * DAY) return [];
    const over = left <= 0;
    const says = `The certificate of ${purposeWords(purpose, units)} ${over ? 'ended' : 'ends'} at ${minuteOf(not_after)}.`;
    return [{ id: 'certificate_ending', severity: over ? 'critical' : 'warning', subject: purpose, says }];
  });

function ofDisks({ sampled }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_disk_size_bytes', 'holds');
  return [...byLabel(sampled, 'groundcrew_disk_free_bytes', 'holds')].flatMap(([holds, free]): Condition[] => {
    const size = sizes.get(holds) ?? 0;
    if (size === 0 || free / size >= FREE_LEAST) return [];
    const says = `${Math.round((100 * free) / size)} % of the disk that holds the ${holds} is free.`;
    return [{ id: 'disk_full', severity: 'critical', subject: holds, says }];
  });
}

function ofPools({ sampled }: Facts): Condition[] {
  const sizes = byLabel(sampled, 'groundcrew_dhcp_pool_addresses', 'scope');
  return [...byLabel(sampled, 'groundcrew_dhcp_leases', 'scope')].flatMap(([scope, leases]): Condition[] => {
    const size = sizes.get(scope) ?? 0;
    if (size === 0 || leases / size < LEASED_MOST) return [];
    const says = `The DHCP scope ${scope} has ${leases} leases, its ranges have ${size} addresses.`;
    return [{ id: 'pool_full', severity: 'warning', subject: scope, says }];
  });
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

function ofCopies({ archives, unprotected_keys }: Facts): Condition[] {
  const fault = standingFault(archives);
  const keys =
    unprotected_keys === 1 ? 'A key of the KMIP server is' : `${unprotected_keys} keys of the KMIP server are`;
  return [
    ...(unprotected_keys === 0
      ? []
      : [
          {
            id: 'keys_unprotected',
            severity: 'critical',
            subject: 'kms',
            says: `${keys} in no verified archive. If this appliance is lost, what they encrypt is lost too.`,
          } as const,
        ]),
    ...(fault === null
      ? []
      : [{ id: 'archives_overdue', severity: 'warning', subject: 'archives', says: fault } as const]),
  ];
}

/** Label → value; without a label the key is empty. */
function byLabel(families: readonly Family[], name: string, label: string): Map<string, number> {
  const samples = families.find((family) => family.name === name)?.samples ?? [];
  return new Map(samples.map(({ labels, value }) => [labels?.[label] ?? '', value]));
}

/** `2026-03-14 09:41 UTC` of an RFC 3339 instant in UTC. */
const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
