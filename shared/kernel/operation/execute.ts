// Runs an operation's `run`: reads straight from the store, mutations in one transaction with their audit rows and,
// where asked for, the stored answer of the Idempotency-Key. All of it commits together or nothing does.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { entityTag } from '../../ground/store/revision.ts';
import type { WriteOptions } from '../../ground/store/store.ts';
import { heldOff, releaseLocks, requestOwner, takeLock } from '../access/mutation-lock.ts';
import { requireStillLetIn } from '../access/still-let-in.ts';
import { type AuditEvent, appendAudit } from '../audit/audit.ts';
import { isCompressible } from './compressible.ts';
import { confirmPassword, OWN_PASSWORD } from './confirm-password.ts';
import type { Constant } from './constant.ts';
import type { GatewayAnswer, GatewayEvent } from './event.ts';
import { sealAnswer, storedAnswer } from './middleware/idempotency.ts';
import { type Answer, type AnySpec, type Effect, type RequestFacts, saves, waitsForLock } from './operation.ts';
import type { RequestState } from './request.ts';
import type { Services } from './services.ts';

interface Context {
  services: Services;
  state: RequestState;
}

/** Effect → signals to open pages and the job runner after a mutation. */
const TOLD: Partial<Record<Effect, Parameters<Services['notify']>[0]>> = {
  'queues-job': 'jobs',
  'desired-state': 'pending',
};

export async function execute(event: GatewayEvent, context: Context): Promise<GatewayAnswer> {
  const { services, state } = context;
  const { spec, actor } = state;
  // Before anything is owned: whoever guesses keeps nobody from working. A dry run saves nothing that would need it.
  if (spec.effect !== 'read' && spec.form?.confirms && !state.dry_run)
    await confirmForm(services, state, factsOf(event, state));
  if (spec.effect === 'read' || !spec.ownsAll) return carryOut(event, context);
  if (state.dry_run) return carryOut(event, context, requestOwner(services.entropy));
  await requireStillLetIn(services.store, actor);
  const owner = requestOwner(services.entropy);
  await services.store.write((tx) => takeLock(tx, 'all', owner, instant(state.now)), { unlessHeld: true });
  try {
    return await carryOut(event, context, owner);
  } finally {
    await releaseOwned(services, owner);
  }
}

/** Milliseconds until a lock that could not be released is tried again. */
const RELEASE_AGAIN = 5_000;

/** What was answered stands: on a full disk the lock goes as soon as there is room. */
async function releaseOwned(services: Context['services'], owner: string): Promise<void> {
  try {
    await services.store.write((tx) => releaseLocks(tx, owner));
  } catch (error) {
    services.logger.error('a lock could not be released yet', { failure: { message: (error as Error).message } });
    setTimeout(() => void releaseOwned(services, owner), RELEASE_AGAIN).unref();
  }
}

async function carryOut(event: GatewayEvent, { services, state }: Context, owner = ''): Promise<GatewayAnswer> {
  const { spec, actor, params, query } = state;
  const request = factsOf(event, state);
  if (spec.effect === 'read') {
    const about = { services, actor, request, params, query, db: services.store, outcome: state.outcome };
    const answer = finish(spec, state, await spec.run(about), request);
    return isCompressible(spec, event, answer) ? { ...answer, compress: true } : answer;
  }
  const afterCommit: (() => void)[] = [];
  const onFullDisk: (() => Problem)[] = [];
  const events: AuditEvent[] = [];
  const context = {
    services,
    actor,
    request,
    params,
    query,
    body: state.body,
    audit: (audited: AuditEvent) => void events.push(audited),
    afterCommit: (work: () => void) => void afterCommit.push(work),
    onFullDisk: (instead: () => Problem) => void onFullDisk.push(instead),
  };
  if (spec.preparesHost) await requireStillLetIn(services.store, actor);
  const prepared = await spec.prepare?.(context);
  if (spec.audit === 'none')
    return finish(spec, state, await spec.run({ ...context, tx: undefined as never, prepared }), request);
  const saved = services.store.write(
    async (tx): Promise<{ answer: GatewayAnswer; refuse?: Problem }> => {
      if (!spec.preparesHost) await requireStillLetIn(tx, actor);
      const replayed = await answeredMeanwhile(tx, services, state);
      if (replayed) return { answer: replayed };
      const { refuse, ...given } = await spec.run({ ...context, tx, prepared });
      if (events.length === 0 && !given.unchanged) throw new Error(`${spec.id} recorded no audit event`);
      if (refuse) {
        await record(tx, services, state, request, events);
        return { answer: NOT_GIVEN, refuse };
      }
      const finished = finish(spec, state, given, request);
      await record(tx, services, state, request, events);
      await remember(tx, services, state, finished);
      return { answer: finished };
    },
    savedHow(spec, state, owner),
  );
  const { answer, refuse } = await saved
    .catch((error: Error) => {
      const [instead] = error instanceof Problem && error.code === 'storage_full' ? onFullDisk : [];
      throw instead?.() ?? error;
    })
    .finally(() => released(spec, services, prepared));
  if (!state.dry_run) {
    for (const work of afterCommit) work();
    const told = TOLD[spec.effect];
    if (told) services.notify(told);
  }
  if (refuse) throw refuse;
  return answer;
}

