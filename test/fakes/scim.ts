// The SCIM service of vCenter 8 and VCF Identity Broker, as far as provisioning goes: users and groups below
// /usergroup/t/CUSTOMER/scim/v2, read, filtered, patched and checked by scimmy, which is of another author.
//
// Known from people who use it: the path with the literal CUSTOMER; application/scim+json; a token that the UI gives out;
// that externalId is to be the `sub` of the tokens; that a user has a domain beside the name.
// Not certain, and made one way here: the scheme (Bearer, or HZN as one report says: `scheme`); the schema of the domain
// (urn:ietf:params:scim:schemas:extension:ws1b:2.0:User); that a user name is unique in its domain, and a group name at all,
// whatever their case; at most 100 objects a page (`page_most`); that lists of groups leave the members out (`lean_lists`);
// texts of errors; when it asks to wait (`faults`); that a filter by userName is answered.
// `node test/fakes/scim.ts --port 8443` prints where it is and its token, and runs until it is ended.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import SCIMMY from 'scimmy';
import { startTlsTarget, type TlsTarget } from './tls-target.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of SCIM, of every shape.
type Json = Record<string, any>;

export const SCIM_PATH = '/usergroup/t/CUSTOMER/scim/v2';
const DOMAIN = 'urn:ietf:params:scim:schemas:extension:ws1b:2.0:User';

interface Answer {
  status: number;
  json?: unknown;
  headers?: Record<string, string>;
}

export interface FakeScimOptions {
  token?: string;
  scheme?: 'Bearer' | 'HZN';
  page_most?: number;
  lean_lists?: boolean;
  port?: number;
}

export interface FakeScim extends Pick<TlsTarget, 'host' | 'port' | 'sha256' | 'changeCertificate' | 'cut' | 'stop'> {
  base_url: string;
  token: string;
  users: Map<string, Json>;
  groups: Map<string, Json>;
  /** `POST /Users` of each request, without its query and without ids. */
  calls: string[];
  /** What was authorized with, each request. */
  authorizations: string[];
  /** Answers by call, each once, in place of its own. */
  faults: { call: string; answer: Answer }[];
  /** Run before a call is answered. */
  before: { call: string; work: () => void | Promise<void> }[];
  /** Users that it has and shows nobody. */
  hidden: Json[];
  /** Adds one that somebody else made. */
  addUser(user: Json): Json;
  addGroup(group: Json): Json;
  readonly bytes: number;
}

interface Context {
  fake: Pick<FakeScim, 'users' | 'groups' | 'hidden'>;
}

const extension = new SCIMMY.Types.SchemaDefinition('Broker', DOMAIN, 'What an identity broker adds.', [
  new SCIMMY.Types.Attribute('string', 'domain'),
]);
// Its types know classes of schemas; what it takes at run time is a definition as well.
SCIMMY.Resources.declare(SCIMMY.Resources.User.extend(extension as never));
SCIMMY.Resources.declare(SCIMMY.Resources.Group);

const lower = (text: unknown): string => String(text ?? '').toLowerCase();
const domainOf = (user: Json): string => lower(user[DOMAIN]?.domain);

function conflict(what: string): never {
  throw new SCIMMY.Types.Error(409, 'uniqueness', `${what} already exists.`);
}

// By JSON, since scimmy asks for objects of its own realm.
const cloned = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function stored(all: Map<string, Json>, id: string | undefined, instance: Json): Json {
  if (id !== undefined && !all.has(id)) throw new SCIMMY.Types.Error(404, null as never, `Resource ${id} not found`);
  const key = id ?? randomUUID();
  const item = { ...cloned(instance), id: key };
  all.set(key, item);
  return item;
}

function found(
  all: Map<string, Json>,
  resource: { id?: string; filter?: { match(of: Json[]): Json[] } },
): Json | Json[] {
  if (resource.id !== undefined) {
    const one = all.get(resource.id);
    if (!one) throw new SCIMMY.Types.Error(404, null as never, `Resource ${resource.id} not found`);
    return cloned(one);
  }
  const list = cloned([...all.values()]);
  return resource.filter ? resource.filter.match(list) : list;
}

// biome-ignore lint/suspicious/noExplicitAny: handlers of scimmy, whose types know declared schemas alone.
const [User, Group] = [SCIMMY.Resources.User as any, SCIMMY.Resources.Group as any];
User.ingress((resource: Json, instance: Json, { fake }: Context) => {
  const same = (other: Json) =>
    (other.id === undefined || other.id !== resource.id) &&
    lower(other.userName) === lower(instance.userName) &&
    domainOf(other) === domainOf(instance);
  if ([...fake.users.values(), ...fake.hidden].some(same)) conflict('A user with this name');
  return stored(fake.users, resource.id, instance);
})
  .egress((resource: Json, { fake }: Context) => found(fake.users, resource))
  .degress((resource: Json, { fake }: Context) => {
    found(fake.users, resource);
    fake.users.delete(resource.id);
    for (const group of fake.groups.values())
      group.members = (group.members ?? []).filter(({ value }: Json) => value !== resource.id);
  });
