// Idempotency-Key on POST: the first answer is stored in the same transaction as its effect and replayed afterwards.
// The same key with another request is a fault of the caller. The stored answer is encrypted under a key that lives
// outside of the database, because it may be the one that shows a secret once.
import { createHash } from 'node:crypto';
import { instant, later } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import { type Box, open, seal } from '../../../ground/sealing/box.ts';
import type { Database, Transaction } from '../../../ground/store/database.ts';
import type { GatewayAnswer } from '../event.ts';
import type { Middleware } from '../request.ts';
import type { Services } from '../services.ts';
import { logRequest } from './log.ts';
import { isKeyed, refuseWhileLocked, takesKey } from './mutation-lock.ts';

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
/** Seconds that an answer is stored. */
export const IDEMPOTENCY_KEPT = 24 * 3600;

export const idempotency: Middleware = {
  async before(request) {
    const { event, context } = request;
    const { state, services } = context;
    const key = event.headers['idempotency-key'];
    // A dry run does not use a key, but still reports a malformed one.
    if (key !== undefined && takesKey(state.spec) && !IDEMPOTENCY_KEY.test(key)) {
      throw new Problem('malformed_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    }
    if (key === undefined || !isKeyed(request)) {
      // The validation reads `dry_run` from the query, so it is known only now.
      refuseWhileLocked(state);
      return undefined;
    }
    const asked = JSON.stringify([state.spec.id, state.params, state.query, hashed(state.body)]);
    const request_hash = services.keys.hmac('idempotency', asked).toString('base64url');
    const response = await storedAnswer(services.store, services, state.actor.credential_id!, { key, request_hash });
    if (response) {
      logRequest({ ...request, response });
      return response;
    }
    refuseWhileLocked(state);
    state.idempotency = { key, request_hash };
    return undefined;
  },
};

/** Of bytes their digest: as JSON they are four times as long. */
const hashed = (body: unknown): unknown =>
  Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('base64url') : body;

/**
 * The answer that was given to this key before, or null; looked up before the request runs and again in its
 * transaction.
 * @throws Problem 422 when the key came with another request.
 */
export async function storedAnswer(
  database: Database,
  services: Services,
  actor: string,
  asked: { key: string; request_hash: string },
): Promise<GatewayAnswer | null> {
  const stored = await database.one<{ request_hash: string; answer: string }>(
    'SELECT request_hash, answer FROM idempotency_key WHERE actor = ? AND key = ?',
    [actor, asked.key],
  );
  if (!stored) return null;
  if (stored.request_hash !== asked.request_hash) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used before with another request.');
  }
  const answer = openAnswer(services, stored.answer);
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}

/** Of a clock that was set back as well, but not before its own time: a request sent again must not run twice. */
export async function forgetAnswers(tx: Transaction, now: Date): Promise<void> {
  const at = (seconds: number) => instant(later(now, seconds));
  await tx.run('DELETE FROM idempotency_key WHERE created_at <= ? OR created_at > ?', [
    at(-IDEMPOTENCY_KEPT),
    at(IDEMPOTENCY_KEPT),
  ]);
}

/** Without a format name, since stored answers are forgotten after a day. */
const boxOf = ({ keys }: Services): Box => ({
  format: '',
  key: keys.hmac('idempotency', 'stored answers'),
  associated: Buffer.alloc(0),
});

export const sealAnswer = (services: Services, answer: GatewayAnswer): string =>
  seal(boxOf(services), Buffer.from(JSON.stringify(answer), 'utf8'), services.entropy);

function openAnswer(services: Services, text: string): GatewayAnswer {
  const opened = open(boxOf(services), text);
  if (!opened) throw new Error('A stored answer can’t be opened: it is damaged, or the keys file is another one.');
  return JSON.parse(opened.toString('utf8')) as GatewayAnswer;
}
