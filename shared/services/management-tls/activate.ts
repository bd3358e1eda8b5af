// Nothing to do: the management listener is part of this service and follows the files by itself.
import type { Host } from '../../ground/machine/host.ts';
import type { ManagementTlsDesired } from './desired.ts';

export async function activate(host: Host, { certificate }: ManagementTlsDesired): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the certificate is kept; the management UI keeps its own.';
  return certificate
    ? 'The management listener takes the certificate up; no connection is closed.'
    : 'The management listener goes back to the service’s own certificate.';
}
