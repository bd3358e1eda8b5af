// The applied manifest of the OpenID Connect provider: where it answers, who it says it is, and how long what it gives out is
// valid. The apply writes it. It has no secret: clients and signing keys are data, and no apply touches them.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';

export const MANIFEST_PATH = '/etc/groundcrew/oidc/manifest.json';
/** Digest of the manifest that a listener follows, which the probe compares. */
export const APPLIED_PATH = '/.groundcrew/applied.txt';
/** Secret of the appliance's own client, which the provider writes for the probe, another one after each start. */
export const PROBE_PATH = '/var/lib/groundcrew/data/oidc-probe';
/** Its id, which no row can have. */
export const PROBE_CLIENT = 'groundcrew-probe';
/** Purpose of its certificate: the unit's id, so that another one comes to it by a plan. */
export const CERTIFICATE_PURPOSE = 'oidc';

const manifestSchema = v.object({
  version: v.literal(1),
  listeners: v.array(v.object({ interface: v.string(), address: v.string(), port: v.number() })),
  /** Empty: it is reached by its addresses alone. */
  hostname: v.string(),
  issuer: v.string(),
  access_token_seconds: v.number(),
  id_token_seconds: v.number(),
  code_seconds: v.number(),
});

export type OidcManifest = v.InferOutput<typeof manifestSchema>;

export interface AppliedOidc {
  manifest: OidcManifest;
  /** SHA-256 of the file. */
  digest: string;
}

/** The text of the file: the same manifest always gives the same text. */
export const writeManifest = (manifest: OidcManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

/** @throws Error when the text is no manifest of this release. */
export function parseManifest(content: string): OidcManifest {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), content);
  if (!read.success) throw new Error('The applied manifest of OpenID Connect is not one of this release.');
  return read.output;
}

/** The one in force on the host; null when it is off or was never applied. @throws Error when it is damaged */
export async function readManifest(host: Pick<Host, 'read'>): Promise<AppliedOidc | null> {
  const content = await host.read(MANIFEST_PATH);
  return content === null ? null : { manifest: parseManifest(content), digest: sha256(content) };
}