/** What owns everything writes many rows, also where it only tries them. */
function savedHow(spec: MutationOf, { dry_run, now }: RequestState, job_id: string): WriteOptions {
  const unlessHeld = saves(spec) && (!spec.prepare || spec.judges === true || spec.ownsAll === true);
  return {
    rollBack: dry_run,
    unlessHeld,
    ...(spec.ownsAll && { holds: () => heldOff({ job_id, since: instant(now) }) }),
  };
}

/** What was saved stands, so a failure of this is for the log alone. */
async function released(spec: MutationOf, { logger }: Services, prepared: unknown): Promise<void> {
  await spec.release?.(prepared).catch((error: Error) => {
    logger.error('what a request had prepared could not be closed', { failure: { message: error.message } });
  });
}

type MutationOf = Exclude<AnySpec, { effect: 'read' }>;

/** @throws Problem 422 when the form does not come with the own password. */
async function confirmForm(services: Services, state: RequestState, request: RequestFacts): Promise<void> {
  const { spec, actor } = state;
  const [action] = spec.effect === 'read' || spec.audit === 'none' ? [] : spec.audit;
  const [resource_id = null] = Object.values(state.params as Record<string, string>);
  const { resource_type } = spec.form!.confirms!;
  const who = { at: instant(state.now), actor, request_id: request.id, source_address: request.source_address };
  await confirmPassword(services, who, state.form?.values.get(OWN_PASSWORD) ?? '', {
    event: { action: action!, resource_type, resource_id },
    pointer: `/${OWN_PASSWORD}`,
  });
}

/** Placeholder answer where a refusal is thrown after the commit. */
const NOT_GIVEN: GatewayAnswer = { statusCode: 500, headers: {}, body: '' };

/** The answer of a request with the same Idempotency-Key that was faster. */
async function answeredMeanwhile(
  tx: Transaction,
  services: Services,
  state: RequestState,
): Promise<GatewayAnswer | null> {
  if (!state.idempotency) return null;
  return storedAnswer(tx, services, state.actor.credential_id!, state.idempotency);
}

/** Audit rows: what makes the mutation final. */
async function record(
  tx: Transaction,
  services: Services,
  state: RequestState,
  request: RequestFacts,
  events: AuditEvent[],
): Promise<void> {
  const { actor, spec } = state;
  const context = { at: instant(state.now), actor, request_id: request.id, source_address: request.source_address };
  const holdsLock =
    state.dry_run ||
    !waitsForLock(spec) ||
    (spec.effect !== 'read' && (spec.takesLock === true || spec.ownsAll === true));
  for (const audited of events) await appendAudit(tx, services.keys, context, audited, { holdsLock });
}

