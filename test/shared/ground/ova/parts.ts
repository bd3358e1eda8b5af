// A small OVA by its parts, each open to a test that wants a wrong one.
import { createHash } from 'node:crypto';
import type { OvaFaultCode } from '../../../../shared/ground/ova/fault.ts';
import { descriptorXml, type MadeDescriptor } from '../../../setup/make-ova/descriptor.ts';
import { headerWithData, tarEnd } from '../../../setup/make-ova/tar.ts';

/** Built when asked for: some are of several MiB. */
export type Hostile = readonly [kind: string, fault: OvaFaultCode, bytes: () => Buffer];

export const DISK = Buffer.from('a disk of no use, but of sixty-four bytes, repeated: 0123456789\n'.repeat(40));

const DESCRIPTOR: MadeDescriptor = {
  name: 'box',
  files: [{ id: 'file1', href: 'box-disk1.vmdk', size: DISK.length }],
  disks: [{ id: 'vmdisk1', file_id: 'file1', capacity: '16', units: 'byte * 2^20' }],
  products: [{ categories: { Network: [{ key: 'hostname', type: 'string' }] } }],
  networks: [{ name: 'Network 1', description: 'The only one' }],
  eulas: [],
  options: [],
};

export interface Parts {
  descriptor?: Partial<MadeDescriptor>;
  /** Last word on descriptor and manifest, whose digests are right unless it is said otherwise. */
  ovf?: (xml: string) => string | Buffer;
  manifest?: (text: string) => string | Buffer;
  /** A box.cert behind the manifest. */
  certificate?: (manifest: string | Buffer) => string | Buffer;
  /** Whole members before, between and after the three: descriptor, manifest, disk. */
  first?: Buffer[];
  last?: Buffer[];
  /** Instead of the disk's member; [] for none. */
  disk?: Buffer[];
  /** What the manifest lists beside the descriptor. */
  listed?: Record<string, Buffer>;
  without?: 'ovf' | 'mf';
  end?: Buffer;
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
export const file = (name: string, data: Buffer | string = 'x'): Buffer =>
  headerWithData({ name }, Buffer.from(data as string));

/** A small sound OVA but for what is told. */
export function ova(parts: Parts = {}): Buffer {
  const xml = descriptorXml({ ...DESCRIPTOR, ...parts.descriptor });
  const ovf = Buffer.from((parts.ovf?.(xml) ?? xml) as string);
  const listed = { 'box.ovf': ovf, ...(parts.listed ?? { 'box-disk1.vmdk': DISK }) };
  const lines = Object.entries(listed).map(([name, data]) => `SHA256(${name})= ${sha256(data)}\n`);
  const manifest = parts.manifest?.(lines.join('')) ?? lines.join('');
  return Buffer.concat([
    ...(parts.first ?? []),
    ...(parts.without === 'ovf' ? [] : [file('box.ovf', ovf)]),
    ...(parts.without === 'mf' ? [] : [file('box.mf', Buffer.from(manifest as string))]),
    ...(parts.certificate ? [file('box.cert', parts.certificate(manifest))] : []),
    ...(parts.disk ?? [file('box-disk1.vmdk', DISK)]),
    ...(parts.last ?? []),
    parts.end ?? tarEnd(),
  ]);
}
