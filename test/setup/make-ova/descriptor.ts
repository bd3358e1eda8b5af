// OVF descriptors as their builders write them, and the properties of an SDDC Manager in both forms seen in the field.

export interface MadeProperty {
  key: string;
  type: string;
  value?: string;
  label?: string;
  description?: string;
  /** True unless said otherwise: a form has to show it. */
  configurable?: boolean;
  password?: boolean;
  required?: boolean;
  qualifiers?: string;
  vmw_qualifiers?: string;
  /** Defaults by deployment option. */
  by_option?: Record<string, string>;
}

export interface MadeProduct {
  class?: string;
  instance?: string;
  /** Name, vendor and versions are said by one section only. */
  about?: { product: string; vendor: string; version: string; full_version: string };
  /** Heading → the properties below it; '' for those before any heading. */
  categories: Record<string, MadeProperty[]>;
}

export interface MadeFile {
  id: string;
  href: string;
  size?: number;
  compression?: string;
  chunk_size?: number;
}

export interface MadeDisk {
  id: string;
  file_id: string | null;
  capacity: string;
  units?: string;
  format?: string;
  populated?: number;
}

export interface MadeOption {
  id: string;
  label: string;
  description: string;
  default?: boolean;
}

export interface MadeDescriptor {
  name: string;
  files: MadeFile[];
  disks: MadeDisk[];
  products: MadeProduct[];
  networks: { name: string; description: string }[];
  eulas: string[];
  options: MadeOption[];
  annotation?: string;
  transport?: string;
}

const STREAM_OPTIMIZED = 'http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized';

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);

const attributes = (of: Record<string, string | number | boolean | undefined>): string =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;

/** The whole descriptor, with CRLF as the common builders have it. */
export function descriptorXml(of: MadeDescriptor): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Envelope vmw:buildId="build-24962180" xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:cim="http://schemas.dmtf.org/wbem/wscim/1/common" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    '<References>',
    ...of.files.map(
      (file) =>
        `<File${attributes({ 'ovf:id': file.id, 'ovf:href': file.href, 'ovf:size': file.size, 'ovf:compression': file.compression, 'ovf:chunkSize': file.chunk_size })}/>`,
    ),
    '</References>',
    '<DiskSection><Info>Virtual disk information</Info>',
    ...of.disks.map(
      (disk) =>
        `<Disk${attributes({ 'ovf:capacity': disk.capacity, 'ovf:capacityAllocationUnits': disk.units, 'ovf:diskId': disk.id, 'ovf:fileRef': disk.file_id ?? undefined, 'ovf:format': disk.format ?? STREAM_OPTIMIZED, 'ovf:populatedSize': disk.populated })}/>`,
    ),
    '</DiskSection>',
    '<NetworkSection><Info>The list of logical networks</Info>',
    ...of.networks.map(
      ({ name, description }) =>
        `<Network ovf:name="${escapeXml(name)}">${element('Description', description)}</Network>`,
    ),
    '</NetworkSection>',
    ...optionSection(of.options),
    `<VirtualSystem ovf:id="${escapeXml(of.name)}"><Info>A virtual machine</Info><Name>${escapeXml(of.name)}</Name>`,
    of.annotation === undefined
      ? ''
      : `<AnnotationSection><Info>About</Info>${element('Annotation', of.annotation)}</AnnotationSection>`,
    ...of.eulas.map(
      (text) => `<EulaSection><Info>An end-user license agreement</Info>${element('License', text)}</EulaSection>`,
    ),
    '<OperatingSystemSection ovf:id="101" vmw:osType="other4xLinux64Guest"><Info>The guest system</Info></OperatingSystemSection>',
    ...hardware(of),
    ...of.products.flatMap(product),
    '</VirtualSystem>',
    '</Envelope>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\r\n');
}

function optionSection(options: MadeOption[]): string[] {
  if (options.length === 0) return [];
  return [
    '<DeploymentOptionSection><Info>Sizes</Info>',
    ...options.map(
      ({ id, label, description, ...rest }) =>
        `<Configuration${attributes({ 'ovf:id': id, 'ovf:default': rest.default })}>${element('Label', label)}${element('Description', description)}</Configuration>`,
    ),
    '</DeploymentOptionSection>',
  ];
}

