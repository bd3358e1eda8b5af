// Imports and leases on the wire: order and escaping of what is sent, the specification untouched, every form of answer.
import { describe, expect, test } from '@jest/globals';
import { createImportSpec, type ImportChoice, importMachine } from '../../../../shared/vcf/vsphere/import.ts';
import { abortLease, leaseProgress, leaseState, waitForLease } from '../../../../shared/vcf/vsphere/lease.ts';
import { machineFacts, powerOn, readExtraConfig, setExtraConfig } from '../../../../shared/vcf/vsphere/machine.ts';
import { envelope, fault, faultOf, returned, session } from './canned.ts';

const CHOICE: ImportChoice = {
  descriptor_xml: '<?xml version="1.0"?>\r\n<Envelope a="1 &amp; 2"/>',
  name: 'sddc & co',
  pool_id: 'resgroup-1',
  datastore_id: 'datastore-1',
  host_id: 'host-1',
  networks: { 'Network 1': 'dvportgroup-7', 'Network "2"': 'HaNetwork-VM Network' },
  properties: [
    { key: 'vami.ip0.SDDC-Manager', value: '192.0.2.20' },
    { key: 'ROOT_PASSWORD', value: 'Canary-root-pw <&>' },
    { key: 'licence', value: 'Canary-licence-value', secret: true },
  ],
  deployment_option: 'small',
  disk_provisioning: 'thin',
  ip_protocol: 'IPv4',
};

const localized = (name: string, type: string, message: string): string =>
  `<${name}><fault xsi:type="${type}"/><localizedMessage>${message}</localizedMessage></${name}>`;
const result = (inside: string): string => returned('CreateImportSpec', `<returnval>${inside}</returnval>`);

test('what is sent stands in the order of the API, with everything escaped', async () => {
  const { session: made, sent } = await session({
    CreateImportSpec: result('<importSpec xsi:type="VirtualMachineImportSpec"/>'),
  });
  await createImportSpec(made, CHOICE);
  const { body } = sent.at(-1)!;
  const after = body.slice(body.indexOf('<ovfDescriptor>'));
  expect(after).toBe(
    [
      '<ovfDescriptor>&lt;?xml version=&quot;1.0&quot;?&gt;&#13;&#10;&lt;Envelope a=&quot;1 &amp;amp; 2&quot;/&gt;</ovfDescriptor>',
      '<resourcePool type="ResourcePool">resgroup-1</resourcePool><datastore type="Datastore">datastore-1</datastore>',
      '<cisp xsi:type="OvfCreateImportSpecParams"><locale></locale><deploymentOption>small</deploymentOption>',
      '<entityName>sddc &amp; co</entityName><hostSystem type="HostSystem">host-1</hostSystem>',
      '<networkMapping><name>Network 1</name><network type="DistributedVirtualPortgroup">dvportgroup-7</network></networkMapping>',
      '<networkMapping><name>Network &quot;2&quot;</name><network type="Network">HaNetwork-VM Network</network></networkMapping>',
      '<ipAllocationPolicy>fixedPolicy</ipAllocationPolicy><ipProtocol>IPv4</ipProtocol>',
      '<propertyMapping><key>vami.ip0.SDDC-Manager</key><value>192.0.2.20</value></propertyMapping>',
      '<propertyMapping><key>ROOT_PASSWORD</key><value>Canary-root-pw &lt;&amp;&gt;</value></propertyMapping>',
      '<propertyMapping><key>licence</key><value>Canary-licence-value</value></propertyMapping>',
      '<diskProvisioning>thin</diskProvisioning></cisp></CreateImportSpec></soapenv:Body></soapenv:Envelope>',
    ].join(''),
  );
});

