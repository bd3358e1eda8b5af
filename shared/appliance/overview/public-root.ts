// The root certificate as a guest of the network may fetch it: from what is in force, never from what is only saved.
import type { Services } from '../../kernel/operation/services.ts';
import { filePath, type PortalFile } from '../../platform/certificate-authority/portal/addresses.ts';
import { type PortalAuthority, readManifest, signingOf } from '../../platform/certificate-authority/portal/manifest.ts';
import { type CalledAt, isCalled } from './called-at.ts';

export interface PublicRoot {
  root: Pick<PortalAuthority, 'subject' | 'sha256' | 'not_before' | 'not_after' | 'pem'>;
  /** The one that is to be trusted beforehand; null: none. */
  next: Pick<PortalAuthority, 'id' | 'subject' | 'sha256'> | null;
  /** Where the portal answers: by its host name, or else by its first address there. */
  origin: string;
  /** Whether it tells what was revoked. */
  revocation: boolean;
}

/** Null while no portal is in force at the interface that was called: never applied, elsewhere alone, or only rehearsed. */
export async function publicRoot({ host }: Pick<Services, 'host'>, called: CalledAt): Promise<PublicRoot | null> {
  if (!host.enforces) return null;
  const applied = await readManifest(host).catch(() => null);
  const root = applied && signingOf(applied.manifest);
  const listener = applied?.manifest.listeners.find((each) => isCalled(called, each.interface));
  if (!applied || !root || !listener) return null;
  const { hostname, revocation, authorities } = applied.manifest;
  const { address } = listener;
  const at = hostname || (address.includes(':') ? `[${address}]` : address);
  const next = authorities.find(({ standing }) => standing === 'next') ?? null;
  return { root, next, origin: `http://${at}`, revocation };
}

/** `http://ca.lab.example/ca/root.pem` */
export const publicFile = ({ origin }: Pick<PublicRoot, 'origin'>, kind: PortalFile, name = 'root'): string =>
  origin + filePath(name, kind);
