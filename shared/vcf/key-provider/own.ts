// Whether a key provider that a vCenter has is what this job registered there: by the name of its server, and once a certificate
// was signed for it by that one. What somebody registered by hand at the same place meanwhile has neither.
import { createHash, X509Certificate } from 'node:crypto';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { clientHeld, type KeyProvider } from '../vsphere/key-providers.ts';
import { keptIn, serverThere } from './input.ts';
import type { Vcenter } from './vcenter.ts';

/** @throws Problem of the connection */
export async function isOurs(
  { job, vcenter, signal }: { job: JobRun; vcenter: Vcenter; signal: AbortSignal },
  found: KeyProvider,
): Promise<boolean> {
  const server = serverThere(job);
  const named = found.servers.some(({ name, address, port }) => {
    return name === server.name && address === server.address && port === server.port;
  });
  const { let_in } = keptIn(job.kept);
  if (!named || !let_in) return named;
  const signed = new X509Certificate(let_in.pem);
  const ask = (what: 'certificate' | 'request') =>
    vcenter.ask((at) => clientHeld(at, found.id, what, signal)).catch(unlessToldNothing);
  const certificate = await ask('certificate');
  if (fingerprintOf(certificate) === signed.fingerprint256) return true;
  // Interrupted before the certificate got there: it is for the key of the last request.
  const request = await ask('request');
  if ((await keyOf(request)) === sha256(signed.publicKey.export({ type: 'spki', format: 'der' }))) return true;
  // Another certificate, or another request, tells that it is not ours, whatever was not told of the other one.
  return request === null && !certificate;
}

/** A vCenter that does not say, to this account or in this state: the name has to do. */
function unlessToldNothing(error: unknown): null {
  if (error instanceof VsphereFault && !error.retry && error.reason !== 'session_lost') return null;
  throw error;
}

/** Null: it is none. */
export function fingerprintOf(pem: string | null): string | null {
  try {
    return new X509Certificate(pem ?? '').fingerprint256;
  } catch {
    return null;
  }
}

async function keyOf(request: string | null): Promise<string | null> {
  if (!request) return null;
  const { parseRequest } = await import('../../platform/certificate-authority/csr.ts');
  return parseRequest(request).then(
    ({ key_sha256 }) => key_sha256,
    () => null,
  );
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
