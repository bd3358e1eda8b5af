// The code flow at the external provider (OpenID Connect Core 1.0, 3.1), by openid-client: PKCE, state, nonce, issuer (RFC 9207)
// and the signature of the ID token against the published keys. Every request to the issuer goes over a connection that is pinned to
// the confirmed certificate; other origins are asked only where its discovery document, which came that way, names them. What went wrong is said in our words: answers of the provider and the library's causes carry tokens.
import * as oidc from 'openid-client';
import { Problem } from '../../ground/problems.ts';
import type { ExternalIdentity } from '../../kernel/access/external/people.ts';
import { openClientSecret, type UsableProvider } from '../../kernel/access/external/provider.ts';
import type { Questions } from '../../kernel/access/external/under-way.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { clientFor, clientNamed, type ReachShell } from '../connection/reach.ts';
import { parseServer, serverText } from '../connection/target.ts';

/** Of one request to the provider: a browser waits for it. */
const REQUEST_MS = 5_000;
const DISCOVERED_MS = 600_000;
/** A provider that can't be used is not asked again for every visitor. Short: whoever mends it tries at once. */
const FAILED_MS = 5_000;
const GROUPS_MOST = 2_000;

type Shell = ReachShell & Pick<Services, 'keyring' | 'store'>;
type ServerMetadata = oidc.ServerMetadata;

interface Reach {
  fetch: oidc.CustomFetch;
  /** What a request of it failed with: the library wraps errors, and this one names the cure. */
  fault(): Problem | null;
}

interface Discovered {
  of: string;
  at: number;
  kept_ms: number;
  metadata: Promise<ServerMetadata>;
}

/** What the provider says of itself, by appliance; of settings as they were then. All who come meanwhile wait for one request. */
const discovered = new WeakMap<object, Discovered>();

/** A provider that is deleted and saved anew counts its revisions anew. */
const stateOf = ({ issuer, sha256, address, revision, created_at }: UsableProvider): string =>
  JSON.stringify([issuer, sha256, address, revision, created_at]);

/** Endpoints that are asked from here. */
const ASKED = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

/** `metadata`: what the issuer said of itself; without it nothing but the issuer is asked. */
function reach(shell: Shell, { issuer, address, sha256 }: UsableProvider, metadata?: ServerMetadata): Reach {
  const { origin, host } = new URL(issuer);
  const named = ASKED.flatMap((endpoint) => metadata?.[endpoint] ?? []).map((url) => new URL(url).origin);
  const clientAt = (asked: URL) => {
    if (asked.origin === origin)
      return clientFor(
        shell,
        { ...parseServer(host, { pointer: '/issuer' }), address, sha256 },
        { timeout: REQUEST_MS },
      );
    if (!named.includes(asked.origin)) throw unusable(issuer, 'leads to a server that it does not name');
    return clientNamed(shell, parseServer(asked.host, { pointer: '/issuer' }), sha256, { timeout: REQUEST_MS });
  };
  let fault: Problem | null = null;
  return {
    fault: () => fault,
    async fetch(url, { method, headers, body, signal }) {
      const asked = new URL(url);
      try {
        const client = await clientAt(asked);
        try {
          const sent = body === undefined || body === null ? undefined : String(body);
          const path = `${asked.pathname}${asked.search}`;
          const answer = await client.request({ method, path, headers, body: sent, signal: signal ?? undefined });
          const type = String(answer.headers['content-type'] ?? '');
          return new Response(new Uint8Array(answer.body), {
            status: answer.status,
            headers: { 'content-type': type },
          });
        } finally {
          client.close();
        }
      } catch (error) {
        // Not at a field: the page of the sign-in has none for it.
        if (error instanceof Problem) fault = new Problem(error.code, error.message);
        throw error;
      }
    },
  };
}

const unusable = (issuer: string, what: string): Problem =>
  new Problem('remote_answer_unusable', `${serverText(parseServer(new URL(issuer).host))} ${what}.`);

/** @throws Problem 409 */
function metadataOf(shell: Shell, provider: UsableProvider): Promise<ServerMetadata> {
  const now = () => shell.clock.now().getTime();
  const of = stateOf(provider);
  const known = discovered.get(shell.store);
  if (known?.of === of && Math.abs(now() - known.at) < known.kept_ms) return known.metadata;
  const asked: Discovered = { of, at: now(), kept_ms: DISCOVERED_MS, metadata: discover(shell, provider) };
  discovered.set(shell.store, asked);
  asked.metadata.catch(() => Object.assign(asked, { at: now(), kept_ms: FAILED_MS }));
  return asked.metadata;
}

