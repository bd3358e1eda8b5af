// The comparison servers of the HTTP benchmark, as a program: `bare` (node:http, the same statements, the same driver,
// no framework) and `fastify` (Fastify with schemas, knex with its own pool). Arguments: which, database file, keys
// file, port. Both authenticate the bearer token as the appliance does, and answer the same JSON.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import fastify from 'fastify';
import type { SqlValue } from '../../shared/ground/store/database.ts';
import { driver, type PreparedStatement } from '../../shared/ground/store/driver.ts';
import { migratingKnex } from '../../shared/ground/store/migrating-knex.ts';

const [which = 'bare', file = '', keysFile = '', port = '0'] = process.argv.slice(2);
const root = Buffer.from((JSON.parse(readFileSync(keysFile, 'utf8')) as { root: string }).root, 'base64url');
const pepper = Buffer.from(hkdfSync('sha256', root, '', 'groundcrew/token-pepper/1', 32));
const chain = Buffer.from(hkdfSync('sha256', root, '', 'groundcrew/audit-chain/1', 32));

const TOKEN = `SELECT t.*, u.name AS user_name, u.role AS user_role, u.enabled AS user_enabled,
  (SELECT job_id FROM mutation_lock WHERE scope = 'all') AS lock_job,
  (SELECT since FROM mutation_lock WHERE scope = 'all') AS lock_since
  FROM api_token t JOIN user u ON u.id = t.user_id WHERE t.id = ?`;
const ONE = 'SELECT * FROM interface WHERE name = ?';
const ALL = 'SELECT * FROM interface ORDER BY COALESCE(parent_interface, name), kind, vlan_id, name';
const UPDATE = 'UPDATE interface SET mtu = ?, revision = ?, updated_at = ? WHERE name = ?';
const AUDIT = `INSERT INTO audit_event (seq, at, actor_kind, actor_id, actor_name, action, resource_type, resource_id,
    outcome, request_id, source_address, detail, previous_hash, hash)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
  WHERE coalesce((SELECT hash FROM audit_event ORDER BY seq DESC LIMIT 1), 'genesis') = ?
    AND (? = 1 OR NOT EXISTS (SELECT 1 FROM mutation_lock WHERE scope = 'all'))`;

type Row = Record<string, string | number | null>;
type Rows = (sql: string, parameters: unknown[]) => Promise<Row[]>;
interface Engine {
  read: Rows;
  /** Runs `work` in one immediate transaction, one at a time. */
  write<T>(work: (statement: Rows) => Promise<T>): Promise<T>;
}

const head = { seq: 0, hash: 'genesis' };

async function authenticate(engine: Engine, header: string | undefined): Promise<Row | null> {
  const bearer = header?.slice(7) ?? '';
  const body = bearer.slice(0, -6);
  if (createHash('sha256').update(body).digest('hex').slice(0, 6) !== bearer.slice(-6)) return null;
  const [row] = await engine.read(TOKEN, [bearer.slice(4, 24)]);
  if (!row) return null;
  const sent = createHmac('sha256', pepper).update(body).digest();
  const kept = Buffer.from(String(row.secret_hmac), 'base64url');
  if (!timingSafeEqual(sent, kept) || row.revoked_at !== null || String(row.expires_at) <= new Date().toISOString())
    return null;
  return row;
}

function view(row: Row) {
  return {
    ...row,
    observed: row.observed ? JSON.parse(String(row.observed)) : null,
    present: row.present === 1,
    ipv6_enabled: row.ipv6_enabled === 1,
    enabled: row.enabled === 1,
    access_management_ui_enabled: row.access_management_ui_enabled === 1,
  };
}

async function getOne(engine: Engine, name: string) {
  const [row] = await engine.read(ONE, [name]);
  return row ? view(row) : null;
}