/** Four processors, 16 GiB, a disk controller with the disks, and a card per network. */
function hardware(of: MadeDescriptor): string[] {
  const item = (id: number, type: number, rest: string): string =>
    `<Item>${rest}<rasd:InstanceID>${id}</rasd:InstanceID><rasd:ResourceType>${type}</rasd:ResourceType></Item>`;
  return [
    `<VirtualHardwareSection ovf:transport="${of.transport ?? 'com.vmware.guestInfo'}"><Info>Virtual hardware requirements</Info>`,
    `<System><vssd:ElementName>Virtual Hardware Family</vssd:ElementName><vssd:InstanceID>0</vssd:InstanceID><vssd:VirtualSystemIdentifier>${escapeXml(of.name)}</vssd:VirtualSystemIdentifier><vssd:VirtualSystemType>vmx-19</vssd:VirtualSystemType></System>`,
    item(
      1,
      3,
      '<rasd:AllocationUnits>hertz * 10^6</rasd:AllocationUnits><rasd:ElementName>4 virtual CPU(s)</rasd:ElementName><rasd:VirtualQuantity>4</rasd:VirtualQuantity>',
    ),
    item(
      2,
      4,
      '<rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:ElementName>16384MB of memory</rasd:ElementName><rasd:VirtualQuantity>16384</rasd:VirtualQuantity>',
    ),
    item(
      3,
      6,
      '<rasd:Address>0</rasd:Address><rasd:ElementName>SCSI Controller 0</rasd:ElementName><rasd:ResourceSubType>VirtualSCSI</rasd:ResourceSubType>',
    ),
    ...of.disks.map((disk, n) =>
      item(
        10 + n,
        17,
        `<rasd:AddressOnParent>${n}</rasd:AddressOnParent><rasd:ElementName>Hard Disk ${n + 1}</rasd:ElementName><rasd:HostResource>ovf:/disk/${escapeXml(disk.id)}</rasd:HostResource><rasd:Parent>3</rasd:Parent>`,
      ),
    ),
    ...of.networks.map(({ name }, n) =>
      item(
        50 + n,
        10,
        `<rasd:AddressOnParent>${n + 7}</rasd:AddressOnParent><rasd:AutomaticAllocation>true</rasd:AutomaticAllocation><rasd:Connection>${escapeXml(name)}</rasd:Connection><rasd:ElementName>Ethernet ${n + 1}</rasd:ElementName><rasd:ResourceSubType>VmxNet3</rasd:ResourceSubType>`,
      ),
    ),
    '</VirtualHardwareSection>',
  ];
}

function product(of: MadeProduct): string[] {
  return [
    `<ProductSection${attributes({ 'ovf:class': of.class, 'ovf:instance': of.instance })}><Info>Information about the installed software</Info>`,
    of.about
      ? element('Product', of.about.product) +
        element('Vendor', of.about.vendor) +
        element('Version', of.about.version) +
        element('FullVersion', of.about.full_version)
      : '',
    ...Object.entries(of.categories).flatMap(([category, properties]) => [
      category === '' ? '' : element('Category', category),
      ...properties.map(property),
    ]),
    '</ProductSection>',
  ];
}

function property(of: MadeProperty): string {
  const said = attributes({
    'ovf:key': of.key,
    'ovf:password': of.password,
    'ovf:qualifiers': of.qualifiers,
    'ovf:required': of.required,
    'ovf:type': of.type,
    'ovf:userConfigurable': of.configurable ?? true,
    'ovf:value': of.value,
    'vmw:qualifiers': of.vmw_qualifiers,
  });
  const values = Object.entries(of.by_option ?? {}).map(
    ([option, value]) => `<Value${attributes({ 'ovf:value': value, 'ovf:configuration': option })}/>`,
  );
  return `<Property${said}>${element('Label', of.label)}${element('Description', of.description)}${values.join('')}</Property>`;
}