test('the specification goes back exactly as it came, with the prefixes that were declared around it', async () => {
  const inside =
    '<v:configSpec xsd:extra="1"><name>a &amp; b</name>\n  <x i:type="v:VirtualDisk"><key>-1</key></x><empty/><![CDATA[<raw>]]></v:configSpec>';
  const answer = `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="urn:xsd-here" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><S:Body><CreateImportSpecResponse xmlns="urn:vim25"><returnval xmlns:v="urn:vim25"><importSpec i:type="v:VirtualMachineImportSpec">${inside}</importSpec><fileItem><deviceId>/a/b:0</deviceId><path>d &amp; 1.vmdk</path><size>42</size><cimType>17</cimType><create>false</create></fileItem><fileItem><deviceId>/a/iso</deviceId><path>b.iso</path><cimType>15</cimType><create>true</create></fileItem></returnval></CreateImportSpecResponse></S:Body></S:Envelope>`;
  const { session: made, sent } = await session({
    CreateImportSpec: answer,
    ImportVApp: returned('ImportVApp', '<returnval type="HttpNfcLease">session[52aa]52bb</returnval>'),
  });
  const { spec_xml, files, warnings } = await createImportSpec(made, CHOICE);
  expect(spec_xml).toContain(`>${inside}</spec>`);
  const head = spec_xml.slice(0, spec_xml.indexOf('>') + 1);
  for (const declared of [
    'xmlns="urn:vim25"',
    'xmlns:v="urn:vim25"',
    'xmlns:xsd="urn:xsd-here"',
    'xsi:type="v:VirtualMachineImportSpec"',
  ]) {
    expect(head).toContain(declared);
  }
  expect([files, warnings]).toEqual([
    [
      { device_id: '/a/b:0', path: 'd & 1.vmdk', size: 42, create: false },
      { device_id: '/a/iso', path: 'b.iso', size: null, create: true },
    ],
    [],
  ]);
  expect(await importMachine(made, { spec_xml, pool_id: 'resgroup-1', folder_id: 'group-v3', host_id: 'host-1' })).toBe(
    'session[52aa]52bb',
  );
  const { body } = sent.at(-1)!;
  expect(body).toContain(
    `<_this type="ResourcePool">resgroup-1</_this>${spec_xml}<folder type="Folder">group-v3</folder><host type="HostSystem">host-1</host></ImportVApp>`,
  );
});

test('any error of the descriptor is thrown, warnings are given back, secrets stay out of both', async () => {
  const said = 'Value Canary-root-pw &lt;&amp;&gt; and Canary-licence-value';
  const bad = result(
    `${localized('error', 'OvfUnsupportedType', 'No such device')}${localized('error', 'OvfElement', said)}${localized('warning', 'X', 'w')}`,
  );
  const good = result(
    `<importSpec xsi:type="VirtualMachineImportSpec"/>${localized('warning', 'OvfX', `Careful: ${said}`)}${localized('warning', 'OvfX', '')}`,
  );
  const { session: made } = await session({ CreateImportSpec: (_call, nth) => (nth === 0 ? bad : good) });
  const met = await faultOf(createImportSpec(made, CHOICE));
  expect(met).toMatchObject({ reason: 'ova_refused', fault_type: 'OvfUnsupportedType' });
  expect(met.message).toContain('No such device');
  const { warnings } = await createImportSpec(made, CHOICE);
  expect(warnings).toEqual([expect.stringMatching(/^Careful: Value /)]);
  for (const text of [met.message, ...warnings]) expect(text).not.toMatch(/Canary/);
});

describe('a specification that asks for more than there can be', () => {
  const spec = '<importSpec xsi:type="VirtualMachineImportSpec"/>';
  const item = (device: string, path: string) =>
    `<fileItem><deviceId>${device}</deviceId><path>${path}</path></fileItem>`;
  test.each([
    ['a file twice', item('/d:0', 'a.vmdk') + item('/d:1', 'a.vmdk')],
    ['a device twice', item('/d:0', 'a.vmdk') + item('/d:0', 'b.vmdk')],
    ['thousands of files', Array.from({ length: 3000 }, (_none, at) => item(`/d:${at}`, `${at}.vmdk`)).join('')],
    ['a name of a megabyte', item('/d:0', 'a'.repeat(1 << 20))],
    ['a name with control characters', item('/d:0', 'a&#27;[2J.vmdk')],
  ])('%s', async (_name, items) => {
    const { session: made } = await session({ CreateImportSpec: result(spec + items) });
    const met = await faultOf(createImportSpec(made, CHOICE));
    expect(met.reason).toBe('unreadable');
    expect(met.message.length).toBeLessThan(500);
  });

  test('of thousands of warnings twenty lines are given, of thousands of errors three are read', async () => {
    const many = (name: string) => localized(name, 'OvfX', 'w '.repeat(1000)).repeat(2500);
    const answers = [result(spec + many('warning')), result(many('error'))];
    const { session: made } = await session({ CreateImportSpec: (_call, nth) => answers[nth]! });
    const { warnings } = await createImportSpec(made, CHOICE);
    expect([warnings.length, warnings.at(-1)]).toEqual([20, '2481 more warnings.']);
    expect((await faultOf(createImportSpec(made, CHOICE))).message.length).toBeLessThan(2000);
  });
});

