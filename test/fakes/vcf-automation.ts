// VCF Automation (Tenant Manager) as far as the LDAP of an organization goes: sessions, settings, test, search, trusted
// certificates, roles and groups. It signs in at a directory: one that the test describes, or a real one over LDAPS with
// OpenLDAP's clients, which trust what was uploaded here and nothing else.
//
// Known from people who use it: paths, headers and members; that test and settings have different models, each of which
// refuses the shown name of the other; that a new group is refused with `nameInSource`, and a change without it.
// Not certain, and made one way here: that /api/versions names 9.0.0 and 9.1.0; the path of the provider's login; that the
// settings without a password keep none; texts and codes of errors; that a search answers an array; that an unknown member
// is refused with 400; that a login which is over answers 401; that LDAP users sign in by their group alone.
// `node test/fakes/vcf-automation.ts --port 8443` prints where it is and who may log in, and runs until it is ended.
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, makeCertificate, startTlsTarget, type TlsTarget } from './tls-target.ts';

/** What it connects to. */
export interface Place {
  host: string;
  port: number;
  bind_dn: string;
  bind_password: string;
  search_base: string;
  group_search_base: string;
  /** PEM of all that it trusts. */
  trusted: string[];
}

export interface FakeDirectory {
  /** Whether this DN signs in with this password. */
  signsIn(at: Place, dn: string, password: string): Promise<boolean>;
  /** DNs, by kind and name. */
  find(at: Place, kind: 'user' | 'group', name: string): Promise<string[]>;
  /** Names of the groups that a user is in. */
  groupsOf(at: Place, dn: string): Promise<string[]>;
}

interface Ref {
  id: string;
  name: string;
}
export interface FakeGroup extends Ref {
  nameInSource: string;
  providerType: string;
  roleEntityRefs: Ref[];
  orgEntityRef: Ref;
}

export interface VcfAutomationOptions {
  directory: FakeDirectory;
  account?: { username: string; password: string };
  organization?: string;
  versions?: string[];
  settings?: Record<string, unknown>;
  groups?: FakeGroup[];
  port?: number;
}

type Answer = { status: number; json?: unknown; headers?: Record<string, string> };

export interface VcfAutomation
  extends Pick<TlsTarget, 'host' | 'port' | 'sha256' | 'changeCertificate' | 'cut' | 'stop'> {
  account: { username: string; password: string };
  organization: Ref;
  settings: Record<string, unknown>;
  trusted: { id: string; alias: string; certificate: string }[];
  roles: Ref[];
  groups: FakeGroup[];
  /** `PUT /cloudapi/v1/orgSettings/ldap` of each request, without its query. */
  calls: string[];
  /** Whole requests, for canaries. */
  bodies: string[];
  /** Answers by call, each once, in place of its own. */
  faults: { call: string; answer: Answer }[];
  /** Run before a call is answered. */
  before: { call: string; work: () => void | Promise<void> }[];
  endSessions(): void;
  /** Sessions that nobody ended. */
  open(): number;
}

const NONE = { enabled: false, settingsSource: 'NONE', definedSettings: null };
const USER = ['objectClass', 'objectIdentifier', 'userName', 'email', 'givenName', 'surname', 'telephone'];
const LINKS = ['groupMembershipIdentifier', 'groupBackLinkIdentifier', 'serviceAccount'];
const GROUP = [
  'objectClass',
  'objectIdentifier',
  'groupName',
  'membership',
  'membershipIdentifier',
  'backLinkIdentifier',
];
const SHARED = [
  'hostName',
  'port',
  'searchBase',
  'groupSearchBase',
  'userName',
  'password',
  'pageSize',
  'maxResults',
  'maxUserGroups',
  'pagedSearchDisabled',
  'customUiButtonLabel',
];
const WRITTEN = {
  members: [...SHARED, 'ssl', 'userAttributes', 'groupAttributes'],
  user: [...USER, 'displayName', ...LINKS],
};
const TESTED = {
  members: [
    ...SHARED,
    'isSsl',
    'isSslAcceptAll',
    'isGroupSearchBaseEnabled',
    'authenticationMechanism',
    'connectorType',
    'userAttributes',
    'groupAttributes',
  ],
  user: [...USER, 'fullName', ...LINKS],
};

// biome-ignore lint/suspicious/noExplicitAny: whatever is sent
type Body = Record<string, any>;

