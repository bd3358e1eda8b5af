// The provider: the library oidc-provider, set up from the applied manifest and the signing keys. This is the one file that speaks
// the library’s language (Koa contexts). It is made anew when either changes, and what it gave out lives on in the store.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import Provider, {
  type Account,
  type Configuration,
  errors,
  interactionPolicy,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { equalInConstantTime } from '../../../ground/sealing/keys.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import type { Payload } from '../artifacts/artifacts.ts';
import { GroupCommit, groupCommitOf } from '../artifacts/group-commit.ts';
import { OneStatement } from '../artifacts/one-statement.ts';
import { type Client, clientById, noteToken } from '../clients/clients.ts';
import { originOf } from '../clients/redirect-uris.ts';
import { isSecret } from '../clients/secret.ts';
import { pathOfIssuer } from '../issuer.ts';
import type { PrivateJwk } from '../keys/signing-keys.ts';
import { type OidcManifest, PROBE_CLIENT } from '../manifest.ts';
import { noteUses } from '../sessions/sessions.ts';
import { adapterFactory } from './adapter.ts';
import { Carried } from './carried.ts';
import { CLAIMS, claimsOf } from './claims.ts';
import { askingNow, type Known, redeemingNow, seenNow, signingInNow } from './of-request.ts';
import type { People, Person, SignedIn } from './people.ts';
import { personFor } from './person-ahead.ts';
import {
  isOwnMachine,
  isProbe,
  isProbeSubject,
  PROBE_SECONDS,
  probeAccount,
  probeLogin,
  probeMetadata,
} from './probe-client.ts';
import { ReadAhead } from './read-ahead.ts';

/** Seconds that somebody stays signed in, and all that was given for it; and in which a sign-in has to be done. */
export const SESSION_SECONDS = 12 * 3600;
const INTERACTION_SECONDS = 600;

/** Pages that the library has no form for, as HTML. */
export interface ProviderPages {
  /** Nothing is sent to the client: it is not known, or not trusted. `detail` has no word of ours. */
  error(error: string, detail: string): string;
  signOut(form: { action: string; xsrf: string; client: string | null }): string;
  signedOut(): string;
}

export interface ProviderOptions {
  services: Services;
  manifest: OidcManifest;
  /** The one that signs first. */
  keys: readonly PrivateJwk[];
  people: Record<Client['source'], People>;
  pages: ProviderPages;
  /** Secret of the appliance's own client. */
  probe_secret: string;
  /** Content security policy of a page from which the browser goes on to these origins by a form. */
  policy(origins: readonly string[]): string;
}

/** A sign-in that waits for a person. */
export interface Waiting {
  uid: string;
  client: Client;
  /** Where the browser goes in the end. */
  origin: string;
  /** What the client suggests as user name. */
  hint: string;
  /** The client asks for a consent that our clients have: nobody has to be asked. */
  consents: boolean;
}

