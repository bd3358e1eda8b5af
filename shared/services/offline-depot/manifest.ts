// The applied manifest of the offline depot: where its listener answers, under which name, and which user it admits.
// The apply writes it, from applied state only. It has no secret.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';

export { DEPOT_STORE, SDDC_MANAGER_FOLDER } from './store.ts';

export const MANIFEST_PATH = '/etc/groundcrew/offline-depot/manifest.json';

/** Purpose of the certificate that the listeners serve with: the unit's id, so that another one comes to them by a plan. */
export const CERTIFICATE_PURPOSE = 'private-cloud-services';

/** Digest of the manifest that a listener follows, which the probe compares. */
export const APPLIED_PATH = '/.groundcrew/applied.txt';

const manifestSchema = v.object({
  version: v.literal(1),
  listeners: v.array(v.object({ interface: v.string(), address: v.string(), port: v.number() })),
  /** Empty: the depot is reached by its addresses alone. */
  hostname: v.string(),
  /** The one depot user that is admitted; null: nobody. */
  http_user: v.nullable(v.string()),
  allow_unauthenticated_access: v.boolean(),
});

export type DepotManifest = v.InferOutput<typeof manifestSchema>;

export interface AppliedDepot {
  manifest: DepotManifest;
  /** SHA-256 of the file. */
  digest: string;
}

/** The text of the file: the same manifest always gives the same text. */
export const writeManifest = (manifest: DepotManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

/** @throws Error when the text is no manifest of this release. */
export function parseManifest(content: string): DepotManifest {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), content);
  if (!read.success) throw new Error('The applied manifest of the offline depot is not one of this release.');
  return read.output;
}

/**
 * The manifest in force on the host; null when the depot is off or was never applied.
 * @throws Error when it is damaged.
 */
export async function readManifest(host: Pick<Host, 'read'>): Promise<AppliedDepot | null> {
  const content = await host.read(MANIFEST_PATH);
  return content === null ? null : { manifest: parseManifest(content), digest: sha256(content) };
}