const lease = (state: string, more = ''): string =>
  returned(
    'RetrievePropertiesEx',
    `<returnval><objects><obj type="HttpNfcLease">l</obj>${state === '' ? '' : `<propSet><name>state</name><val xsi:type="HttpNfcLeaseState">${state}</val></propSet>`}${more}</objects></returnval>`,
  );
const info = (url: string, more = ''): string =>
  `<propSet><name>info</name><val xsi:type="HttpNfcLeaseInfo"><lease type="HttpNfcLease">l</lease><entity type="VirtualMachine">vm-9</entity><deviceUrl><key>/vm-9/d:0</key><importKey>/a/b:0</importKey><url>${url}</url><sslThumbprint></sslThumbprint>${more}<disk>true</disk></deviceUrl><totalDiskCapacityInKB>1</totalDiskCapacityInKB><leaseTimeout>300</leaseTimeout></val></propSet>`;

test('a lease is waited for while nothing or initializing is set', async () => {
  const answers = [
    lease(''),
    lease('initializing'),
    lease('ready'),
    lease('ready', info('https://esx01.lab.test/nfc/52-canary-ticket/disk-0.vmdk')),
  ];
  const { session: made } = await session({
    RetrievePropertiesEx: (_call, nth) => answers[nth]!,
    CurrentTime: fault('X', { message: 'at /nfc/52-canary-ticket/disk-0.vmdk' }),
  });
  expect(await waitForLease(made, 'l')).toEqual({
    timeout_seconds: 300,
    machine_id: 'vm-9',
    urls: [
      {
        ...{ key: '/vm-9/d:0', import_key: '/a/b:0', host: 'esx01.lab.test', port: 443, disk: true },
        ...{ path_with_ticket: '/nfc/52-canary-ticket/disk-0.vmdk', thumbprint: null, certificate_pem: null },
      },
    ],
  });
  // From now on no message repeats the ticket.
  expect((await faultOf(made.currentTime())).message).not.toContain('canary-ticket');
});

describe('places of uploads', () => {
  test.each([
    ['https://*/nfc/t/d', null, 443],
    ['https://*:8443/nfc/t/d', null, 8443],
    ['https://ESX01.lab.test:444/nfc/t/d', 'ESX01.lab.test', 444],
    ['https://[2001:db8::1]/nfc/t/d', '2001:db8::1', 443],
    ['https://[2001:db8::1]:8443/nfc/t/d', '2001:db8::1', 8443],
  ])('%s', async (url, host, port) => {
    const { session: made } = await session({ RetrievePropertiesEx: lease('ready', info(url)) });
    expect((await waitForLease(made, 'l')).urls[0]).toMatchObject({ host, port, path_with_ticket: '/nfc/t/d' });
  });

  test.each([
    'http://esx01/nfc/t/d',
    'https://user:pw@esx01/nfc/t/d',
    'https://esx01',
    'ftp://x/y',
    'https://esx 01/x',
    'https://e/x y',
    '',
  ])('%s is refused', async (url) => {
    const { session: made } = await session({ RetrievePropertiesEx: lease('ready', info(url)) });
    const met = await faultOf(waitForLease(made, 'l'));
    expect(met.reason).toBe('unreadable');
    expect(met.message).not.toContain('pw@');
  });
});

