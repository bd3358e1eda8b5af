// Hostile descriptors, and references that don't hold, each with the fault by which it has to be refused.
import { gzipSync } from 'node:zlib';
import type { MadeDescriptor, MadeProperty } from '../../../setup/make-ova/descriptor.ts';
import { DISK, file, type Hostile, ova, type Parts } from './parts.ts';

const envelope = (inside: string) => (xml: string) => xml.replace('</VirtualSystem>', `${inside}</VirtualSystem>`);
const prolog = (text: string) => (xml: string) => xml.replace('<Envelope', `${text}<Envelope`);
const property = (of: Partial<MadeProperty>): Partial<MadeDescriptor> => ({
  products: [{ categories: { '': [{ key: 'a', type: 'string', ...of }] } }],
});
const disks = (...list: Partial<MadeDescriptor['disks'][number]>[]): Partial<MadeDescriptor> => ({
  disks: list.map((disk) => ({ id: 'vmdisk1', file_id: 'file1', capacity: '16', units: 'byte * 2^20', ...disk })),
});
const files = (...list: Partial<MadeDescriptor['files'][number]>[]): Partial<MadeDescriptor> => ({
  files: list.map((one) => ({ id: 'file1', href: 'box-disk1.vmdk', ...one })),
});
const chunks = (count: number[], bytes = 1000): Pick<Parts, 'disk' | 'listed'> => {
  const listed = Object.fromEntries(
    count.map((n) => [`box-disk1.vmdk.${String(n).padStart(9, '0')}`, DISK.subarray(0, bytes)]),
  );
  return { listed, disk: Object.entries(listed).map(([name, data]) => file(name, data)) };
};
const zipped = (content: Buffer): Parts => ({
  descriptor: files({ compression: 'gzip' }),
  disk: [file('box-disk1.vmdk', content)],
  listed: { 'box-disk1.vmdk': content },
});
const properties = (count: number, more = '') =>
  `<ProductSection><Info/>${Array.from({ length: count }, (_, n) => `<Property ovf:key="p${n}" ovf:type="string" ${more}/>`).join('')}</ProductSection>`;
