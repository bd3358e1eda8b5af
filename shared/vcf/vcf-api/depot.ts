// The depot of an appliance: its settings, their format in each release, and the synchronisation of metadata. Messages
// of the appliance are passed on without secrets.
import { X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import { askFor, faultOf, readJson } from './answers.ts';
import { type Submitted, scrub } from './scrub.ts';
import type { ApplianceSession } from './session.ts';
import type { Question, Reply } from './transport.ts';
import { type ApplianceVersion, atLeast } from './version.ts';

const PATH = '/v1/system/settings/depot';
const SYNC = `${PATH}/depot-sync-info`;
const LIMIT = 256 * 1024;

/** The appliance tries the depot before it answers. */
const PUT_MS = 5 * 60_000;

/** Characters of an appliance's message, at most. */
const [NAME_MOST, URL_MOST, MESSAGE_MOST, TIME_MOST, STATE_MOST] = [255, 300, 500, 60, 60];

export const DEPOT_SUCCESS = 'DEPOT_CONNECTION_SUCCESSFUL';

/** What an appliance finds when it tries its depot. The API names no others, but may get more. */
const STATUSES: readonly string[] = [
  ...[DEPOT_SUCCESS, 'DEPOT_UNKNOWN_HOST', 'DEPOT_NOT_AVAILABLE', 'DEPOT_USER_NOT_SET', 'DEPOT_INVALID_CREDENTIAL'],
  'UNKNOWN_FAILURE',
];

/** The depot that an appliance has now. */
export interface RemoteDepot {
  /** False: the vendor's own, on the internet; then there is neither host name nor URL. */
  offline: boolean;
  hostname: string | null;
  port: number | null;
  /** Origin only. */
  url: string | null;
  username: string | null;
  /** As the appliance names it: `DEPOT_INVALID_CREDENTIAL`. */
  status: string | null;
  message: string | null;
}

/** Where the depot is that an appliance is to take its software from. */
export interface DepotAddress {
  hostname: string;
  port: number;
  /** `https://host[:port]` */
  url: string;
  username: string;
}

const text = v.nullish(v.string(), null);
const accountSchema = v.nullish(v.looseObject({ username: text, status: text, message: text }), null);
const settingsSchema = v.looseObject({
  vmwareAccount: accountSchema,
  offlineAccount: accountSchema,
  depotConfiguration: v.nullish(
    v.looseObject({
      isOfflineDepot: v.nullish(v.boolean(), false),
      hostname: text,
      port: v.nullish(v.number(), null),
      url: text,
    }),
    null,
  ),
});
type Settings = v.InferOutput<typeof settingsSchema>;

/**
 * The depot of an appliance; null where none is set.
 * @param submitted what its words must not repeat, beside what looks like a secret anyway.
 */
export async function readDepot(
  session: ApplianceSession,
  signal?: AbortSignal,
  submitted: Submitted = {},
): Promise<RemoteDepot | null> {
  const what = 'its depot';
  const settings = await askFor(session, { method: 'GET', path: PATH, limit: LIMIT, what, signal }, settingsSchema);
  return depotIn(settings, (said) => scrub(said, submitted));
}

function depotIn({ vmwareAccount, offlineAccount, depotConfiguration }: Settings, clean: (said: string) => string) {
  const offline = depotConfiguration?.isOfflineDepot === true;
  const account = offline ? offlineAccount : vmwareAccount;
  if (!offline && !account?.username) return null;
  const shown = (said: string | null | undefined, most = NAME_MOST): string | null =>
    clean(said ?? '').slice(0, most) || null;
  const { hostname = null, port = null, url = null } = (offline && depotConfiguration) || {};
  return {
    offline,
    hostname: shown(hostname),
    port,
    url: url === null ? null : shown(originOf(url) ?? url, URL_MOST),
    username: shown(account?.username),
    status: account?.status
      ? (STATUSES.find((known) => known === account.status) ?? codeOf(shown(account.status)))
      : null,
    message: shown(account?.message, MESSAGE_MOST),
  };
}

/** A name as the API gives them, nothing that could be a sentence. */
const codeOf = (text: string | null): string => (/^[A-Z][A-Z0-9_]{2,59}$/.test(text ?? '') ? text! : 'OTHER');

/** Scheme, host and port of a URL in one spelling; null when the text is no URL. */
function originOf(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol)
    ? `${parsed.protocol}//${parsed.host.replace(/\.(?=:|$)/, '')}`
    : null;
}

