// Idempotency-Key on POST: the first answer is stored in the same transaction as its effect and replayed afterwards.
// The same key with another request is a fault of the caller. The stored answer is encrypted under a key that lives
// outside of the database, because it may be the one that shows a secret once.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { GatewayAnswer } from '../event.ts';
import type { Middleware } from '../request.ts';
import type { Services } from '../services.ts';
import { logRequest } from './log.ts';
import { isKeyed, refuseWhileLocked, takesKey } from './mutation-lock.ts';

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
/** Seconds that an answer is kept. */
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
      await refuseWhileLocked(services, state);
      return undefined;
    }
    const asked = JSON.stringify([state.spec.id, state.params, state.query, state.body]);
    const request_hash = services.keys.hmac('idempotency', asked).toString('base64url');
    const response = await storedAnswer(services.store, services, state.actor.credential_id!, { key, request_hash });
    if (response) {
      logRequest({ ...request, response });
      return response;
    }
    await refuseWhileLocked(services, state);
    state.idempotency = { key, request_hash };
    return undefined;
  },
};

/**
 * The answer that was given to this key before, or null; looked up before the request runs and again in its transaction.
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

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Initialization vector, tag and ciphertext of an answer, base64url. */
export function sealAnswer(services: Services, answer: GatewayAnswer): string {
  const iv = services.entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(services), iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function openAnswer(services: Services, text: string): GatewayAnswer {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(CIPHER, sealingKey(services), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(opened.toString('utf8')) as GatewayAnswer;
}

function sealingKey(services: Services): Buffer {
  return services.keys.hmac('idempotency', 'stored answers');
}
