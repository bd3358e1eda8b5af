// What the wizard reads of an appliance before anything is decided, without anything secret.
import { createHash } from 'node:crypto';
import {
  type DepotAddress,
  depotText,
  type RemoteDepot,
  readDepot,
  readSync,
  sameDepot,
  trustsByItself,
} from '../vcf-api/depot.ts';
import type { Appliance } from '../vcf-api/detect.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { isTrusted } from '../vcf-api/trusted-certificates.ts';
import { isBreak } from './patience.ts';
import { isRight } from './steps.ts';

export interface InspectedDepot {
  current: RemoteDepot | null;
  /** State of its last synchronisation; null where it does not tell. */
  sync: string | null;
  /** Whether it lists our root as trusted; null where setting the depot brings that along, or it does not tell. */
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
  // Its words may repeat the password that it was given then, which nobody here knows to take out.
  const current = read && { ...read, message: null };
  const sync = await orNull(readSync(session, signal));
  const trusts = trustsByItself(version) ? null : await orNull(isTrusted(session, ca_sha256, signal));
  return { current, sync: sync?.status ?? null, trusts };
}

/** What is only for information must not stand in the way. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error) => {
    if (error instanceof ApplianceFault || isBreak(error)) return null;
    throw error;
  });

export type Difference = 'none' | 'same' | 'right' | 'other';

/** How what it has stands to what is wanted: nothing, the same but not in order, the same and in order, another. */
export function differenceOf({ current }: InspectedDepot, wanted: DepotAddress): Difference {
  if (current === null) return 'none';
  if (!sameDepot(current, wanted)) return 'other';
  return isRight(current, wanted) ? 'right' : 'same';
}

/** Stands in the review for what it shows: what the appliance has, and what it is to get. */
export const depotReviewMark = ({ current }: InspectedDepot, wanted: DepotAddress & { ca_sha256: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([current && depotText(current), depotText(wanted), wanted.ca_sha256]))
    .digest('base64url');
