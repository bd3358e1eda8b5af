// The view of a wizard's step, made again for each request: the position comes from the URL or from a refused form.
// When the conditions of a step do not hold, the first step with a missing condition is shown instead.
import * as v from 'valibot';
import { PROBLEM_KINDS, Problem } from '../../ground/problems.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ReadContext } from '../../kernel/operation/operation.ts';
import type { ProblemDocument } from '../../kernel/operation/problem-document.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type Observation, observeTarget, trustedTarget } from '../connection/reach.ts';
import { parseServer, serverText, type Target, urlText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import { DRAFT_GONE, type Draft, findDraft } from './draft.ts';
import {
  isMarked,
  lookMark,
  PLACE_FIELDS,
  type Place,
  type PlaceField,
  placeFrom,
  stepAfterRefusal,
  type WizardTask,
} from './wizard.ts';
import { type Offered, offeredCredentials, type StoredCredential, storedCredential } from './wizard-credential.ts';

/** Notice on top of a step. */
export interface Told {
  code: string;
  title: string;
  detail: string;
}

export interface WizardView {
  task: WizardTask;
  /** Position in the wizard; its `step` is the one that is shown. */
  place: Place;
  stored: StoredCredential | null;
  /** Null for who has manual logins only; read for the first two steps alone. */
  offered: Offered | null;
  search: string;
  /** In its canonical spelling, once it is known, and as URL fields show it. */
  server: string;
  url: string;
  observation: Observation | null;
  /** The fingerprint that was confirmed before, where another one is shown now. */
  before: string | null;
  trusted: TrustedTarget | null;
  draft: Draft | null;
  told: Told | null;
}

const text = v.optional(v.pipe(v.string(), v.maxLength(2048)), '');

/** The query of a wizard's page. */
export const WIZARD_QUERY = v.object({
  step: text,
  search: text,
  ...(Object.fromEntries(PLACE_FIELDS.map((name) => [name, text])) as Record<PlaceField, typeof text>),
});

type Context = Pick<
  ReadContext<unknown, Partial<Record<string, string>>>,
  'services' | 'actor' | 'request' | 'query' | 'outcome'
>;

/** @throws Problem 403 for a stored credential that is not for this user */
export async function loadWizard(task: WizardTask, context: Context): Promise<WizardView> {
  const { services, actor, query, outcome } = context;
  const read = outcome ? (name: string) => outcome.values.get(name) : (name: string) => query[name];
  const view: WizardView = {
    task,
    place: placeFrom(read),
    stored: null,
    offered: null,
    search: (read('search') ?? '').trim().slice(0, 255),
    server: '',
    url: '',
    observation: null,
    before: null,
    trusted: null,
    draft: null,
    told: outcome?.problem ? toldOf(outcome.problem) : null,
  };
  view.stored = await chosen(view, services, actor);
  const asked = view.place.step;
  view.place.step = view.told && outcome ? stepAfterRefusal(view.told.code, asked, view.stored !== null) : asked;
  const offer = () => offeredCredentials(services.store, actor, view.place.vault_id, view.search);
  if (view.place.step === '' && view.place.vault_id === '') {
    view.offered = await offer();
    // Where there is nothing to choose from, the first thing to do is the server; the choice stays one step back.
    if (isTyped(view)) view.place.step = 'server';
  }
  await stand(view, context);
  if (['credential', 'server'].includes(view.place.step)) view.offered ??= await offer();
  return view;
}

/** No stored login was chosen, and there is none to choose. */
export const isTyped = ({ stored, offered }: Pick<WizardView, 'stored' | 'offered'>): boolean =>
  stored === null && (offered?.vaults ?? []).every(({ entry_count }) => entry_count === 0);

/** A missing credential is reported, and has to be chosen again. */
async function chosen(view: WizardView, services: Services, actor: Actor): Promise<StoredCredential | null> {
  const { place } = view;
  // A vault without a key of it is half a choice: the first step shows its keys.
  if (place.choice_id === '') {
    if (place.vault_id !== '' && place.step !== '') place.step = 'credential';
    return null;
  }
  try {
    return await storedCredential(services.store, actor, place);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'resource_not_found') throw error;
    view.told = {
      code: error.code,
      title: 'Choose a key',
      detail: 'The chosen key is not, or no longer, one of this vault.',
    };
    Object.assign(place, { step: 'credential', choice_id: '' });
    return null;
  }
}

/** Goes from the first step to the requested one, and stops where a condition is missing. */
async function stand(view: WizardView, context: Context): Promise<void> {
  const { place, task } = view;
  const steps = ['credential', 'server', 'tls', 'login', ...task.own.map(({ id }) => id), 'done'];
  const wanted = Math.max(0, steps.indexOf(place.step));
  place.step = steps[wanted]!;
  if (wanted === 0) return;
  const target = targetOf(view);
  if (!target || wanted === 1) {
    place.step = 'server';
    return;
  }
  view.server = serverText(target);
  view.url = urlText(target);
  place.server = view.server;
  if (wanted > 2) {
    view.trusted = await confirmed(view, target, context);
    if (view.trusted) return standBeyond(view, context, steps, wanted);
    // What the fault leads to is where it stands now.
    if (steps.indexOf(place.step) < 2) return;
  }
  await look(view, target, context);
}

