// What the units are told of the management listener: its port, whether it speaks TLS, and the names that it goes by.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '../shared/kernel/operation/services.ts';
import type { Config } from './config.ts';
import { hostNamed } from './host-named.ts';

export function managementPlace({
  listen,
  tls,
  hostname,
  base_url,
}: Pick<Config, 'listen' | 'tls' | 'hostname' | 'base_url'>): Required<
  Pick<Settings, 'management_port' | 'management_tls' | 'management_names' | 'management_certificate'>
> {
  const origin = URL.canParse(base_url) ? new URL(base_url).hostname : '';
  const named = ['localhost', hostname, hostname.split('.', 1)[0]!, origin, ...certified(tls?.cert)];
  return {
    management_port: listen.port,
    management_tls: tls !== null,
    management_names: [...new Set(named.map(hostNamed).filter(Boolean))],
    management_certificate: tls ? certificateAt(tls.cert) : null,
  };
}

/** Null for one that can't be read: the listener says what is wrong with it. */
function certificateAt(path: string): string | null {
  try {
    return new X509Certificate(readFileSync(path)).toString();
  } catch {
    return null;
  }
}

/** Names in a certificate, without those with a wildcard: a service may well be one of many. */
export function exactNames(certificate: string | Buffer): string[] {
  const { subjectAltName = '' } = new X509Certificate(certificate);
  return [...subjectAltName.matchAll(/DNS:([A-Za-z0-9._-]+)(?=,|$)/g)].map(([, name]) => name!.toLowerCase());
}

/** Names that the management UI goes by now, whichever certificate it shows. Each certificate is read once. */
export function namesNow(
  { management_names = [] }: Pick<Settings, 'management_names'>,
  tls: { shown: { cert: string } } | null,
): () => readonly string[] {
  if (!tls) return () => management_names;
  let last = { cert: '', names: management_names };
  return () => {
    const { cert } = tls.shown;
    if (cert !== last.cert) last = { cert, names: [...management_names, ...exactNames(cert)] };
    return last.names;
  };
}

function certified(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    return exactNames(readFileSync(path));
  } catch {
    // The listener says what is wrong with it.
    return [];
  }
}