const options = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<DeploymentOptionSection><Info/><Configuration ovf:id="o${n}"><Label ovf:msgid="m"/></Configuration></DeploymentOptionSection>`,
  ).join('');
const messages = (xml: string) =>
  xml.replace(
    '</Envelope>',
    `<Strings xml:lang="en"><Msg ovf:msgid="m">${'m'.repeat(1_000_000)}</Msg></Strings></Envelope>`,
  );
const networks = (...names: string[]) =>
  envelope(`<NetworkSection><Info/>${names.map((name) => `<Network ovf:name="${name}"/>`).join('')}</NetworkSection>`);
const ZEROS = Buffer.alloc(96 << 20);
/** Ten levels of ten: a thousand million laughs, were they told. */
const LAUGHS = `<!DOCTYPE E [<!ENTITY l0 "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}]>`;

export const HOSTILE_DESCRIPTORS: readonly Hostile[] = [
  ['no descriptor', 'descriptor_missing', () => ova({ without: 'ovf' })],
  ['two descriptors', 'descriptor_several', () => ova({ last: [file('other.ovf')] })],
  ['a descriptor of 5 MiB', 'descriptor_too_large', () => ova({ ovf: (xml) => xml + ' '.repeat(5 << 20) })],
  [
    'a text of ends of CDATA',
    'descriptor_malformed',
    () => ova({ ovf: envelope(`<Info>${']]>'.repeat(600_000)}</Info>`) }),
  ],
  ['an empty descriptor', 'descriptor_malformed', () => ova({ ovf: () => '' })],
  [
    'a descriptor in UTF-16',
    'descriptor_encoding',
    () => ova({ ovf: (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le') }),
  ],
  [
    'a descriptor in Latin 1',
    'descriptor_encoding',
    () => ova({ ovf: (xml) => Buffer.from(xml.replace('The only one', 'caf\u00e9'), 'latin1') }),
  ],
  ['a descriptor that says UTF-7', 'descriptor_encoding', () => ova({ ovf: (xml) => xml.replace('UTF-8', 'UTF-7') })],
  ['a descriptor with NUL', 'descriptor_malformed', () => ova({ ovf: envelope('<A>\0</A>') })],
  ['an entity bomb', 'descriptor_doctype', () => ova({ ovf: (xml) => prolog(LAUGHS)(envelope('<A>&l9;</A>')(xml)) })],
  [
    'an external entity',
    'descriptor_doctype',
    () => ova({ ovf: prolog('<!DOCTYPE E [<!ENTITY x SYSTEM "file:///etc/passwd">]>') }),
  ],
  [
    'an external document type',
    'descriptor_doctype',
    () => ova({ ovf: prolog('<!DOCTYPE E SYSTEM "http://192.0.2.1/x.dtd">') }),
  ],
  ['an entity inside the root', 'descriptor_doctype', () => ova({ ovf: envelope('<!ENTITY x "y">') })],
  ['an unknown entity', 'descriptor_entity', () => ova({ ovf: envelope('<A>&boom;</A>') })],
  ['an unknown entity in an attribute', 'descriptor_entity', () => ova({ ovf: envelope('<A b="&boom;"/>') })],
  ['a character that is none', 'descriptor_entity', () => ova({ ovf: envelope('<A>&#0;</A>') })],
  ['elements that cross', 'descriptor_malformed', () => ova({ ovf: envelope('<A><B></A></B>') })],
  ['an element without end', 'descriptor_malformed', () => ova({ ovf: envelope('<A>') })],
  ['two roots', 'descriptor_malformed', () => ova({ ovf: (xml) => `${xml}<Envelope/>` })],
  ['text behind the root', 'descriptor_malformed', () => ova({ ovf: (xml) => `${xml}text` })],
  ['an attribute twice', 'descriptor_malformed', () => ova({ ovf: envelope('<A b="1" b="2"/>') })],
  ['a name of the machinery', 'descriptor_malformed', () => ova({ ovf: envelope('<__proto__/>') })],
  ['an attribute of the machinery', 'descriptor_malformed', () => ova({ ovf: envelope('<A constructor="1"/>') })],
  ['a comment without end', 'descriptor_malformed', () => ova({ ovf: envelope('<!-- ') })],
  [
    'elements 3000 deep',
    'descriptor_too_deep',
    () => ova({ ovf: envelope(`${'<A>'.repeat(3000)}${'</A>'.repeat(3000)}`) }),
  ],
  ['elements 500000 deep', 'descriptor_too_deep', () => ova({ ovf: envelope('<A>'.repeat(500_000)) })],
  ['a million elements', 'descriptor_too_large', () => ova({ ovf: envelope('<A/>'.repeat(1_000_000)) })],
  ['400000 elements', 'descriptor_too_many', () => ova({ ovf: envelope('<A/>'.repeat(400_000)) })],
  ['30000 elements with text', 'descriptor_too_many', () => ova({ ovf: envelope('<A b="c">d</A>'.repeat(30_000)) })],
  [
    'a thousand attributes',
    'descriptor_too_many',
    () => ova({ ovf: envelope(`<A ${Array.from({ length: 1000 }, (_, n) => `a${n}="x"`).join(' ')}/>`) }),
  ],
  ['an attribute of 1 MiB', 'descriptor_long_tag', () => ova({ ovf: envelope(`<A b="${'x'.repeat(1 << 20)}"/>`) })],
  ['a tag of 1 MiB of spaces', 'descriptor_long_tag', () => ova({ ovf: envelope(`<A ${' '.repeat(1 << 20)}/>`) })],
  ['a page of HTML', 'descriptor_not_ovf', () => ova({ ovf: () => '<html><body>Sign in</body></html>' })],
  [
    'an envelope of OVF 2',
    'descriptor_version',
    () => ova({ ovf: (xml) => xml.replaceAll('ovf/envelope/1', 'ovf/envelope/2') }),
  ],
  [
    'no virtual machine',
    'descriptor_no_machine',
    () => ova({ ovf: (xml) => xml.replaceAll('VirtualSystem ', 'Other ').replaceAll('/VirtualSystem>', '/Other>') }),
  ],
  [
    'two virtual machines',
    'descriptor_several_machines',
    () => ova({ ovf: (xml) => xml.replace('</Envelope>', '<VirtualSystem/></Envelope>') }),
  ],
  [
    'a collection of machines',
    'descriptor_several_machines',
    () => ova({ ovf: (xml) => xml.replace('</Envelope>', '<VirtualSystemCollection/></Envelope>') }),
  ],
  // References
  ['a reference without a name', 'reference_malformed', () => ova({ descriptor: files({ href: '' }) })],
  ['a reference with a negative size', 'reference_malformed', () => ova({ descriptor: files({ size: -1 }) })],
  [
    'a reference with a size of 2^70',
    'reference_malformed',
    () => ova({ ovf: (xml) => xml.replace(/ovf:size="\d+"/, 'ovf:size="1180591620717411303424"') }),
  ],
  ['two references of one id', 'reference_duplicate', () => ova({ descriptor: files({}, { href: 'b' }) })],
  [
    'two references to one file',
    'reference_duplicate',
    () => ova({ descriptor: files({}, { id: 'file2', href: './box-disk1.vmdk' }) }),
  ],
  [
    'a reference over the network',
    'reference_external',
    () => ova({ descriptor: files({ href: 'http://192.0.2.1/disk.vmdk' }) }),
  ],
  [
    'a reference to a local file',
    'reference_external',
    () => ova({ descriptor: files({ href: 'file:///etc/shadow' }) }),
  ],
  ['an absolute reference', 'reference_external', () => ova({ descriptor: files({ href: '/etc/shadow' }) })],
  ['a reference that leads upwards', 'reference_external', () => ova({ descriptor: files({ href: '../disk.vmdk' }) })],
  ['a reference to nothing', 'reference_missing', () => ova({ descriptor: files({ href: 'gone.vmdk' }) })],
  ['a size other than the member’s', 'reference_size', () => ova({ descriptor: files({ size: 7 }) })],
  [
    'a gap between chunks',
    'chunk_missing',
    () => ova({ descriptor: files({ chunk_size: 1000 }), ...chunks([0, 1, 3]) }),
  ],
  ['no first chunk', 'chunk_missing', () => ova({ descriptor: files({ chunk_size: 1000 }), ...chunks([1, 2]) })],
  ['chunks of another size', 'chunk_size', () => ova({ descriptor: files({ chunk_size: 999 }), ...chunks([0, 1]) })],
  ['a file that nothing refers to', 'member_unreferenced', () => ova({ last: [file('autorun.exe')] })],
  ['a disk without its file', 'disk_file_missing', () => ova({ descriptor: disks({ file_id: 'file9' }) })],
  [
    'a disk of zero bytes',
    'disk_file_empty',
    () =>
      ova({ descriptor: files({}), disk: [file('box-disk1.vmdk', '')], listed: { 'box-disk1.vmdk': Buffer.alloc(0) } }),
  ],
  ['two disks of one id', 'disk_duplicate', () => ova({ descriptor: disks({}, {}) })],
  ['a disk of minus one', 'disk_malformed', () => ova({ descriptor: disks({ capacity: '-1' }) })],
  ['a disk of 2^80 bytes', 'disk_malformed', () => ova({ descriptor: disks({ capacity: '1', units: 'byte * 2^80' }) })],
  ['a disk of parsecs', 'disk_malformed', () => ova({ descriptor: disks({ units: 'parsec' }) })],
  ['an unknown compression', 'compression_unknown', () => ova({ descriptor: files({ compression: 'bzip2' }) })],
  ['gzip that is none', 'compression_false', () => ova({ descriptor: files({ compression: 'gzip' }) })],
  ['gzip that is damaged', 'gzip_damaged', () => ova(zipped(Buffer.concat([gzipSync(DISK).subarray(0, 40), DISK])))],
  ['gzip that is cut', 'gzip_damaged', () => ova(zipped(gzipSync(DISK).subarray(0, -6)))],
  ['a gzip bomb', 'gzip_bomb', () => ova(zipped(gzipSync(ZEROS, { level: 1 })))],
  ['a property without a key', 'property_malformed', () => ova({ descriptor: property({ key: '' }) })],
  [
    'a property with a key of 1000 characters',
    'property_malformed',
    () => ova({ descriptor: property({ key: 'k'.repeat(1000) }) }),
  ],
  ['501 properties', 'properties_too_many', () => ova({ ovf: envelope(properties(501)) })],
  [
    'ten thousand choices',
    'properties_too_many',
    () => ova({ ovf: envelope(properties(400, `ovf:qualifiers='ValueMap{${'"a",'.repeat(25)}"b"}'`)) }),
  ],
  [
    'a property named as an inherited member is',
    'property_malformed',
    () => ova({ descriptor: property({ key: '__proto__' }) }),
  ],
  ['65 networks', 'networks_too_many', () => ova({ ovf: networks(...Array.from({ length: 65 }, (_, n) => `n${n}`)) })],
  ['a network without a name', 'network_malformed', () => ova({ ovf: networks('') })],
  ['a network named as an inherited member is', 'network_malformed', () => ova({ ovf: networks('constructor') })],
  ['two networks of one name', 'network_malformed', () => ova({ ovf: networks('one', 'one') })],
  [
    'two references to one file by its percent-encoding',
    'reference_duplicate',
    () => ova({ descriptor: files({}, { id: 'file2', href: 'b%6fx-disk1.vmdk' }) }),
  ],
  [
    'a text of 1 MB that ten elements refer to',
    'descriptor_too_large',
    () => ova({ ovf: (xml) => messages(envelope(options(10))(xml)) }),
  ],
  ['250000 comments', 'descriptor_too_many', () => ova({ ovf: envelope('<!---->'.repeat(250_000)) })],
  ['400000 entities', 'descriptor_too_many', () => ova({ ovf: envelope(`<A>${'&amp;'.repeat(400_000)}</A>`) })],
  [
    '250000 attributes',
    'descriptor_too_many',
    () => ova({ ovf: envelope(`<A ${Array.from({ length: 50 }, (_, n) => `a${n}=""`).join(' ')}/>`.repeat(5000)) }),
  ],
  ['a name of 300 characters', 'descriptor_malformed', () => ova({ ovf: envelope(`<${'A'.repeat(300)}/>`) })],
  [
    'two properties of one key',
    'property_duplicate',
    () =>
      ova({
        descriptor: {
          products: [
            {
              categories: {
                '': [
                  { key: 'a', type: 'string' },
                  { key: 'a', type: 'int' },
                ],
              },
            },
          ],
        },
      }),
  ],
];