function targetOf({ stored, place }: WizardView): Target | null {
  if (stored) return stored.target;
  try {
    return place.server === '' ? null : parseServer(place.server);
  } catch {
    return null;
  }
}

async function confirmed(
  view: WizardView,
  target: Target,
  { services, actor }: Context,
): Promise<TrustedTarget | null> {
  try {
    return await trustedTarget(services, actor, view.place.trust, target);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    view.told ??= told(error);
    view.place.step = stepAfterRefusal(error.code, 'tls', view.stored !== null);
    return null;
  }
}

/** The TLS step: the certificate that the machine shows now. A link from another site makes no connection. */
async function look(view: WizardView, target: Target, { services, actor, request, outcome }: Context): Promise<void> {
  const { place } = view;
  // The mark shows that the look was recorded: a form without it makes no connection either.
  const own = isMarked(services.keys, actor, target, place.look) && !FORGED.includes(view.told?.code ?? '');
  // A page that refreshes itself does not look again.
  if (!own || request.headers['groundcrew-refresh'] !== undefined) {
    place.step = 'server';
    if (outcome === null) view.told = null;
    return;
  }
  place.step = 'tls';
  place.look = lookMark(services.keys, actor, target);
  view.before = await confirmedBefore(view, target, { services, actor, outcome });
  try {
    view.observation = await observeTarget(services, target);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    view.told = told(error);
    place.step = 'server';
    return;
  }
  if (view.before === view.observation.certificate.sha256) view.before = null;
  place.trust = '';
}

/** The fingerprint of the form or of the ticket that no longer holds. */
async function confirmedBefore(
  { place, told }: WizardView,
  target: Target,
  { services, actor, outcome }: Pick<Context, 'services' | 'actor' | 'outcome'>,
): Promise<string | null> {
  if (told?.code !== 'certificate_changed') return null;
  const posted = outcome?.values.get('sha256');
  if (posted) return posted;
  return (await trustedTarget(services, actor, place.trust, target).catch(() => null))?.sha256 ?? null;
}

function standBeyond(view: WizardView, { services, actor }: Context, steps: readonly string[], wanted: number): void {
  const { place, task, stored } = view;
  view.draft = findDraft(services, actor, task, place.draft, view.server);
  const first = task.own[0].id;
  if (place.step === 'login') {
    if (stored) place.step = first;
    return;
  }
  if (!view.draft) {
    // With a stored credential the first own step offers to read, or needs nothing read.
    if (!stored) lostDraft(view, 'login');
    else if (place.step !== first) lostDraft(view, first);
    return;
  }
  if (place.step === 'done' && !view.draft.result) place.step = 'review';
  const missing = task.missing(view.draft);
  if (missing !== null && steps.indexOf(place.step) > steps.indexOf(missing)) place.step = missing;
  if (steps.indexOf(place.step) > wanted) place.step = steps[wanted]!;
}

/** Refusals of forms that were sent by another page than ours. */
const FORGED: readonly string[] = ['csrf_failed', 'foreign_origin'];

function lostDraft(view: WizardView, step: string): void {
  view.place.step = step;
  if (view.place.draft === '') return;
  view.told ??= { code: 'draft_gone', title: 'Begin this part again', detail: DRAFT_GONE };
}

const TITLES: Readonly<Record<string, string>> = {
  certificate_changed: 'The certificate is another one than was confirmed',
  trust_missing: 'The certificate has to be confirmed first',
  remote_login_refused: 'The login was refused',
  remote_not_ready: 'It can’t answer now',
  remote_unsupported: 'It is not a machine that this task knows',
  remote_refused: 'It refused what was asked',
  target_refused: 'No connection is made to this address',
  preflight_refused: 'Something has to be put right first',
  remote_name_unknown: 'The name does not resolve',
  remote_unreachable: 'It can’t be reached',
  remote_timeout: 'It did not answer in time',
  remote_not_tls: 'It does not speak TLS',
  remote_tls_too_old: 'Its TLS is too old',
  remote_answer_unusable: 'Its answer can’t be used',
  too_many_attempts: 'Too many looks in a short time',
};

const told = (problem: Problem): Told => ({
  code: problem.code,
  title: TITLES[problem.code] ?? PROBLEM_KINDS[problem.kind].title,
  detail: problem.message,
});

/** Of a refused form; faults of fields are at their fields. */
function toldOf({ error_code, title, detail }: ProblemDocument): Told {
  return { code: error_code, title: TITLES[error_code] ?? title, detail };
}
