// What else is wrong with a body that its schema refused: the rules of the domain on the members that are fine, so that all
// faults of a request come at once. The operation runs on them in a transaction that is rolled back.
import { type FieldError, Problem } from '../../ground/problems.ts';
import type { AnySpec, MutationContext, RequestFacts } from './operation.ts';
import type { RequestState } from './request.ts';
import type { Services } from './services.ts';

type Members = Record<string, unknown>;

const memberOf = ({ pointer }: FieldError): string =>
  (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

/** Faults at members that were sent and that the schema took. `read`: the body as far as the schema could read it. */
export async function secondLook(
  { services, state, request }: { services: Services; state: RequestState; request: RequestFacts },
  read: unknown,
  errors: readonly FieldError[],
): Promise<FieldError[]> {
  const { spec } = state;
  const stands = standIns(spec);
  if (stands === null || typeof read !== 'object' || read === null || Array.isArray(read)) return [];
  const faulty = new Set(errors.map(memberOf));
  const fine = Object.fromEntries(Object.entries(read).filter(([name]) => !faulty.has(name)));
  const stood = Object.fromEntries(Object.entries(stands).filter(([name]) => faulty.has(name)));
  const found = await refusedWith(services, state, request, { ...stood, ...fine });
  return found.filter((error) => Object.hasOwn(fine, memberOf(error)));
}

function standIns(spec: AnySpec): Members | null {
  return spec.effect === 'read' ? null : (spec.standIns ?? null);
}

async function refusedWith(
  services: Services,
  { spec, actor, params, query }: RequestState,
  request: RequestFacts,
  body: Members,
): Promise<FieldError[]> {
  if (spec.effect === 'read') return [];
  // The precondition comes after the faults, as it does without this.
  const facts = { ...request, if_match: null, dry_run: true };
  const silent = { audit: () => undefined, afterCommit: () => undefined, onFullDisk: () => undefined };
  const context = { services, actor, request: facts, params, query, body, prepared: undefined, ...silent };
  try {
    const run = (tx: MutationContext<unknown, unknown, unknown>['tx']) => spec.run({ ...context, tx });
    await services.store.write(run, { rollBack: true, unlessHeld: true });
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.members.errors ?? [];
    // A value that stands in for a refused one may fit no row. The caller is told what the schema found.
    services.logger.debug('second look ended early', { operation_id: spec.id });
    return [];
  }
}
