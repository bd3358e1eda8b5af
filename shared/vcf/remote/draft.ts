// What a wizard has read or was given and not yet used: candidates without values, a certificate to trust. It belongs
// to one session and one task; nothing in it is a password.
import { createHash } from 'node:crypto';
import { newId } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { Transient } from '../../kernel/jobs/transient.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { DiscoveredCredentials } from '../vcf-api/read-credentials.ts';
import type { CaCertificate } from './ca-certificate.ts';
import type { Chosen, ImportResult } from './import/selection.ts';
import type { WizardTask } from './wizard.ts';

export interface ShownAppliance {
  /** `SDDC Manager` */
  title: string;
  version: string;
}

/** Members of single tasks: each task declares its own member, beside the member's type. */
// biome-ignore lint/suspicious/noEmptyInterface: the tasks fill it
export interface OwnDrafts {}

export interface Draft extends Partial<OwnDrafts> {
  id: string;
  owner: string;
  user_id: string;
  task: string;
  /** The machine that it was read from. */
  server: string;
  /** As typed at the login; empty with a stored credential. */
  username: string;
  appliance: ShownAppliance | null;
  found?: DiscoveredCredentials;
  chosen?: Chosen;
  result?: ImportResult;
  certificate?: CaCertificate;
}

const KEPT = { most: 40, seconds: 60 * 60, each: { most: 5, ownerOf: ({ user_id }: Draft) => user_id } };
const drafts = new WeakMap<object, Transient<Draft>>();

function draftsOf(services: Services): Transient<Draft> {
  const own = drafts.get(services.store) ?? new Transient<Draft>(services, KEPT);
  drafts.set(services.store, own);
  return own;
}

/** Stores a new draft. Answers it with its id. */
export function keepDraft(
  services: Services,
  { credential_id, user_id }: Actor,
  task: WizardTask,
  facts: Pick<Draft, 'server' | 'username' | 'appliance'> & Partial<Draft>,
): Draft {
  const by = { owner: credential_id ?? '', user_id: user_id ?? '' };
  const draft: Draft = { ...facts, ...by, id: newId('draft', services.entropy), task: task.id };
  draftsOf(services).put(draft.id, draft);
  return draft;
}

/** Adds to a draft, whose lifetime begins again. */
export function updateDraft(services: Services, draft: Draft, more: Partial<Draft>): Draft {
  const next = { ...draft, ...more };
  draftsOf(services).put(draft.id, next);
  return next;
}

/** Null for one that is gone, of another session, task or server. */
export function findDraft(
  services: Services,
  actor: Actor,
  task: WizardTask,
  id: string,
  server: string,
): Draft | null {
  const draft = id === '' ? null : draftsOf(services).get(id);
  const own = draft?.owner === actor.credential_id && draft?.task === task.id && draft?.server === server;
  return own ? draft : null;
}

/** @throws Problem 409 */
export function requireDraft(services: Services, actor: Actor, task: WizardTask, id: string, server: string): Draft {
  const draft = findDraft(services, actor, task, id, server);
  if (draft) return draft;
  throw new Problem('state_conflict', DRAFT_GONE);
}

export const DRAFT_GONE =
  'What was read and entered so far is no longer kept: too much time went by, or the service was restarted. Nothing was changed.';

/** Digest of what a review shows: two tabs may share a draft, and only the reviewed one may be executed. */
export const reviewMark = (task: WizardTask, draft: Draft): string =>
  createHash('sha256')
    .update(JSON.stringify([draft.chosen ?? null, draft.certificate?.sha256 ?? null, task.reviewed?.(draft) ?? null]))
    .digest('base64url');

/** @throws Problem 409 */
export function requireReviewed(task: WizardTask, draft: Draft, mark: string): void {
  if (mark === reviewMark(task, draft)) return;
  throw new Problem(
    'state_conflict',
    'What was chosen changed since this review was shown, in another tab perhaps. Nothing was done: this is what is chosen now.',
  );
}
