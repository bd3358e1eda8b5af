// The applied manifest: everything that the boot listener serves. The apply writes it, from applied state only.
// Kickstart texts and host variables are sealed in it, exactly as in the database, so that rendering needs no key and
// the file has no secret.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';

export const MANIFEST_PATH = '/etc/groundcrew/network-boot/manifest.json';

const text = v.string();
const name = v.nullable(text);

const manifestSchema = v.object({
  version: v.literal(1),
  /** Where the boot listener answers. `origin` is what clients put in a URL: `http://10.10.0.5:8081`. */
  listeners: v.array(v.object({ interface: text, address: text, port: v.number(), origin: text })),
  /** Hosts in use, by id. A host without Kickstart or medium has nothing to install. */
  hosts: v.array(
    v.object({
      id: text,
      hostname: text,
      mac_address: text,
      ip_address: text,
      kickstart_id: name,
      media_id: name,
      /** `variables_sealed` and `variables_digest` of its row. */
      variables: text,
      variables_digest: text,
    }),
  ),
  /** Those that a host names, by id. */
  kickstarts: v.array(
    v.object({
      id: text,
      name: text,
      /** SHA-256 of the full text, hexadecimal. */
      revision: text,
      /** `text_sealed` of its row. */
      text,
    }),
  ),
  /** Those that a host names and that are ready, by id. */
  media: v.array(
    v.object({
      id: text,
      name: text,
      content_digest: text,
      /** Files of the medium that each firmware starts. Null: the firmware can't start this medium. */
      loaders: v.object({ efi: name, bios: name }),
      /** Lines of its boot.cfg in order, as `[key, value]`; see boot-config.ts. */
      boot_config: v.array(v.tuple([text, text])),
    }),
  ),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;
export type ManifestListener = Manifest['listeners'][number];
export type ManifestHost = Manifest['hosts'][number];
export type ManifestKickstart = Manifest['kickstarts'][number];
export type ManifestMedium = Manifest['media'][number];

export interface Applied {
  manifest: Manifest;
  /** SHA-256 of the file. */
  digest: string;
}

/** The text of the file: the same manifest always gives the same text. */
export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** @throws Error when the text is no manifest; the error never quotes the text. */
export function parseManifest(content: string): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(content);
  } catch {
    throw new Error('The applied manifest of network boot is not JSON.');
  }
  const checked = v.safeParse(manifestSchema, read);
  if (!checked.success) throw new Error('The applied manifest of network boot is not one of this release.');
  return checked.output;
}

/** The last manifest that was read: a request needs a read and a digest, but no parsing. */
let last: Applied | null = null;

/** The manifest in force on the host; null when network boot was never applied. @throws Error when it is damaged. */
export async function readManifest(host: Pick<Host, 'read'>): Promise<Applied | null> {
  const content = await host.read(MANIFEST_PATH);
  if (content === null) return null;
  const digest = sha256(content);
  if (last?.digest !== digest) last = { manifest: parseManifest(content), digest };
  return last;
}

/** One host with everything that it would install: a boot attempt is bound to its digest. */
export interface AppliedHost {
  host: ManifestHost;
  kickstart: ManifestKickstart | null;
  medium: ManifestMedium | null;
}

export function appliedHost({ manifest }: Applied, of: { id: string } | { mac_address: string }): AppliedHost | null {
  const host = manifest.hosts.find((each) => ('id' in of ? each.id === of.id : each.mac_address === of.mac_address));
  if (!host) return null;
  return {
    host,
    kickstart: manifest.kickstarts.find(({ id }) => id === host.kickstart_id) ?? null,
    medium: manifest.media.find(({ id }) => id === host.media_id) ?? null,
  };
}

/**
 * SHA-256 over what one host would install. An apply that changes other hosts does not change it. Digests are used in
 * place of sealed texts, because sealing the same text again gives other bytes.
 */
export function appliedDigest({ host, kickstart, medium }: AppliedHost): string {
  const { variables: _sealed, ...known } = host;
  return sha256(JSON.stringify([known, kickstart && [kickstart.id, kickstart.revision], medium]));
}
