// API tokens: `gcr_<id>_<secret><checksum>`. The database has an HMAC of the secret with a key outside of it; the
// checksum distinguishes a typing mistake from a wrong token without a query. No declared collection: a token has no
// revision and never changes, its secret is answered once, and revoking a token ends the tokens that it made.
import { hash } from 'node:crypto';
import { type Clock, type Entropy, instant, later, newId } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { equalInConstantTime, type Keys } from '../../ground/sealing/keys.ts';
import { build } from '../../ground/store/builder.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Page } from '../../ground/store/pagination.ts';
import { searchIn, sortedPage } from '../../ground/store/sorted-page.ts';
import type { Actor } from './actor.ts';
import { LOCK_COLUMNS, type LockColumns, lockOf, type MutationLock } from './mutation-lock.ts';
import { type Role, type Scope, scopesOfRole, withReads } from './scopes.ts';

export const TOKEN_LIFETIME = { min: 3600, max: 365 * 86400, default: 30 * 86400 };
const SHAPE = /^gcr_(tok_[a-z0-9]{16})_([A-Za-z0-9_-]{43})([0-9a-f]{6})$/;

export type TokenState = 'active' | 'expired' | 'revoked';

export interface Token {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  last_used_from: string | null;
  revoked_at: string | null;
  created_by: string;
  /** The token that made it, and that it ends with; null when a session or the command line did. */
  created_by_token: string | null;
  state: TokenState;
}

interface TokenRow extends Omit<Token, 'scopes' | 'state'> {
  scopes: string;
  secret_hmac: string;
  user_id: string;
}

export interface NewToken {
  name: string;
  scopes: Scope[];
  /** Seconds, 3600 to 365 days. */
  lifetime: number;
}

interface Shell {
  keys: Keys;
  clock: Clock;
  entropy: Entropy;
}

export interface TokenOwner {
  user_id: string;
  /** What `created_by` shows. */
  name: string;
  scopes: ReadonlySet<Scope>;
  /** The token that creates another one, if a token does. */
  token_id?: string | null;
}

/**
 * Creates a token for `owner`; the secret is in the answer and nowhere else. One that a token makes expires no later
 * than it.
 * @throws Problem 401 when the user was disabled or the maker revoked meanwhile, 403 for a scope beyond the owner's.
 */
