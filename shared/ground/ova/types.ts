// An OVA after reading: its members, its manifest, and its descriptor.
import type { OvaMember } from './archive.ts';
import type { Digest } from './manifest.ts';
import type { OvaSignature } from './signature.ts';

export type { OvaMember } from './archive.ts';

export interface OvaPackage {
  path: string;
  size: number;
  mtime_ms: number;
  /** In the archive's order. */
  members: OvaMember[];
  descriptor: OvfDescriptor;
  /** As in the archive, without a byte order mark. */
  descriptor_xml: string;
  /** Member name → its digest. */
  manifest: Map<string, Digest>;
  /** Name of the member with the manifest's signature (.cert). */
  certificate: string | null;
  /** Whose signature that is; it was verified. Null: the manifest has none. */
  signature: OvaSignature | null;
}

export interface OvfFile {
  id: string;
  /** As written: the member’s name, or what those of its chunks begin with. */
  href: string;
  /** As the References say it; null: they don't. */
  size: number | null;
  compression: 'gzip' | null;
  chunk_size: number | null;
}

export interface OvfDisk {
  disk_id: string;
  /** Null: an empty disk, for which nothing is uploaded. */
  file_ref: string | null;
  /** Null: it follows from a property. */
  capacity_bytes: number | null;
  /** URI of the disk format. */
  format: string;
  populated_bytes: number | null;
}

export type PropertyKind = 'text' | 'password' | 'boolean' | 'integer' | 'real' | 'ip';

export interface OvfProperty {
  /** [class.]key[.instance] */
  key: string;
  category: string;
  label: string;
  description: string;
  kind: PropertyKind;
  /** As the descriptor writes it: `string`, `uint16`, `ip:Network 1`. */
  type: string;
  password: boolean;
  user_configurable: boolean;
  required: boolean;
  default: string;
  /** Deployment option → default. */
  defaults_by_option: Record<string, string>;
  min_length: number | null;
  max_length: number | null;
  minimum: number | null;
  maximum: number | null;
  choices: string[] | null;
}

export interface OvfDescriptor {
  name: string;
  product: { name: string; vendor: string; version: string; full_version: string };
  annotation: string;
  files: OvfFile[];
  disks: OvfDisk[];
  networks: { name: string; description: string }[];
  deployment_options: { id: string; label: string; description: string; default: boolean }[];
  /** Texts to show and to have accepted before a deployment. */
  eulas: string[];
  properties: OvfProperty[];
  /** `com.vmware.guestInfo`, `iso`. */
  transports: string[];
  ip: { protocols: string[]; schemes: string[] };
  virtual_system_types: string[];
}
