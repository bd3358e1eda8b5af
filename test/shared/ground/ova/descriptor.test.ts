// What is read out of a descriptor, what may be typed for its properties, and the environment that a guest gets.
import { describe, expect, test } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import { readDescriptor } from '../../../../shared/ground/ova/descriptor.ts';
import { ovfEnvironment } from '../../../../shared/ground/ova/environment.ts';
import { readManifest } from '../../../../shared/ground/ova/manifest.ts';
import { propertyType } from '../../../../shared/ground/ova/property-type.ts';
import { propertyValues } from '../../../../shared/ground/ova/property-values.ts';
import type { OvfDescriptor, OvfProperty } from '../../../../shared/ground/ova/types.ts';
import { descriptorXml, type MadeProduct, type MadeProperty } from '../../../setup/make-ova/descriptor.ts';
import { EULA, sddcManagerAnswers, sddcManagerProducts } from '../../../setup/make-ova/sddc-properties.ts';

const XMLNS = 'xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:o="http://schemas.dmtf.org/ovf/envelope/1"';

function made(products: MadeProduct[], more: Partial<Parameters<typeof descriptorXml>[0]> = {}): OvfDescriptor {
  const xml = descriptorXml({
    name: 'box',
    files: [],
    disks: [],
    products,
    networks: [],
    eulas: [],
    options: [],
    ...more,
  });
  return readDescriptor(Buffer.from(xml)).descriptor;
}
const read = (inside: string, outside = ''): OvfDescriptor =>
  readDescriptor(
    Buffer.from(`<Envelope ${XMLNS}>${outside}<VirtualSystem id="box">${inside}</VirtualSystem></Envelope>`),
  ).descriptor;
const one = (of: Partial<MadeProperty>): OvfProperty => {
  const [property] = made([{ categories: { '': [{ key: 'k', type: 'string', ...of }] } }]).properties;
  if (!property) throw new Error('no property');
  return property;
};