export interface Identity {
  /** Answers a request below the path of the issuer, by which it was cut from its target. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Null: none waits in this browser. */
  waiting(request: IncomingMessage, response: ServerResponse): Promise<Waiting | null>;
  /** Signs in, and sends the browser on. */
  signIn(request: IncomingMessage, response: ServerResponse, proven: SignedIn): Promise<void>;
  consent(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Goes on with a sign-in of the appliance's own client; false: this is none. */
  probe(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** Milliseconds between two notes that a client was given tokens. */
const NOTED_MS = 250;

/** Stands where the library wants a secret: nobody has it, and nothing is compared with it. */
const NO_SECRET = randomBytes(32).toString('base64url');

/** Members of ours that the library carries along with a client. */
const OURS = ['requires_pkce', 'refresh_tokens'] as const;

/** A client authenticates by header or body, as it likes: the library wants to know which before it looks. */
const metadataOf = (client: Client, basic: boolean): Payload => ({
  client_id: client.id,
  client_secret: NO_SECRET,
  client_name: client.name,
  redirect_uris: client.redirect_uris,
  post_logout_redirect_uris: client.logout_uris,
  response_types: ['code'],
  grant_types: ['authorization_code', ...(client.refresh_tokens ? ['refresh_token'] : [])],
  token_endpoint_auth_method: basic ? 'client_secret_basic' : 'client_secret_post',
  requires_pkce: client.requires_pkce,
  refresh_tokens: client.refresh_tokens,
});

/** What is asked of a sign-in beside the library’s own checks. */
function policyOf() {
  const policy = interactionPolicy.base();
  const login = policy.get('login')!;
  const { Check } = interactionPolicy;
  // Gone, disabled, or a person of another source than this client’s.
  const isGone = ({ oidc }: KoaContextWithOIDC) => Boolean(oidc.session?.accountId) && !oidc.account;
  login.checks.add(new Check('account_gone', 'End-User authentication is required', 'login_required', isGone));
  const isOld = ({ oidc }: KoaContextWithOIDC) =>
    Boolean(oidc.session?.accountId) && !oidc.result?.login && oidc.session!.past(SESSION_SECONDS);
  login.checks.add(new Check('session_old', 'End-User authentication is required', 'login_required', isOld));
  // Our clients are granted what they may ask for: nobody is asked, and a client that asks for the question gets the grant.
  policy.get('consent')!.checks.clear();
  return policy;
}

async function grantOf(ctx: KoaContextWithOIDC) {
  const { client, session, account, provider } = ctx.oidc;
  const known = session!.grantIdFor(client!.clientId);
  const kept = known ? await provider.Grant.find(known) : undefined;
  if (kept && kept.accountId === account!.accountId) return kept;
  const grant = new provider.Grant({ clientId: client!.clientId, accountId: account!.accountId });
  grant.addOIDCScope(['openid', 'offline_access', ...Object.keys(CLAIMS)].join(' '));
  await grant.save();
  return grant;
}

function configurationOf(options: ProviderOptions, writes: GroupCommit): Configuration {
  const { services, manifest, keys, pages } = options;
  const prefix = pathOfIssuer(manifest.issuer);
  const ours = (client: unknown, member: (typeof OURS)[number]) => (client as Record<string, unknown>)[member] === true;
  return {
    adapter: adapterOf(options, writes),
    jwks: { keys } as unknown as JWKS,
    cookies: {
      keys: [services.keys.hmac('session-pepper', 'OpenID Connect cookies').toString('base64url')],
      names: {
        session: 'groundcrew_identity',
        interaction: 'groundcrew_signing_in',
        resume: 'groundcrew_signing_in_on',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true, secure: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true, secure: true },
    },
    claims: CLAIMS,
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // Products look for names and groups in the ID token.
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    extraClientMetadata: { properties: [...OURS] },
    pkce: { required: (_ctx, client) => ours(client, 'requires_pkce') },
    issueRefreshToken: async (_ctx, client) => ours(client, 'refresh_tokens'),
    rotateRefreshToken: true,
    // Who signs out, or was not here for as long as a session lasts, is out everywhere.
    expiresWithSession: async () => true,
    loadExistingGrant: grantOf,
    findAccount: (ctx, sub) => accountOf(options, ctx, sub),
    clientBasedCORS: () => false,
    interactions: { policy: policyOf(), url: (_ctx, { uid }) => `${prefix}/interaction/${uid}` },
    features: featuresOf(pages),
    renderError: async (ctx, { error, error_description }) => {
      ctx.type = 'html';
      ctx.body = pages.error(error, error_description ?? '');
    },
    ttl: lifetimesOf(manifest),
    fetch: () => Promise.reject(new Error('The provider calls nobody.')),
  } as Configuration;
}

/** Seconds. What the probe leaves is gone with the next sweep. */
function lifetimesOf(manifest: OidcManifest): Configuration['ttl'] {
  const lasting = (seconds: number) => (ctx: KoaContextWithOIDC) =>
    ctx.oidc.client?.clientId === PROBE_CLIENT ? PROBE_SECONDS : seconds;
  // A person's session stays as long as it is, whatever another page lets the browser ask.
  const isOfProbe = (ctx: KoaContextWithOIDC, sub: string | undefined): boolean =>
    sub === undefined ? ctx.oidc.client?.clientId === PROBE_CLIENT : isProbeSubject(sub);
  return {
    AccessToken: lasting(manifest.access_token_seconds),
    AuthorizationCode: lasting(manifest.code_seconds),
    IdToken: manifest.id_token_seconds,
    RefreshToken: SESSION_SECONDS,
    Grant: lasting(SESSION_SECONDS),
    Session: (ctx, { accountId }) => (isOfProbe(ctx, accountId) ? PROBE_SECONDS : SESSION_SECONDS),
    Interaction: lasting(INTERACTION_SECONDS),
  };
}

/** What is off is not in the discovery document either. */
const featuresOf = (pages: ProviderPages): Configuration['features'] => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  userinfo: { enabled: true },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: async (ctx, form) => {
      ctx.body = pages.signOut({ ...formOf(form), client: ctx.oidc.client?.clientName ?? null });
    },
    postLogoutSuccessSource: async (ctx) => {
      ctx.type = 'html';
      ctx.body = pages.signedOut();
    },
  },
});

/** Address and token of the library's own form. */
function formOf(html: string) {
  const found = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? '';
  return { action: found('action'), xsrf: found('value') };
}

