// The login and single calls, by what is sent and how answers are read.
import { describe, expect, test } from '@jest/globals';
import { openVsphere, type VsphereSession } from '../../../../shared/vcf/vsphere/session.ts';
import { COOKIE, CREDENTIAL, canned, content, fault, faultOf, returned, session } from './canned.ts';

test('asks what it is, logs in with escaped texts, gives the cookie back byte for byte, logs out', async () => {
  const { session: made, sent } = await session({
    CurrentTime: returned('CurrentTime', '<returnval>2026-08-01T10:00:00.5Z</returnval>'),
  });
  expect(made).toMatchObject({
    kind: 'vcenter',
    about: {
      name: 'VMware vCenter Server',
      vendor: 'VMware, Inc.',
      version: '8.0.3',
      build: '24022510',
      instance_uuid: '8f0c',
    },
    services: { rootFolder: { type: 'Folder', id: 'group-d1' } },
  });
  expect((await made.currentTime()).toISOString()).toBe('2026-08-01T10:00:00.500Z');
  await made.logout();
  await made.logout();
  expect(sent.map(({ method }) => method)).toEqual(['RetrieveServiceContent', 'Login', 'CurrentTime', 'Logout']);
  expect(sent[1]!.body).toContain('<password>Canary-pw-7f3a &amp; &lt;more&gt;</password>');
  expect(sent[1]!.body).toContain('<_this type="SessionManager">sessionManager</_this><userName>');
  expect(sent.map(({ headers }) => headers.cookie)).toEqual([
    undefined,
    undefined,
    `vmware_soap_session=${COOKIE}`,
    `vmware_soap_session=${COOKIE}`,
  ]);
  for (const { headers, bytes } of sent) {
    expect(headers.soapaction).toBe('"urn:vim25/6.7"');
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  }
});

describe('what answers is no vSphere, or none that is known', () => {
  test.each([
    ['a web page', { status: 200, body: '<!DOCTYPE html><html></html>' }, 'not_vsphere', 'remote_unsupported'],
    ['nothing at that place', { status: 404, body: 'not found' }, 'not_vsphere', 'remote_unsupported'],
    ['a redirect', { status: 302, body: '' }, 'not_vsphere', 'remote_unsupported'],
    ['JSON', { status: 200, body: '{}' }, 'not_vsphere', 'remote_unsupported'],
    [
      'another SOAP',
      { status: 200, body: '<Envelope xmlns="urn:x"><Body/></Envelope>' },
      'not_vsphere',
      'remote_unsupported',
    ],
    ['the answer to something else', returned('Login', ''), 'not_vsphere', 'remote_unsupported'],
    ['another product of the family', content('Other'), 'not_vsphere', 'remote_unsupported'],
    ['a release too old', content('HostAgent', '6.5.0'), 'unsupported', 'remote_unsupported'],
    ['a release without a number', content('HostAgent', 'x'), 'unsupported', 'remote_unsupported'],
    ['services that start', { status: 503, body: '' }, 'not_ready', 'remote_not_ready'],
    ['a proxy that fails', { status: 500, body: 'oops' }, 'not_ready', 'remote_not_ready'],
  ])('%s', async (_name, answer, reason, code) => {
    const { client, sent } = canned({ RetrieveServiceContent: answer });
    expect(await faultOf(openVsphere(client, CREDENTIAL))).toMatchObject({ reason, code });
    // No credential was sent.
    expect(sent.map(({ method }) => method)).toEqual(['RetrieveServiceContent']);
  });
});

