// Reads an appliance's credentials for a vault in two calls: candidates without values; then the values of the chosen
// ones, read again. Neither call stores a value: the first drops them before it answers, the second passes them to its
// caller.

import type { Appliance, ApplianceRole } from './appliance.ts';
import { type CredentialCandidate, candidatesOf, type SourceCredential } from './credential.ts';
import { type Deployment, installerCredentials } from './installer-credentials.ts';
import { managerCredentials } from './manager-credentials.ts';
import type { ApplianceSession } from './session.ts';

export interface DiscoveredCredentials {
  /** As a vault entry names its source. */
  source: ApplianceRole;
  candidates: CredentialCandidate[];
  /** Of an Installer: what the passwords were for. Null: nothing was deployed, or it is an SDDC Manager. */
  deployment: Deployment | null;
  /** Rows that the appliance listed without what makes a credential. */
  unreadable: number;
}

export interface CredentialValue {
  candidate: CredentialCandidate;
  value: string;
}

export interface ReadValues {
  values: CredentialValue[];
  /** Chosen ones that the appliance no longer has as they were shown, or that can't be imported. */
  missing: { ref: string; detail: string }[];
}

/** @throws ApplianceFault; what the connection throws goes through. */
export async function readCredentials(
  session: ApplianceSession,
  { role }: Appliance,
  signal?: AbortSignal,
): Promise<DiscoveredCredentials> {
  const { sources, deployment, unreadable } = await sourcesOf[role](session, signal);
  return { source: role, candidates: candidatesOf(sources), deployment, unreadable };
}

/**
 * The present values of the chosen candidates. A ref is a digest of everything that was shown of its candidate: a
 * candidate whose user or machine changed since is reported as missing.
 */
export async function readCredentialValues(
  session: ApplianceSession,
  { role }: Appliance,
  refs: readonly string[],
  signal?: AbortSignal,
): Promise<ReadValues> {
  const { sources } = await sourcesOf[role](session, signal);
  const candidates = candidatesOf(sources);
  const at = new Map(candidates.map(({ ref }, n) => [ref, n]));
  const read: ReadValues = { values: [], missing: [] };
  for (const ref of new Set(refs)) {
    const n = at.get(ref);
    const candidate = n === undefined ? undefined : candidates[n];
    const value = n === undefined ? null : sources[n]!.value;
    if (!candidate) read.missing.push({ ref, detail: 'The appliance no longer has this credential as it was shown.' });
    else if (candidate.skip || value === null) {
      read.missing.push({ ref, detail: candidate.skip?.detail ?? 'It has no value.' });
    } else read.values.push({ candidate, value });
  }
  return read;
}

interface Gathered {
  sources: SourceCredential[];
  deployment: Deployment | null;
  unreadable: number;
}

const sourcesOf: Record<ApplianceRole, (session: ApplianceSession, signal?: AbortSignal) => Promise<Gathered>> = {
  'sddc-manager': async (session, signal) => ({ deployment: null, ...(await managerCredentials(session, signal)) }),
  'vcf-installer': async (session, signal) => ({ unreadable: 0, ...(await installerCredentials(session, signal)) }),
};
