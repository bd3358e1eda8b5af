// A login at an appliance: tokens live in this closure, are renewed when the appliance refuses one, and end with
// logout. The credential is not kept.
import * as v from 'valibot';
import { faultOf, readJson, wordsOf } from './answers.ts';
import { ApplianceFault } from './fault.ts';
import { scrub } from './scrub.ts';
import { type Asker, type PinnedClient, type Question, type Reply, send } from './transport.ts';

export interface ApplianceCredential {
  username: string;
  password: string;
}

export interface ApplianceSession extends Asker {
  /** Ends it at the appliance as well, as far as that answers; never rejects. Questions are refused from then on. */
  logout(signal?: AbortSignal): Promise<void>;
}

export interface LoginOptions {
  signal?: AbortSignal | undefined;
  /** Where a long task gets the credential again when the appliance no longer knows the refresh token either. */
  again?: () => Promise<ApplianceCredential>;
}

interface Tokens {
  access: string;
  refresh: string | null;
}

const TOKEN_LIMIT = 64 * 1024;
/** Visible ASCII without spaces: it goes into a header as it is. */
const tokenSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,32768}$/, 'is not a token'));
const pairSchema = v.looseObject({
  accessToken: tokenSchema,
  refreshToken: v.nullish(v.looseObject({ id: v.nullish(tokenSchema, null) }), null),
});

/** Status codes by which appliances refuse a credential: documentation names 400, in practice 401 comes. */
const REFUSALS = [400, 401, 403];

/** @throws ApplianceFault `login_refused`, or what else went wrong; neither carries the credential. */
export async function login(
  client: PinnedClient,
  credential: ApplianceCredential,
  options: LoginOptions = {},
): Promise<ApplianceSession> {
  let tokens: Tokens | null = await tokensFor(client, credential, options.signal);
  let renewing: Promise<Tokens> | null = null;

  const withToken = (question: Question, { access, refresh }: Tokens): Promise<Reply> =>
    send(client, question, { authorization: `Bearer ${access}` }, refresh === null ? [access] : [access, refresh]);

  /** Questions that are refused at the same time renew together. */
  function renewed(refused: Tokens, signal?: AbortSignal): Promise<Tokens> {
    if (!tokens) return Promise.reject(ended());
    if (tokens.access !== refused.access) return Promise.resolve(tokens);
    renewing ??= renew(client, refused, { ...options, signal })
      .then((fresh) => {
        // A logout meanwhile stays one.
        if (tokens) tokens = fresh;
        return fresh;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  return {
    async ask(question) {
      const used = tokens;
      if (!used) throw ended();
      const answer = await withToken(question, used);
      if (answer.status !== 401) return answer;
      const again = await withToken(question, await renewed(used, question.signal));
      if (again.status === 401) throw faultOf(again, question);
      return again;
    },

    async logout(signal) {
      const held = tokens;
      tokens = null;
      const last = (await renewing?.catch(() => null)) ?? held;
      if (!last?.refresh) return;
      const question: Question = {
        method: 'DELETE',
        path: '/v1/tokens/refresh-token',
        json: last.refresh,
        limit: TOKEN_LIMIT,
        what: 'the end of the login',
        signal,
      };
      await withToken(question, last).catch(() => undefined);
    },
  };
}

const ended = (): ApplianceFault => new ApplianceFault('session_lost', 'The login at the appliance has ended.');

async function tokensFor(
  client: PinnedClient,
  { username, password }: ApplianceCredential,
  signal?: AbortSignal,
): Promise<Tokens> {
  const question: Question = {
    method: 'POST',
    path: '/v1/tokens',
    json: { username, password },
    limit: TOKEN_LIMIT,
    what: 'the login',
    signal,
  };
  const answer = await send(client, question, {});
  try {
    if (REFUSALS.includes(answer.status)) {
      throw new ApplianceFault('login_refused', 'The appliance refused the login.', wordsOf(answer));
    }
    if (answer.status === 404) throw faultOf(answer, question, 'not_an_appliance');
    if (answer.status !== 200 && answer.status !== 201) throw faultOf(answer, question);
    const { accessToken, refreshToken } = readJson(answer, pairSchema, question);
    return { access: accessToken, refresh: refreshToken?.id ?? null };
  } finally {
    answer.body.fill(0);
  }
}

async function renew(client: PinnedClient, { refresh }: Tokens, options: LoginOptions): Promise<Tokens> {
  const access = refresh === null ? null : await refreshed(client, refresh, options.signal);
  if (access !== null) return { access, refresh };
  if (options.again) return tokensFor(client, await options.again(), options.signal);
  throw new ApplianceFault('session_lost', 'The login at the appliance ran out and could not be renewed.');
}

/**
 * The documentation of one role shows the id as JSON, of the other as plain text: JSON first, plain text when that is
 * refused. Null when both are.
 */
async function refreshed(client: PinnedClient, refresh: string, signal?: AbortSignal): Promise<string | null> {
  const forms = [
    { type: 'application/json', text: JSON.stringify(refresh) },
    { type: 'text/plain', text: refresh },
  ];
  for (const { type, text } of forms) {
    const answer = await client.request({
      method: 'PATCH',
      path: '/v1/tokens/access-token/refresh',
      headers: { accept: 'application/json, text/plain', 'content-type': type },
      body: Buffer.from(text, 'utf8'),
      limit: TOKEN_LIMIT,
      signal,
    });
    if (answer.status >= 500) {
      const clean = (said: string): string => scrub(said, { secrets: [refresh] });
      throw faultOf({ ...answer, clean }, { what: 'the renewal of the login' });
    }
    const token = answer.status < 300 ? tokenIn(answer.body) : null;
    answer.body.fill(0);
    if (token !== null) return token;
  }
  return null;
}

/** A JSON string, or the bare token. */
function tokenIn(body: Buffer): string | null {
  const raw = body.toString('utf8').trim();
  const text = raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw;
  return !looksWrong(text) && v.is(tokenSchema, text) ? text : null;
}

/** Markup or an object in place of a token. */
const looksWrong = (text: string): boolean => /^[<{["]/.test(text);