describe('faults by their type', () => {
  test.each([
    ['InvalidLogin', 'login_refused', 'remote_login_refused'],
    ['NotAuthenticated', 'session_lost', 'remote_login_refused'],
    ['NoPermission', 'not_permitted', 'remote_refused'],
    ['RestrictedVersion', 'licence', 'remote_unsupported'],
    ['DuplicateName', 'name_taken', 'vm_name_taken'],
    ['FileAlreadyExists', 'name_taken', 'vm_name_taken'],
    ['NoDiskSpace', 'no_space', 'remote_refused'],
    ['InsufficientResourcesFault', 'no_resources', 'remote_refused'],
    ['InsufficientMemoryResourcesFault', 'no_resources', 'remote_refused'],
    ['NotUserConfigurableProperty', 'property_refused', 'remote_refused'],
    ['OvfUnsupportedHardwareFamily', 'ova_refused', 'remote_refused'],
    ['ManagedObjectNotFound', 'gone', 'remote_refused'],
    ['Timedout', 'lease_over', 'remote_refused'],
    ['HostNotConnected', 'not_ready', 'remote_not_ready'],
    ['SomethingNew', 'refused', 'remote_refused'],
  ])('%s', async (type, reason, code) => {
    const { session: made } = await session({ CurrentTime: fault(type, { message: 'It says so' }) });
    const met = await faultOf(made.currentTime());
    expect(met).toMatchObject({ reason, code, fault_type: type });
    expect(met.message).toContain('vSphere says: It says so.');
  });

  test('one without a type goes by the name of its element; the missing privilege is named', async () => {
    const body = (inside: string) => ({ status: 500, body: fault('X').body.replace(/<XFault.*<\/XFault>/, inside) });
    const { session: made } = await session({
      CurrentTime: (_call, nth) =>
        body(
          nth === 0
            ? '<InvalidLoginFault xmlns="urn:vim25"/>'
            : '<NoPermissionFault xmlns="urn:vim25"><privilegeId>VApp.Import</privilegeId></NoPermissionFault>',
        ),
    });
    expect(await faultOf(made.currentTime())).toMatchObject({ fault_type: 'InvalidLogin' });
    expect((await faultOf(made.currentTime())).message).toContain('(privilege VApp.Import)');
  });

  test('a message never repeats what is secret, in whatever form', async () => {
    const forms = [
      CREDENTIAL.password,
      encodeURIComponent(CREDENTIAL.password),
      COOKIE,
      'ticket-4711-4711',
      'property-value-1',
    ];
    const { session: made } = await session({
      CurrentTime: fault('SystemError', {
        message: forms.map((each) => each.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)).join(' | '),
      }),
    });
    made.hide('ticket-4711-4711', 'property-value-1');
    const { message } = await faultOf(made.currentTime());
    expect(message).toContain('[removed]');
    for (const form of ['Canary', 'canary', 'ticket-4711', 'property-value']) expect(message).not.toContain(form);
    expect(message.length).toBeLessThan(1000);
  });
});

test('after the session was lost it is renewed with a fresh cookie', async () => {
  let lost = true;
  const { session: made, sent } = await session({
    CurrentTime: () =>
      lost ? fault('NotAuthenticated') : returned('CurrentTime', '<returnval>2026-08-01T10:00:00Z</returnval>'),
  });
  expect(await faultOf(made.currentTime())).toMatchObject({ reason: 'session_lost' });
  expect(made.open).toBe(false);
  lost = false;
  await made.renew(CREDENTIAL);
  expect(sent.at(-1)).toMatchObject({ method: 'Login' });
  expect(sent.at(-1)!.headers.cookie).toBeUndefined();
  await made.currentTime();
  expect(made.open).toBe(true);
});

test('a login that gives no session is none', async () => {
  const { client } = canned({ Login: returned('Login', '<returnval/>') });
  expect(await faultOf(openVsphere(client, CREDENTIAL))).toMatchObject({ reason: 'unreadable' });
});

test('an abort ends it with the reason of the signal', async () => {
  const { client } = canned();
  const reason = new Error('stopped by somebody');
  const work = openVsphere(client, CREDENTIAL, { signal: AbortSignal.abort(reason) });
  await expect(work).rejects.toBe(reason);
});

test('answers are bounded in bytes at every call', async () => {
  const { session: made, sent } = await session({
    CurrentTime: returned('CurrentTime', '<returnval>2026-08-01T10:00:00Z</returnval>'),
  });
  await (made as VsphereSession).currentTime();
  for (const { limit } of sent) expect(limit).toBeGreaterThan(0);
});

test('what a server says of itself, and names that it gives, are short and repeat no password', async () => {
  const about = content().replace('VMware vCenter Server', 'vc &#10;Canary-pw-7f3a &amp; &lt;more&gt;');
  const { session: made } = await session({
    RetrieveServiceContent: about.replace('24022510', 'b'.repeat(100_000)),
  });
  expect(made.about.name).not.toMatch(/canary/i);
  expect(made.about.build).toHaveLength(255);
  expect(made.label('VM Network  7')).toBe('VM Network  7');
  // A user name is a word like others there.
  expect(made.label('administrator@vsphere.local')).toBe('administrator@vsphere.local');
  expect(made.label('a\u001b[2Jb\u202ec\nd')).toBe('a [2Jb c d');
  for (const form of [CREDENTIAL.password, encodeURIComponent(CREDENTIAL.password), 'x CANARY-PW-7 y']) {
    expect(made.label(`dc ${form}`)).not.toMatch(/canary/i);
  }
});

test('a fault of a name that nobody knows is named, unless it repeats what was sent', async () => {
  const { session: made } = await session({
    CurrentTime: (_call, nth) => fault(nth === 0 ? 'SomethingNew' : 'TicketTicket4711'),
  });
  made.hide('TicketTicket4711');
  expect((await faultOf(made.currentTime())).message).toContain('(SomethingNew)');
  const met = await faultOf(made.currentTime());
  expect([met.fault_type, met.message.includes('Ticket')]).toEqual([null, false]);
});