/** The first member that the model does not have. */
function foreign(body: Body, model: typeof WRITTEN): string | null {
  const unknown = (value: Body, known: string[]) => Object.keys(value ?? {}).find((name) => !known.includes(name));
  return (
    unknown(body, model.members) ??
    unknown(body.userAttributes, model.user) ??
    unknown(body.groupAttributes, GROUP) ??
    null
  );
}

const refused = (message: string, status = 400): Answer => ({
  status,
  json: { minorErrorCode: 'BAD_REQUEST', message },
});

/** Making one takes longer than all the rest. */
let certificate: Certificate | undefined;

export async function startVcfAutomation(options: VcfAutomationOptions): Promise<VcfAutomation> {
  certificate ??= makeCertificate({ subject: '/O=VMware/CN=auto.lab.test', names: 'IP:127.0.0.1' });
  const organization = {
    id: 'urn:vcloud:org:11111111-2222-3333-4444-555555555555',
    name: options.organization ?? 'acme',
  };
  const state = {
    organization,
    account: options.account ?? { username: `admin@${organization.name}`, password: 'Fake-of-the-automation-7!' },
    settings: (options.settings ?? NONE) as Record<string, unknown>,
    trusted: [] as VcfAutomation['trusted'],
    roles: ['Organization Administrator', 'Organization User'].map((name, at) => ({
      id: `urn:vcloud:role:${at + 1}`,
      name,
    })),
    groups: options.groups ?? [],
    calls: [] as string[],
    bodies: [] as string[],
    faults: [] as VcfAutomation['faults'],
    before: [] as VcfAutomation['before'],
  };
  const product = new Product(state, options);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    const { pathname } = new URL(request.url!, 'https://fake');
    const call = `${request.method} ${pathname}`;
    state.calls.push(call);
    state.bodies.push(`${request.headers.authorization ?? ''} ${body}`);
    const waits = state.before.findIndex((one) => one.call === call);
    if (waits >= 0) await state.before.splice(waits, 1)[0]!.work();
    const fault = state.faults.findIndex((one) => one.call === call);
    const { status, json, headers } =
      fault >= 0 ? state.faults.splice(fault, 1)[0]!.answer : await product.respond(call, request, body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(json === undefined ? '' : JSON.stringify(json));
  };
  const target = await startTlsTarget({
    certificate,
    port: options.port ?? 0,
    answer: (request, response) => void answer(request, response).catch(() => response.destroy()),
  });
  const { host, port, sha256, changeCertificate, cut, stop } = target;
  const of = { host, port, sha256, changeCertificate, cut, stop };
  return Object.assign(state, of, { endSessions: () => product.tokens.clear(), open: () => product.tokens.size });
}

type State = Pick<VcfAutomation, 'organization' | 'account' | 'settings' | 'trusted' | 'roles' | 'groups'>;

class Product {
  readonly #state: State;
  readonly #directory: FakeDirectory;
  readonly #versions: string[];
  #count = 0;
  readonly tokens = new Set<string>();

  constructor(state: State, { directory, versions = ['9.0.0', '9.1.0'] }: VcfAutomationOptions) {
    this.#state = state;
    this.#directory = directory;
    this.#versions = versions;
  }

