// What can be wrong with an OVA: one closed list, each fault with a sentence and a way out.
import { Problem } from '../problems.ts';

const FETCH = 'Fetch the file from its vendor again and compare its size and checksum with the published ones.';
const DISTRUST = 'Don’t use this file: take the appliance from its vendor again.';
const REPACK = 'Fetch the OVA again, or export it again with the vendor’s own tool.';
const VENDOR = 'Take another build of the appliance from its vendor, or report this one to them.';

/** Fault → [the fault ({}: the name or number that it is about), what to do]. */
export const OVA_FAULTS = {
  // The file
  file_missing: ['The file isn’t there or can’t be read.', 'Put it back, or choose another one.'],
  file_not_regular: ['The path leads to something that is no regular file.', 'Choose the OVA file itself.'],
  file_changed: [
    'The file changed while it was read, or since it was checked.',
    'Wait until nobody writes to it, then retry.',
  ],
  file_empty: ['The file is empty.', FETCH],
  // The archive
  archive_compressed: [
    'The file is compressed with {}; an OVA is a plain tar archive.',
    'Unpack it once, e.g. gunzip.',
  ],
  archive_not_tar: [
    'The file is no tar archive, so that it can’t be an OVA.',
    'Choose the .ova file of the appliance.',
  ],
  header_truncated: ['The file ends inside the header after “{}”.', FETCH],
  member_truncated: ['The file ends before the data of “{}” do.', FETCH],
  end_missing: ['The archive ends without its end mark after “{}”.', FETCH],
  trailing_data: ['Something follows the end of the archive.', DISTRUST],
  header_checksum: ['The header after “{}” does not match its own checksum.', FETCH],
  header_number: ['The header of “{}” has a size that is no number.', FETCH],
  size_negative: ['The header of “{}” says a negative size.', DISTRUST],
  size_huge: ['The header of “{}” says a size that no file can have.', DISTRUST],
  size_conflict: ['Two headers of “{}” say different sizes.', DISTRUST],
  members_too_many: ['The archive has more than {} members.', REPACK],
  headers_too_large: ['The extended headers of the archive take more than {} bytes.', REPACK],
  header_chain: ['Extended headers follow one another without a member between them.', DISTRUST],
  header_dangling: ['The archive ends after an extended header, whose member is missing.', FETCH],
  pax_malformed: ['An extended header after “{}” has records that can’t be read.', FETCH],
  pax_global: ['A header for all members sets “{}”, which each member has to say itself.', REPACK],
  member_symlink: ['“{}” is a symbolic link; an OVA holds files only.', DISTRUST],
  member_hardlink: ['“{}” is a hard link; an OVA holds files only.', DISTRUST],
  member_device: ['“{}” is a device; an OVA holds files only.', DISTRUST],
  member_fifo: ['“{}” is a named pipe; an OVA holds files only.', DISTRUST],
  member_sparse: ['“{}” is stored as a sparse file, which other readers of OVAs don’t know.', REPACK],
  member_kind: ['“{}” is of a kind that an OVA must not have.', REPACK],
  name_empty: ['A member has no name.', FETCH],
  name_nul: ['The name “{}” hides something behind a NUL.', DISTRUST],
  name_encoding: ['The name “{}” is not UTF-8.', REPACK],
  name_control: ['The name “{}” holds control characters.', DISTRUST],
  name_backslash: ['The name “{}” holds a backslash.', DISTRUST],
  name_absolute: ['The name “{}” is an absolute path.', DISTRUST],
  name_traversal: ['The name “{}” leads out of the archive or is not in its plain form.', DISTRUST],
  name_too_long: ['The name “{}” is too long.', REPACK],
  name_duplicate: ['The archive has two members named “{}”.', DISTRUST],
  name_case_twin: ['Another member’s name differs from “{}” in its letter case only.', REPACK],
  // The manifest
  manifest_missing: ['The OVA has no manifest (.mf), so that nobody can tell whether it is whole.', REPACK],
  manifest_several: ['The OVA has more than one manifest.', DISTRUST],
  manifest_too_large: ['The manifest has more than {} bytes.', REPACK],
  manifest_encoding: ['The manifest is not UTF-8 text.', REPACK],
  manifest_line: ['Line {} of the manifest can’t be read.', REPACK],
  manifest_algorithm: ['The manifest uses {}; SHA1, SHA256 and SHA512 are known.', VENDOR],
  manifest_digest: ['The digest in line {} of the manifest does not have the length of its algorithm.', FETCH],
  manifest_duplicate: ['The manifest lists “{}” twice.', DISTRUST],
  manifest_unknown: ['The manifest lists “{}”, which the OVA does not have.', FETCH],
  manifest_incomplete: ['The manifest does not list “{}”.', REPACK],
  certificate_too_large: ['The signature (.cert) of the manifest has more than {} bytes.', DISTRUST],
  certificates_too_many: ['The signature (.cert) of the manifest has more than {} certificates.', DISTRUST],
  certificate_malformed: ['The signature (.cert) of the manifest can’t be read.', FETCH],
  certificate_of_other: ['The signature (.cert) belongs to another file than the manifest.', DISTRUST],
  certificate_algorithm: [
    'The manifest is signed with {}; RSA and ECDSA with SHA1, SHA256 and SHA512 are known.',
    VENDOR,
  ],
  signature_mismatch: ['The content of “{}” does not match its signature (.cert).', DISTRUST],
  digest_mismatch: ['The content of “{}” is not what the manifest says.', FETCH],
  // The descriptor
  descriptor_missing: ['The OVA has no descriptor (.ovf).', REPACK],
  descriptor_several: ['The OVA has more than one descriptor.', DISTRUST],
  descriptor_too_large: ['The descriptor has more than {} bytes.', VENDOR],
  descriptor_encoding: ['The descriptor is not UTF-8 text.', VENDOR],
  descriptor_doctype: ['The descriptor declares a document type or entities, which are never followed.', DISTRUST],
  descriptor_entity: ['The descriptor refers to an entity that XML does not know by itself.', DISTRUST],
  descriptor_malformed: ['The descriptor is not well-formed XML.', FETCH],
  descriptor_too_deep: ['The descriptor nests elements more than {} deep.', DISTRUST],
  descriptor_too_many: [
    'The descriptor has more than {} parts of one kind, such as elements, attributes or references to characters.',
    DISTRUST,
  ],
  descriptor_long_tag: ['An element of the descriptor has attributes of more than {} characters.', DISTRUST],
  descriptor_not_ovf: ['The descriptor is XML, but no OVF envelope.', 'Choose the OVA of the appliance.'],
  descriptor_version: ['The descriptor is of a version of OVF that vSphere does not deploy.', VENDOR],
  descriptor_no_machine: ['The descriptor describes no virtual machine.', 'Choose the OVA of the appliance.'],
  descriptor_several_machines: [
    'The descriptor describes several virtual machines.',
    'Choose the OVA of one appliance.',
  ],
  // What the descriptor refers to
  reference_malformed: ['A file reference of the descriptor lacks its id or name, or has a wrong size.', VENDOR],
  reference_duplicate: ['The descriptor refers to “{}” twice.', VENDOR],
  reference_external: ['The descriptor refers to “{}”, which lies outside the OVA.', DISTRUST],
  reference_missing: ['The descriptor refers to “{}”, which the OVA does not have.', FETCH],
  reference_size: ['The size of “{}” is not the one that the descriptor says.', FETCH],
  chunk_missing: ['A piece of “{}” is missing, though a later one is there.', FETCH],
  chunk_size: ['The pieces of “{}” don’t have the size that the descriptor says.', FETCH],
  compression_unknown: ['“{}” is compressed in a way that is not known.', VENDOR],
  compression_false: ['“{}” is said to be compressed with gzip, and is not.', FETCH],
  gzip_damaged: ['“{}” can’t be unpacked.', FETCH],
  gzip_bomb: ['“{}” unpacks to far more than its disk can hold.', DISTRUST],
  member_unreferenced: ['Neither the descriptor nor the manifest lists “{}”.', DISTRUST],
  disk_malformed: ['The disk “{}” has a capacity or a unit that can’t be read.', VENDOR],
  disk_duplicate: ['The descriptor has two disks named “{}”.', VENDOR],
  disk_file_missing: ['The disk “{}” refers to a file that the descriptor does not list.', VENDOR],
  disk_file_empty: ['The file of the disk “{}” is empty.', FETCH],
  property_malformed: ['A property of the descriptor has no key, or one that is too long.', VENDOR],
  property_duplicate: ['The descriptor has the property “{}” twice.', VENDOR],
  properties_too_many: ['The descriptor has more than {} properties, or far too many choices for them.', VENDOR],
  network_malformed: ['A network of the descriptor has a name that no form can ask for, or one that is taken.', VENDOR],
  networks_too_many: ['The descriptor has more than {} networks.', VENDOR],
} as const satisfies Record<string, readonly [string, string]>;
export type OvaFaultCode = keyof typeof OVA_FAULTS;

/** 409 ova_refused: the fault of the OVA and what to do. Quotes at most one name, cut and made harmless. */
export class OvaFault extends Problem {
  readonly fault: OvaFaultCode;

  constructor(fault: OvaFaultCode, about: string | number = '') {
    const [wrong, way_out] = OVA_FAULTS[fault];
    super('ova_refused', `${wrong.replace('{}', () => shown(String(about)))} ${way_out}`);
    this.name = 'OvaFault';
    this.fault = fault;
  }
}

const MOST_SHOWN = 80;

/** At most 80 characters of a name out of the file, without any that a terminal or page would act on. */
function shown(text: string): string {
  const cut = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
}