describe('the descriptor', () => {
  test('of an SDDC Manager, with class and instance', () => {
    const descriptor = made(sddcManagerProducts('vami'), { eulas: [EULA] });
    expect(descriptor.properties.map(({ key }) => key).sort()).toEqual(
      [...Object.keys(sddcManagerAnswers('vami')), 'VCF_PASSWORD'].sort(),
    );
    expect(descriptor.product).toEqual({
      name: 'SDDC Manager Appliance',
      vendor: 'Example Cloud Works',
      version: '9.1.0.0',
      full_version: '9.1.0.0.24962180',
    });
    expect(descriptor.eulas).toEqual([EULA]);
    expect(descriptor.transports).toEqual(['com.vmware.guestInfo']);
    expect(descriptor.virtual_system_types).toEqual(['vmx-19']);
    const root = descriptor.properties.find(({ key }) => key === 'ROOT_PASSWORD');
    expect(root).toMatchObject({
      kind: 'password',
      password: true,
      required: true,
      min_length: 15,
      category: 'Application',
    });
    const ip = descriptor.properties.find(({ key }) => key === 'vami.ip0.SDDC-Manager');
    expect(ip).toMatchObject({
      kind: 'ip',
      required: false,
      category: 'Networking properties',
      user_configurable: true,
    });
  });

  test('keys, categories and defaults', () => {
    const descriptor = read(`
      <ProductSection o:class="c" o:instance="i"><Info/>
        <Property o:key="before" o:type="string"/>
        <Category>First</Category><Property o:key="a" o:type="string" o:userConfigurable="true" o:value="v"/>
        <Category>Second</Category><Property key="b" type="boolean" userConfigurable="1"/>
      </ProductSection>
      <ProductSection class="" instance=""><Info/>
        <Property key="a.plain" type="string"><Value value="w"/><Value configuration="big" value="x"/></Property>
      </ProductSection>
      <ProductSection instance="only"><Info/><Property key="a" type="string"/></ProductSection>`);
    expect(
      descriptor.properties.map((of) => [of.key, of.category, of.user_configurable, of.default, of.defaults_by_option]),
    ).toEqual([
      ['c.before.i', '', false, '', {}],
      ['c.a.i', 'First', true, 'v', {}],
      ['c.b.i', 'Second', true, '', {}],
      ['a.plain', '', false, 'w', { big: 'x' }],
      ['a.only', '', false, '', {}],
    ]);
  });

  test('disks and their units', () => {
    const capacity = (said: string): number | null | undefined =>
      read('', `<DiskSection><Info/><Disk diskId="d" ${said}/></DiskSection>`).disks[0]?.capacity_bytes;
    const computed = '$'.concat('{disk.size}');
    expect(capacity('capacity="64" capacityAllocationUnits="byte * 2^30"')).toBe(64 * 2 ** 30);
    expect(capacity('capacity="3" capacityAllocationUnits="byte*2^20"')).toBe(3 * 2 ** 20);
    expect(capacity('capacity="3" capacityAllocationUnits="byte * 1024"')).toBe(3072);
    expect(capacity('capacity="2" capacityAllocationUnits="GigaBytes"')).toBe(2 ** 31);
    expect(capacity('capacity="512"')).toBe(512);
    expect(capacity(`capacity="${computed}" capacityAllocationUnits="byte * 2^30"`)).toBeNull();
    expect(() => capacity(`capacity="${computed}${computed}"`)).toThrow('disk “d”');
  });

  test('options, networks, address assignment and transports', () => {
    const descriptor = read(
      `<IpAssignmentSection schemes="ovfenv dhcp" protocols="IPv4,IPv6"/>
       <VirtualHardwareSection transport="com.vmware.guestInfo iso"><Info/></VirtualHardwareSection>`,
      `<NetworkSection><Network name="A"><Description>First</Description></Network><Network name="B"/></NetworkSection>
       <DeploymentOptionSection><Configuration id="s"><Label>Small</Label></Configuration>
       <Configuration id="m" default="true"><Label>Medium</Label><Description>Most</Description></Configuration></DeploymentOptionSection>`,
    );
    expect(descriptor.ip).toEqual({ schemes: ['ovfenv', 'dhcp'], protocols: ['IPv4', 'IPv6'] });
    expect(descriptor.transports).toEqual(['com.vmware.guestInfo', 'iso']);
    expect(descriptor.networks).toEqual([
      { name: 'A', description: 'First' },
      { name: 'B', description: '' },
    ]);
    expect(descriptor.deployment_options).toEqual([
      { id: 's', label: 'Small', description: '', default: false },
      { id: 'm', label: 'Medium', description: 'Most', default: true },
    ]);
  });

  test('messages by id, in English where there are several languages', () => {
    const descriptor = read(
      '<Name msgid="n">fallback</Name><EulaSection><Info/><License msgid="e"/></EulaSection><AnnotationSection><Annotation msgid="gone">kept</Annotation></AnnotationSection>',
      `<Strings xml:lang="de"><Msg msgid="n">Kasten</Msg></Strings><Strings xml:lang="en-US"><Msg msgid="n">Box</Msg><Msg msgid="e">Terms &amp; more</Msg></Strings><Strings xml:lang="fr" fileRef="f"/>`,
    );
    expect(descriptor).toMatchObject({ name: 'Box', eulas: ['Terms & more'], annotation: 'kept' });
  });

  test('text is decoded once, whether short, long or CDATA', () => {
    const long = 'a &amp;lt; b ]]&gt; &#x1F680; '.repeat(100);
    const decoded = 'a &lt; b ]]> 🚀 '.repeat(100).trim();
    const annotation = (text: string): string =>
      read(`<AnnotationSection><Annotation>${text}</Annotation></AnnotationSection>`).annotation;
    expect(annotation(long)).toBe(decoded);
    expect(annotation('x &amp;amp; <!-- > no < --> y')).toBe('x &amp;  y');
    expect(annotation('<![CDATA[<b> &amp;]]> c')).toBe('<b> &amp; c');
    expect(one({ value: `"<&>'` }).default).toBe(`"<&>'`);
  });
});