  async respond(call: string, { headers, url }: IncomingMessage, body: string): Promise<Answer> {
    if (call === 'GET /api/versions')
      return { status: 200, json: { versionInfo: this.#versions.map((version) => ({ version })) } };
    const version = /version=([\d.]+)/.exec(headers.accept ?? '')?.[1] ?? '';
    if (!this.#versions.includes(version)) return refused('The version is not supported.', 406);
    if (/^POST \/cloudapi\/1\.0\.0\/sessions(?:\/provider)?$/.test(call))
      return this.#enter(call, headers.authorization ?? '');
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.tokens.has(token)) return refused('The session is not valid.', 401);
    if (call === 'DELETE /cloudapi/1.0.0/sessions/current') {
      this.tokens.delete(token);
      return { status: 204 };
    }
    const query = new URL(url!, 'https://fake').searchParams;
    const [method, path = ''] = call.split(' ');
    const sent = body === '' ? {} : (JSON.parse(body) as Body);
    if (path === '/cloudapi/v1/orgSettings/ldap') return method === 'PUT' ? this.#write(sent) : this.#read();
    if (path === '/cloudapi/1.0.0/ldap/test') return this.#test(sent, query.get('username') ?? '');
    const search = /^\/cloudapi\/1\.0\.0\/ldap\/search\/(user|group)$/.exec(path);
    if (search) return this.#search(search[1] as 'user' | 'group', query.get('q') ?? '');
    if (path === '/cloudapi/1.0.0/roles') return this.#page(this.#state.roles, query);
    if (path.startsWith('/cloudapi/1.0.0/ssl/trustedCertificates')) return this.#trust(method!, path, sent, query);
    if (path.startsWith('/cloudapi/1.0.0/groups')) return this.#group(method!, path, sent, query);
    return refused('There is no such path.', 404);
  }

  #page(all: unknown[], query: URLSearchParams): Answer {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 25)];
    const values = all.slice((page - 1) * size, page * size);
    return {
      status: 200,
      json: { resultTotal: all.length, pageCount: Math.ceil(all.length / size), page, pageSize: size, values },
    };
  }

  async #enter(call: string, authorization: string): Promise<Answer> {
    const [user = '', ...rest] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('utf8').split(':');
    const password = rest.join(':');
    const { account, organization } = this.#state;
    const at = user.lastIndexOf('@');
    const provider = organization.name.toLowerCase() === 'system';
    const here =
      user.slice(at + 1).toLowerCase() === organization.name.toLowerCase() && call.endsWith('/provider') === provider;
    const local = user === account.username && password === account.password;
    if (!here || !(local || (await this.#ofDirectory(user.slice(0, at), password))))
      return refused('Bad credentials.', 401);
    const token = `fake-token-${++this.#count}`;
    this.tokens.add(token);
    const session = { id: 'session', user: { id: 'urn:vcloud:user:1', name: user.slice(0, at) }, org: organization };
    return { status: 200, json: session, headers: { 'x-vmware-vcloud-access-token': token } };
  }

  /** By what is set: found, bound with its own DN, and in a group that was imported. */
  async #ofDirectory(user: string, password: string): Promise<boolean> {
    const { enabled, definedSettings } = this.#state.settings as { enabled: boolean; definedSettings: Body | null };
    if (!enabled || !definedSettings || password === '') return false;
    const at = this.#place(definedSettings);
    const [dn] = await this.#directory.find(at, 'user', user);
    if (!dn || !(await this.#directory.signsIn(at, dn, password))) return false;
    const groups = await this.#directory.groupsOf(at, dn);
    return this.#state.groups.some(({ name, roleEntityRefs }) => groups.includes(name) && roleEntityRefs.length > 0);
  }

  #place({ hostName, port, userName, password = '', searchBase, groupSearchBase }: Body): Place {
    return {
      ...{ host: hostName, port, bind_dn: userName, bind_password: password },
      ...{ search_base: searchBase, group_search_base: groupSearchBase },
      trusted: this.#state.trusted.map(({ certificate: pem }) => pem),
    };
  }

  #read(): Answer {
    const { definedSettings, ...rest } = this.#state.settings as { definedSettings: Body | null };
    const { password: _never, ...shown } = definedSettings ?? {};
    return { status: 200, json: { ...rest, definedSettings: definedSettings && shown } };
  }

  #write(sent: Body): Answer {
    const wrong = sent.definedSettings ? foreign(sent.definedSettings, WRITTEN) : null;
    if (wrong) return refused(`Unrecognized field "${wrong}".`);
    this.#state.settings = sent;
    return this.#read();
  }

  async #test(sent: Body, user: string): Promise<Answer> {
    const wrong = foreign(sent, TESTED);
    if (wrong) return refused(`Unrecognized field "${wrong}".`);
    const at = this.#place(sent);
    const successful = sent.isSsl === true && (await this.#directory.signsIn(at, at.bind_dn, at.bind_password));
    const [dn] = successful ? await this.#directory.find(at, 'user', user) : [];
    const settingsTest = Object.keys(sent.userAttributes).map((attribute) => ({
      attribute,
      successful: dn !== undefined,
    }));
    return { status: 200, json: { connectionTest: { successful }, settingsTest } };
  }

  async #search(kind: 'user' | 'group', name: string): Promise<Answer> {
    const { definedSettings } = this.#state.settings as { definedSettings: Body | null };
    if (!definedSettings) return refused('LDAP is not configured.');
    const at = this.#place(definedSettings);
    const bound = await this.#directory.signsIn(at, at.bind_dn, at.bind_password);
    const found = bound ? await this.#directory.find(at, kind, name) : [];
    return { status: 200, json: found.map((nameInSource) => ({ name, nameInSource, providerType: 'LDAP' })) };
  }

