// groundcrew token create, list, revoke.

import * as v from 'valibot';
import { OUR_WORDS } from '../../shared/ground/schemas/sentences.ts';
import { PAGE_MAX } from '../../shared/ground/store/pagination.ts';
import { tokenCreateSchema } from '../../shared/kernel/access/schemas.ts';
import { isScope, SCOPES, type Scope, scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import * as tokens from '../../shared/kernel/access/token.ts';
import { type Command, change, Refusal, readArguments, Usage } from './command.ts';
import { findByName } from './user.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `7d`, `12h`, `90m`, `3600s` in seconds. @throws Usage */
export function lifetimeOf(text: string): number {
  const match = /^([1-9][0-9]{0,9})([smhd])$/.exec(text);
  if (!match) throw new Usage(`${text} is no lifetime; expected a number with s, m, h or d, such as 7d.`);
  return Number(match[1]) * SECONDS[match[2]!]!;
}

export const createToken: Command = {
  parse(words) {
    const { values } = readArguments({
      args: words,
      options: {
        name: { type: 'string' },
        scope: { type: 'string', multiple: true },
        lifetime: { type: 'string' },
        user: { type: 'string', default: 'admin' },
      },
    });
    const wanted = request(values);
    return async (services) => {
      const user = await findByName(services, values.user);
      if (!user.enabled) throw new Refusal(`User ${user.name} is disabled; a token of theirs would not work.`);
      const owner = { user_id: user.id, name: user.name, scopes: scopesOfRole(user.role) };
      const { token, secret } = await change(services, async (transaction) => {
        const created = await tokens.createToken(transaction, services, owner, wanted);
        const { id, name, scopes, expires_at } = created.token;
        const detail = { name, scopes, expires_at, user: user.name };
        return { result: created, event: { action: 'token.create', resource_type: 'token', resource_id: id, detail } };
      });
      process.stderr.write(`Token ${token.id} of ${user.name}, valid until ${token.expires_at}. Shown this once:\n`);
      process.stdout.write(`${secret}\n`);
      return 0;
    };
  },
};

interface Wanted {
  name?: string | undefined;
  scope?: string[] | undefined;
  lifetime?: string | undefined;
}

function request({ name, scope = [], lifetime }: Wanted): tokens.NewToken {
  if (name === undefined) throw new Usage('--name is missing: what the token is for.');
  const scopes = scope.flatMap((text) => text.split(/[\s,]+/).filter(Boolean));
  if (scopes.length === 0) throw new Usage('--scope is missing, such as --scope write:pxe.');
  const unknown = scopes.find((text) => !isScope(text));
  if (unknown !== undefined) throw new Usage(`${unknown} is no scope. There are: ${SCOPES.join(' ')}`);
  const seconds = lifetime === undefined ? tokens.TOKEN_LIFETIME.default : lifetimeOf(lifetime);
  const body = { name, scopes: [...new Set(scopes)] as Scope[], lifetime_seconds: seconds };
  const checked = v.safeParse(tokenCreateSchema, body, { abortPipeEarly: true, ...OUR_WORDS });
  if (!checked.success) throw new Usage(checked.issues.map((issue) => issue.message).join(' '));
  return { name, scopes: body.scopes, lifetime: seconds };
}

export const listTokens: Command = {
  parse(words) {
    readArguments({ args: words, options: {} });
    return async ({ store, clock }) => {
      const { items: rows } = await tokens.listTokens(store, clock.now(), { limit: PAGE_MAX });
      for (const { id, state, created_by, expires_at, name, scopes } of rows) {
        process.stdout.write(`${[id, state, created_by, expires_at, name, scopes.join(' ')].join('\t')}\n`);
      }
      if (rows.length === 0) process.stderr.write('There is no token.\n');
      return 0;
    };
  },
};

export const revokeToken: Command = {
  parse(words) {
    const { positionals } = readArguments({ args: words, options: {}, allowPositionals: true });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new Usage('token revoke takes the id of one token.');
    return async (services) => {
      const { token, ended } = await change(
        services,
        async (transaction) => {
          const revoked = await tokens.revokeToken(transaction, id, services.clock.now());
          const event = {
            action: 'token.revoke',
            resource_type: 'token',
            resource_id: id,
            detail: { name: revoked.token.name, tokens_ended: revoked.ended.length },
          };
          return { result: revoked, event };
        },
        // A leaked token must be stoppable at any moment, also while an apply runs.
        { holdsLock: true },
      );
      const also = ended.length > 1 ? `, with the tokens created with it: ${ended.length} in all` : '';
      process.stderr.write(`Token ${token.id} (${token.name}) is revoked${also}.\n`);
      return 0;
    };
  },
};
