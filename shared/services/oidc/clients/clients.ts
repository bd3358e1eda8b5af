// Clients: the products that let people sign in here. They are data, as those of key management are: a change counts with the
// next request, without an apply.
import { instant, later } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import type { Database, Row, Transaction } from '../../../ground/store/database.ts';
import { type Points, pointReads } from '../../../ground/store/point-reads.ts';
import { type Precondition, requireRevision } from '../../../ground/store/revision.ts';
import { type Collection, type Kept, type Shell, told } from '../../../platform/units/collection.ts';
import { columnsOf, createItem, findItem, itemOf } from '../../../platform/units/collection-store.ts';
import { PRESET_FACTS, PRESETS, type Preset } from './presets.ts';
import { clientCreateSchema, clientListSchema, clientSchema, clientUpdateSchema, type Source } from './schemas.ts';
import { newSecret } from './secret.ts';

export const CLIENTS_PATH = '/api/v1/oidc/clients';
export const OIDC_TAG = 'OpenID Connect';
/** Clients of the appliance, at most. */
export const CLIENTS_MOST = 200;

export interface Client extends Kept {
  name: string;
  preset: Preset;
  redirect_uris: string[];
  logout_uris: string[];
  requires_pkce: boolean;
  refresh_tokens: boolean;
  source: Source;
  organization: string;
  sends_groups: { group: string; as: string }[];
  secret_sha256: string;
  secret_made_at: string;
  former_sha256: string;
  former_until: string | null;
  last_token_at: string | null;
  last_token_for: string | null;
  created_by: string;
}

export const clients: Collection<Client> = {
  table: 'oidc_client',
  prefix: 'oidcclient',
  noun: 'client',
  plural: 'clients',
  effect: 'immediate',
  saves: 'Changes application state immediately: it counts with the next request of the client.',
  tag: OIDC_TAG,
  resource: 'oidc',
  path: CLIENTS_PATH,
  param: 'oidc_client_id',
  pages: { all: 'oidc-clients', one: 'oidc-client', home: 'oidc-clients' },
  listed: { component: 'OidcClients', noun: 'client', nouns: 'clients' },
  live: true,
  action: 'oidc.client',
  columns: {
    name: 'text',
    preset: 'text',
    redirect_uris: 'json',
    logout_uris: 'json',
    requires_pkce: 'boolean',
    refresh_tokens: 'boolean',
    source: 'text',
    organization: 'text',
    sends_groups: 'json',
    secret_sha256: 'text',
    secret_made_at: 'text',
    former_sha256: 'text',
    former_until: 'nullable',
    last_token_at: 'nullable',
    last_token_for: 'nullable',
    created_by: 'text',
  },
  hidden: { secret_sha256: 'secret', former_sha256: 'former secret' },
  order: ['name'],
  lookups: ['name', 'preset'],
  words: { preset: PRESETS },
  immutable: [],
  defaults: {
    enabled: true,
    description: '',
    logout_uris: [],
    sends_groups: [],
    former_sha256: '',
    former_until: null,
    last_token_at: null,
    last_token_for: null,
  },
  schemas: { item: clientSchema, list: clientListSchema, create: clientCreateSchema, update: clientUpdateSchema },
  title: ({ name }) => name,
  facts: told('enabled', 'preset', 'source', 'organization', 'redirect_uris', 'requires_pkce', 'refresh_tokens'),
  settle: async (_tx, next) => next,
};

export interface NewClient {
  name: string;
  preset: Preset;
  source: Source;
  organization: string;
  requires_pkce?: boolean | undefined;
  refresh_tokens?: boolean | undefined;
}

export interface Made {
  client: Client;
  /** In this answer alone. */
  client_secret: string;
}

/** @throws Problem 409 for a name that another has, and where there are too many */
export async function createClient(tx: Transaction, shell: Shell, by: string, wanted: NewClient): Promise<Made> {
  const { count } = (await tx.one<{ count: number }>('SELECT count(*) AS count FROM oidc_client'))!;
  if (count >= CLIENTS_MOST)
    throw new Problem('state_conflict', `There are ${CLIENTS_MOST} clients, as many as there can be.`);
  const { requires_pkce, refresh_tokens } = PRESET_FACTS[wanted.preset];
  const { secret, secret_sha256 } = newSecret(shell.entropy);
  const client = await createItem(tx, shell, clients, {
    ...wanted,
    requires_pkce: wanted.requires_pkce ?? requires_pkce,
    refresh_tokens: wanted.refresh_tokens ?? refresh_tokens,
    ...{ secret_sha256, secret_made_at: instant(shell.clock.now()), created_by: by },
  });
  return { client, client_secret: secret };
}

/** A new secret; the former one is taken for as many seconds more. @throws Problem 404, 412 */
export async function rotateSecret(
  tx: Transaction,
  { clock, entropy }: Shell,
  id: string,
  overlap: number,
  if_match: Precondition,
): Promise<Made> {
  const before = await findItem(tx, clients, id);
  requireRevision(if_match, before.revision);
  const { secret, secret_sha256 } = newSecret(entropy);
  const now = clock.now();
  const former = overlap > 0 ? [before.secret_sha256, instant(later(now, overlap))] : ['', null];
  await tx.run(
    `UPDATE oidc_client SET secret_sha256 = ?, secret_made_at = ?, former_sha256 = ?, former_until = ?, updated_at = ?,
       revision = revision + 1 WHERE id = ?`,
    [secret_sha256, instant(now), ...former, instant(now), id] as (string | null)[],
  );
  return { client: await findItem(tx, clients, id), client_secret: secret };
}

/** By id. */
const clientPoints: Points<Client> = {
  sql: `SELECT id AS key, json_object(${columnsOf(clients)
    .split(', ')
    .map((column) => `'${column}', ${column}`)
    .join()}) AS row FROM oidc_client WHERE id IN (SELECT value FROM json_each(?))`,
  open: (row) => itemOf(clients, JSON.parse(row) as Row),
};

/** Null: there is none. */
export const clientById = (db: Database, id: string): Promise<Client | null> => pointReads(db).find(clientPoints, id);

/** That it was given tokens, and for whom; no revision: it is observed. */
export async function noteToken(tx: Transaction, id: string, at: Date, person: string): Promise<void> {
  await tx.run('UPDATE oidc_client SET last_token_at = ?, last_token_for = ? WHERE id = ?', [instant(at), person, id]);
}
