// The OVF descriptor: what a form has to ask, a pre-flight to compare, and an upload to send. (DSP0243 1.1.)
import { setImmediate } from 'node:timers/promises';
import { childOf, childrenOf, namespaceOf, split, textOf, type XmlElement } from '../xml/element.ts';
import { attributeOf, decoded, parseDescriptor, parseDescriptorInParts } from './descriptor-xml.ts';
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { isKey, readProduct, readProperties, type Say, yes } from './product-section.ts';
import type { OvfDescriptor, OvfDisk, OvfFile } from './types.ts';

const ENVELOPE = /^http:\/\/schemas\.dmtf\.org\/ovf\/envelope\/1(?:\/|$)/;
const ANY_ENVELOPE = /^http:\/\/(?:schemas\.dmtf\.org\/ovf\/|www\.vmware\.com\/schema\/ovf\/)/;

interface Read {
  descriptor: OvfDescriptor;
  text: string;
}

/** @throws OvaFault descriptor_…, reference_…, disk_…, property_…, properties_…, networks_… */
export function readDescriptor(bytes: Buffer): Read {
  const text = decoded(bytes);
  return { descriptor: fromEnvelope(parseDescriptor(text)), text };
}

/** The same, letting others in between its parts. @throws OvaFault; the reason of `signal` */
export async function readDescriptorInParts(bytes: Buffer, signal?: AbortSignal): Promise<Read> {
  const text = decoded(bytes);
  const root = await parseDescriptorInParts(text, signal);
  await setImmediate();
  signal?.throwIfAborted();
  return { descriptor: fromEnvelope(root), text };
}

function fromEnvelope(root: XmlElement): OvfDescriptor {
  const namespace = namespaceOf(root, split(root.name)[0]) ?? '';
  if (root.local !== 'Envelope' || !ANY_ENVELOPE.test(namespace)) throw new OvaFault('descriptor_not_ovf');
  if (!ENVELOPE.test(namespace)) throw new OvaFault('descriptor_version');
  const machine = onlyMachine(root);
  const sections = (name: string): XmlElement[] => [...childrenOf(root, name), ...childrenOf(machine, name)];
  const say = messages(root);
  const products = sections('ProductSection');
  const hardware = sections('VirtualHardwareSection');
  const ip = sections('IpAssignmentSection')[0];
  return {
    name: say(childOf(machine, 'Name')) || (attributeOf(machine, 'id') ?? ''),
    product: readProduct(products, say),
    annotation: say(childOf(sections('AnnotationSection')[0], 'Annotation')),
    files: childrenOf(childOf(root, 'References'), 'File').map(readFile),
    disks: unique(sections('DiskSection').flatMap((section) => childrenOf(section, 'Disk').map(readDisk))),
    networks: readNetworks(sections('NetworkSection'), say),
    deployment_options: readOptions(sections('DeploymentOptionSection'), say),
    eulas: sections('EulaSection')
      .map((section) => say(childOf(section, 'License')))
      .filter((text) => text !== ''),
    properties: readProperties(products, say),
    transports: words(hardware.map((section) => attributeOf(section, 'transport') ?? '').join(' ')),
    ip: {
      protocols: words(attributeOf(ip, 'protocols') ?? ''),
      schemes: words(attributeOf(ip, 'schemes') ?? ''),
    },
    virtual_system_types: words(
      hardware.map((section) => textOf(childOf(section, 'System'), 'VirtualSystemType') ?? '').join(' '),
    ),
  };
}

function onlyMachine(root: XmlElement): XmlElement {
  const machines = childrenOf(root, 'VirtualSystem');
  if (machines.length > 1 || childOf(root, 'VirtualSystemCollection'))
    throw new OvaFault('descriptor_several_machines');
  if (!machines[0]) throw new OvaFault('descriptor_no_machine');
  return machines[0];
}

/** Texts by message id: those within the descriptor, English first. Bundles in other files are not read. */
function messages(root: XmlElement): Say {
  const bundles = childrenOf(root, 'Strings').filter((bundle) => attributeOf(bundle, 'fileRef') === undefined);
  const english = (bundle: XmlElement): number => (/^en/i.test(attributeOf(bundle, 'lang') ?? '') ? 0 : 1);
  const said = new Map<string, string>();
  for (const bundle of bundles.sort((a, b) => english(a) - english(b))) {
    for (const message of childrenOf(bundle, 'Msg')) {
      const id = attributeOf(message, 'msgid') ?? '';
      if (!said.has(id)) said.set(id, message.text.trim());
    }
  }
  // Many elements may refer to one message: all together they say no more than a descriptor may.
  let left: number = OVA_LIMITS.descriptor;
  return (node) => {
    const text = said.get(attributeOf(node, 'msgid') ?? '');
    if (text === undefined) return node?.text.trim() ?? '';
    left -= text.length;
    if (left < 0) throw new OvaFault('descriptor_too_large', String(OVA_LIMITS.descriptor));
    return text;
  };
}

