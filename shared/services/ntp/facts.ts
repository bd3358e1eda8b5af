// The time service as facts: what a plan compares.
import { type Difference, type Facts, factsOf } from '../../platform/units/facts.ts';
import type { NtpDesired, TimeSource } from './desired.ts';
import { addressesOf, isDynamic, listening } from './listening.ts';

export type NtpFacts = {
  enabled: boolean;
  /** None: everybody. */
  clients: string[];
  /** 0: clients do not get the appliance's own clock. */
  stratum: number;
  nts: boolean;
  /** What NTS is served with. */
  nts_certificate: { sha256: string; not_after: string };
  /** By interface. */
  listen: { addresses: string[]; dynamic: boolean };
  /** Networks whose clients are refused, where the service can't bind to its addresses alone. */
  refused: string[];
  /** Sources that must agree. */
  agree: number;
  /** By address. */
  source: { kind: TimeSource['kind']; nts: boolean; prefer: boolean };
};

export const ntp = factsOf<NtpFacts>();

/** While the service is off, only facts of the appliance's own clock. */
export function facts(desired: NtpDesired): Facts {
  const { settings, sources } = desired;
  const { facts: found, add } = ntp.list();
  add('enabled', settings.enabled);
  if (settings.enabled) {
    add('clients', settings.allowed_clients);
    add('stratum', settings.local_stratum);
    add('nts', settings.nts_enabled);
    if (desired.certificate) {
      const { sha256, not_after } = desired.certificate;
      add('nts_certificate', { sha256, not_after });
    }
    for (const link of desired.listen)
      add('listen', { addresses: addressesOf(link), dynamic: isDynamic(link) }, link.name);
    const { refused } = listening(desired);
    if (refused.length > 0) add('refused', refused);
  }
  if (sources.length > 0) add('agree', settings.minimum_sources);
  for (const { address, kind, nts, prefer } of sources) add('source', { kind, nts, prefer }, address);
  return found;
}

const FOLLOWING: ReadonlySet<string> = new Set<keyof NtpFacts>(['listen', 'refused']);
export const follows = ({ kind }: Difference): boolean => FOLLOWING.has(kind);
