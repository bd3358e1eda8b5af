// The answer and the audit event of an authorization. Neither has the code, the capability, or a URL with one.
import type { AuditEvent } from '../../../kernel/audit/audit.ts';
import type { Window } from './attempt.ts';
import type { Attempt } from './attempt-store.ts';
import type { Authorized } from './authorize.ts';
import { attemptEvent } from './retrieve.ts';

export function authorizationAnswer({ attempt, window }: { attempt: Attempt; window: Window }) {
  return {
    host_id: attempt.host_id,
    issued_at: window.window_from,
    expires_at: window.expires_at,
    guidance: `The console of ${attempt.hostname} goes on by itself within a few seconds and starts the installer, which fetches its Kickstart once. Leave the host on network boot until it restarts from its own disk.`,
  };
}

export function authorizationEvents(done: Authorized): AuditEvent[] {
  if (!done.refuse)
    return [attemptEvent('authorize', done.issued.attempt, { expires_at: done.issued.window.expires_at })];
  return done.counted.map(({ attempt, wrong_codes, reason }) => ({
    ...attemptEvent(reason ? 'burn' : 'wrong-code', attempt, { wrong_codes, ...(reason && { reason }) }),
    outcome: 'failure',
  }));
}
