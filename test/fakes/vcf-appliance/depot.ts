// The fake appliance's depot settings and their synchronisation, release by release.
// Uncertain, and so only one of several possible behaviours: what a release answers to members that it does not know (here
// 400), the names of states between start and end of a synchronisation, how long an old success stays visible.
import { type Answer, type Asked, html, json, noContent, vendorError } from './answers.ts';

export interface DepotOptions {
  /** What the connection test inside PUT finds. */
  test?:
    | 'DEPOT_CONNECTION_SUCCESSFUL'
    | 'DEPOT_UNKNOWN_HOST'
    | 'DEPOT_NOT_AVAILABLE'
    | 'DEPOT_INVALID_CREDENTIAL'
    | 'UNKNOWN_FAILURE'
    | 'untrusted'
    | 'untrusted-as-credential';
  /** How long the connection test takes. */
  test_ms?: number;
  /** What its message says, instead of the test's result: appliances repeat what was submitted now and then. */
  message?: (password: unknown) => string;
  /** What is set before anybody sets anything. */
  initial?: { depotConfiguration: Members; offlineAccount?: Members; vmwareAccount?: Members } | null;
  /** How many GETs after a PUT, with its own answer, do not tell yet what the test found. */
  silent?: number;
  /** The PUT is done, and its answer never comes whole: the connection is cut, or a gateway's page comes instead. */
  lost?: 'cut' | '504';
  /** When set, only this user and password pass the test. */
  account?: { username: string; password: string };
  /** When set, the test passes only when a certificate of this fingerprint is trusted. */
  root_sha256?: string;
  sync?: {
    /** States that the GETs after a start show in turn; the last one stays. */
    states?: readonly string[];
    /** How many GETs after a start still show the earlier success with its old timestamp. */
    stale?: number;
    /** How many GETs after the stale ones fail with 502: services restart. */
    gaps?: number;
    error?: string;
    /** A synchronisation that ended before the first start. */
    earlier?: string | null;
  };
}

type Members = Record<string, unknown>;

interface Depot {
  routes: (asked: Asked) => Answer | null;
  /** Changes options while it runs. */
  options: DepotOptions;
}

const PATH = '/v1/system/settings/depot';
const SYNC = `${PATH}/depot-sync-info`;

