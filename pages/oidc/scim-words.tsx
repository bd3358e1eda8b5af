// What the pages of a SCIM target say: labels of fields, and how a push and its objects ended.

import { pagePath } from '../../shared/ground/page-paths.ts';
import type { ObjectOutcome } from '../../shared/services/oidc/scim/objects.ts';
import type { ScimTarget } from '../../shared/services/oidc/scim/targets.ts';
import { State, type StateKind } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';

export const SCIM_LABELS = {
  base_url: 'Base URL',
  token: 'Token',
  groups: 'Groups',
  domain: 'Domain',
  departed: 'Users who left',
  enabled: 'Automatic push',
};

export const OUTCOMES: Readonly<Record<ObjectOutcome, readonly [kind: StateKind, word: string]>> = {
  refused: ['bad', 'Refused'],
  pending: ['pending', 'Not sent yet'],
  created: ['ok', 'Created'],
  updated: ['ok', 'Updated'],
  unchanged: ['ok', 'Unchanged'],
  deactivated: ['off', 'Deactivated'],
  removed: ['off', 'Removed'],
};

const PUSHES: Readonly<Record<NonNullable<ScimTarget['last_outcome']>, readonly [kind: StateKind, word: string]>> = {
  succeeded: ['ok', 'Everything is there'],
  partly: ['warn', 'Some were refused'],
  failed: ['bad', 'Failed'],
  cancelled: ['off', 'Stopped'],
};

export function LastPush({ of, now }: { of: ScimTarget; now: string }) {
  if (of.last_outcome === null || of.last_at === null) return <span class="muted">none yet</span>;
  const [kind, word] = PUSHES[of.last_outcome];
  const told = (
    <>
      {word}, <Instant at={of.last_at} now={now} />
    </>
  );
  return (
    <>
      <State kind={kind}>{of.last_job_id === null ? told : <a href={pagePath('job', of.last_job_id)}>{told}</a>}</State>
      {of.last_reason !== '' && <span class="line">{of.last_reason}</span>}
    </>
  );
}