const personKey = (client: string, sub: string): string => `${client} ${sub}`;
const ahead = new ReadAhead(() => Provider.ctx);
const carried = new Carried(() => Provider.ctx);

const adapterOf = ({ services, manifest, people }: ProviderOptions, writes: GroupCommit) =>
  adapterFactory(services, {
    ...{ writes, ahead, carried, asking: askingNow },
    expectClient() {
      const asks = askingNow();
      // One that can't be read is told to who asks for it.
      if (asks !== undefined && asks !== PROBE_CLIENT) clientNow(services, asks).catch(() => undefined);
    },
    redeeming: redeemingNow,
    expectPerson(sub, asks) {
      if (asks === undefined || asks === PROBE_CLIENT) return;
      ahead.begin(personKey(asks, sub), () => personFor(people, asks, sub, clientNow(services, asks)));
    },
    async client(id) {
      if (id === PROBE_CLIENT) {
        const { ctx } = Provider;
        const known = ctx !== undefined && isOwnMachine(ctx.req);
        return known ? { ...probeMetadata(manifest.issuer), client_secret: NO_SECRET } : null;
      }
      const client = await clientNow(services, id);
      const basic = /^basic /i.test(Provider.ctx?.get('authorization') ?? '');
      return client?.enabled ? metadataOf(client, basic) : null;
    },
    replayed: () => {
      throw new errors.InvalidGrant('already consumed');
    },
    seen: seenNow,
    signingIn: () => signingInNow(SESSION_SECONDS),
    overtaken: () => {
      throw new errors.SessionNotFound('this sign-in was used before, or its sessions were ended meanwhile');
    },
  });

const clientsOf = new WeakMap<object, Map<string, Promise<Client | null>>>();

/** Read once for a request: a change counts with the next one. */
function clientNow({ store }: Services, id: string): Promise<Client | null> {
  const { ctx } = Provider;
  if (!ctx) return clientById(store, id);
  const read = clientsOf.get(ctx) ?? new Map<string, Promise<Client | null>>();
  clientsOf.set(ctx, read);
  const found = read.get(id) ?? clientById(store, id);
  read.set(id, found);
  return found;
}

/** Asked at each use of a token: who is gone or disabled is out with the next one. */
async function accountOf({ services, people }: ProviderOptions, ctx: KoaContextWithOIDC, sub: string) {
  const asks = ctx.oidc.client?.clientId ?? '';
  if (asks === PROBE_CLIENT) return isProbeSubject(sub) ? (probeAccount as Account) : undefined;
  const client = await clientNow(services, asks);
  const person =
    client &&
    (await (ahead.take<Person | null>(personKey(asks, sub)) ?? people[client.source].find(client.organization, sub)));
  if (!person) return undefined;
  const account: Known = {
    accountId: person.sub,
    username: person.username,
    source: client.source,
    organization: client.organization,
    async claims() {
      // What could not be written is told to the client as any other refusal is.
      await carried.settle();
      return claimsOf(client, person) as never;
    },
  };
  return account;
}

/** Before an answer: where its form may lead. After it: also where this client’s browser goes on to. */
function withPolicy(provider: Provider, policy: ProviderOptions['policy']): void {
  provider.use(async (ctx, next) => {
    ctx.set('content-security-policy', policy([]));
    await next();
    // An answer that refuses says enough.
    await carried.settle(ctx).catch((error: Error) => ctx.status < 400 && Promise.reject(error));
    const { oidc } = ctx as Partial<KoaContextWithOIDC>;
    const { redirect_uri } = (oidc?.params ?? {}) as { redirect_uri?: string };
    const { postLogoutRedirectUri } = (oidc?.session as { state?: { postLogoutRedirectUri?: string } })?.state ?? {};
    const checked = oidc?.redirectUriCheckPerformed ? redirect_uri : undefined;
    const origins = [checked, postLogoutRedirectUri].flatMap((uri) => (uri ? [originOf(uri)] : []));
    const said = ctx.response.get('content-security-policy');
    const [, scripts = ''] = /(script-src [^;]*)/.exec(said) ?? [];
    const [, plain = ''] = /(script-src [^;]*)/.exec(policy([])) ?? [];
    // Beside the digest of a script, 'none' says nothing, and browsers complain of it.
    const allowed = scripts.replace("'none' ", '');
    ctx.set('content-security-policy', policy(origins).replace(plain, allowed));
  });
}

