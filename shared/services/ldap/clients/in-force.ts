// What clients of the directory are told: as it was applied, not as it is saved.
import { X509Certificate } from 'node:crypto';
import type { Host } from '../../../ground/machine/host.ts';
import { readEntries } from '../entries.ts';
import { CERTIFICATE_FILE, LISTEN_FILE } from '../files.ts';
import { mailDomain } from '../organizations.ts';

export interface InForce {
  /** Where clients connect: LDAPS before LDAP with StartTLS. By the name of its certificate where that has one. */
  servers: { scheme: 'ldaps' | 'ldap'; host: string; port: string; url: string }[];
  organizations: { slug: string; suffix: string; domain: string; accounts: string[] }[];
}

const URL = /^(ldaps?):\/\/(\[[^\]]+\]|[^:/]+):(\d+)\/$/;

/** The first name of the certificate; null when it has none but addresses. */
function nameIn(pem: string | null): string | null {
  if (pem === null) return null;
  const names = new X509Certificate(pem).subjectAltName ?? '';
  return /(?:^|, )DNS:([^,]+)/.exec(names)?.[1] ?? null;
}

/** Null while the directory is off or was never applied. */
export async function directoryInForce(host: Pick<Host, 'read'>): Promise<InForce | null> {
  const [applied, listen, certificate] = await Promise.all([
    readEntries(host),
    host.read(LISTEN_FILE),
    host.read(CERTIFICATE_FILE),
  ]);
  if (applied === null || listen === null) return null;
  const name = nameIn(certificate);
  const servers = listen
    .trim()
    .split(' ')
    .flatMap((place) => {
      const [, scheme, address = '', port = ''] = URL.exec(place) ?? [];
      if (scheme !== 'ldaps' && scheme !== 'ldap') return [];
      const host = name ?? address;
      return [{ scheme, host, port, url: `${scheme}://${host}:${port}` } as const];
    });
  const once = new Map(servers.map((server) => [server.url, server]));
  return {
    servers: [...once.values()].sort((one, other) => other.scheme.length - one.scheme.length),
    organizations: applied.entries.organizations.map(({ slug, suffix, accounts }) => ({
      slug,
      suffix,
      domain: mailDomain({ slug, suffix }),
      accounts: accounts.map(({ name }) => name),
    })),
  };
}