export async function createToken(
  transaction: Transaction,
  shell: Shell,
  owner: TokenOwner,
  wanted: NewToken,
): Promise<{ token: Token; secret: string }> {
  const beyond = wanted.scopes.filter((scope) => !owner.scopes.has(scope));
  if (beyond.length > 0) {
    const whose = owner.token_id ? 'The calling token' : 'Your role';
    throw new Problem('scope_beyond_role', `${whose} does not include ${beyond.join(', ')}.`, { scope: beyond[0]! });
  }
  const latest = await latestEnd(transaction, owner);
  const id = newId('tok', shell.entropy);
  const body = `gcr_${id}_${shell.entropy.bytes(32).toString('base64url')}`;
  const now = shell.clock.now();
  const asked = instant(later(now, wanted.lifetime));
  const row: TokenRow = {
    id,
    name: wanted.name,
    scopes: [...new Set(wanted.scopes)].sort().join(' '),
    secret_hmac: secretHmac(shell.keys, body),
    user_id: owner.user_id,
    created_by: owner.name,
    created_at: instant(now),
    expires_at: latest !== null && latest < asked ? latest : asked,
    last_used_at: null,
    last_used_from: null,
    revoked_at: null,
    created_by_token: owner.token_id ?? null,
  };
  await transaction.run(
    `INSERT INTO api_token (id, name, scopes, secret_hmac, user_id, created_by, created_at, expires_at,
       created_by_token) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.name,
      row.scopes,
      row.secret_hmac,
      row.user_id,
      row.created_by,
      row.created_at,
      row.expires_at,
      row.created_by_token,
    ],
  );
  return { token: view(row, now), secret: body + checksum(body) };
}

/** When the maker expires; null for a maker that is no token. A maker that ended meanwhile creates nothing. */
async function latestEnd(transaction: Transaction, { user_id, token_id }: TokenOwner): Promise<string | null> {
  const now = await transaction.one<{ expires_at: string | null; revoked_at: string | null }>(
    `SELECT t.expires_at, t.revoked_at FROM user u LEFT JOIN api_token t ON t.id = ? AND t.user_id = u.id
     WHERE u.id = ? AND u.enabled = 1`,
    [token_id ?? '', user_id],
  );
  if (!now || now.revoked_at !== null || (token_id && now.expires_at === null)) throw ended();
  return now.expires_at;
}

const BY_ID = `SELECT t.*, u.name AS user_name, u.role AS user_role, u.enabled AS user_enabled, ${LOCK_COLUMNS}
  FROM api_token t JOIN user u ON u.id = t.user_id WHERE t.id = ?`;

/**
 * The actor behind a bearer token, in one statement.
 * @throws Problem 401 with the reason: unknown, expired, revoked or its user disabled.
 */
export async function authenticateToken(
  database: Database,
  shell: Shell,
  bearer: string,
): Promise<{ actor: Actor; token_id: string; lock: MutationLock | null }> {
  const parts = SHAPE.exec(bearer);
  const body = parts ? bearer.slice(0, -6) : '';
  const digest = digestOf(body);
  if (!parts || digest.slice(0, CHECKSUM) !== parts[3]) throw unknownToken();
  const row = await database.one<TokenRow & LockColumns & { user_name: string; user_role: Role; user_enabled: number }>(
    BY_ID,
    [parts[1]!],
  );
  if (!row || !isSecretOf(row, shell.keys, body, digest)) throw unknownToken();
  if (row.revoked_at !== null || row.user_enabled !== 1) {
    throw ended();
  }
  if (row.expires_at <= instant(shell.clock.now())) {
    throw new Problem('credentials_expired', `This token expired at ${row.expires_at}.`);
  }
  const { listed, scopes } = reachOf(row.user_role, row.scopes);
  const actor: Actor = {
    kind: 'token',
    user_id: row.user_id,
    name: `${row.user_name} (token ${row.name})`,
    role: row.user_role,
    scopes,
    listed,
    credential_id: row.id,
    csrf_token: null,
  };
  return { actor, token_id: row.id, lock: lockOf(row) };
}

export interface TokenQuery {
  /** Only this user's. */
  user_id?: string | undefined;
  name?: string | undefined;
  /** A part of the name, the user or a scope, in any case. */
  search?: string | undefined;
  state?: TokenState | undefined;
  /** One of TOKEN_SORTS, `-` before it for descending. */
  sort?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const SORTS = {
  name: 'name',
  created_by: 'created_by',
  expires_at: 'expires_at',
  last_used_at: "coalesce(last_used_at, '')",
  created_at: 'created_at',
};
export const TOKEN_SORTS = Object.keys(SORTS);

/** State → whether the token is in it; `?` is now. */
const STATE_SQL: Readonly<Record<TokenState, string>> = {
  active: 'revoked_at IS NULL AND expires_at > ?',
  expired: 'revoked_at IS NULL AND expires_at <= ?',
  revoked: 'revoked_at IS NOT NULL AND ? IS NOT NULL',
};
export const TOKEN_STATES = Object.keys(STATE_SQL) as TokenState[];

/** The list that its page shows, by the texts of the page's query. */
export const tokenFilter = ({ search, sort, state }: Partial<Record<string, string>>) => ({
  search,
  sort,
  state: TOKEN_STATES.find((known) => known === state),
});

/** Newest first, unless another order is asked for. */
export async function listTokens(database: Database, now: Date, query: TokenQuery): Promise<Page<Token>> {
  const list = build('api_token').select('api_token.*');
  if (query.user_id !== undefined) list.where('user_id', query.user_id);
  if (query.name !== undefined) list.where('name', query.name);
  if (query.state !== undefined) list.whereRaw(`(${STATE_SQL[query.state]})`, [instant(now)]);
  searchIn(list, ['name', 'created_by', 'scopes'], query.search);
  // As they were made: the order of the rows, on which all of them and those of one user have an index.
  const order = { sorts: SORTS, own: ['api_token.rowid'], descending: true } as const;
  return sortedPage<TokenRow, Token>(database, list, order, query, (row) => view(row, now));
}

/** Id → name. */
export async function tokenNames(database: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.all<{ id: string; name: string }>(
    'SELECT id, name FROM api_token WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Those that there are, each before the token that made it. */
export async function newestTokensFirst(database: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await database.all<{ id: string }>(
    'SELECT id FROM api_token WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid DESC',
    [JSON.stringify(ids)],
  );
  return rows.map(({ id }) => id);
}

export async function findToken(database: Database, id: string, now: Date, user_id?: string): Promise<Token> {
  const row = await database.one<TokenRow>('SELECT * FROM api_token WHERE id = ?', [id]);
  if (!row || (user_id !== undefined && row.user_id !== user_id)) {
    throw new Problem('resource_not_found', 'This token does not exist or is not yours.');
  }
  return view(row, now);
}

/**
 * Revokes a token at once, with all that it made. Revoking an ended one is a conflict. Answers the ids of all that
 * ended.
 */
export async function revokeToken(
  transaction: Transaction,
  id: string,
  now: Date,
  user_id?: string,
): Promise<{ token: Token; ended: string[] }> {
  const token = await findToken(transaction, id, now, user_id);
  if (token.state !== 'active') throw new Problem('state_conflict', `This token is already ${token.state}.`);
  const at = instant(now);
  const rows = await transaction.all<{ id: string }>(
    `UPDATE api_token SET revoked_at = ? WHERE revoked_at IS NULL AND expires_at > ? AND id IN (
       WITH RECURSIVE fallen(id) AS (
         VALUES (?) UNION SELECT t.id FROM api_token t JOIN fallen ON t.created_by_token = fallen.id)
       SELECT id FROM fallen) RETURNING id`,
    [at, at, id],
  );
  return { token: { ...token, revoked_at: at, state: 'revoked' }, ended: rows.map((row) => row.id) };
}

function view(row: TokenRow, now: Date): Token {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
    created_at: row.created_at,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    last_used_from: row.last_used_from,
    revoked_at: row.revoked_at,
    created_by: row.created_by,
    created_by_token: row.created_by_token,
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= instant(now) ? 'expired' : 'active',
  };
}

function secretHmac(keys: Keys, body: string): string {
  return keys.hmac('token-pepper', body).toString('base64url');
}

/** Of the SHA-256 of what is before it, in hexadecimal digits. */
const CHECKSUM = 6;
const digestOf = (body: string): string => hash('sha256', body);
const checksum = (body: string): string => digestOf(body).slice(0, CHECKSUM);

/** What is kept of tokens that were used, at most. Beyond it, all is made anew. */
const KEPT = 1_000;

/**
 * SHA-256 of secrets that were found right → the HMAC that they have. It decides nothing by itself: each request compares it
 * with the row as it is now, and a row of another secret has another HMAC.
 */
const proven = new WeakMap<Keys, Map<string, string>>();

function isSecretOf({ secret_hmac }: TokenRow, keys: Keys, body: string, digest: string): boolean {
  const known = proven.get(keys) ?? new Map<string, string>();
  if (known.get(digest) === secret_hmac) return true;
  if (!equalInConstantTime(secret_hmac, secretHmac(keys, body))) return false;
  if (known.size >= KEPT) known.clear();
  proven.set(keys, known.set(digest, secret_hmac));
  return true;
}

interface Reach {
  listed: ReadonlySet<Scope>;
  /** Never more than the user's role has now. */
  scopes: ReadonlySet<Scope>;
}

const reaches = new Map<string, Reach>();

/** Pure: what a token that lists these scopes reaches for a user of this role. */
function reachOf(role: Role, text: string): Reach {
  const key = `${role} ${text}`;
  const known = reaches.get(key);
  if (known) return known;
  const ofRole = scopesOfRole(role);
  const listed = withReads(text.split(' ').filter(Boolean) as Scope[]);
  const reach = { listed, scopes: new Set([...listed].filter((scope) => ofRole.has(scope))) };
  if (reaches.size >= KEPT) reaches.clear();
  reaches.set(key, reach);
  return reach;
}

function ended(): Problem {
  return new Problem('credentials_revoked', 'The token was revoked, or its user was disabled.');
}

function unknownToken(): Problem {
  return new Problem('credentials_invalid', 'This bearer token is not known.');
}

/** Whose tokens an actor may see and revoke: an admin everybody's (undefined), others their own. */
export function tokensVisibleTo(actor: Actor): string | undefined {
  return actor.role === 'admin' ? undefined : (actor.user_id ?? '');
}

/** How the audit log names a token by id. */
export const NAMED_TOKENS = { table: 'api_token', column: 'name' } as const;