/** `https://depot.lab.test:8443`, whichever way the release writes it; null for one that names no host. */
export function depotUrl({ hostname, port, url }: Pick<RemoteDepot, 'hostname' | 'port' | 'url'>): string | null {
  if (url) return originOf(url) ?? url.toLowerCase();
  if (!hostname) return null;
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return originOf(`https://${host}:${port ?? 443}`);
}

/** One line that names a depot, for people and to compare depots. */
export function depotText(
  depot: Pick<RemoteDepot, 'hostname' | 'port' | 'url' | 'username'> & { offline?: boolean },
): string {
  if (depot.offline === false) return `the vendor’s online depot as ${depot.username}`;
  return `${depotUrl(depot) ?? 'a depot without a name'} as ${depot.username ?? 'nobody'}`;
}

/** Whether both are the same host, port and user, however they are written. */
export const sameDepot = (one: RemoteDepot | null, other: DepotAddress | RemoteDepot): boolean =>
  one !== null && depotUrl(one) !== null && depotText(one) === depotText(other);

/**
 * The body by release: before 9.1 host name and port; then a URL; from 9.1.1 on also the certificates to trust for it.
 * The password goes into the account: in the configuration it would be silently ignored.
 */
export function desiredDepot(
  version: ApplianceVersion,
  { hostname, port, url, username }: DepotAddress,
  password: string,
  ca_pem: string,
): Record<string, unknown> {
  const where = atLeast(version, 9, 1) ? { url: originOf(url) ?? url } : { hostname, port };
  const trusts = trustsByItself(version) ? { trustedCertificates: [new X509Certificate(ca_pem).toString()] } : {};
  return {
    offlineAccount: { username, password },
    depotConfiguration: { isOfflineDepot: true, ...where, ...trusts },
  };
}

/** Whether setting the depot also makes the appliance trust its authority. */
export const trustsByItself = (version: ApplianceVersion): boolean => atLeast(version, 9, 1, 1);

/**
 * Sets the depot; the appliance tries it within the call.
 * @returns the result of its test; nulls when it reports none: then the settings have it.
 * @throws ApplianceFault; after a broken connection or the answer of a gateway it is not known what was saved.
 */
