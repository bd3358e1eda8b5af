// The request of the wizard's review: the choices of its draft, checked against the package and the target again, and
// the passwords, which are not stored anywhere before.
import * as v from 'valibot';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { FormFields, RequestFacts } from '../../kernel/operation/operation.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { requireReviewed } from '../remote/draft.ts';
import {
  decodeTexts,
  LOGIN,
  REVIEWED,
  type Ready,
  readyToLogIn,
  refusalOf,
  TRUSTED,
} from '../remote/wizard-operations.ts';
import { addressingOf } from './addressing.ts';
import { chosenPackage, keep, type Standing, standingAt } from './choose.ts';
import { alone, type LookedAt, looksOf } from './looks.ts';
import { placeWords } from './place.ts';
import { type Preflight, preflight } from './preflight.ts';
import { type DeploymentRequest, type DeploymentSecrets, readDeployment } from './request.ts';
import { asked, atFields, DEPLOY_TASK } from './wizard-task.ts';

const SECRET_MOST = 1024;
const secret = v.pipe(v.string(), v.maxLength(SECRET_MOST, `At most ${SECRET_MOST} characters.`));
const texts = v.strictObject({
  ...TRUSTED,
  ...LOGIN,
  ...REVIEWED,
  depot_password: secret,
  appliance_password: secret,
  accept_warnings: v.pipe(v.string(), v.maxLength(64)),
});

export const reviewBody = v.strictObject({
  ...texts.entries,
  /** Field of a secret property → value. */
  typed: v.record(v.string(), v.pipe(v.string(), v.maxLength(65_535))),
});
export type ReviewBody = v.InferOutput<typeof reviewBody>;

const SECRETS = ['depot_password', 'appliance_password'] as const;

export function decodeReview(fields: FormFields): Record<string, unknown> {
  return {
    ...decodeTexts(texts)(fields),
    // Passwords keep their blanks.
    ...Object.fromEntries(SECRETS.map((name) => [name, fields.values.get(name) ?? ''])),
    typed: Object.fromEntries([...fields.values].filter(([name]) => /^s\d{1,3}$/.test(name))),
  };
}

export interface Reviewed {
  at: Standing;
  ready: Ready;
  request: DeploymentRequest;
  secrets: DeploymentSecrets;
  looked: Preflight;
  asked_at: Partial<LookedAt>;
}

/** A refusal that the page shows together with the checks; other errors are thrown. */
export type ReviewedOr = Reviewed | { ready: Ready; refuse: Problem; asked_at: Partial<LookedAt> };

interface Asking {
  services: Services;
  actor: Actor;
  request: RequestFacts;
  body: ReviewBody;
}

/**
 * Slow: for an operation's `prepare`. Stores the checks in the draft, for the page.
 * @throws Problem 409, 422; 429 while another one of this user runs
 */
export async function reviewed({ services, actor, request, body }: Asking): Promise<ReviewedOr> {
  const ready = await readyToLogIn(DEPLOY_TASK, { services, actor, request, body });
  const at = standingAt(services, actor, ready.server, body.draft);
  const { deployment } = at;
  requireReviewed(DEPLOY_TASK, at.draft, body.reviewed);
  const { appliance, placement, properties, after } = deployment;
  if (!appliance || !placement || !properties || !after) {
    throw new Problem('state_conflict', 'Not everything was chosen yet.');
  }
  const pkg = await chosenPackage(services, deployment);
  const { descriptor } = pkg;
  const own = asked(descriptor, true).map(({ field, property }) => [property.key, body.typed[field] ?? ''] as const);
  const { extras } = after;
  const stored = ready.stored && { vault_id: ready.stored.vault_id, choice_id: ready.stored.choice_id };
  const place = placeWords(deployment.inventory, placement.place);
  const read = { target: ready.trusted, stored, file: appliance.file, pkg, place };
  const { place: chosen, ...how } = placement;
  const typed = { name: appliance.name, placement: chosen, ...how, ...after };
  const said = faultless(() =>
    readDeployment(read, { ...typed, properties: { ...properties, ...Object.fromEntries(own) } }),
  );
  const missing = missingOf(body, extras.depot, needsApplianceLogin(descriptor, after));
  if ('errors' in said || missing.length > 0) {
    const errors = 'errors' in said ? atFields(descriptor, said.errors) : [];
    throw invalid(...errors, ...missing);
  }
  const secrets = secretsOf(body, said.secret_values, extras.depot, stored === null);
  const { secret_values } = said;
  const looks = looksOf(services, actor);
  return alone(services, actor, async () => {
    try {
      const login = await ready.credential();
      const typed = { login, properties: secret_values, depot_password: secrets.depot_password };
      const looked = await preflight(services, said.request, typed, { looks });
      keep(services, at, { ...deployment, checks: looked.checks });
      return { at, ready, request: said.request, secrets, looked, asked_at: looks.said };
    } catch (error) {
      return { ready, refuse: refusalOf(error), asked_at: looks.said };
    }
  });
}

/** No property of the OVF has the password with which trust and depot log in. */
export function needsApplianceLogin(
  descriptor: Parameters<typeof addressingOf>[0],
  { extras }: { extras: DeploymentRequest['extras'] },
): boolean {
  return (extras.trust || extras.depot) && addressingOf(descriptor, new Map()).local_password_key === null;
}

function faultless<T>(read: () => T): T | { errors: FieldError[] } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem && error.members.errors) return { errors: error.members.errors };
    throw error;
  }
}

function missingOf(
  { depot_password, appliance_password }: ReviewBody,
  depot: boolean,
  appliance: boolean,
): FieldError[] {
  return [
    ...(depot && depot_password === ''
      ? [{ pointer: '/depot_password', detail: 'Enter the password of the depot.' }]
      : []),
    ...(appliance && appliance_password === ''
      ? [{ pointer: '/appliance_password', detail: 'Enter the password that admin@local will have.' }]
      : []),
  ];
}

function secretsOf(
  { username, password, depot_password, appliance_password }: ReviewBody,
  properties: Record<string, string>,
  depot: boolean,
  typed: boolean,
): DeploymentSecrets {
  return {
    login: typed ? { username, password } : null,
    properties,
    depot_password: depot ? depot_password : null,
    appliance: appliance_password === '' ? null : { username: 'admin@local', password: appliance_password },
  };
}
