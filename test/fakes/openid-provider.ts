// Somebody else's provider of OpenID Connect: the bare `oidc-provider` over TLS, with its own memory, which signs in whoever the
// test says without asking. Its ID tokens can be spoiled on their way out.
// `node test/fakes/openid-provider.ts --port 8443 --redirect https://gc01.lab.example/ui/management/sign-in/external/callback`
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import { type Certificate, makeCertificate, startTlsTarget } from './tls-target.ts';

export interface Person {
  sub: string;
  preferred_username?: string;
  groups?: string[];
  amr?: string[];
}

type Claims = Record<string, unknown>;

export interface FakeProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  sha256: string;
  certificate: Certificate;
  /** Who signs in from now on; null: whoever it is refuses. */
  person: Person | null;
  /** What becomes of the claims of ID tokens; they are signed anew. */
  spoil: ((claims: Claims) => Claims) | null;
  /** What userinfo says besides. */
  userinfo: Claims;
  /** Signs with a key that is published nowhere. */
  foreign_key: boolean;
  readonly requests: string[];
  /** Those at the other port. */
  readonly elsewhere: string[];
  /** How many were made so far. */
  connections(): number;
  changeCertificate(): void;
  stop(): Promise<void>;
}

export interface FakeProviderOptions {
  redirect_uri: string;
  port?: number;
  person?: Person;
  /** Says that it is this one. */
  claimed_issuer?: string;
  /** What its endpoints for tokens, keys and userinfo show, at another port; or where it only says that they are. */
  endpoints?: Certificate | 'same certificate' | `https://${string}`;
}

const KID = 'fake-1';
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

function configurationOf(fake: FakeProvider, key: KeyObject, redirect_uri: string): Configuration {
  const { client_id, client_secret } = fake;
  return {
    clients: [{ client_id, client_secret, redirect_uris: [redirect_uri], grant_types: ['authorization_code'] }],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: KID, alg: 'RS256', use: 'sig' } as JWK] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    responseTypes: ['code'],
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'groups'], profile: ['preferred_username', 'name'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ ...fake.person, sub: accountId }) }),
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc;
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

/** The ID token of an answer, with other claims or by another key. */
function spoiled(body: string, fake: FakeProvider, key: KeyObject): string {
  const answer = JSON.parse(body) as { id_token?: string };
  if (!answer.id_token) return body;
  const [header, payload] = answer.id_token.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Claims;
  const amr = fake.person?.amr;
  const next = { ...claims, ...(amr && { amr }) };
  const text = JSON.stringify(fake.spoil ? fake.spoil(next) : next);
  const signed = `${header}.${Buffer.from(text).toString('base64url')}`;
  return JSON.stringify({
    ...answer,
    id_token: `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`,
  });
}

/** A discovery document whose endpoints are elsewhere; where browsers go stays. */
function moved(body: string, origin: string): string {
  const document = JSON.parse(body) as Record<string, unknown>;
  for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])
    if (typeof document[name] === 'string') document[name] = origin + new URL(document[name]).pathname;
  return JSON.stringify(document);
}

/** Koa hands a JSON body over as a whole. */
function intercept(response: ServerResponse, change: (body: string) => string): void {
  const end = response.end.bind(response);
  response.end = ((body?: string | Buffer) => {
    const text = body === undefined ? '' : body.toString();
    const changed = text.startsWith('{') ? change(text) : text;
    if (!response.headersSent) response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

export async function startOpenIdProvider(options: FakeProviderOptions): Promise<FakeProvider> {
  const certificate = makeCertificate();
  const [key, foreign] = [newKey(), newKey()];
  let serve: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end();
  const target = await startTlsTarget({
    certificate,
    ...(options.port !== undefined && { port: options.port }),
    answer: (asked, response) => serve(asked, response),
  });
  const issuer = `https://${target.host}:${target.port}`;
  const { endpoints } = options;
  const other =
    endpoints === undefined || (typeof endpoints === 'string' && endpoints !== 'same certificate')
      ? null
      : await startTlsTarget({
          certificate: endpoints === 'same certificate' ? certificate : (endpoints as Certificate),
          answer: (asked, response) => serve(asked, response),
        });
  const at = other ? `https://${other.host}:${other.port}` : typeof endpoints === 'string' ? endpoints : issuer;
  const fake: FakeProvider = {
    ...{ issuer, client_id: 'groundcrew', client_secret: `canary-${randomBytes(12).toString('hex')}` },
    ...{ sha256: target.sha256, certificate, requests: target.requests, elsewhere: other?.requests ?? [] },
    person: options.person ?? null,
    spoil: null,
    userinfo: {},
    foreign_key: false,
    connections: () => target.connections,
    changeCertificate: target.changeCertificate,
    stop: async () => {
      await other?.stop();
      await target.stop();
    },
  };
  const provider = new Provider(options.claimed_issuer ?? issuer, configurationOf(fake, key, options.redirect_uri));
  const callback = provider.callback();
  serve = (asked, response) => {
    if (asked.url?.startsWith('/interaction/')) return void interact(provider, fake, asked, response);
    if (asked.url?.startsWith('/.well-known/')) intercept(response, (body) => moved(body, at));
    if (asked.url === '/token') intercept(response, (body) => spoiled(body, fake, fake.foreign_key ? foreign : key));
    if (asked.url === '/me') intercept(response, (body) => JSON.stringify({ ...JSON.parse(body), ...fake.userinfo }));
    void callback(asked, response);
  };
  return fake;
}

async function interact(provider: Provider, fake: FakeProvider, asked: IncomingMessage, response: ServerResponse) {
  const { person } = fake;
  const result = person
    ? { login: { accountId: person.sub, remember: false } }
    : { error: 'access_denied', error_description: 'nobody is there' };
  await provider.interactionFinished(asked, response, result, { mergeWithLastSubmission: false });
}

/** Goes there as a browser does, until the provider leads to another server; answers that address. */
export async function visit(address: string): Promise<string> {
  const { origin } = new URL(address);
  const jar = new Map<string, string>();
  for (let at = address, step = 0; step < 12; step += 1) {
    if (new URL(at).origin !== origin) return at;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(at, { rejectUnauthorized: false, headers: { cookie, accept: 'text/html' } }, resolve)
        .on('error', reject)
        .end();
    });
    let body = '';
    for await (const piece of answer) body += piece;
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair] = line.split(';') as [string];
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const { location } = answer.headers;
    if (!location) throw new Error(`stays at ${at}: ${answer.statusCode} ${body}`);
    at = new URL(location, at).href;
  }
  throw new Error('too many redirects');
}

async function main(args: string[]): Promise<void> {
  const value = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const person = { sub: 'person-1', preferred_username: 'ada', groups: ['gc-admins'] };
  const redirect_uri = value('redirect') ?? 'https://127.0.0.1/ui/management/sign-in/external/callback';
  const fake = await startOpenIdProvider({ redirect_uri, port: Number(value('port') ?? 0), person });
  const { issuer, client_id, client_secret, sha256 } = fake;
  console.log(JSON.stringify({ issuer, client_id, client_secret, sha256, person }));
}
if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2));