function readNetworks(sections: XmlElement[], say: Say): OvfDescriptor['networks'] {
  const nodes = sections.flatMap((section) => childrenOf(section, 'Network'));
  if (nodes.length > OVA_LIMITS.networks) throw new OvaFault('networks_too_many', OVA_LIMITS.networks);
  const names = new Set<string>();
  return nodes.map((node) => {
    const name = attributeOf(node, 'name') ?? '';
    if (!isKey(name) || names.has(name)) throw new OvaFault('network_malformed');
    names.add(name);
    return { name, description: say(childOf(node, 'Description')) };
  });
}

function readOptions(sections: XmlElement[], say: Say): OvfDescriptor['deployment_options'] {
  const options = sections
    .flatMap((section) => childrenOf(section, 'Configuration'))
    .map((node) => ({
      id: attributeOf(node, 'id') ?? '',
      label: say(childOf(node, 'Label')),
      description: say(childOf(node, 'Description')),
      default: yes(attributeOf(node, 'default')),
    }));
  // Without a marked default the first one is the default.
  const first = Math.max(
    0,
    options.findIndex((option) => option.default),
  );
  return options.map((option, index) => ({ ...option, default: index === first }));
}

function readFile(node: XmlElement): OvfFile {
  const [id, href] = [attributeOf(node, 'id') ?? '', attributeOf(node, 'href') ?? ''];
  if (id === '' || href === '') throw new OvaFault('reference_malformed');
  return {
    id,
    href,
    size: wholeNumber(attributeOf(node, 'size'), 'reference_malformed'),
    compression: compressionOf(node, href),
    chunk_size: wholeNumber(attributeOf(node, 'chunkSize'), 'reference_malformed') || null,
  };
}

function compressionOf(node: XmlElement, href: string): 'gzip' | null {
  const said = (attributeOf(node, 'compression') ?? '').toLowerCase();
  if (said === 'gzip') return 'gzip';
  if (said !== '' && said !== 'identity') throw new OvaFault('compression_unknown', href);
  return null;
}

function readDisk(node: XmlElement): OvfDisk {
  const disk_id = attributeOf(node, 'diskId') ?? '';
  const said = (attributeOf(node, 'capacity') ?? '').trim();
  const units = unitBytes(attributeOf(node, 'capacityAllocationUnits'));
  const computed = /^\$\{[^{}]{1,255}\}$/.test(said);
  const capacity = /^\d{1,19}$/.test(said) ? Number(said) * (units ?? Number.NaN) : Number.NaN;
  if (disk_id === '' || (!computed && !Number.isSafeInteger(capacity))) throw new OvaFault('disk_malformed', disk_id);
  const populated = (attributeOf(node, 'populatedSize') ?? '').trim();
  return {
    disk_id,
    file_ref: attributeOf(node, 'fileRef') || null,
    capacity_bytes: computed ? null : capacity,
    format: attributeOf(node, 'format') ?? '',
    populated_bytes: /^\d{1,15}$/.test(populated) ? Number(populated) : null,
  };
}

function unique(disks: OvfDisk[]): OvfDisk[] {
  const ids = new Set<string>();
  for (const { disk_id } of disks) {
    if (ids.has(disk_id)) throw new OvaFault('disk_duplicate', disk_id);
    ids.add(disk_id);
  }
  return disks;
}

const OLD_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  byte: 1,
  bytes: 1,
  kilobytes: 2 ** 10,
  megabytes: 2 ** 20,
  gigabytes: 2 ** 30,
  terabytes: 2 ** 40,
};

/**
 * `byte * 2^30`, `byte*1024`, or the words of older descriptors; null for anything else. (DSP0004, programmatic units.)
 */
function unitBytes(said: string | undefined): number | null {
  const text = (said ?? '').trim().toLowerCase();
  const factor = /^bytes?\s*\*\s*(\d{1,10})(?:\s*\^\s*(\d{1,3}))?$/.exec(text);
  const bytes = factor ? Number(factor[1]) ** Number(factor[2] ?? 1) : OLD_UNITS[text];
  return bytes !== undefined && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}

function wholeNumber(said: string | undefined, fault: 'reference_malformed'): number | null {
  if (said === undefined || said.trim() === '') return null;
  const value = /^\d{1,19}$/.test(said.trim()) ? Number(said) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new OvaFault(fault);
  return value;
}

const words = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