Group.ingress((resource: Json, instance: Json, { fake }: Context) => {
  const same = (other: Json) => other.id !== resource.id && lower(other.displayName) === lower(instance.displayName);
  if ([...fake.groups.values()].some(same)) conflict('A group with this name');
  for (const { value } of instance.members ?? [])
    if (!fake.users.has(value)) throw new SCIMMY.Types.Error(400, 'invalidValue', 'There is no such member.');
  return stored(fake.groups, resource.id, instance);
})
  .egress((resource: Json, { fake }: Context) => found(fake.groups, resource))
  .degress((resource: Json, { fake }: Context) => {
    found(fake.groups, resource);
    fake.groups.delete(resource.id);
  });

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

async function answered(
  { method = '', url = '' }: IncomingMessage,
  body: string,
  fake: FakeScim,
  { page_most = 100, lean_lists = false }: FakeScimOptions,
): Promise<Answer> {
  const { pathname, searchParams } = new URL(url, 'https://scim');
  const [, kind = '', id] = /^\/(Users|Groups)(?:\/([^/]+))?$/.exec(pathname.slice(SCIM_PATH.length)) ?? [];
  if (!pathname.startsWith(SCIM_PATH) || kind === '') return { status: 404, json: { detail: 'No such endpoint.' } };
  const query = Object.fromEntries(searchParams) as Json;
  if (query.startIndex) query.startIndex = Number(query.startIndex);
  query.count = Math.min(Number(query.count ?? page_most), page_most);
  const Resource = kind === 'Users' ? User : Group;
  const context: Context = { fake };
  const key = id === undefined ? undefined : decodeURIComponent(id);
  const one = () => (key === undefined ? new Resource(query) : new Resource(key));
  if (method === 'DELETE') {
    await one().dispose(context);
    return { status: 204 };
  }
  if (method === 'GET') {
    const json = JSON.parse(JSON.stringify(await one().read(context)));
    if (lean_lists && key === undefined) for (const each of json.Resources ?? []) delete each.members;
    return { status: 200, json };
  }
  const sent = JSON.parse(body) as Json;
  if (method === 'PATCH') {
    const json = await one().patch(sent, context);
    return json === undefined ? { status: 204 } : { status: 200, json };
  }
  return { status: method === 'POST' ? 201 : 200, json: await one().write(sent, context) };
}

const errorOf = (error: unknown): Answer => {
  const { status = 500, scimType, message } = error as { status?: number; scimType?: string; message: string };
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return { status, json: { schemas, status: String(status), ...(scimType && { scimType }), detail: message } };
};

export async function startScim(options: FakeScimOptions = {}): Promise<FakeScim> {
  const { token = `scim-${randomUUID()}`, scheme = 'Bearer', port = 0 } = options;
  const add = (all: Map<string, Json>, given: Json) => {
    const item = { id: randomUUID(), ...given };
    all.set(item.id, item);
    return item;
  };
  const fake = {
    ...{
      token,
      users: new Map(),
      groups: new Map(),
      calls: [],
      authorizations: [],
      faults: [],
      before: [],
      hidden: [],
    },
    addUser: (user: Json) => add(fake.users, { schemas: [SCIMMY.Schemas.User.definition.id], active: true, ...user }),
    addGroup: (group: Json) => add(fake.groups, { schemas: [SCIMMY.Schemas.Group.definition.id], ...group }),
  } as unknown as FakeScim;
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await read(request);
    const path = new URL(request.url ?? '', 'https://scim').pathname.slice(SCIM_PATH.length);
    const call = `${request.method} ${path.replace(/^(\/\w+)\/.+$/, '$1/{id}')}`;
    fake.calls.push(call);
    fake.authorizations.push(request.headers.authorization ?? '');
    for (const hook of fake.before.filter((each) => each.call === call)) {
      fake.before.splice(fake.before.indexOf(hook), 1);
      await hook.work();
    }
    const fault = fake.faults.find((each) => each.call === call);
    if (fault) {
      fake.faults.splice(fake.faults.indexOf(fault), 1);
      return fault.answer;
    }
    if (request.headers.authorization !== `${scheme} ${token}`)
      return { status: 401, json: { detail: `Unauthorized: ${request.headers.authorization}` } };
    return answered(request, body, fake, options).catch(errorOf);
  };
  const target = await startTlsTarget({
    port,
    answer: (request, response: ServerResponse) => {
      void answer(request).then(({ status, json, headers = {} }) => {
        response.writeHead(status, { 'content-type': 'application/scim+json', ...headers });
        response.end(json === undefined ? '' : JSON.stringify(json));
      });
    },
  });
  const { host, sha256, changeCertificate, cut, stop } = target;
  Object.assign(fake, { host, port: target.port, sha256, changeCertificate, cut, stop });
  fake.base_url = `https://${host}:${target.port}${SCIM_PATH}`;
  return Object.defineProperty(fake, 'bytes', { get: () => target.bytes_after_change });
}

/** `--port 8443 --scheme HZN`: prints where it is, and runs until it is ended. */
async function main(args: string[]): Promise<void> {
  const value = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined);
  const scheme = value('scheme') === 'HZN' ? 'HZN' : 'Bearer';
  const { base_url, token, sha256 } = await startScim({ port: Number(value('port') ?? 0), scheme });
  console.log(JSON.stringify({ base_url, token, scheme, sha256 }));
}
if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2));
