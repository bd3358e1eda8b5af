// The applied manifest of the portal: where it answers and what it hands out. The apply writes it; the listeners follow it.
// What was revoked is not in it: that takes effect at once.
import * as v from 'valibot';
import type { Host } from '../../../ground/machine/host.ts';
import { sha256 } from '../../applied/baseline.ts';

export const MANIFEST_PATH = '/etc/groundcrew/certificate-authority/manifest.json';
/** Plain HTTP: whoever checks a certificate over TLS would have to check one first (RFC 5280, 8). */
export const PORTAL_PORT = 80;

const text = v.string();

const manifestSchema = v.object({
  version: v.literal(1),
  listeners: v.array(v.object({ interface: text, address: text, port: v.number() })),
  /** Empty: certificates name no address of the portal. */
  hostname: text,
  /** Whether it tells what was revoked: by lists, and by OCSP. */
  revocation: v.boolean(),
  authorities: v.array(
    v.object({
      id: text,
      standing: v.picklist(['signing', 'next', 'former']),
      subject: text,
      sha256: text,
      not_before: text,
      not_after: text,
      pem: text,
      /** What signed it, up to its root; empty for a root. */
      chain_pem: text,
    }),
  ),
});

export type PortalManifest = v.InferOutput<typeof manifestSchema>;
export type PortalAuthority = PortalManifest['authorities'][number];

export interface AppliedPortal {
  manifest: PortalManifest;
  /** SHA-256 of the file. */
  digest: string;
}

/** The text of the file: the same manifest always gives the same text. */
export const writeManifest = (manifest: PortalManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

/** @throws Error when the text is no manifest of this release. */
export function parseManifest(content: string): PortalManifest {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), content);
  if (!read.success) throw new Error('The applied manifest of the certificate portal is not one of this release.');
  return read.output;
}

/** The last manifest that was read: a request needs a read and a digest, but no parsing. */
let last: AppliedPortal | null = null;

/** The manifest in force on the host; null when there is no portal. @throws Error when it is damaged. */
export async function readManifest(host: Pick<Host, 'read'>): Promise<AppliedPortal | null> {
  const content = await host.read(MANIFEST_PATH);
  if (content === null) return null;
  const digest = sha256(content);
  if (last?.digest !== digest) last = { manifest: parseManifest(content), digest };
  return last;
}

/** The one that signs; undefined while none does. */
export const signingOf = ({ authorities }: Pick<PortalManifest, 'authorities'>): PortalAuthority | undefined =>
  authorities.find(({ standing }) => standing === 'signing');