export async function putDepot(
  session: ApplianceSession,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Pick<RemoteDepot, 'status' | 'message'>> {
  const question: Question = {
    ...{ method: 'PUT', path: PATH, json: body, limit: LIMIT, timeout: PUT_MS, what: 'the new depot', signal },
    // Of a depot, as its settings have it.
    names_known: true,
  };
  const answer = await session.ask(question);
  try {
    if (answer.status !== 200 && answer.status !== 202) throw faultOf(answer, question);
    if (answer.body.length === 0) return { status: null, message: null };
    const found = depotIn(readJson(answer, settingsSchema, question), answer.clean);
    return { status: found?.status ?? null, message: found?.message ?? null };
  } finally {
    answer.body.fill(0);
  }
}

export interface SyncInfo {
  /** In upper case with underscores. `SYNCED` and `SYNC_FAILED` are ends, everything else is on its way. */
  status: string;
  error: string | null;
  /** When the last one ended, as the appliance writes it. */
  completed: string | null;
}

export const SYNCED = 'SYNCED';
export const SYNC_FAILED = 'SYNC_FAILED';
const ENDS: readonly string[] = [SYNCED, SYNC_FAILED];

const syncSchema = v.looseObject({
  syncStatus: v.string(),
  errorMessage: text,
  lastSyncCompletionTimestamp: v.nullish(v.union([v.string(), v.number()]), null),
});

function syncOf(
  { syncStatus, errorMessage, lastSyncCompletionTimestamp: completed }: v.InferOutput<typeof syncSchema>,
  submitted: Submitted,
): SyncInfo {
  return {
    status: stateOf(syncStatus, submitted),
    error: scrub(errorMessage ?? '', submitted) || null,
    completed: completed === null ? null : timeIn(scrub(String(completed).slice(0, TIME_MOST), submitted)),
  };
}

/** The API documents no states. A text that does not consist of these words is no state. */
const STATE_WORDS: ReadonlySet<string> = new Set([
  ...[
    'SYNC',
    'SYNCED',
    'SYNCING',
    'UNSYNCED',
    'SYNCHRONIZING',
    'SYNCHRONIZED',
    'NOT',
    'NEVER',
    'PARTIALLY',
    'IN',
    'PROGRESS',
  ],
  ...[
    'QUEUED',
    'PENDING',
    'SCHEDULED',
    'REQUESTED',
    'STARTED',
    'STARTING',
    'RUNNING',
    'ONGOING',
    'WAITING',
    'RETRYING',
  ],
  ...[
    'DOWNLOADING',
    'REFRESHING',
    'UPDATING',
    'PROCESSING',
    'VALIDATING',
    'INITIALIZING',
    'UNINITIALIZED',
    'INITIALIZED',
  ],
  ...[
    'COMPLETED',
    'SUCCESSFUL',
    'SUCCEEDED',
    'SUCCESS',
    'FAILED',
    'FAILURE',
    'ERROR',
    'UNKNOWN',
    'CANCELLED',
    'STOPPED',
  ],
  ...['DEPOT', 'METADATA', 'CONFIGURED', 'IDLE', 'DONE', 'WITH', 'ERRORS'],
]);

/** Such a state, or `OTHER`. */
function stateOf(said: string, submitted: Submitted): string {
  const spelled = (text: string): string =>
    text
      .trim()
      .toUpperCase()
      .replace(/[\s-]+/g, '_');
  const state = spelled(said.slice(0, STATE_MOST + 1));
  // A name or a password that is part of an end must not hide that it is one.
  if (ENDS.includes(state)) return state;
  const clean = spelled(scrub(state, submitted));
  return clean.length <= STATE_MOST && clean.split('_').every((word) => STATE_WORDS.has(word)) ? clean : 'OTHER';
}

/** Accepts only characters of a time, so that no name or password passes. Null for anything else. */
function timeIn(said: string): string | null {
  if (/^\d[\d:.,TZ+/ -]*$/.test(said)) return said;
  return Number.isNaN(Date.parse(said)) ? null : new Date(said).toISOString();
}

/** @param submitted what its words must not repeat. */
export async function readSync(
  session: ApplianceSession,
  signal?: AbortSignal,
  submitted: Submitted = {},
): Promise<SyncInfo> {
  const what = 'the state of its depot';
  const question: Question = { method: 'GET', path: SYNC, limit: LIMIT, what, signal };
  return syncOf(await askFor(session, question, syncSchema), submitted);
}

/** Starts a synchronisation of the metadata. The answer may still have the previous state. */
export async function startSync(
  session: ApplianceSession,
  signal?: AbortSignal,
  submitted: Submitted = {},
): Promise<SyncInfo | null> {
  const what = 'a new synchronisation of its depot';
  const question: Question = { method: 'PATCH', path: SYNC, limit: LIMIT, what, signal };
  const answer = await session.ask(question);
  try {
    if (answer.status < 200 || answer.status >= 300) throw faultOf(cleaned(answer, submitted), question);
    return answer.body.length === 0 ? null : syncOf(readJson(answer, syncSchema, question), submitted);
  } finally {
    answer.body.fill(0);
  }
}

const cleaned = (answer: Reply, submitted: Submitted): Reply => ({
  ...answer,
  clean: (said) => scrub(answer.clean(said), submitted),
});

/** Distinguishes a new end of a synchronisation from the previous one. Stored, so without secrets. */
export interface SyncWatch {
  before: { status: string; completed: string | null };
  /** Another state than that from before was seen since. */
  moved: boolean;
}

export const watchFrom = ({ status, completed }: SyncInfo): SyncWatch => ({
  before: { status, completed },
  moved: false,
});

/** The watch after one more look. */
export const watched = (watch: SyncWatch, { status }: SyncInfo): SyncWatch =>
  watch.moved || status === watch.before.status ? watch : { ...watch, moved: true };

/**
 * Whether the reported end is that of the started synchronisation: a success with a later time than before, or any end
 * after another state. The same end with the same time is the previous one.
 */
export function isFresh({ before, moved }: SyncWatch, { status, completed }: SyncInfo): boolean {
  if (status !== SYNCED && status !== SYNC_FAILED) return false;
  return moved || status !== before.status || isLater(completed, before.completed);
}

function isLater(now: string | null, before: string | null): boolean {
  if (now === null || now === before) return false;
  if (before === null) return true;
  const [later, earlier] = [timeOf(now), timeOf(before)];
  return Number.isNaN(later) || Number.isNaN(earlier) ? now !== before : later > earlier;
}

/** Text of a time, or milliseconds. */
const timeOf = (written: string): number => (/^\d{9,}$/.test(written) ? Number(written) : Date.parse(written));
