// What a step of the wizard needs: the confirmed target, the draft that was read from it, and the present package in
// the depot.
import { createHash } from 'node:crypto';
import { knownOva } from '../../ground/ova/known-ova.ts';
import type { OvaPackage } from '../../ground/ova/types.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { Transient } from '../../kernel/jobs/transient.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { appliancePath } from '../../services/offline-depot/appliances/appliances.ts';
import { trustedTarget } from '../connection/reach.ts';
import { serverText } from '../connection/target.ts';
import { type Draft, requireDraft, updateDraft } from '../remote/draft.ts';
import { digestOfPackage } from './request.ts';
import { DEPLOY_TASK, type DeploymentDraft } from './wizard-task.ts';

export interface Standing {
  draft: Draft;
  deployment: DeploymentDraft;
}

/** @throws Problem 409 when the certificate is not confirmed or the draft has expired */
export async function standing(
  services: Services,
  actor: Actor,
  { trust, draft: id }: { trust: string; draft: string },
): Promise<Standing> {
  return standingAt(services, actor, serverText(await trustedTarget(services, actor, trust)), id);
}

/** The same for a target whose certificate was checked against its ticket already. */
export function standingAt(services: Services, actor: Actor, server: string, id: string): Standing {
  const draft = requireDraft(services, actor, DEPLOY_TASK, id, server);
  if (draft.deployment) return { draft, deployment: draft.deployment };
  throw new Problem('state_conflict', 'The inventory was not read yet.');
}

/** The chosen package. @throws Problem 409 when it is another one than was chosen */
export async function chosenPackage(services: Services, { appliance }: DeploymentDraft): Promise<OvaPackage> {
  if (!appliance) throw new Problem('state_conflict', 'No OVA was chosen yet.');
  const pkg = await packageOf(services, appliance.file).catch((error: unknown) => {
    if (error instanceof Problem) throw new Problem('state_conflict', `${error.message} ${AGAIN}`);
    throw error;
  });
  if (digestOfPackage(pkg) === appliance.digest) return pkg;
  throw new Problem('state_conflict', `The OVA in the depot is another one than was chosen here. ${AGAIN}`);
}

const AGAIN = 'Nothing was done: choose the OVA again in the step Appliance.';

/** @throws Problem 404 `resource_not_found`, 422 `ova_refused` */
export async function packageOf(services: Services, file: string): Promise<OvaPackage> {
  return knownOva(await appliancePath(services, file));
}

/** The same for a file that was just chosen. @throws Problem 422 at `/file` */
export async function packageChosen(services: Services, file: string): Promise<OvaPackage> {
  if (file === '') throw invalid({ pointer: '/file', detail: 'Choose the OVA that is deployed.' });
  return packageOf(services, file).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    const gone = error.code === 'resource_not_found';
    throw invalid({
      pointer: '/file',
      detail: gone ? 'It is not in the depot any more: choose another one.' : error.message,
    });
  });
}

/** Digest of the agreements of a package, so that only those that were shown count as accepted. */
export const agreementMark = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 22);

export function keep(services: Services, { draft }: Standing, deployment: DeploymentDraft): void {
  updateDraft(services, draft, { deployment });
  earlierOf(services).put(keyOf(draft), { user_id: draft.user_id, ...chosenOf(services, { ...draft, deployment }) });
}

export type Choices = Pick<DeploymentDraft, 'appliance' | 'placement' | 'properties' | 'after'>;

const KEPT = { most: 40, seconds: 60 * 60, each: { most: 5, ownerOf: ({ user_id }: { user_id: string }) => user_id } };
const earlier = new WeakMap<object, Transient<Choices & { user_id: string }>>();

function earlierOf(services: Services): Transient<Choices & { user_id: string }> {
  const own = earlier.get(services.store) ?? new Transient<Choices & { user_id: string }>(services, KEPT);
  earlier.set(services.store, own);
  return own;
}

/** Of one session at one server. */
const keyOf = ({ owner, server }: Draft): string => `${owner} ${server}`;

/**
 * Values that fill the fields of a step: the choices of the draft, or of an earlier draft of the session, as after a
 * confirmation that expired. They are sent and checked again.
 */
export function chosenOf(services: Services, draft: Draft): Choices {
  const { appliance, placement, properties, after } = draft.deployment ?? {};
  const before = earlierOf(services).get(keyOf(draft));
  const same = appliance !== undefined && before?.appliance?.digest === appliance.digest;
  return {
    ...(before?.appliance && { appliance: before.appliance }),
    ...(before?.placement && { placement: before.placement }),
    ...(same && before.properties && { properties: before.properties }),
    ...(before?.after && { after: before.after }),
    ...(appliance && { appliance }),
    ...(placement && { placement }),
    ...(properties && { properties }),
    ...(after && { after }),
  };
}
