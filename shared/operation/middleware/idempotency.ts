// Idempotency-Key on POST: the first answer is stored in the same transaction as its effect and replayed afterwards.
// The same key with another request is a fault of the caller.

import type { GatewayAnswer } from '../event.ts';
import { Problem } from '../problems.ts';
import type { Middleware } from '../request.ts';

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
/** Seconds that an answer is kept. */
export const IDEMPOTENCY_KEPT = 24 * 3600;

export const idempotency: Middleware = {
  async before({ event, context }) {
    const { state, services } = context;
    const key = event.headers['idempotency-key'];
    if (key === undefined || state.spec.method !== 'POST' || state.spec.plane !== 'api' || state.dry_run)
      return undefined;
    if (!IDEMPOTENCY_KEY.test(key)) {
      throw new Problem('malformed_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    }
    const request = JSON.stringify([state.spec.id, state.params, state.query, state.body]);
    const request_hash = services.keys.hmac('idempotency', request).toString('base64url');
    const stored = await services.store.one<{ request_hash: string; answer: string }>(
      'SELECT request_hash, answer FROM idempotency_key WHERE actor = ? AND key = ?',
      [state.actor.credential_id!, key],
    );
    if (stored) return replay(stored, request_hash);
    state.idempotency = { key, request_hash };
    return undefined;
  },
};

export function replay(stored: { request_hash: string; answer: string }, request_hash: string): GatewayAnswer {
  if (stored.request_hash !== request_hash) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used before with another request.');
  }
  const answer = JSON.parse(stored.answer) as GatewayAnswer;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}