async function patch(engine: Engine, token: Row, name: string, body: { mtu: number }) {
  return engine.write(async (statement) => {
    const row = (await statement(ALL, [])).find((each) => each.name === name);
    if (!row) return null;
    const at = new Date().toISOString();
    const next = { ...row, mtu: body.mtu, revision: Number(row.revision) + 1, updated_at: at };
    await statement(UPDATE, [next.mtu, next.revision, at, name]);
    if (head.seq === 0) {
      const [last] = await statement('SELECT seq, hash FROM audit_event ORDER BY seq DESC LIMIT 1', []);
      if (last) Object.assign(head, last);
    }
    const detail = JSON.stringify({ changed: { mtu: [row.mtu, next.mtu] } });
    const values = [
      head.seq + 1,
      at,
      'token',
      token.user_id,
      token.user_name,
      'interface.update',
      'interface',
      name,
      'success',
      'req',
      '127.0.0.1',
      detail,
      head.hash,
    ];
    const hash = createHmac('sha256', chain).update(JSON.stringify(values)).digest('base64url');
    await statement(AUDIT, [...values, hash, head.hash, 0]);
    Object.assign(head, { seq: head.seq + 1, hash });
    return view(next as Row);
  });
}

/** The appliance's own driver: each statement prepared once, one writer and two readers, all of them on the event loop. */
async function bareEngine(): Promise<Engine> {
  const open = async (pragma: string): Promise<Rows> => {
    const connection = await (await driver()).open(file);
    await connection.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; ${pragma}`);
    const prepared = new Map<string, Promise<PreparedStatement>>();
    return async (sql, parameters) => {
      const known = prepared.get(sql) ?? connection.prepare(sql);
      prepared.set(sql, known);
      return (await (await known).all(parameters as SqlValue[])) as Row[];
    };
  };
  const writer = await open('');
  const readers = [await open('PRAGMA query_only=ON;'), await open('PRAGMA query_only=ON;')];
  let next = 0;
  let tail: Promise<unknown> = Promise.resolve();
  return {
    read: (sql, parameters) => readers[next++ % 2]!(sql, parameters),
    write(work) {
      const run = tail.then(async () => {
        await writer('BEGIN IMMEDIATE', []);
        const result = await work(writer);
        await writer('COMMIT', []);
        return result;
      });
      tail = run.catch(() => undefined);
      return run;
    },
  };
}

/** knex as its documentation shows it, over the same driver; only the pragmas that durability needs. */
async function knexEngine(): Promise<Engine> {
  const knex = await migratingKnex(file);
  for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON']) await knex.raw(`PRAGMA ${pragma}`);
  return {
    read: (sql, parameters) => knex.raw(sql, parameters as never),
    write: (work) => knex.transaction((tx) => work((sql, parameters) => tx.raw(sql, parameters as never))),
  };
}

async function serveBare(engine: Engine): Promise<void> {
  const answer = (response: http.ServerResponse, status: number, value: unknown) => {
    const body = JSON.stringify(value);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  const server = http.createServer(async (request, response) => {
    const token = await authenticate(engine, request.headers.authorization);
    if (!token) return answer(response, 401, {});
    const name = request.url!.slice('/api/v1/interfaces/physical/'.length);
    if (request.method === 'GET') return answer(response, 200, await getOne(engine, name));
    let text = '';
    for await (const chunk of request) text += chunk;
    return answer(response, 200, await patch(engine, token, name, JSON.parse(text) as { mtu: number }));
  });
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
}

async function serveFastify(engine: Engine): Promise<void> {
  const app = fastify();
  const path = '/api/v1/interfaces/physical/:name';
  const params = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const body = {
    type: 'object',
    properties: { mtu: { type: 'integer', minimum: 576, maximum: 9216 } },
    additionalProperties: false,
  };
  app.decorateRequest('token', null);
  app.addHook('onRequest', async (request, reply) => {
    const token = await authenticate(engine, request.headers.authorization);
    if (!token) return reply.code(401).send({});
    (request as unknown as { token: Row }).token = token;
  });
  app.get<{ Params: { name: string } }>(path, { schema: { params } }, (request) => getOne(engine, request.params.name));
  app.patch<{ Params: { name: string }; Body: { mtu: number } }>(path, { schema: { params, body } }, (request) =>
    patch(engine, (request as unknown as { token: Row }).token, request.params.name, request.body),
  );
  await app.listen({ port: Number(port), host: '127.0.0.1' });
  process.stdout.write('ready\n');
}

if (which === 'bare') await serveBare(await bareEngine());
else await serveFastify(await knexEngine());