/** @throws Problem 409 */
async function discover(shell: Shell, provider: UsableProvider): Promise<ServerMetadata> {
  const { fetch, fault } = reach(shell, provider);
  try {
    const options = { [oidc.customFetch]: fetch, timeout: REQUEST_MS / 1000 };
    const found = await oidc.discovery(new URL(provider.issuer), provider.client_id, undefined, oidc.None(), options);
    const metadata = found.serverMetadata();
    // To the letter: the library compares what a URL parser makes of it.
    if (metadata.issuer !== provider.issuer) throw new Error('another issuer');
    if (!metadata.token_endpoint || !metadata.jwks_uri) throw new Error('incomplete');
    for (const endpoint of ['authorization_endpoint', ...ASKED] as const)
      if (endpoint !== 'userinfo_endpoint' || metadata[endpoint]) requireHttps(metadata[endpoint] ?? '');
    return metadata;
  } catch {
    throw fault() ?? unusable(provider.issuer, 'does not describe itself as this issuer (OpenID Connect Discovery)');
  }
}

/** @throws Error for anything else, and where a name or a password stands in it */
function requireHttps(url: string): void {
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' || username !== '' || password !== '') throw new Error('no endpoint');
}

/** Basic where the provider names nothing else (RFC 8414, 2). */
const authenticates =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const send = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    return send(secret)(server, client, body, headers);
  };

/** Where the browser is sent. @throws Problem 409 where the provider can't be reached, or is not what was confirmed */
export async function authorizationUrl(
  shell: Shell,
  provider: UsableProvider,
  { redirect_uri, state, nonce, verifier }: Questions & { redirect_uri: string },
): Promise<string> {
  const config = new oidc.Configuration(await metadataOf(shell, provider), provider.client_id, undefined, oidc.None());
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
  const url = oidc.buildAuthorizationUrl(config, {
    ...{ redirect_uri, state, nonce, code_challenge, code_challenge_method: 'S256' },
    scope: provider.scopes.join(' '),
  });
  return url.href;
}

/** What the provider sent the browser back with. */
export interface Returned {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** @throws Problem 403 for an answer that is not accepted, 409 where the provider can't be asked */
export async function redeem(
  shell: Shell,
  provider: UsableProvider,
  returned: Returned,
  { redirect_uri, state, nonce, verifier }: Questions & { redirect_uri: string },
): Promise<ExternalIdentity> {
  const metadata = await metadataOf(shell, provider);
  const { fetch, fault } = reach(shell, provider, metadata);
  const secret = await openClientSecret(shell.store, shell);
  const config = new oidc.Configuration(metadata, provider.client_id, undefined, authenticates(secret));
  config[oidc.customFetch] = fetch;
  config.timeout = REQUEST_MS / 1000;
  // The ID token comes over a connection that is pinned; its signature is checked all the same.
  oidc.enableNonRepudiationChecks(config);
  const address = new URL(redirect_uri);
  for (const [name, value] of Object.entries(returned)) if (value !== undefined) address.searchParams.set(name, value);
  try {
    const tokens = await oidc.authorizationCodeGrant(config, address, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: state,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const more =
      claims[provider.groups_claim] === undefined && metadata.userinfo_endpoint
        ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
    return identityOf(claims, more, provider);
  } catch (error) {
    throw fault() ?? refused(error);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, GROUPS_MOST) : [value]).filter((each) => typeof each === 'string');

type Claims = Readonly<Record<string, unknown>>;

/** `more`: of userinfo, which nobody signed. It may give groups and a name, and never says how somebody signed in. */
function identityOf(claims: Claims, more: Claims, { issuer, groups_claim }: UsableProvider): ExternalIdentity {
  const subject = textOf(claims.sub);
  if (subject === '' || subject.length > 255) throw new Error('no subject');
  const both = { ...more, ...claims };
  const name = [both.preferred_username, both.email, both.name].map(textOf).find((text) => text !== '') ?? '';
  return {
    ...{ issuer, subject, name: name.slice(0, 256) },
    groups: textsOf(both[groups_claim]),
    contexts: [...textsOf(claims.acr), ...textsOf(claims.amr)],
  };
}

/** Codes of RFC 6749 are short words; anything else is not repeated. */
const word = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : 'another error');

function refused(error: unknown): Problem {
  const because = (why: string) => new Problem('external_sign_in_refused', why);
  if (error instanceof oidc.AuthorizationResponseError) return because(`The provider ended it: ${word(error.error)}.`);
  if (error instanceof oidc.ResponseBodyError)
    return because(
      `The provider did not redeem its own answer: ${word(error.error)}. Check the client id and the secret.`,
    );
  const { code = '' } = error as { code?: string };
  const named = /^OAUTH_[A-Z_]{1,60}$/.test(code) ? ` (${code})` : '';
  return because(`The answer of the provider did not stand up to the checks of this sign-in${named}. Begin again.`);
}
