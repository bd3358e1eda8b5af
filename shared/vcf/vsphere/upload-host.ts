// The second machine of an import: the host that receives the disks. No operator confirmed its certificate; the
// confirmed management server vouches for it.
import { createHash, X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { unusable } from '../connection/faults.ts';
import { type PinnedClient, pinnedClient } from '../connection/pinned-client.ts';
import { loadTargetPolicy } from '../connection/policy-store.ts';
import { clientFor, type ReachOptions, type ReachShell } from '../connection/reach.ts';
import { authorityText, parseServer, serverText, type Target } from '../connection/target.ts';
import { resolveTarget } from '../connection/target-policy.ts';
import { openTls } from '../connection/tls-socket.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import { VsphereFault } from './fault.ts';
import type { LeaseUrl } from './lease.ts';

export interface UploadPlace {
  /** Close it. */
  client: PinnedClient;
  /** A ticket: secret. */
  path: string;
  /** For people: `esx01.lab.example`. */
  server: string;
}

export interface UploadOptions extends ReachOptions {
  /** Hosts of the inventory, for a lease without a thumbprint. */
  hosts?: readonly { name: string; port: number; thumbprint: string | null }[];
}

const LOOK_MS = 15_000;
/** Time in which something must move; a host may take its time over the end of a disk. */
const STALL_MS = 120_000;

/**
 * A client for the URL of one upload. The machine of our own connection has the confirmed certificate; another machine
 * has to show the certificate that the lease names, or that its management server knows. Nothing is sent to it before.
 * @throws VsphereFault `untrusted_host`; Problem 409 `target_refused`, `remote_…`; the signal's reason
 */
export async function uploadClient(
  services: ReachShell,
  trusted: TrustedTarget,
  url: LeaseUrl,
  { lookup, timeout = STALL_MS, signal, hosts = [] }: UploadOptions = {},
): Promise<UploadPlace> {
  const target = url.host === null ? trusted : targetOf(url.host, url.port);
  const path = url.path_with_ticket;
  if (target.host === trusted.host && target.port === trusted.port) {
    return { client: await clientFor(services, trusted, { timeout }), path, server: serverText(trusted) };
  }
  const expected = expectedOf(url, target, hosts);
  const policy = await loadTargetPolicy(services.store, services);
  const { address } = await resolveTarget(target, policy, lookup);
  const socket = await openTls({ address, target, timeout: Math.min(timeout, LOOK_MS), signal });
  const shown = socket.getPeerX509Certificate();
  socket.on('error', () => undefined).destroy();
  if (!shown) throw unusable(target, 'shows no certificate');
  if (!expected.matches(shown)) {
    const sentence = `${serverText(target)} shows a certificate with SHA-256 ${shown.fingerprint256}, but ${expected.source} names another one. Nothing was sent to it.`;
    throw new VsphereFault('untrusted_host', sentence);
  }
  const sha256 = shown.fingerprint256;
  return { client: pinnedClient({ ...target, address, sha256, timeout }), path, server: serverText(target) };
}

function targetOf(host: string, port: number): Target {
  try {
    return parseServer(authorityText({ host: host.toLowerCase(), port }));
  } catch {
    throw new VsphereFault('unreadable', 'The lease of the import names a host that is no host name.');
  }
}

interface Expected {
  matches(shown: X509Certificate): boolean;
  /** The source of the thumbprint. */
  source: string;
}

function expectedOf(url: LeaseUrl, target: Target, hosts: NonNullable<UploadOptions['hosts']>): Expected {
  const lease = 'the lease of the import';
  if (url.thumbprint !== null) return byThumbprint(url.thumbprint, lease);
  if (url.certificate_pem !== null) return byCertificate(url.certificate_pem, lease);
  const host = hosts.find(({ name, port }) => name.toLowerCase() === target.host && port === target.port);
  if (host?.thumbprint) return byThumbprint(host.thumbprint, 'the management server');
  const sentence = `The disks are to be sent to ${serverText(target)}, but neither the lease of the import nor the management server says which certificate it has. Nothing was sent to it.`;
  throw new VsphereFault('untrusted_host', sentence);
}

export interface Thumbprint {
  algorithm: 'sha1' | 'sha256';
  /** Hexadecimal, lower case, without colons. */
  digits: string;
}

/** Digits with or without colons, of SHA-1 or of SHA-256. Null for any other length. */
export function thumbprintOf(text: string): Thumbprint | null {
  const digits = text.replace(/[:\s-]/g, '').toLowerCase();
  const algorithm = /^[\da-f]{40}$/.test(digits) ? 'sha1' : /^[\da-f]{64}$/.test(digits) ? 'sha256' : null;
  return algorithm && { algorithm, digits };
}

/** Anything but a thumbprint matches nothing. */
function byThumbprint(thumbprint: string, source: string): Expected {
  const named = thumbprintOf(thumbprint);
  return {
    source,
    matches: ({ raw }) => named !== null && createHash(named.algorithm).update(raw).digest('hex') === named.digits,
  };
}

function byCertificate(pem: string, source: string): Expected {
  let named: Buffer | null = null;
  try {
    named = new X509Certificate(pem).raw;
  } catch {
    // Then it matches nothing.
  }
  return { source, matches: ({ raw }) => named?.equals(raw) === true };
}

/**
 * Bytes that have to be taken in each of these times: far below a link that is of use, and above one that is a trap.
 */
export interface LeastRate {
  bytes: number;
  ms: number;
}

const LEAST_RATE: LeastRate = { bytes: 32 << 20, ms: 600_000 };

export interface Sending {
  signal?: AbortSignal | undefined;
  onProgress?: (sent: number) => void;
  least?: LeastRate;
}

/**
 * Sends one file of the OVA. `create`: from the import specification.
 * @throws VsphereFault `upload_refused`, also when it is too slow, or said to be taken before all of it was sent;
 * Problem
 *   of the connection; the signal's reason; the error of the body's stream
 */
export async function uploadFile(
  { client, path, server }: UploadPlace,
  file: { body: Readable; size: number; create: boolean },
  { signal, onProgress, least = LEAST_RATE }: Sending = {},
): Promise<void> {
  const { size, create } = file;
  const counted = { read: 0, last: 0, handed: 0 };
  const slow = slowness(server, least, () => counted.handed, size);
  try {
    const answer = await client.upload({
      method: create ? 'PUT' : 'POST',
      path,
      headers: {
        'content-type': 'application/x-vnd.vmware-streamVmdk',
        'content-length': `${size}`,
        ...(create && { overwrite: 't' }),
      },
      body: Readable.from(counting(file.body, counted), { objectMode: false, highWaterMark: 1 }),
      signal: signal ? AbortSignal.any([signal, slow.signal]) : slow.signal,
      onProgress(sent) {
        counted.handed = sent;
        onProgress?.(sent);
      },
    });
    requireTaken(answer.status, server);
    // The word of the last piece may come after the answer to it.
    const { read, last, handed } = counted;
    if (read === size && handed >= size - last) return;
    const sentence = `${server} said that it has the file when ${handed} of its ${size} bytes were sent.`;
    throw new VsphereFault('upload_refused', sentence);
  } finally {
    slow.stop();
    file.body.destroy();
  }
}

async function* counting(body: Readable, counted: { read: number; last: number }): AsyncGenerator<Buffer> {
  for await (const piece of body as AsyncIterable<Buffer>) {
    counted.last = piece.length;
    counted.read += piece.length;
    yield piece;
  }
}

function requireTaken(status: number, server: string): void {
  if (status === 200 || status === 201) return;
  // Its body may repeat the ticket.
  const sentence = `${server} did not take the file (status ${status}).`;
  throw new VsphereFault(status === 507 ? 'no_space' : 'upload_refused', sentence);
}

/** Aborts when too little moved in a period; a file that was sent completely may take longer. */
function slowness(server: string, { bytes, ms }: LeastRate, sent: () => number, size: number) {
  const over = new AbortController();
  let before = 0;
  const timer = setInterval(() => {
    const now = sent();
    if (now < size && now - before < bytes) {
      const sentence = `${server} took ${now - before} bytes in ${ms / 1000} seconds, which is too slow to come to an end.`;
      over.abort(new VsphereFault('upload_refused', sentence));
    }
    before = now;
  }, ms);
  return { signal: over.signal, stop: () => clearInterval(timer) };
}
