// The code flow request by request, as a program sends it that trusts no library: what is asked, what comes back, and the ID token
// checked against the published keys.
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { CALLBACK, type Heard, ISSUER, type OidcScene, type Registered, Visitor } from './oidc-scene.ts';

type Fields = Record<string, string | undefined>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export type Answer = Record<string, any>;

export interface Sent {
  /** Fields of the request beside the usual ones; undefined takes one away. */
  more?: Fields | undefined;
  visitor?: Visitor;
  /** Also where nobody demands it. */
  pkce?: boolean;
}

export interface Asked {
  client: Registered;
  address: string;
  redirect_uri: string;
  verifier: string | undefined;
}

export interface Given extends Asked {
  visitor: Visitor;
  code: string;
  /** Of the authorization response. */
  response: URLSearchParams;
  tokens: Answer;
  claims: Answer;
}

export const given = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined));

export const jsonOf = ({ text }: Pick<Heard, 'text'>): Answer => JSON.parse(text);

const part = (token: string, at: number): Answer =>
  JSON.parse(Buffer.from(token.split('.')[at]!, 'base64url').toString());

export class OidcFlow {
  readonly #scene: OidcScene;
  readonly #username: string;

  constructor(scene: OidcScene) {
    this.#scene = scene;
    this.#username = scene.admin.user.name;
  }

  /** What a client sends the browser to. */
  begin(client: Registered, { more = {}, pkce = true }: Sent = {}): Asked {
    const verifier = pkce ? randomBytes(32).toString('base64url') : undefined;
    const fields = given({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid',
      state: randomBytes(8).toString('hex'),
      nonce: randomBytes(8).toString('hex'),
      ...(verifier && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
      ...more,
    });
    const redirect_uri = fields.get('redirect_uri') ?? '';
    return { client, address: `${ISSUER}/auth?${fields}`, redirect_uri, verifier };
  }

  /** Up to where the browser is in the end; who is not signed in signs in. */
  authorize(asked: Asked, visitor = new Visitor(this.#scene)): Promise<Heard & { at: string }> {
    return visitor.signIn(asked.address, this.#username);
  }

  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Heard> {
    return this.#scene.ask(`${ISSUER}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: given(fields).toString(),
    });
  }

  redeem({ client, redirect_uri, verifier }: Asked, code: string, changed: Fields = {}): Promise<Heard> {
    const { client_id, client_secret } = client;
    const usual = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
    return this.post('/token', { ...usual, client_id, client_secret, ...changed });
  }

  refresh({ client }: Pick<Asked, 'client'>, refresh_token: string): Promise<Heard> {
    const { client_id, client_secret } = client;
    return this.post('/token', { grant_type: 'refresh_token', refresh_token, client_id, client_secret });
  }

  userinfo(token: string): Promise<Heard> {
    return this.#scene.ask(`${ISSUER}/me`, { headers: { authorization: `Bearer ${token}` } });
  }

  /** The whole of it. @throws Error where it does not come to tokens */
  async run(client: Registered, sent: Sent = {}): Promise<Given> {
    const asked = this.begin(client, sent);
    const visitor = sent.visitor ?? new Visitor(this.#scene);
    const { at, text } = await this.authorize(asked, visitor);
    const response = new URL(at).searchParams;
    const code = response.get('code');
    if (!at.startsWith(asked.redirect_uri) || !code) throw new Error(`no code: ${at} ${text}`);
    const heard = await this.redeem(asked, code);
    if (heard.status !== 200) throw new Error(`no tokens: ${heard.status} ${heard.text}`);
    const tokens = jsonOf(heard);
    return { ...asked, visitor, code, response, tokens, claims: await this.claims(tokens.id_token, client) };
  }

  async keys(): Promise<(JsonWebKey & { kid: string })[]> {
    return jsonOf(await this.#scene.ask(`${ISSUER}/jwks`)).keys;
  }

  /** @throws Error for a token that no published key signed, or that is not for this client */
  async claims(token: string, { client_id }: Pick<Registered, 'client_id'>, published?: JsonWebKey[]): Promise<Answer> {
    const header = part(token, 0);
    const keys = (published ?? (await this.keys())) as (JsonWebKey & { kid: string })[];
    const key = keys.find(({ kid }) => kid === header.kid);
    if (header.alg !== 'RS256' || !key) throw new Error(`${header.alg} by the unpublished key ${header.kid}`);
    const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
    const good = verify(
      'sha256',
      Buffer.from(signed),
      createPublicKey({ key, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    );
    const claims = part(token, 1);
    if (!good || claims.iss !== ISSUER || claims.aud !== client_id)
      throw new Error(`not ours: ${JSON.stringify(claims)}`);
    return claims;
  }
}
