// The lease of an import: while it is ready, disks are uploaded to its URLs, and progress has to be reported often
// enough. When it is given up, the server removes what it had created.
import { setTimeout as pause } from 'node:timers/promises';
import { childOf, childrenOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import { VsphereFault } from './fault.ts';
import { retrieveOne } from './properties.ts';
import type { VsphereSession } from './session.ts';
import { booleanOf, localizedFault, numberOf, type ObjectRef, refOf, textXml } from './soap.ts';

export interface LeaseUrl {
  key: string;
  /** Matches `device_id` of a file of the import specification. */
  import_key: string;
  /** Null: the machine of our own connection. */
  host: string | null;
  port: number;
  /** A secret: it permits writing there. */
  path_with_ticket: string;
  /** Of the certificate there: SHA-1 or SHA-256 with colons. */
  thumbprint: string | null;
  certificate_pem: string | null;
  disk: boolean;
}

export interface Lease {
  /** Seconds in which progress has to be reported: 30 to 3600. */
  timeout_seconds: number;
  machine_id: string;
  urls: LeaseUrl[];
}

export interface LeaseState {
  /** `gone`: the server doesn't know it, or not any more. */
  state: 'initializing' | 'ready' | 'done' | 'error' | 'gone';
  error: VsphereFault | null;
  /** While it is initializing: percent. */
  progress: number | null;
}

/** Between two looks: short at first. */
const POLL_MS = [100, 200, 400, 800];
const SLOW_POLL_MS = 1500;
const LATE = 'The lease of the import did not become ready in time.';
/** Seconds, at most: a longer timeout of a server is a mistake, and would delay the end. */
const LEASE_SECONDS = { least: 30, most: 3600 };
const MOST_URLS = 64;
const leaseRef = (id: string): ObjectRef => ({ type: 'HttpNfcLease', id });

/**
 * Waits until files can be uploaded. The caller aborts the lease when this throws.
 * @throws VsphereFault: what the lease failed with, `lease_over`, `not_ready` after `seconds`; the signal's reason
 */
export async function waitForLease(
  session: VsphereSession,
  lease: string,
  { signal, seconds = 300 }: { signal?: AbortSignal | undefined; seconds?: number } = {},
): Promise<Lease> {
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; ; turn++) {
    const properties = await retrieveOne(session, leaseRef(lease), ['state', 'error', 'info'], {
      what: 'look at the lease of the import',
      signal,
    });
    const { state, error } = stateIn(session, properties);
    const info = properties.get('info');
    // The state can come before what belongs to it.
    if (state === 'ready' && info) return leaseIn(session, info);
    if (error) throw error;
    if (state === 'done' || state === 'error') throw new VsphereFault('lease_over', 'The lease of the import is over.');
    if (performance.now() > until) throw new VsphereFault('not_ready', LATE);
    await pause(POLL_MS[turn] ?? SLOW_POLL_MS, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** @throws VsphereFault, Problem of the connection; the signal's reason */
export async function leaseState(
  session: VsphereSession,
  lease: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<LeaseState> {
  const what = 'look at the lease of the import';
  try {
    const paths = ['state', 'error', 'initializeProgress'];
    return stateIn(session, await retrieveOne(session, leaseRef(lease), paths, { what, signal }));
  } catch (error) {
    if (isGone(error)) return { state: 'gone', error: null, progress: null };
    throw error;
  }
}

const STATES = new Set<LeaseState['state']>(['initializing', 'ready', 'done', 'error']);

function stateIn(session: VsphereSession, properties: ReadonlyMap<string, XmlElement>): LeaseState {
  const said = properties.get('state')?.text.trim() as LeaseState['state'] | undefined;
  const error = properties.get('error');
  return {
    // Right after its creation nothing is set.
    state: said !== undefined && STATES.has(said) ? said : 'initializing',
    error: error && said === 'error' ? session.faultOf(localizedFault(error), 'import the machine') : null,
    progress: numberOf(properties.get('initializeProgress')?.text),
  };
}

function leaseIn(session: VsphereSession, info: XmlElement): Lease {
  const machine = refOf(childOf(info, 'entity'));
  const timeout = numberOf(textOf(info, 'leaseTimeout'));
  if (machine?.type !== 'VirtualMachine' || timeout === null || timeout <= 0) {
    throw new VsphereFault('unreadable', 'The lease of the import is not as expected.');
  }
  const devices = childrenOf(info, 'deviceUrl');
  if (devices.length > MOST_URLS) {
    throw new VsphereFault('unreadable', 'The lease of the import names more places for uploads than there can be.');
  }
  const urls = devices.map((each) => urlIn(each));
  session.hide(...urls.map(({ path_with_ticket }) => path_with_ticket));
  const timeout_seconds = Math.min(LEASE_SECONDS.most, Math.max(LEASE_SECONDS.least, timeout));
  return { timeout_seconds, machine_id: machine.id, urls };
}

/** `*` means the host of our own connection. */
const URL_FORM = /^https:\/\/(\*|\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::(\d{1,5}))?(\/[\x21-\x7e]{0,1000})$/i;

function urlIn(device: XmlElement): LeaseUrl {
  const [, host, port, path] = URL_FORM.exec(textOf(device, 'url')?.trim() ?? '') ?? [];
  if (host === undefined || path === undefined) {
    throw new VsphereFault('unreadable', 'The lease of the import names a place for uploads that is no https URL.');
  }
  return {
    key: textOf(device, 'key') ?? '',
    import_key: textOf(device, 'importKey') ?? '',
    host: host === '*' ? null : host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? 443 : Number(port),
    path_with_ticket: path,
    thumbprint: textOf(device, 'sslThumbprint')?.trim() || null,
    certificate_pem: textOf(device, 'sslCertificate')?.trim() || null,
    disk: booleanOf(textOf(device, 'disk')) ?? false,
  };
}

/** Reports the progress of the upload, which also renews the lease. `timeout`: milliseconds for the answer. */
export async function leaseProgress(
  session: VsphereSession,
  lease: string,
  percent: number,
  { signal, timeout = 30_000 }: { signal?: AbortSignal | undefined; timeout?: number } = {},
): Promise<void> {
  const whole = Math.max(0, Math.min(100, Math.floor(percent)));
  await session.call({
    ...{ method: 'HttpNfcLeaseProgress', on: leaseRef(lease), inside: textXml('percent', whole) },
    ...{ what: 'keep the lease of the import', timeout, signal },
  });
}

/** All files are there. @throws VsphereFault `lease_over` when it wasn't ready any more */
export async function completeLease(
  session: VsphereSession,
  lease: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const what = 'complete the import';
  await session.call({ method: 'HttpNfcLeaseComplete', on: leaseRef(lease), what, timeout: 300_000, signal });
}

/**
 * Gives the import up: the server removes what it had created.
 * `gone`: it was over already, in whatever way.
 * @throws VsphereFault, Problem of the connection: then nobody knows
 */
export async function abortLease(
  session: VsphereSession,
  lease: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<'aborted' | 'gone'> {
  try {
    const what = 'give up the import';
    await session.call({ method: 'HttpNfcLeaseAbort', on: leaseRef(lease), what, signal });
    return 'aborted';
  } catch (error) {
    if (isGone(error) || (error instanceof VsphereFault && error.reason === 'lease_over')) return 'gone';
    throw error;
  }
}

const isGone = (error: unknown): boolean => error instanceof VsphereFault && error.reason === 'gone';

export interface LeaseFile {
  /** `key` of its URL. */
  key: string;
  sha1: string | null;
  /** Of newer servers, with its algorithm as they write it. */
  checksum: { algorithm: string; hex: string } | null;
  size: number | null;
}

/** The host's report of what it received, before the lease is completed. Empty when it has none. */
export async function leaseManifest(
  session: VsphereSession,
  lease: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<LeaseFile[]> {
  const what = 'tell what it received';
  const answer = await session.call({ method: 'HttpNfcLeaseGetManifest', on: leaseRef(lease), what, signal });
  return childrenOf(answer, 'returnval').map((entry) => {
    const [algorithm, hex] = [textOf(entry, 'checksumType'), textOf(entry, 'checksum')];
    return {
      key: textOf(entry, 'key') ?? '',
      sha1: textOf(entry, 'sha1')?.toLowerCase() || null,
      checksum: algorithm && hex ? { algorithm, hex: hex.toLowerCase() } : null,
      size: numberOf(textOf(entry, 'size')),
    };
  });
}