test('a lease that fails says why; one that never comes is given up; an abort ends the waiting', async () => {
  const error = `<propSet><name>error</name><val xsi:type="LocalizedMethodFault"><fault xsi:type="NotUserConfigurableProperty"/><localizedMessage>Property x.</localizedMessage></val></propSet>`;
  const failing = await session({ RetrievePropertiesEx: lease('error', error) });
  expect(await faultOf(waitForLease(failing.session, 'l'))).toMatchObject({ reason: 'property_refused' });
  expect(await leaseState(failing.session, 'l')).toMatchObject({
    state: 'error',
    error: { fault_type: 'NotUserConfigurableProperty' },
  });
  const slow = await session({ RetrievePropertiesEx: lease('initializing') });
  expect(await faultOf(waitForLease(slow.session, 'l', { seconds: 0.2 }))).toMatchObject({ reason: 'not_ready' });
  const stop = new AbortController();
  const waiting = waitForLease(slow.session, 'l', { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('cancelled')), 50);
  await expect(waiting).rejects.toThrow('cancelled');
});

test.each([
  ['ManagedObjectNotFound', 'gone'],
  ['InvalidState', 'gone'],
  ['Timedout', 'gone'],
])('an abort that meets %s: %s', async (type, answer) => {
  const { session: made } = await session({ HttpNfcLeaseAbort: fault(type), RetrievePropertiesEx: fault(type) });
  expect(await abortLease(made, 'l')).toBe(answer);
  if (type === 'ManagedObjectNotFound') expect((await leaseState(made, 'l')).state).toBe('gone');
});

test('an abort that is answered otherwise throws: then nobody knows', async () => {
  for (const answer of [fault('NotAuthenticated'), fault('NoPermission'), { status: 503, body: '' }]) {
    const { session: made } = await session({ HttpNfcLeaseAbort: answer });
    await expect(abortLease(made, 'l')).rejects.toThrow();
  }
});

test('progress is told in whole per cent of a hundred at most, and the end of the lease is an answer to it', async () => {
  const answer = returned('HttpNfcLeaseProgress', '');
  const { session: made, sent } = await session({
    HttpNfcLeaseProgress: (_call, nth) => (nth < 3 ? { status: 200, body: answer } : fault('Timedout')),
  });
  for (const percent of [-1, 10.7, 400]) await leaseProgress(made, 'l', percent);
  await expect(leaseProgress(made, 'l', 50)).rejects.toMatchObject({ reason: 'lease_over' });
  const told = sent.filter(({ method }) => method === 'HttpNfcLeaseProgress');
  expect(told.map(({ body }) => /<percent>(\d+)/.exec(body)?.[1])).toEqual(['0', '10', '100', '50']);
});

const task = (inside: string): string =>
  returned(
    'RetrievePropertiesEx',
    `<returnval><objects><obj type="Task">task-1</obj><propSet><name>info</name><val xsi:type="TaskInfo">${inside}</val></propSet></objects></returnval>`,
  );
const started = returned('PowerOnVM_Task', '<returnval type="Task">task-1</returnval>');

test('a task is followed to its end, with its progress', async () => {
  const answers = [
    task('<state>queued</state>'),
    task('<state>running</state><progress>40</progress>'),
    task('<state>success</state>'),
  ];
  const { session: made } = await session({
    PowerOnVM_Task: started,
    RetrievePropertiesEx: (_call, nth) => answers[nth]!,
  });
  const seen: number[] = [];
  await powerOn(made, 'vm-9', { onProgress: (percent) => seen.push(percent) });
  expect(seen).toEqual([40]);
});

test('a task that fails says why; one that waits for somebody is given up', async () => {
  const failed = task(`<state>error</state>${localized('error', 'InsufficientResourcesFault', 'No host.')}`);
  const failing = await session({ PowerOnVM_Task: started, RetrievePropertiesEx: failed });
  expect(await faultOf(powerOn(failing.session, 'vm-9'))).toMatchObject({ reason: 'no_resources' });
  const waiting = await session({ PowerOnVM_Task: started, RetrievePropertiesEx: task('<state>running</state>') });
  expect((await faultOf(powerOn(waiting.session, 'vm-9', { seconds: 0.2 }))).message).toContain('waits for an answer');
});

