// One sign-in from end to end, as the appliance's own client: authorize, code, token, userinfo. Nobody is signed in by it. The state,
// the issuer and the nonce are checked, and the signature of the ID token by the published keys.
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { PROBE_CLIENT } from './manifest.ts';
import type { Exchange, Heard } from './probe-transport.ts';

/** The probe reads it off the last redirect. */
export const probeRedirect = (issuer: string): string => `${new URL(issuer).origin}/.groundcrew/probe`;

export interface Endpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

type Published = readonly (JsonWebKey & { kid: string })[];

const HOPS_MOST = 4;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const fresh = (): string => randomBytes(32).toString('base64url');
const pathOf = (address: string): string => new URL(address).pathname;

function need(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** @throws Error that says in a clause where it ended */
export async function signInOnce(
  exchange: Exchange,
  endpoints: Endpoints,
  published: Published,
  secret: string,
): Promise<void> {
  const { issuer, token_endpoint, userinfo_endpoint } = endpoints;
  const [verifier, nonce] = [fresh(), fresh()];
  const code = await codeOf(exchange, endpoints, secret, { verifier, nonce });
  const authorization = `Basic ${Buffer.from(`${PROBE_CLIENT}:${secret}`).toString('base64')}`;
  const form = { grant_type: 'authorization_code', code, redirect_uri: probeRedirect(issuer), code_verifier: verifier };
  const token = await exchange(pathOf(token_endpoint), {
    method: 'POST',
    headers: { ...FORM, authorization },
    body: new URLSearchParams(form).toString(),
  });
  need(token.status === 200, `the token address answers ${token.status}`);
  const { id_token = '', access_token = '' } = JSON.parse(token.text) as Record<string, string>;
  const sub = subjectOf(id_token, published, { iss: issuer, aud: PROBE_CLIENT, nonce });
  const headers = { authorization: `Bearer ${access_token}` };
  const info = await exchange(pathOf(userinfo_endpoint), { headers });
  need(info.status === 200, `the userinfo address answers ${info.status}`);
  need((JSON.parse(info.text) as { sub: string }).sub === sub, 'userinfo is of somebody else than the ID token');
}

async function codeOf(
  exchange: Exchange,
  { issuer, authorization_endpoint }: Endpoints,
  secret: string,
  { verifier, nonce }: { verifier: string; nonce: string },
): Promise<string> {
  const state = fresh();
  const redirect_uri = probeRedirect(issuer);
  const asked = new URLSearchParams({
    ...{ client_id: PROBE_CLIENT, response_type: 'code', scope: 'openid', redirect_uri, state, nonce },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const cookies = new Map<string, string>();
  const hop = async (path: string, posts: boolean): Promise<Heard> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const proof = posts && { authorization: `Bearer ${secret}` };
    const heard = await exchange(path, { method: posts ? 'POST' : 'GET', headers: { cookie, ...proof } });
    for (const line of heard.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) cookies.set(name, value ?? '');
    }
    return heard;
  };
  let at = `${pathOf(authorization_endpoint)}?${asked}`;
  for (let hops = 0; hops < HOPS_MOST; hops += 1) {
    const heard = await hop(at, /\/interaction\/[^/]+$/.test(at));
    const next = heard.location && new URL(heard.location, issuer);
    need(next, `the sign-in ends with status ${heard.status}`);
    need(next.origin === new URL(issuer).origin, 'the sign-in leads to another address');
    if (next.href.startsWith(redirect_uri)) return codeIn(next.searchParams, { state, issuer });
    at = next.pathname + next.search;
  }
  throw new Error('the sign-in does not come to an end');
}

function codeIn(answer: URLSearchParams, { state, issuer }: { state: string; issuer: string }): string {
  const code = answer.get('code');
  need(code, `the sign-in ends with ${answer.get('error')}`);
  need(answer.get('state') === state && answer.get('iss') === issuer, 'the sign-in is answered by another one');
  return code;
}

/** Whom a token names that one of these keys signed. */
function subjectOf(token: string, published: Published, expected: Record<string, string>): string {
  const [header = '', body = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string>;
  const key = published.find(({ kid }) => kid === read(header).kid);
  need(key, 'the ID token is signed by a key that is not published');
  const good = verify(
    'sha256',
    Buffer.from(`${header}.${body}`),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
  need(good, 'the signature of the ID token is wrong');
  const claims = read(body);
  for (const [name, value] of Object.entries(expected))
    need(claims[name] === value, `${name} of the ID token is wrong`);
  return claims.sub!;
}