  #trust(method: string, path: string, { alias = '', certificate: pem = '' }: Body, query: URLSearchParams): Answer {
    const { trusted } = this.#state;
    if (method === 'GET') return this.#page(trusted, query);
    if (method === 'DELETE') {
      const at = trusted.findIndex(({ id }) => id === decodeURIComponent(path.split('/').at(-1)!));
      if (at >= 0) trusted.splice(at, 1);
      return { status: 204 };
    }
    const { fingerprint256 } = new X509Certificate(pem);
    const one = { id: `urn:vcloud:trustedCertificate:${fingerprint256.slice(0, 11)}`, alias, certificate: pem };
    trusted.push(one);
    return { status: 201, json: one };
  }

  #group(method: string, path: string, sent: Body, query: URLSearchParams): Answer {
    const { groups, organization } = this.#state;
    if (method === 'GET') return this.#page(groups, query);
    const at = groups.findIndex(({ id }) => id === decodeURIComponent(path.split('/').at(-1)!));
    if (method === 'DELETE') {
      if (at >= 0) groups.splice(at, 1);
      return { status: 204 };
    }
    if (method === 'POST') {
      if ('nameInSource' in sent) return refused('nameInSource must not be given.');
      const made = {
        id: `urn:vcloud:group:${++this.#count}`,
        nameInSource: `cn=${sent.name}`,
        orgEntityRef: organization,
      };
      groups.push({ ...made, ...sent } as FakeGroup);
      return { status: 201, json: groups.at(-1) };
    }
    if (at < 0) return refused('There is no such group.', 404);
    if (!sent.nameInSource || !sent.orgEntityRef) return refused('nameInSource and orgEntityRef are required.');
    groups[at] = sent as FakeGroup;
    return { status: 200, json: sent };
  }
}

const command = (program: string, args: string[], ca: string): Promise<{ code: number; stdout: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '', LDAPTLS_CACERT: ca, LDAPTLS_REQCERT: 'demand' };
    execFile(program, args, { env, timeout: 20_000 }, (error, stdout) => resolve({ code: error ? 1 : 0, stdout }));
  });

export interface RealDirectoryOptions {
  /** Runs one of OpenLDAP's programs, which trusts the certificates of this file. */
  run?: (program: string, args: string[], ca: string) => Promise<{ code: number; stdout: string }>;
  /** In place of a resolver. */
  addressOf?: (host: string) => string;
}

/** A directory that is really there, asked with ldapwhoami and ldapsearch over LDAPS. */
export function realDirectory({ run = command, addressOf = (host) => host }: RealDirectoryOptions = {}): FakeDirectory {
  async function asked({ host, port, trusted }: Place, program: string, args: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-automation-'));
    try {
      const ca = join(folder, 'ca.pem');
      writeFileSync(ca, trusted.join('\n'));
      return await run(program, ['-x', '-H', `ldaps://${addressOf(host)}:${port}`, ...args], ca);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const search = (at: Place, args: string[]) =>
    asked(at, 'ldapsearch', ['-D', at.bind_dn, '-w', at.bind_password, '-LLL', '-o', 'ldif-wrap=no', ...args]);
  return {
    async signsIn(at, dn, password) {
      return (await asked(at, 'ldapwhoami', ['-D', dn, '-w', password])).code === 0;
    },
    async find(at, kind, name) {
      const [base, filter] =
        kind === 'user'
          ? [at.search_base, `(&(objectClass=inetOrgPerson)(uid=${name}))`]
          : [at.group_search_base, `(&(objectClass=groupOfUniqueNames)(cn=${name}))`];
      return values(await search(at, ['-b', base, filter, '1.1']), 'dn');
    },
    async groupsOf(at, dn) {
      const found = values(await search(at, ['-b', dn, '-s', 'base', '(objectClass=*)', 'memberOf']), 'memberOf');
      return found.map((group) => /^cn=([^,]+)/.exec(group)?.[1] ?? '');
    },
  };
}

const values = ({ stdout }: { stdout: string }, name: string): string[] =>
  [...stdout.matchAll(new RegExp(`^${name}: (.+)$`, 'gm'))].map(([, value]) => value!);

async function main(args: string[]): Promise<void> {
  const port = Number(args[args.indexOf('--port') + 1] ?? 0) || 0;
  const fake = await startVcfAutomation({ directory: realDirectory(), port });
  const { username, password } = fake.account;
  console.log(`https://${fake.host}:${fake.port} SHA-256 ${fake.sha256}, ${username} ${password}`);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
