// What the wizard reads of an appliance before anything is decided, without anything secret.
import { createHash } from 'node:crypto';
import type { Appliance } from '../vcf-api/appliance.ts';
import {
  type DepotAddress,
  depotText,
  type RemoteDepot,
  readDepot,
  readSync,
  sameDepot,
  trustsByItself,
} from '../vcf-api/depot.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { isTrusted } from '../vcf-api/trusted-certificates.ts';
import { isBreak } from './patience.ts';
import { isRight } from './steps.ts';

export interface InspectedDepot {
  current: RemoteDepot | null;
  /** State of its last synchronisation; null when the appliance does not report it. */
  sync: string | null;
  /**
   * Whether it lists our root as trusted; null when setting the depot adds the root, or the appliance does not report
   * it.
   */
  trusts: boolean | null;
  /** The password of the depot's user was typed and is right. */
  checked?: boolean;
}

declare module '../remote/draft.ts' {
  interface OwnDrafts {
    depot: InspectedDepot;
  }
}

export async function inspectDepot(
  session: ApplianceSession,
  { version }: Appliance,
  { ca_sha256 }: { ca_sha256: string },
  signal: AbortSignal,
): Promise<InspectedDepot> {
  const read = await readDepot(session, signal);
  // Its text may repeat an old password, which is not known here and so can't be removed.
  const current = read && { ...read, message: null };
  const sync = await orNull(readSync(session, signal));
  const trusts = trustsByItself(version) ? null : await orNull(isTrusted(session, ca_sha256, signal));
  return { current, sync: sync?.status ?? null, trusts };
}

/** Reading mere information must not fail the visit. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error) => {
    if (error instanceof ApplianceFault || isBreak(error)) return null;
    throw error;
  });

export type Difference = 'none' | 'same' | 'right' | 'other';

/** Its depot compared with the wanted one: none, the same with a fault, the same and working, another. */
export function differenceOf({ current }: InspectedDepot, wanted: DepotAddress): Difference {
  if (current === null) return 'none';
  if (!sameDepot(current, wanted)) return 'other';
  return isRight(current, wanted) ? 'right' : 'same';
}

/** Digest of what a review shows: the appliance's present depot and the wanted one. */
export const depotReviewMark = ({ current }: InspectedDepot, wanted: DepotAddress & { ca_sha256: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([current && depotText(current), depotText(wanted), wanted.ca_sha256]))
    .digest('base64url');