test.each([
  ['string', '', '', { kind: 'text', min_length: null, max_length: null }],
  ['string(3..20)', '', '', { kind: 'text', min_length: 3, max_length: 20 }],
  ['string(..20)', '', '', { kind: 'text', min_length: null, max_length: 20 }],
  ['string["a","b, c"]', '', '', { kind: 'text', choices: ['a', 'b, c'] }],
  ['string', 'MinLen(1) MaxLen(9)', '', { min_length: 1, max_length: 9 }],
  ['string', 'MinLen(1),ValueMap{"IPv4", "say \\"x\\""}', '', { min_length: 1, choices: ['IPv4', 'say "x"'] }],
  ['string', 'ValueMap{"unfinished', '', { choices: null }],
  ['string', '', 'Ip', { kind: 'ip' }],
  ['string', '', 'Ip:Network 1', { kind: 'ip' }],
  ['string', '', 'Netmask:Network 1', { kind: 'text' }],
  ['password', 'MinLen(15)', '', { kind: 'password', min_length: 15 }],
  ['boolean', 'ValueMap{"true","false"}', '', { kind: 'boolean', choices: null }],
  ['uint8', '', '', { kind: 'integer', minimum: 0, maximum: 255 }],
  ['sint16', '', '', { kind: 'integer', minimum: -32768, maximum: 32767 }],
  ['int(1..65535)', '', '', { kind: 'integer', minimum: 1, maximum: 65535 }],
  ['real32', '', '', { kind: 'real', minimum: null }],
  ['real(0.5..1.5)', '', '', { kind: 'real', minimum: 0.5, maximum: 1.5 }],
  ['ip', '', '', { kind: 'ip' }],
  ['ip:Network 1', '', '', { kind: 'ip' }],
  ['expression', '', '', { kind: 'text' }],
  ['something else', '', '', { kind: 'text' }],
])('type %s, qualifiers %s %s', (type, qualifiers, vmw, expected) => {
  expect(propertyType(type, qualifiers, vmw)).toMatchObject(expected);
});

describe('values', () => {
  const typed = (of: Partial<MadeProperty>, value?: string) =>
    propertyValues({ properties: [one(of)], deployment_options: [] }, null, value === undefined ? {} : { k: value });
  const detail = (of: Partial<MadeProperty>, value?: string): string | undefined => typed(of, value).errors[0]?.detail;

  test('of an SDDC Manager, in both forms', () => {
    for (const form of ['vami', 'plain'] as const) {
      const { values, environment, errors } = propertyValues(
        made(sddcManagerProducts(form)),
        '',
        sddcManagerAnswers(form),
      );
      expect(errors).toEqual([]);
      expect(Object.fromEntries(values.map(({ key, value }) => [key, value]))).toEqual(sddcManagerAnswers(form));
      expect(environment.find(({ key }) => key === 'VCF_PASSWORD')?.value).toBe('x');
    }
  });

  test.each<[string, Partial<MadeProperty>, string | undefined, string]>([
    ['a boolean', { type: 'boolean' }, 'on', 'True'],
    ['a boolean by default', { type: 'boolean', value: 'true' }, undefined, 'True'],
    ['no boolean', { type: 'boolean' }, '', 'False'],
    ['a default', { value: 'd' }, undefined, 'd'],
    ['nothing instead of the default', { value: 'd' }, '', ''],
    ['a number with spaces', { type: 'uint16' }, ' 22 ', '22'],
    ['the largest number of 64 bits', { type: 'uint64' }, '18446744073709551615', '18446744073709551615'],
    ['an address of IPv6', { type: 'ip:Network 1' }, 'fd00::1 ', 'fd00::1'],
    ['no address', { type: 'ip' }, '', ''],
    ['a real number', { type: 'real64' }, '-1.5e3', '-1.5e3'],
    ['spaces of a password', { type: 'password' }, ' p ', ' p '],
    ['a choice', { qualifiers: 'ValueMap{"a","b"}' }, 'b', 'b'],
    ['eight signs of two units', { qualifiers: 'MaxLen(8)' }, '🚀'.repeat(8), '🚀'.repeat(8)],
  ])('%s', (_, of, given, expected) => {
    expect(typed(of, given)).toEqual({
      values: [{ key: 'k', value: expected }],
      environment: [{ key: 'k', value: expected }],
      errors: [],
    });
  });

  test.each<[string, Partial<MadeProperty>, string | undefined, string]>([
    ['required and missing', { required: true }, undefined, 'Enter a value.'],
    ['too short', { qualifiers: 'MinLen(15)', password: true }, 'secret-value', 'Enter at least 15 characters.'],
    ['missing where a length is asked for', { qualifiers: 'MinLen(15)' }, undefined, 'Enter at least 15 characters.'],
    ['too long', { type: 'string(1..3)' }, 'secret-value', 'Enter at most 3 characters.'],
    ['beyond what vSphere takes', {}, 'x'.repeat(65_536), 'Enter at most 65535 characters.'],
    ['a control character', {}, 'a\u0007', 'Enter it without control characters.'],
    ['half a character', {}, '\ud800', 'Enter it without control characters.'],
    ['no boolean', { type: 'boolean' }, 'maybe', 'Choose True or False.'],
    ['no number', { type: 'uint8' }, '1.5', 'Enter a whole number.'],
    ['too large', { type: 'uint8' }, '256', 'Enter at most 255.'],
    ['too large by one of 2^64', { type: 'uint64' }, '18446744073709551616', 'Enter at most 18446744073709551615.'],
    ['too small', { type: 'int(5..9)' }, '4', 'Enter at least 5.'],
    ['no real number', { type: 'real32' }, '0x10', 'Enter a number.'],
    ['a real number too large', { type: 'real(0..1)' }, '1.1', 'Enter at most 1.'],
    ['no address', { type: 'ip' }, '10.0.0.256', 'Enter an IPv4 or IPv6 address.'],
    ['an address with a zone', { type: 'ip' }, 'fe80::1%eth0', 'Enter an IPv4 or IPv6 address.'],
    ['no choice', { qualifiers: 'ValueMap{"a","b"}' }, 'c', 'Choose one of the values that the OVA offers.'],
    ['set by the OVA', { configurable: false, value: 'x' }, 'y', 'The OVA sets this property itself; leave it out.'],
  ])('refused: %s', (_, of, given, expected) => {
    expect(detail(of, given)).toBe(expected);
    expect(JSON.stringify(typed(of, given).errors)).not.toContain('secret-value');
  });

  test('defaults of the chosen option; unknown keys and options at their fields', () => {
    const options = [
      { id: 's', label: '', description: '', default: false },
      { id: 'm', label: '', description: '', default: true },
    ];
    const properties = [one({ value: 'any', by_option: { m: 'medium' } })];
    const value = (option: string | null) =>
      propertyValues({ properties, deployment_options: options }, option, {}).values[0]?.value;
    expect([value('s'), value('m'), value(null), value('')]).toEqual(['any', 'medium', 'medium', 'medium']);
    const unknown = Object.fromEntries([
      ['a/b~c', '1'],
      ['__proto__', '2'],
    ]);
    const { errors } = propertyValues({ properties, deployment_options: options }, 'xl', unknown);
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/deployment_option',
      '/properties/a~1b~0c',
      '/properties/__proto__',
    ]);
  });

  test('only what a deployment may set is told to the target', () => {
    const { values, environment } = propertyValues(
      { properties: [one({ configurable: false, value: 'x' })], deployment_options: [] },
      null,
      { k: 'x' },
    );
    expect([values, environment]).toEqual([[], [{ key: 'k', value: 'x' }]]);
  });
});

