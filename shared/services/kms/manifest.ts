// The applied manifest of key management: where the KMIP server answers, and under which name. The apply writes it, from applied
// state only. It has no key and no secret: keys are data, and no apply touches them.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import type { Database } from '../../ground/store/database.ts';
import { sha256 } from '../../platform/applied/baseline.ts';
import { currentIssued } from '../../platform/certificate-authority/certificate-store.ts';
import { type InForce, inForce, standIn } from '../../platform/certificate-authority/daemon-certificate.ts';
import { CERTIFICATE_FILE } from './files.ts';

export const MANIFEST_PATH = '/etc/groundcrew/kms/manifest.json';
/**
 * Certificate and key of our own probe, as PEM, which the listener writes for it. It may ask what the server is, and nothing
 * of any key.
 */
export const PROBE_PATH = '/var/lib/groundcrew/data/kms-probe.pem';

/** Purposes of the certificates: of the server, which is the unit's id, so that another one comes by a plan; and of the probe. */
export const SERVER_PURPOSE = 'kms';
export const PROBE_PURPOSE = 'kms-probe';

const manifestSchema = v.object({
  version: v.literal(1),
  listeners: v.array(v.object({ interface: v.string(), address: v.string(), port: v.number() })),
  /** Empty: it is reached by its addresses alone. */
  hostname: v.string(),
});

export type KmsManifest = v.InferOutput<typeof manifestSchema>;

export interface AppliedKms {
  manifest: KmsManifest;
  /** SHA-256 of the file. */
  digest: string;
}

/** The text of the file: the same manifest always gives the same text. */
export const writeManifest = (manifest: KmsManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

/** @throws Error when the text is no manifest of this release. */
export function parseManifest(content: string): KmsManifest {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), content);
  if (!read.success) throw new Error('The applied manifest of key management is not one of this release.');
  return read.output;
}

/** The one in force on the host; null when it is off or was never applied. @throws Error when it is damaged */
export async function readManifest(host: Pick<Host, 'read'>): Promise<AppliedKms | null> {
  const content = await host.read(MANIFEST_PATH);
  return content === null ? null : { manifest: parseManifest(content), digest: sha256(content) };
}

/** The certificate that the KMIP server shows; null: none. A small file, or one statement. */
export async function shownByServer(host: Pick<Host, 'read' | 'enforces'>, db: Database): Promise<InForce | null> {
  return (await inForce(host, CERTIFICATE_FILE)) ?? standIn(await currentIssued(db, SERVER_PURPOSE));
}