/** Stores the answer for a repeated request. */
async function remember(
  tx: Transaction,
  services: Services,
  state: RequestState,
  answer: GatewayAnswer,
): Promise<void> {
  const { actor, idempotency, spec } = state;
  if (!idempotency) return;
  await tx.run(
    `INSERT INTO idempotency_key (actor, key, operation_id, request_hash, answer, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    [
      actor.credential_id!,
      idempotency.key,
      spec.id,
      idempotency.request_hash,
      sealAnswer(services, answer),
      instant(state.now),
    ],
  );
}

/** What a request is, for `run`. */
export function factsOf(event: GatewayEvent, state: RequestState): RequestFacts {
  return {
    id: state.request_id,
    path: event.rawPath,
    query_string: event.rawQueryString,
    source_address: event.requestContext.http.sourceIp,
    secure: event.requestContext.secure,
    connection: event.requestContext.connection ?? null,
    headers: event.headers,
    cookies: state.cookies,
    if_match: state.if_match,
    dry_run: state.dry_run,
    now: state.now,
    lock: state.lock,
  };
}

function finish(spec: AnySpec, state: RequestState, answer: Answer, { headers }: RequestFacts): GatewayAnswer {
  if (spec.form) return spec.form.fetch && asksForJson(headers) ? itself(answer) : nextPage(spec, state, answer);
  const status = answer.status ?? 200;
  if (!spec.answers[status]) throw new Error(`${spec.id} answered ${status}, which it does not declare`);
  state.revision = answer.revision ?? null;
  if (answer.constant !== undefined) return constant(status, answer, answer.constant);
  if (answer.html !== undefined) return page(status, answer);
  if (answer.text !== undefined) return plainText(status, answer);
  if (answer.bytes !== undefined) return file(status, answer, answer.bytes);
  if (answer.parts !== undefined) return { ...plainText(status, { ...answer, text: '' }), parts: answer.parts };
  const json = answer.body !== undefined;
  return {
    statusCode: status,
    headers: {
      ...(json && { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      // Here and not only in the middleware, so that a replayed answer has it too.
      ...(state.revision !== null && { etag: entityTag(state.revision) }),
      ...(status === 201 && !state.dry_run && location(spec, state, answer.body)),
      ...answer.headers,
    },
    ...(answer.cookies && { cookies: answer.cookies }),
    body: json ? JSON.stringify(answer.body) : '',
  };
}

/** Where the created resource can be read: below its collection, by its id. */
function location(spec: AnySpec, state: RequestState, body: unknown): Record<string, string> {
  const id = (body as { id?: unknown } | null | undefined)?.id;
  if (typeof id !== 'string') return {};
  const params = state.params as Record<string, string>;
  const collection = spec.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return { location: `${collection}/${encodeURIComponent(id)}` };
}

/** The client may cache the answer, and has to revalidate it with its tag. */
function constant(status: number, { headers }: Answer, kept: Constant): GatewayAnswer {
  const about = { 'cache-control': 'no-cache', vary: 'accept-encoding', etag: kept.etag('identity') };
  return { statusCode: status, headers: { ...about, ...headers }, body: kept.text, constant: kept };
}

function page(status: number, answer: Answer): GatewayAnswer {
  return {
    statusCode: status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...answer.headers },
    ...(answer.cookies && { cookies: answer.cookies }),
    body: answer.html!,
  };
}

function plainText(status: number, answer: Answer): GatewayAnswer {
  return {
    statusCode: status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...answer.headers },
    body: answer.text!,
  };
}

function file(status: number, { headers }: Answer, bytes: Buffer): GatewayAnswer {
  const about = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' };
  return {
    statusCode: status,
    headers: { ...about, ...headers },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}

function asksForJson({ accept = '' }: Record<string, string>): boolean {
  return /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);
}

/** The answer of a form to a script. */
function itself({ body = {}, cookies = [] }: Answer): GatewayAnswer {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    cookies,
    body: JSON.stringify(body),
  };
}

/** 303 to the next page. Its message travels in a short-lived cookie that the page clears. */
function nextPage(spec: AnySpec, state: RequestState, answer: Answer): GatewayAnswer {
  const { location, flash } = spec.form!.done(answer, state.form!, state.params as Record<string, string>);
  if (!/^\/[^/\\]/.test(location) && location !== '/')
    throw new Problem('malformed_request', 'A form can only lead to a page of this appliance.');
  const cookies = [...(answer.cookies ?? [])];
  if (flash && !state.dry_run) {
    cookies.push(
      `groundcrew_flash=${encodeURIComponent(flash)}; Path=/; Max-Age=20; HttpOnly; SameSite=Lax${state.secure ? '; Secure' : ''}`,
    );
  }
  const { shows = false } = spec.form!;
  if (state.dry_run || (typeof shows === 'function' ? shows(answer) : shows)) {
    return itself({ ...answer, cookies });
  }
  return { statusCode: 303, headers: { ...answer.headers, location, 'cache-control': 'no-store' }, cookies, body: '' };
}
