// What the middlewares of one request share: the event, the services, and the state that each of them fills in.

import type { Precondition } from '../../ground/store/revision.ts';
import type { Actor } from '../access/actor.ts';
import type { MutationLock } from '../access/mutation-lock.ts';
import type { GatewayAnswer, GatewayEvent } from './event.ts';
import type { AnySpec, FormFields } from './operation.ts';
import type { FormOutcome, Services } from './services.ts';

export interface RequestState {
  spec: AnySpec;
  request_id: string;
  /** The listener ended TLS. */
  secure: boolean;
  /** From performance.now(), milliseconds. */
  started: number;
  now: Date;
  actor: Actor;
  lock: MutationLock | null;
  body: unknown;
  form: FormFields | null;
  params: unknown;
  query: unknown;
  dry_run: boolean;
  if_match: Precondition;
  idempotency: { key: string; request_hash: string } | null;
  cookies: Record<string, string>;
  /** Revision of the single resource that is answered; becomes the entity tag. */
  revision: number | null;
  outcome: FormOutcome | null;
  /** Gives back what the request has of something of which there is little, when it is over. */
  letGo: (() => void) | null;
}

/** Middy's request as our middlewares see it. */
export interface OperationRequest {
  event: GatewayEvent;
  context: { services: Services; state: RequestState };
  response: GatewayAnswer | undefined;
  error: Error | null | undefined;
}

export interface Middleware {
  before?: (request: OperationRequest) => undefined | GatewayAnswer | Promise<undefined | GatewayAnswer>;
  after?: (request: OperationRequest) => undefined | Promise<undefined>;
  onError?: (request: OperationRequest) => undefined | Promise<undefined>;
}