/** `trusted`: fingerprints that the appliance trusts; PUT of 9.1.1 adds to them through `trust`. */
export function depot(
  version: string,
  options: DepotOptions,
  { trusted, trust }: { trusted: () => readonly string[]; trust: (pem: string) => boolean },
): Depot {
  const [, minor = 0, patch = 0] = version.split('.').map(Number);
  const release = minor === 0 ? '9.0' : minor === 1 && patch === 0 ? '9.1' : '9.1.1';
  const { initial } = options;
  let settings: Record<'vmwareAccount' | 'offlineAccount' | 'depotConfiguration', Members | null> = {
    vmwareAccount: initial?.vmwareAccount ?? null,
    offlineAccount: initial?.offlineAccount ? { password: null, ...initial.offlineAccount } : null,
    depotConfiguration: initial?.depotConfiguration ?? null,
  };
  let silent = 0;
  const sync = {
    state: options.sync?.earlier ? 'SYNCED' : 'NOT_SYNCED',
    last: options.sync?.earlier ?? null,
    gets: -1,
  };

  const quiet = (account: Members | null): Members | null =>
    silent > 0 && account ? { ...account, status: null, message: null } : account;

  const shown = (): Members => ({
    ...settings,
    offlineAccount: quiet(settings.offlineAccount),
    ...(release === '9.0' ? { dellEmcSupportAccount: null } : {}),
    ...(release === '9.0' ? {} : { depotSyncInfo: { syncStatus: sync.state } }),
  });

  function put(asked: Asked): Answer {
    const { offlineAccount, depotConfiguration } = (asked.json ?? {}) as {
      offlineAccount?: Members;
      depotConfiguration?: Members;
    };
    const wrong = fault(release, depotConfiguration);
    if (wrong) return vendorError(400, { errorCode: 'INVALID_DEPOT_CONFIGURATION', message: wrong });
    const given = depotConfiguration as Members;
    for (const pem of (given.trustedCertificates as string[] | undefined) ?? []) {
      if (!trust(pem))
        return vendorError(400, { errorCode: 'INVALID_CERTIFICATE', message: 'Invalid certificate chain' });
    }
    const found = tested(offlineAccount);
    if (found === 'untrusted') {
      return vendorError(400, {
        errorCode: 'VMWARE_DEPOT_CONNECT_FAILURE',
        message: 'Secure protocol communication error',
        remediationMessage: 'Verify the certificate of the depot',
      });
    }
    const { trustedCertificates, ...depotShown } = given;
    const message = options.message?.(offlineAccount?.password) ?? found;
    settings = {
      vmwareAccount: null,
      offlineAccount: { username: offlineAccount?.username ?? null, password: null, status: found, message },
      depotConfiguration: depotShown,
    };
    silent = options.silent ?? 0;
    if (options.lost === '504') return html(504, 'Gateway Time-out');
    return { ...json(202, shown()), delay_ms: options.test_ms ?? 0, cut: options.lost === 'cut' };
  }

  function tested(account: Members | undefined): string {
    const { test = 'DEPOT_CONNECTION_SUCCESSFUL', account: wanted, root_sha256 } = options;
    if (root_sha256 && !trusted().includes(root_sha256)) return 'untrusted';
    if (test === 'untrusted-as-credential') return 'DEPOT_INVALID_CREDENTIAL';
    if (test !== 'DEPOT_CONNECTION_SUCCESSFUL') return test;
    // Credentials anywhere else are ignored without a word, so the depot is asked without any.
    const right = !wanted || (account?.username === wanted.username && account?.password === wanted.password);
    return right ? test : 'DEPOT_INVALID_CREDENTIAL';
  }

  function started(): Answer {
    if (!settings.depotConfiguration) {
      return vendorError(400, { errorCode: 'DEPOT_NOT_CONFIGURED', message: 'Depot is not configured' });
    }
    sync.gets = 0;
    return json(202, { syncStatus: sync.state, ...(sync.last ? { lastSyncCompletionTimestamp: sync.last } : {}) });
  }

  function status(): Answer {
    const { states = ['SYNCING', 'SYNCED'], stale = 0, gaps = 0, error } = options.sync ?? {};
    if (sync.gets >= 0) {
      const at = sync.gets - stale;
      sync.gets += 1;
      if (at >= 0 && at < gaps) return vendorError(502, { errorCode: 'BAD_GATEWAY', message: 'lcm is not available' });
      const state = states[Math.min(at - gaps, states.length - 1)];
      if (at >= gaps && state && state !== sync.state) {
        sync.state = state;
        if (state === 'SYNCED') sync.last = new Date().toISOString();
      } else if (at >= gaps && state === 'SYNCED' && at === gaps) sync.last = new Date().toISOString();
    }
    return json(200, {
      syncStatus: sync.state,
      ...(sync.state === 'SYNC_FAILED' ? { errorMessage: error ?? 'Vmware compatibility data download failed' } : {}),
      ...(sync.last ? { lastSyncCompletionTimestamp: sync.last } : {}),
    });
  }

  const TABLE: Record<string, (asked: Asked) => Answer> = {
    [`GET ${PATH}`]: () => {
      const answer = json(200, shown());
      if (silent > 0) silent -= 1;
      return answer;
    },
    [`PUT ${PATH}`]: put,
    [`DELETE ${PATH}`]: () => {
      settings = { vmwareAccount: null, offlineAccount: null, depotConfiguration: null };
      return noContent();
    },
    [`GET ${SYNC}`]: status,
    [`PATCH ${SYNC}`]: started,
    ...(release === '9.0'
      ? {}
      : { [`GET ${PATH}/machine-details`]: () => json(200, { machineId: 'fake-depot-id-0001' }) }),
  };
  return { routes: (asked) => TABLE[`${asked.method} ${asked.path}`]?.(asked) ?? null, options };
}

const KNOWN: Record<string, readonly string[]> = {
  '9.0': ['isOfflineDepot', 'hostname', 'port'],
  '9.1': ['isOfflineDepot', 'hostname', 'port', 'url'],
  '9.1.1': ['isOfflineDepot', 'hostname', 'port', 'url', 'trustedCertificates'],
};
/** Ignored wherever they stand here. */
const IGNORED = ['username', 'password'];

/** What is wrong with a configuration on a release, or null. */
function fault(release: string, given: Members | undefined): string | null {
  if (!given) return 'depotConfiguration is required';
  const known = KNOWN[release] ?? [];
  const unknown = Object.keys(given).find((member) => !known.includes(member) && !IGNORED.includes(member));
  if (unknown) return `Unrecognized field "${unknown}"`;
  if (release === '9.0') {
    const missing = known.find((member) => given[member] === undefined);
    return missing ? `${missing} is required` : null;
  }
  const { url, hostname, port } = given;
  if (url === undefined) return hostname === undefined || port === undefined ? 'url is required' : null;
  return typeof url === 'string' && /^https?:\/\/[^/?#\s]+\/?$/.test(url) && url.length <= 2048
    ? null
    : 'Invalid depot URL';
}
