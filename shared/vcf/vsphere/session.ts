// A login at a vCenter or an ESXi host. Its cookie lives in this closure and goes back byte for byte; the credential is
// not stored, but its secrets stay in memory while the session lives, to remove them from messages.

import { childOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import type { PinnedAnswer, PinnedClient as WholeClient } from '../connection/pinned-client.ts';
import { scrub } from '../vcf-api/scrub.ts';
import { isKnownType, VsphereFault, type VsphereReason, vsphereFault } from './fault.ts';
import { type Label, labelWithout } from './label.ts';
import { API_VERSION, envelope, type ObjectRef, readAnswer, refOf, type SaidFault, textXml } from './soap.ts';

export type PinnedClient = Pick<WholeClient, 'request'>;

export interface VsphereCredential {
  username: string;
  password: string;
}

export interface AboutVsphere {
  /** `VMware vCenter Server`. */
  name: string;
  vendor: string;
  version: string;
  build: string;
  /** Null on an ESXi host. */
  instance_uuid: string | null;
}

export interface VsphereCall {
  method: string;
  on: ObjectRef;
  /** XML after the object, in the order of the API's description. */
  inside?: string;
  /** Completes "It can't …": `read the inventory`. */
  what: string;
  /** Bytes of the answer; default 4 MiB. */
  limit?: number;
  /** Milliseconds for all of it; default 60,000. */
  timeout?: number;
  signal?: AbortSignal | undefined;
}

/** Singletons of the API, as the service content names them. */
export type Service =
  | 'rootFolder'
  | 'propertyCollector'
  | 'viewManager'
  | 'sessionManager'
  | 'ovfManager'
  | 'searchIndex';

export interface VsphereSession {
  readonly kind: 'vcenter' | 'esxi';
  readonly about: AboutVsphere;
  readonly services: Readonly<Record<Service, ObjectRef>>;
  /** Whether the account is logged in, as far as is known here. */
  readonly open: boolean;
  /** The element `<MethodResponse>`. @throws VsphereFault, Problem of the connection; the signal's reason */
  call(call: VsphereCall): Promise<XmlElement>;
  /** Its clock; also keeps an idle session alive. */
  currentTime(signal?: AbortSignal): Promise<Date>;
  /** Logs in again after the session was lost. @throws VsphereFault */
  renew(credential: VsphereCredential, signal?: AbortSignal): Promise<void>;
  /** Texts that no message may repeat from now on: passwords of properties, tickets. */
  hide(...secrets: string[]): void;
  /** A text that vSphere wrote: one bounded line without anything hidden. */
  clean(text: string): string;
  /** A name or the like that vSphere gave: at most 255 characters, without the password of the login. */
  label: Label;
  /** The VsphereFault of a fault inside an answer. */
  faultOf(said: SaidFault, what: string): VsphereFault;
  /** Ends it there as well, as far as that answers; never rejects. */
  logout(): Promise<void>;
}

const ROOT: ObjectRef = { type: 'ServiceInstance', id: 'ServiceInstance' };
const COOKIE = 'vmware_soap_session';
const MOST_COOKIES = 4;
const ANSWER_LIMIT = 4 << 20;
const CALL_MS = 60_000;
const LOGOUT_MS = 5000;
/** Below it, nothing was ever tried, and the version that requests name is not known. */
const OLDEST = [6, 7] as const;

/**
 * Detects the product, then logs in. The caller has to log out.
 * @throws VsphereFault `login_refused`, `not_vsphere`, …; Problem of the connection; the signal's reason
 */
export async function openVsphere(
  client: PinnedClient,
  credential: VsphereCredential,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<VsphereSession> {
  const wire = connection(client);
  // Before anything of it is read.
  wire.login(credential);
  const content = await introduce(wire, signal);
  const session = sessionOf(wire, content);
  await session.renew(credential, signal);
  return session;
}

interface Wire {
  send(call: VsphereCall): Promise<XmlElement>;
  hide(...secrets: string[]): void;
  /** Neither is repeated from now on: a password is typed as a user name by mistake now and then. */
  login(credential: VsphereCredential): void;
  clean(text: string): string;
  label: Label;
  faultOf(said: SaidFault, what: string): VsphereFault;
  /** Forgets the cookie. */
  forget(): void;
  cookie(): string | null;
}

function connection(client: PinnedClient): Wire {
  let cookie: string | null = null;
  const secrets = new Set<string>();
  const names = new Set<string>();
  const passwords = new Set<string>();
  /** The last ones: a server may give another with each answer. */
  const cookies: string[] = [];
  let label = labelWithout([]);
  const wire: Wire = {
    hide(...texts) {
      for (const text of texts) if (text !== '') secrets.add(text);
    },
    login({ username, password }) {
      wire.hide(password);
      names.add(username);
      label = labelWithout([...passwords.add(password)]);
    },
    clean: (text) => scrub(text, { secrets: [...secrets, ...cookies], names: [...names] }),
    label: (text) => label(text),
    faultOf({ type, message, privilege }, what) {
      const said = message === null ? null : wire.clean(message);
      // The name of a fault may repeat what was sent.
      const named = type !== null && (isKnownType(type) || wire.clean(type) === type) ? type : null;
      const more = privilege === null ? '' : ` (privilege ${wire.clean(privilege)})`;
      return vsphereFault(named, `${what}${more}`, said);
    },
    forget() {
      cookie = null;
    },
    cookie: () => cookie,
    async send({ method, on, inside = '', what, limit = ANSWER_LIMIT, timeout = CALL_MS, signal }) {
      // Overwritten once it was sent: it may hold passwords.
      const body = Buffer.from(envelope(method, on, inside), 'utf8');
      let answer: PinnedAnswer;
      try {
        answer = await client.request({
          method: 'POST',
          path: '/sdk',
          headers: {
            'content-type': 'text/xml; charset="utf-8"',
            soapaction: `"${API_VERSION}"`,
            ...(cookie !== null && { cookie: `${COOKIE}=${cookie}` }),
          },
          ...{ body, limit, timeout, signal },
        });
      } finally {
        body.fill(0);
      }
      const given = cookieIn(answer);
      if (given !== null) {
        cookie = given;
        if (!cookies.includes(given)) cookies.push(given);
        if (cookies.length > MOST_COOKIES) cookies.shift();
      }
      return resultOf(wire, answer, method, what);
    },
  };
  return wire;
}

/** Its raw value, quotes included. */
function cookieIn({ headers }: PinnedAnswer): string | null {
  for (const line of headers['set-cookie'] ?? []) {
    const value = new RegExp(`^${COOKIE}=([^;]{1,4096})`).exec(line)?.[1]?.trim();
    if (value !== undefined && value !== '""') return value;
  }
  return null;
}

async function resultOf(wire: Wire, { status, body }: PinnedAnswer, method: string, what: string): Promise<XmlElement> {
  if (status === 502 || status === 503 || status === 504 || status === 429) {
    throw new VsphereFault('not_ready', `The server can't ${what} at the moment (status ${status}).`);
  }
  const soap = status === 200 || status === 500;
  const read = soap ? await readAnswer(body.toString('utf8'), method) : { unusable: `has status ${status}` };
  // A specification of an import repeats the passwords that went into it.
  body.fill(0);
  if ('result' in read) return read.result;
  if ('fault' in read) throw wire.faultOf(read.fault, what);
  // A 500 without SOAP is from the proxy in front of the API while that starts.
  const reason: VsphereReason = status === 500 ? 'not_ready' : status === 404 ? 'not_vsphere' : 'unreadable';
  throw new VsphereFault(reason, `The answer to the request to ${what} ${read.unusable}.`);
}

interface Content {
  kind: VsphereSession['kind'];
  about: AboutVsphere;
  services: Record<Service, ObjectRef>;
}

const KINDS: Readonly<Record<string, VsphereSession['kind']>> = { VirtualCenter: 'vcenter', HostAgent: 'esxi' };
const SERVICES: readonly Service[] = [
  ...(['rootFolder', 'propertyCollector', 'viewManager', 'sessionManager', 'ovfManager', 'searchIndex'] as const),
];

async function introduce(wire: Wire, signal: AbortSignal | undefined): Promise<Content> {
  const what = 'say what it is';
  const answer = await wire
    .send({ method: 'RetrieveServiceContent', on: ROOT, what, timeout: 30_000, limit: 256 * 1024, signal })
    .catch((error: unknown) => {
      // What isn't SOAP at this place is another server.
      if (!(error instanceof VsphereFault) || error.reason !== 'unreadable') throw error;
      throw new VsphereFault('not_vsphere', 'The server does not answer as the vSphere API does.');
    });
  const content = childOf(answer, 'returnval');
  const about = childOf(content, 'about');
  const kind = KINDS[textOf(about, 'apiType')?.trim() ?? ''];
  if (!kind) throw new VsphereFault('not_vsphere', 'The server is neither a vCenter nor an ESXi host.');
  const said = (name: string): string => wire.label(textOf(about, name) ?? '').trim();
  const version = said('version');
  requireVersion(version);
  const services = Object.fromEntries(SERVICES.map((name) => [name, refOf(childOf(content, name))]));
  // Some hosts have no search index; nothing here needs one.
  services.searchIndex ??= { type: 'SearchIndex', id: 'SearchIndex' };
  const missing = SERVICES.find((name) => services[name] === null);
  if (missing) throw new VsphereFault('unsupported', `The server does not offer the ${missing} of the vSphere API.`);
  return {
    kind,
    services: services as Content['services'],
    about: {
      name: said('name'),
      vendor: said('vendor'),
      version,
      build: said('build'),
      instance_uuid: kind === 'vcenter' ? said('instanceUuid') || null : null,
    },
  };
}

function requireVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new VsphereFault('unsupported', `The server has vSphere ${version || 'of an unknown version'}.`);
}

function sessionOf(wire: Wire, { kind, about, services }: Content): VsphereSession {
  let open = false;
  return {
    ...{ kind, about, services },
    get open() {
      return open;
    },
    async call(call) {
      try {
        return await wire.send(call);
      } catch (error) {
        if (error instanceof VsphereFault && error.reason === 'session_lost') open = false;
        throw error;
      }
    },
    async currentTime(signal) {
      const what = 'tell the time';
      const answer = await this.call({ method: 'CurrentTime', on: ROOT, what, signal });
      const time = new Date(textOf(answer, 'returnval')?.trim() ?? '');
      if (Number.isNaN(time.getTime())) throw new VsphereFault('unreadable', 'The server does not tell the time.');
      return time;
    },
    async renew(credential, signal) {
      const { username, password } = credential;
      wire.login(credential);
      wire.forget();
      const inside = `${textXml('userName', username)}${textXml('password', password)}`;
      await wire.send({ method: 'Login', on: services.sessionManager, inside, what: 'log in', signal });
      if (wire.cookie() === null) throw new VsphereFault('unreadable', 'The server gave no session with the login.');
      open = true;
    },
    hide: wire.hide,
    clean: wire.clean,
    label: wire.label,
    faultOf: wire.faultOf,
    async logout() {
      if (!open) return;
      open = false;
      const call = { method: 'Logout', on: services.sessionManager, what: 'log out', timeout: LOGOUT_MS };
      await wire.send(call).catch(() => undefined);
      wire.forget();
    },
  };
}
