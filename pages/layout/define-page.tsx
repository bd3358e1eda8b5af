// From a declaration to a page: load (read, through the same domain functions as the REST API) and view (Preact, on the
// server). A page is an operation of its plane with GET, so authentication, limits, logging and refusals are the same.

import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { GenericSchema, InferOutput } from 'valibot';
import { hasUnprotectedKey } from '../../shared/appliance/overview/key-protection.ts';
import { enforcedStandings, pendingOf, type Standing } from '../../shared/appliance/states/standing.ts';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { masked } from '../../shared/kernel/access/csrf-mask.ts';
import type { Scope } from '../../shared/kernel/access/scopes.ts';
import { defineOperation, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { Plane, ReadContext } from '../../shared/kernel/operation/operation.ts';
import type { FormOutcome, Services } from '../../shared/kernel/operation/services.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import { MayOpen } from '../components/page-link.tsx';
import { helpOf } from '../help/links.ts';
import { mayOpen } from './may-open.ts';
import { Plain } from './plain.tsx';
import { tellRunning } from './running-apply.ts';
import { Shell } from './shell.tsx';
import type { PlainState, ShellState, Theme } from './state.ts';

export interface PageContext<P, Q> extends ReadContext<P, Q> {
  now: Date;
}

/** Of a page in the shell, whose strip says the same. */
export interface ShellContext<P, Q> extends PageContext<P, Q> {
  standings: ReadonlyMap<UnitId, Standing>;
}

export interface ViewProps<D> {
  data: D;
  state: ShellState;
  /** The form that was posted to this page and refused, or whose answer is shown here. */
  outcome: FormOutcome | null;
}

export interface PageSpec<P extends GenericSchema, Q extends GenericSchema, D> {
  id: string;
  path: string;
  access: { session: Scope | 'any' };
  /** Navigation entry it belongs to, when that is not its own path. */
  current?: string;
  params?: P;
  query?: Q;
  load(context: ShellContext<InferOutput<P>, InferOutput<Q>>): Promise<D>;
  title(data: D, state: ShellState): string;
  /** Units of the plan that the page is the review of. */
  planned?(data: D): readonly string[];
  /** What a printed page says of itself: which plan it is. */
  paper?(data: D): string;
  /** Whether what it shows goes on by itself: without script it then reads itself again. */
  refreshes?(data: D, state: ShellState): boolean;
  view(props: ViewProps<D>): ComponentChildren;
  /** Headers beyond those of every page. */
  headers?(props: Omit<ViewProps<D>, 'state'>): Record<string, string>;
}

/** A page of the management plane, in the shell. */
export function definePage<P extends GenericSchema, Q extends GenericSchema, D>(spec: PageSpec<P, Q, D>): Operation {
  return defineOperation<P, Q, GenericSchema>({
    ...declared(spec, 'management'),
    access: spec.access,
    async run(context: ReadContext<InferOutput<P>, InferOutput<Q>>) {
      const standings = await enforcedStandings(context.services);
      const data = await spec.load({ ...context, now: context.request.now, standings });
      const { state, cookies, old } = await shellState(context, standings);
      const content = spec.view({ data, state, outcome: context.outcome });
      const shell = (
        <Shell
          state={state}
          title={spec.title(data, state)}
          current={spec.current ?? spec.path}
          help={helpOf(spec.path)}
          planned={spec.planned?.(data) ?? []}
          paper={spec.paper?.(data) ?? null}
          // What a refused form says must not go away by itself.
          refreshes={context.outcome === null && (spec.refreshes?.(data, state) ?? false)}
        >
          <MayOpen.Provider value={(href) => mayOpen(state.user, href)}>{content}</MayOpen.Provider>
        </Shell>
      );
      const headers = { ...spec.headers?.({ data, outcome: context.outcome }), ...(old && { connection: 'close' }) };
      return { html: rendered(shell), cookies, headers };
    },
  });
}

export interface PlainPageSpec<P extends GenericSchema, Q extends GenericSchema, D> {
  id: string;
  path: string;
  plane: Plane;
  /** Default: anybody. Of the public plane: a session of that plane. */
  access?: { session: Scope | 'any' };
  params?: P;
  query?: Q;
  load(context: PageContext<InferOutput<P>, InferOutput<Q>>): Promise<D>;
  title(data: D): string;
  cookies?(data: D): string[];
  view(props: { data: D; state: PlainState; outcome: FormOutcome | null }): ComponentChildren;
  aside?(props: { data: D; state: PlainState }): ComponentChildren;
}

/** A page without the shell: sign-in, what a problem kind means, and those of the public plane. */
export function definePlainPage<P extends GenericSchema, Q extends GenericSchema, D>(
  spec: PlainPageSpec<P, Q, D>,
): Operation {
  return defineOperation<P, Q, GenericSchema>({
    ...declared(spec, spec.plane),
    access: spec.access ?? 'public',
    async run(context: ReadContext<InferOutput<P>, InferOutput<Q>>) {
      const data = await spec.load({ ...context, now: context.request.now });
      const state = plainState(context, spec.plane);
      const aside = spec.aside?.({ data, state });
      const home = spec.plane === 'public' ? pagePath('public') : pagePath('overview');
      const plain = (
        <Plain state={state} title={spec.title(data)} home={home} aside={aside} script={spec.plane !== 'public'}>
          {spec.view({ data, state, outcome: context.outcome })}
        </Plain>
      );
      return { html: rendered(plain), ...(spec.cookies && { cookies: spec.cookies(data) }) };
    },
  });
}

export const PAGE_OPEN_QUERY = 'Mails, chats and bookmarks add parameters of their own to the address of a page.';

function declared<P extends GenericSchema, Q extends GenericSchema>(
  spec: { id: string; path: string; params?: P; query?: Q },
  plane: Plane,
) {
  return {
    id: spec.id,
    method: 'GET' as const,
    path: spec.path,
    plane,
    tag: 'Pages',
    summary: spec.id,
    description: 'A page for people.',
    effect: 'read' as const,
    ...(spec.params && { params: spec.params }),
    ...(spec.query && { query: spec.query }),
    openQuery: PAGE_OPEN_QUERY,
    answers: { 200: { description: 'The page.' } },
  };
}

export function rendered(document: VNode): string {
  return `<!doctype html>${renderToString(document)}`;
}

interface ShellFrame {
  state: ShellState;
  cookies: string[];
  /** The connection has to end with the answer. */
  old: boolean;
}

async function shellState(
  context: ReadContext<unknown, unknown>,
  standings: ShellState['standings'],
): Promise<ShellFrame> {
  const { services, actor, request } = context;
  // A page that refreshes itself by script (islands/live.ts) must not use up what the next page is to say.
  const flash = request.headers['groundcrew-refresh'] ? undefined : request.cookies.groundcrew_flash;
  const asked = { job_id: request.lock?.job_id, mayApply: actor.scopes.has('write:apply') };
  const { running, confirm, old } = await tellRunning(services, request, asked);
  const state: ShellState = {
    user: { name: actor.name, role: actor.role ?? '', scopes: [...actor.scopes] },
    csrf: actor.csrf_token === null ? '' : masked(actor.csrf_token, services.entropy),
    ...common(services, context),
    host: { kind: services.host.kind, label: services.host.label },
    pending: pendingOf(standings),
    standings,
    running,
    confirm,
    unprotected_keys: await hasUnprotectedKey(services.store),
    flash: flash ? { kind: 'ok', text: safeDecode(flash) } : null,
    hostname: services.settings.hostname,
  };
  const cookies = flash ? ['groundcrew_flash=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'] : [];
  return { state, cookies, old };
}

function plainState(context: ReadContext<unknown, unknown>, plane: Plane): PlainState {
  const { services, actor } = context;
  const host = plane === 'public' ? null : { kind: services.host.kind, label: services.host.label };
  const known = common(services, context);
  // A guest of the network learns nothing about the program that serves the page.
  const csrf = actor.csrf_token === null ? null : masked(actor.csrf_token, services.entropy);
  return { csrf, host, ...known, version: plane === 'public' ? '' : known.version };
}

function common(services: Services, { request }: ReadContext<unknown, unknown>) {
  const { assets } = services.settings;
  const [path, query = ''] = request.path.split('?') as [string, string?];
  return {
    theme: themeOf(request.cookies.groundcrew_theme),
    path,
    query: request.query_string || query,
    now: instant(request.now),
    assets: { css: `/assets/${assets['app.css'] ?? 'app.css'}`, js: `/assets/${assets['app.js'] ?? 'app.js'}` },
    version: services.settings.version,
  };
}

function themeOf(cookie: string | undefined): Theme {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'system';
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, 300);
  } catch {
    return '';
  }
}
