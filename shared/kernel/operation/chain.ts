// The middlewares of every operation, in order, each with one job. `before` runs downwards, `after` and `onError`
// upwards: problem details make the answer, then the log sees it. An unknown caller costs little:
// no body is read before its sender is known and allowed to send it.
import httpErrorHandler from '@middy/http-error-handler';
import { authentication } from './middleware/authentication.ts';
import { authorization } from './middleware/authorization.ts';
import { body } from './middleware/body.ts';
import { etag } from './middleware/entity-tag.ts';
import { forgery } from './middleware/forgery.ts';
import { idempotency } from './middleware/idempotency.ts';
import { jsonBody } from './middleware/json-body.ts';
import { log } from './middleware/log.ts';
import { mutationLock } from './middleware/mutation-lock.ts';
import { problemDetails } from './middleware/problem-details.ts';
import { requestId } from './middleware/request-id.ts';
import { responseCheck } from './middleware/response-check.ts';
import { validation } from './middleware/validation.ts';
import type { Middleware } from './request.ts';

/** Answers only when problem details themselves failed; silent, because its logger would print an error's cause. */
const lastNet = httpErrorHandler({ logger: false, fallbackMessage: 'Internal error' }) as unknown as Middleware;

export const CHAIN: readonly Middleware[] = [
  lastNet,
  requestId,
  log,
  problemDetails,
  authentication,
  authorization,
  body,
  jsonBody,
  forgery,
  mutationLock,
  validation,
  idempotency,
  // the transaction with audit, and `run`: execute.ts
  // `after` runs upwards: the answer is checked, then tagged.
  etag,
  responseCheck,
];