test('the environment carries every value through a parser, line ends included', () => {
  const properties = [
    { key: 'vami.ip0.A', value: '10.0.0.1' },
    { key: 'ROOT_PASSWORD', value: `a<b>&"c'\t\n\r ]]> ü🚀` },
    { key: 'empty', value: '' },
  ];
  const about = { name: 'VMware <ESXi>', version: '9.0.0', vendor: 'A & B' };
  const text = ovfEnvironment({ machine_id: 'vm-17', about, properties });
  expect(text.replaceAll(/\n {2,4}<|\n/g, '')).not.toMatch(/[\t\r]/);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    parseTagValue: false,
    htmlEntities: true,
  });
  const { Environment } = parser.parse(text);
  expect(Environment).toMatchObject({ 'oe:id': '', 've:esxId': 'vm-17' });
  expect(Environment.PlatformSection).toEqual({
    Kind: 'VMware <ESXi>',
    Version: '9.0.0',
    Vendor: 'A & B',
    Locale: 'en',
  });
  expect(
    Environment.PropertySection.Property.map((of: Record<string, string>) => ({
      key: of['oe:key'],
      value: of['oe:value'],
    })),
  ).toEqual(properties);
  const forbidden = [{ key: 'PASSWORD', value: 'secret\u0000' }];
  expect(() => ovfEnvironment({ machine_id: '1', about, properties: forbidden })).toThrow(/^(?!.*secret).*characters/);
});

test('a manifest line is read up to its last bracket', () => {
  const hex = 'ab'.repeat(32);
  const manifest = readManifest(Buffer.from(`\ufeffSHA256(a (1))(b).vmdk)= ${hex}\r\n\r\nsha-1(c)=${'0'.repeat(40)}`));
  expect([...manifest]).toEqual([
    ['a (1))(b).vmdk', { algorithm: 'sha256', hex }],
    ['c', { algorithm: 'sha1', hex: '0'.repeat(40) }],
  ]);
});