function withReports(provider: Provider, { services }: ProviderOptions, writes: GroupCommit): void {
  const { logger, clock } = services;
  provider.on('server_error', (_ctx: KoaContextWithOIDC, { name, message, stack }: Error) =>
    logger.error('OpenID Connect', { failure: { name, message, stack } }),
  );
  // Of a client that gets many tokens at once, the last one of some time alone is written down.
  const last = new Map<string, { at: Date; username: string }>();
  const used = new Map<string, Date>();
  const noted = async (id: string) => {
    for (let done: object | undefined; done !== last.get(id); ) {
      const next = last.get(id)!;
      const sessions = new Map(used);
      used.clear();
      await writes.write(async (tx) => {
        await noteToken(tx, id, next.at, next.username);
        await noteUses(tx, sessions);
      });
      done = next;
      if (done !== last.get(id)) await setTimeout(NOTED_MS, undefined, { ref: false });
    }
  };
  const refused = (ctx: KoaContextWithOIDC, error: Error & { error?: string }) =>
    logger.info('OpenID Connect refused', {
      route: ctx.oidc?.route,
      error: error.error ?? error.name,
      client_id: ctx.oidc?.client?.clientId,
    });
  for (const event of ['authorization.error', 'grant.error', 'userinfo.error', 'end_session.error'])
    provider.on(event as 'grant.error', refused as never);
  provider.on('grant.success', (ctx: KoaContextWithOIDC) => {
    const { client, account } = ctx.oidc;
    if (!client || !account || client.clientId === PROBE_CLIENT) return;
    const { username } = account as Known;
    const { AccessToken: token } = ctx.oidc.entities as { AccessToken?: { sessionUid?: string } };
    if (token?.sessionUid !== undefined) used.set(token.sessionUid, clock.now());
    const waits = last.has(client.clientId);
    last.set(client.clientId, { at: clock.now(), username });
    if (waits) return;
    void noted(client.clientId)
      .catch((error: Error) => logger.error('OpenID Connect', { failure: { message: error.message } }))
      .finally(() => last.delete(client.clientId));
  });
}

const writesOf = ({ store, logger }: Services): GroupCommit =>
  groupCommitOf(
    store,
    () =>
      new GroupCommit(store, new OneStatement(store), ({ message }) =>
        logger.error('OpenID Connect writes one by one', { failure: { message } }),
      ),
  );

/** @throws Error for a manifest or keys that the library does not take */
export function makeIdentity(options: ProviderOptions): Identity {
  const { services, manifest } = options;
  const { store, clock } = services;
  const writes = writesOf(services);
  const provider = new Provider(manifest.issuer, configurationOf(options, writes));
  // Addresses in answers are made from Host: it is always the issuer’s.
  const { host } = new URL(manifest.issuer);
  const bound = (request: IncomingMessage) => {
    request.headers.host = host;
    for (const header of Object.keys(request.headers))
      if (header.startsWith('x-forwarded-')) delete request.headers[header];
    return request;
  };
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    async value(this: { clientId: string }, sent: string) {
      if (this.clientId === PROBE_CLIENT) return equalInConstantTime(sent, options.probe_secret);
      const client = await clientNow(services, this.clientId);
      return client !== null && isSecret(client, sent, clock.now().toISOString());
    },
  });
  withPolicy(provider, options.policy);
  withReports(provider, options, writes);
  const callback = provider.callback();
  return {
    handle: (request, response) => callback(bound(request), response),
    async waiting(request, response) {
      const found = await provider.interactionDetails(bound(request), response).catch(notFound);
      if (!found || !request.url?.endsWith(`/interaction/${found.uid}`)) return null;
      const { client_id, redirect_uri, login_hint } = found.params as Record<string, string | undefined>;
      const client = await clientById(store, client_id ?? '');
      if (!client?.enabled || !client.redirect_uris.includes(redirect_uri ?? '')) return null;
      const consents = found.prompt.name === 'consent';
      return { uid: found.uid, client, origin: originOf(redirect_uri!), hint: login_hint ?? '', consents };
    },
    signIn: (request, response, { person, amr, ended }) =>
      provider.interactionFinished(
        bound(request),
        response,
        { login: { accountId: person.sub, remember: true, amr: [...amr], ended } },
        { mergeWithLastSubmission: false },
      ),
    consent: (request, response) =>
      provider.interactionFinished(bound(request), response, { consent: {} }, { mergeWithLastSubmission: true }),
    async probe(request, response) {
      if (!isProbe(request, options.probe_secret)) return false;
      const found = await provider.interactionDetails(bound(request), response).catch(notFound);
      if (found?.params.client_id !== PROBE_CLIENT) return false;
      const how = { mergeWithLastSubmission: false };
      await provider.interactionFinished(bound(request), response, { login: probeLogin }, how);
      return true;
    },
  };
}

/** No interaction, none any more, or a cookie that is not ours. */
function notFound(error: unknown): null {
  if (error instanceof errors.OIDCProviderError) return null;
  throw error;
}
