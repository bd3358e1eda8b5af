// How a person sees a refusal. A refused form is answered with its own page, filled in, with the faults beside the
// fields; any other refusal to a browser becomes a problem page. Programs get problem documents.
import { pagePath } from '../shared/ground/page-paths.ts';
import { RETURN_MOST } from '../shared/kernel/access/visitor-form.ts';
import { OWN_PASSWORD } from '../shared/kernel/operation/confirm-password.ts';
import { isApiPath, type Operation } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayAnswer, GatewayEvent } from '../shared/kernel/operation/event.ts';
import { fieldsOfEvent } from '../shared/kernel/operation/multipart.ts';
import { FormFields } from '../shared/kernel/operation/operation.ts';
import type { ProblemDocument } from '../shared/kernel/operation/problem-document.ts';
import type { FormOutcome, Services } from '../shared/kernel/operation/services.ts';
import type { Router } from './router.ts';

/** Where somebody signs in, and the form of that page: a wrong password is shown there. */
const SIGN_IN = {
  management: { path: pagePath('sign-in'), form: 'signInForm' },
  public: { path: pagePath('public-sign-in'), form: 'publicSignInForm' },
};

/** What was refused before its body was read, or for its size, is not read here. */
const UNREAD: ReadonlySet<string> = new Set(['body_too_large', 'media_type_unsupported', 'insufficient_scope']);

export async function showForm(
  router: Router,
  event: GatewayEvent,
  services: Services,
  routed: { answer: GatewayAnswer; operation: Operation | null },
): Promise<GatewayAnswer> {
  const { answer, operation } = routed;
  if (!wantsPage(event)) return answer;
  const refused = answer.headers['content-type'] === 'application/problem+json';
  if (!refused && !(operation?.spec.form && answer.statusCode === 200)) return answer;
  const problem = refused ? (JSON.parse(answer.body) as ProblemDocument) : null;
  const signIn = SIGN_IN[isManagement(router) ? 'management' : 'public'];
  if (problem?.status === 401 && operation?.spec.id !== signIn.form) return toSignIn(event, answer, operation);
  const form = operation?.spec.form;
  const unread = operation?.spec.binary || UNREAD.has(problem?.error_code ?? '');
  const shownAgain = form && !unread && form.secret !== 'all';
  const values = shownAgain ? fieldsOfEvent(event).values : new FormFields('').values;
  // No page shows a file again: it is chosen anew.
  for (const name of form?.files ?? []) values.delete(name);
  const secret = shownAgain ? ((form.secret ?? []) as string[]) : [];
  const lost = secret.filter((name) => Boolean(values.get(name)));
  for (const name of ['csrf', OWN_PASSWORD, ...secret]) values.delete(name);
  const outcome = {
    operation_id: operation?.spec.id ?? '',
    values,
    lost,
    problem,
    result: refused ? null : (JSON.parse(answer.body) as unknown),
    dry_run: values.get('dry_run') === 'true',
  };
  const path = form ? pathOf(form.page, operation!, event) : null;
  const shown = path ? await router.route(pageEvent(event, path), services, outcome) : null;
  const page =
    shown && shown.answer.statusCode === 200 ? shown.answer : await problemAnswer(router, event, services, outcome);
  if (page.headers['content-type'] !== 'text/html; charset=utf-8') return answer;
  const { 'content-type': _type, etag: _tag, ...kept } = answer.headers;
  return {
    statusCode: answer.statusCode,
    headers: { ...page.headers, ...kept, 'content-type': 'text/html; charset=utf-8' },
    cookies: [...(page.cookies ?? []), ...(answer.cookies ?? [])],
    body: page.body,
  };
}

/** Signed-in users keep the navigation: only the requested page is missing or forbidden. */
const IN_SHELL: ReadonlySet<number> = new Set([403, 404]);

async function problemAnswer(
  router: Router,
  event: GatewayEvent,
  services: Services,
  outcome: FormOutcome,
): Promise<GatewayAnswer> {
  const shown = async (path: string) => (await router.route(pageEvent(event, path), services, outcome)).answer;
  const plain = problemPage(router);
  if (plain === pagePath('problem') && IN_SHELL.has(outcome.problem?.status ?? 0)) {
    const page = await shown(pagePath('refusal'));
    if (page.statusCode === 200) return page;
  }
  return shown(plain);
}

const isManagement = (router: Router): boolean => router.operations.some(({ spec }) => spec.plane === 'management');

/** The page that shows any problem, on the plane that the router serves. */
const problemPage = (router: Router): string => pagePath(isManagement(router) ? 'problem' : 'public-problem');

/** Browsers ask for HTML in so many words; everything else is a program. */
function wantsPage(event: GatewayEvent): boolean {
  return !isApiPath(event.rawPath) && /\btext\/html\b/.test(event.headers.accept ?? '');
}

/** After signing in, back to the page, or to the page of the form that was posted too late. */
function toSignIn(event: GatewayEvent, answer: GatewayAnswer, operation: Operation | null): GatewayAnswer {
  const none = { 'cache-control': 'no-store', 'x-request-id': answer.headers['x-request-id']! };
  // The public pages have one place to go on from.
  if (operation?.spec.plane === 'public') {
    return { statusCode: 303, headers: { location: SIGN_IN.public.path, ...none }, body: '' };
  }
  const form = operation?.spec.form;
  const query = event.rawQueryString ? `?${event.rawQueryString}` : '';
  const back = form ? pathOf(form.page, operation!, event) : `${event.rawPath}${query}`;
  const { path } = SIGN_IN.management;
  const location = back.length > RETURN_MOST ? path : `${path}?return_to=${encodeURIComponent(back)}`;
  return { statusCode: 303, headers: { location, ...none }, body: '' };
}

function pageEvent(event: GatewayEvent, path: string): GatewayEvent {
  const [rawPath, rawQueryString = ''] = path.split('?') as [string, string?];
  const { 'if-none-match': _known, ...headers } = event.headers;
  const { incoming: _posted, ...shown } = event;
  return {
    ...shown,
    rawPath,
    rawQueryString,
    headers,
    queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)),
    requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method: 'GET', path: rawPath } },
    body: null,
  };
}

/** Fills the page template's parameters from the path that was posted to. */
function pathOf(page: string, operation: Operation, event: GatewayEvent): string {
  const template = operation.spec.path.split('/');
  const given = event.rawPath.split('/');
  const parameters = new Map(template.map((segment, i) => [segment, given[i] ?? '']));
  return page.replaceAll(/\{\w+\}/g, (name) => parameters.get(name) ?? '');
}