test('facts of a machine, and of one that is gone', async () => {
  const cards =
    '<propSet><name>guest.net</name><val xsi:type="ArrayOfGuestNicInfo"><GuestNicInfo><ipAddress>192.0.2.20</ipAddress><ipAddress>fe80::1</ipAddress></GuestNicInfo></val></propSet>';
  const single = (name: string, value: string) =>
    `<propSet><name>${name}</name><val xsi:type="xsd:string">${value}</val></propSet>`;
  const there = returned(
    'RetrievePropertiesEx',
    `<returnval><objects><obj type="VirtualMachine">vm-9</obj>${single('name', 'a%2fb%25')}${single('runtime.powerState', 'poweredOn')}${single('guest.ipAddress', '192.0.2.20')}${cards}</objects></returnval>`,
  );
  const { session: made } = await session({
    RetrievePropertiesEx: (_call, nth) => (nth === 0 ? there : fault('ManagedObjectNotFound')),
  });
  expect(await machineFacts(made, 'vm-9')).toEqual({
    name: 'a/b%',
    power: 'on',
    guest_addresses: ['192.0.2.20', 'fe80::1'],
    tools: null,
  });
  expect(await machineFacts(made, 'vm-9')).toBeNull();
});

test('a key of the settings that is set to nothing counts as not set', async () => {
  const option = (key: string, value: string) =>
    `<OptionValue xsi:type="OptionValue"><key>${key}</key><value xsi:type="xsd:string">${value}</value></OptionValue>`;
  const body = `<returnval><objects><obj type="VirtualMachine">vm-9</obj><propSet><name>config.extraConfig</name><val xsi:type="ArrayOfOptionValue">${option('a', '1')}${option('b', '')}</val></propSet></objects></returnval>`;
  const { session: made } = await session({ RetrievePropertiesEx: returned('RetrievePropertiesEx', body) });
  expect(await readExtraConfig(made, 'vm-9', ['a', 'b', 'c'])).toEqual({ a: '1', b: null, c: null });
});

test('an answer that is cut short is unreadable', async () => {
  const { session: made } = await session({
    RetrievePropertiesEx: envelope('<RetrievePropertiesExResponse').slice(0, -30),
  });
  expect(await faultOf(leaseState(made, 'l'))).toMatchObject({ reason: 'unreadable' });
});

test('what is set is escaped and typed; passwords of an OVF environment are in no message', async () => {
  const { session: made, sent } = await session({
    ReconfigVM_Task: fault('SystemError', { message: 'Bad: Canary-env-pw in Property 192.0.2.20' }),
  });
  const environment =
    '<Environment xmlns:oe="urn:oe"><Property oe:key="ip0" oe:value="192.0.2.20"/><Property oe:key="ROOT_PASSWORD" oe:value="Canary-env-pw"/></Environment>';
  const { message } = await faultOf(setExtraConfig(made, 'vm-9', { 'guestinfo.ovfEnv': environment, 'a.b': '$& <' }));
  expect(message).toContain('Bad: [removed] in Property 192.0.2.20');
  expect(sent.at(-1)!.body).toContain(
    '<spec><extraConfig><key>guestinfo.ovfEnv</key><value xsi:type="xsd:string">&lt;Environment ',
  );
  expect(sent.at(-1)!.body).toContain(
    '<extraConfig><key>a.b</key><value xsi:type="xsd:string">$&amp; &lt;</value></extraConfig></spec>',
  );
});

test.each([
  ['1', 30],
  ['300', 300],
  ['999999999', 3600],
])('a lease of %s seconds counts as one of %i', async (said, seconds) => {
  const told = info('https://*/nfc/t/d').replace('<leaseTimeout>300<', `<leaseTimeout>${said}<`);
  const { session: made } = await session({ RetrievePropertiesEx: lease('ready', told) });
  expect((await waitForLease(made, 'l')).timeout_seconds).toBe(seconds);
});

test('a lease with more places than there can be is refused', async () => {
  const one = /<deviceUrl>.*<\/deviceUrl>/;
  const told = info('https://*/nfc/t/d').replace(one, (device) => device.repeat(65));
  const { session: made } = await session({ RetrievePropertiesEx: lease('ready', told) });
  expect(await faultOf(waitForLease(made, 'l'))).toMatchObject({ reason: 'unreadable' });
});
