// An interface whose adapter was taken out is forgotten over the API and on its page, and one goes from dhcp to static
// without an address: what is answered, saved, audited and shown.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ObservedLink } from '../../../shared/ground/machine/host.ts';
import { LINKS } from '../../setup/house.ts';
import { PHYSICAL, setScene } from './scene.ts';

const scene = setScene();
const UI = '/ui/management';
const GONE = `${PHYSICAL}/ens224`;
const TABLES = ['interface', 'unit_settings', 'dhcp_scope', 'storage_datastore', 'firewall_rule', 'dns_record'];

const api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  scene.house.send(method, path, {
    token: scene.admin.token,
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  });
async function save(method: string, path: string, body: unknown) {
  const answer = await api(method, `/api/v1${path}`, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
}
const post = (to: string, form: Record<string, string>) =>
  scene.house.send('POST', `${UI}${to}`, { session: scene.admin, form });
const show = async (to: string, who = scene.admin) =>
  (await scene.house.send('GET', `${UI}${to}`, { session: who })).text;
const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const rows = async (): Promise<string> =>
  JSON.stringify(await Promise.all(TABLES.map((table) => scene.house.services.store.all(`SELECT * FROM ${table}`))));
const sql = (text: string) => scene.house.services.store.write((tx) => tx.run(text));

/** The adapter of ens224 is taken out, and the host is read. */
async function takeOut(name = 'ens224'): Promise<void> {
  scene.links = LINKS.filter((link) => link.name !== name);
  const { vanished } = await save('POST', '/interfaces/refresh', {});
  expect(vanished).toContain(name);
}

/** Everything that a refused request must leave as it was; answers what it says, once in a dry run and once in earnest. */
async function refusedTwice(send: (query: string) => ReturnType<typeof api>) {
  const [before, audited] = [await rows(), await scene.house.lastAudit()];
  const dry = await send('?dry_run=true');
  const real = await send('');
  const told = ({ status, body: { instance: _id, request_id: _request, ...body } }: typeof dry) => ({ status, body });
  expect(told(real)).toEqual(told(dry));
  expect(await rows()).toBe(before);
  expect(await scene.house.audited(audited)).toEqual([]);
  return real;
}

// The scene expects that every adapter is there.
afterEach(async () => {
  scene.links = LINKS;
  await sql('DELETE FROM firewall_rule');
  await save('POST', '/interfaces/refresh', {});
});

describe('forgetting', () => {
  const lab = () => save('PATCH', '/interfaces/physical/ens224', { role: 'access', ipv4_cidr: '192.168.10.2/24' });

  test('is refused while the interface is in the machine', async () => {
    const { status, body } = await refusedTwice((query) => api('DELETE', GONE + query));
    expect([status, body.error_code]).toEqual([409, 'state_conflict']);
    expect(body.detail).toMatch(/^ens224 is in this machine.*refresh the interfaces from the host first.*role unused/);
  });

  test('ends it, with one audit event; a dry run says the same and keeps it', async () => {
    await lab();
    await save('PATCH', '/ntp/settings', { enabled: true, listen_interfaces: ['ens192', 'ens224'] });
    await takeOut();
    const before = await rows();
    const dry = await api('DELETE', `${GONE}?dry_run=true`);
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({
      name: 'ens224',
      present: false,
      impact: { refreshed_units: ['ntp'], deselected: [{ subject: 'NTP', interface: 'ens224' }] },
    });
    expect(await rows()).toBe(before);
    const audited = await scene.house.lastAudit();
    expect((await api('DELETE', GONE, undefined, { 'if-match': '"r4"' })).status).toBe(204);
    expect(await scene.house.audited(audited)).toEqual(['network.interface.delete']);
    const event = await scene.house.services.store.one<{ resource_id: string; detail: string }>(
      'SELECT resource_id, detail FROM audit_event ORDER BY seq DESC LIMIT 1',
    );
    expect(event!.resource_id).toBe('ens224');
    expect(JSON.parse(event!.detail)).toEqual({
      mac_address: '00:50:56:9c:0a:02',
      role: 'access',
      ipv4_cidr: '192.168.10.2/24',
      ipv6_cidr: '',
      refreshed_units: ['ntp'],
    });
    expect((await api('GET', GONE)).status).toBe(404);
    expect((await api('DELETE', GONE)).status).toBe(404);
    expect((await api('GET', '/api/v1/ntp/settings')).body.listen_interfaces).toEqual(['ens192']);
  });

  test.each([
    ['under its name', (link: ObservedLink) => link],
    ['under another name', (link: ObservedLink) => ({ ...link, name: 'ens225' })],
  ])('is refused when the adapter is back %s and nobody read the host since', async (_name, back) => {
    await takeOut();
    scene.links = LINKS.map((link) => (link.name === 'ens224' ? back(link) : link));
    const { status, body } = await refusedTwice((query) => api('DELETE', GONE + query));
    expect([status, body.error_code]).toEqual([409, 'state_conflict']);
    expect(body.detail).toContain('is in this machine again');
  });

  test('a rule that was switched off for it is not switched on without it', async () => {
    await lab();
    const accept = { name: 'lab', direction: 'input', action: 'accept', interface: 'ens224', enabled: false };
    const { id } = await save('POST', '/firewall/rules', accept);
    await takeOut();
    expect((await api('DELETE', GONE)).status).toBe(204);
    const { status, body } = await api('PATCH', `/api/v1/firewall/rules/${id}`, { enabled: true });
    expect([status, body.errors[0].pointer]).toEqual([422, '/interface']);
  });

  test('leaves a new interface without settings when the adapter comes back', async () => {
    await lab();
    await takeOut();
    expect((await api('DELETE', GONE)).status).toBe(204);
    scene.links = LINKS;
    expect((await save('POST', '/interfaces/refresh', {})).added).toEqual(['ens224']);
    expect((await api('GET', GONE)).body).toMatchObject({ role: 'unused', ipv4_cidr: '', present: true, revision: 5 });
  });

  test('no tag of the forgotten one fits the new one', async () => {
    await lab();
    await takeOut();
    expect((await api('DELETE', GONE)).status).toBe(204);
    scene.links = LINKS;
    await save('POST', '/interfaces/refresh', {});
    for (const tag of ['"r1"', '"r2"', '"r3"', '"r4"']) {
      expect((await api('PATCH', GONE, { mtu: 1400 }, { 'if-match': tag })).status).toBe(412);
    }
    expect((await api('PATCH', GONE, { mtu: 1400 }, { 'if-match': '"r5"' })).body.revision).toBe(6);
  });

  test.each([
    ['"r1"', 412, 'revision_stale'],
    ['r1', 400, 'malformed_precondition'],
  ])('with If-Match %s is %d', async (tag, status, code) => {
    await takeOut();
    const answer = await refusedTwice((query) => api('DELETE', GONE + query, undefined, { 'if-match': tag }));
    expect([answer.status, answer.body.error_code]).toEqual([status, code]);
  });

  test('needs the scope', async () => {
    await takeOut();
    expect((await scene.house.send('DELETE', GONE, { token: scene.viewer.token })).status).toBe(403);
  });

  test('is refused by VLANs, each with its page', async () => {
    await takeOut('ens256');
    const { status, body } = await refusedTwice((query) => api('DELETE', `${PHYSICAL}/ens256${query}`));
    expect([status, body.error_code]).toEqual([409, 'still_referenced']);
    expect(body.detail).toContain('ens256 is no longer in this machine.');
    expect(body.blockers).toMatchObject([{ subject: 'VLAN ens256.20', page: `${UI}/vlans/vlan_a` }]);
    await save('DELETE', '/vlans/vlan_a', undefined);
    expect((await api('DELETE', `${PHYSICAL}/ens256`)).status).toBe(204);
  });

  /** Everything that can stand on ens224. */
  async function furnish(): Promise<void> {
    await lab();
    await save('PATCH', '/ntp/settings', { enabled: true, listen_interfaces: ['ens224'] });
    const scope = { name: 'lab', address_family: 'ipv4', interface: 'ens224', subnet_cidr: '192.168.10.0/24' };
    await save('POST', '/dhcp/scopes', scope);
    const { id } = await save('POST', '/storage/volumes', { name: 'nvme0', device: '/dev/disk/by-id/nvme-0' });
    const datastore = { name: 'iso', volume_id: id, interface: 'ens224', address_families: ['ipv4'] };
    await save('POST', '/storage/datastores', datastore);
    const rule = { name: 'no telnet', action: 'drop', direction: 'input', protocol: 'tcp', ports: '23' };
    await save('POST', '/firewall/rules', { ...rule, interface: 'ens224' });
    await save('POST', '/firewall/rules', { ...rule, name: 'off', interface: 'ens224', enabled: false });
    await takeOut();
  }
  const SUBJECTS = ['NTP', 'DHCP scope lab', 'Datastore iso', 'Firewall rule no telnet'];

  test('is refused by all that still needs it, and goes once nothing does', async () => {
    await furnish();
    const { status, body } = await refusedTwice((query) => api('DELETE', GONE + query));
    expect([status, body.error_code]).toEqual([409, 'dependents_refuse']);
    expect(body.blockers.map(({ subject }: { subject: string }) => subject)).toEqual(SUBJECTS);
    for (const { reason, page, unblock } of body.blockers) {
      expect(reason).toMatch(/ens224,? (?:which )?is no longer in this machine\.$/);
      expect((await scene.house.send('GET', page, { session: scene.admin })).status).toBe(200);
      expect(unblock).not.toBe('');
    }
    await save('PATCH', '/ntp/settings', { enabled: false });
    await sql('UPDATE dhcp_scope SET enabled = 0');
    await sql('UPDATE storage_datastore SET enabled = 0');
    await sql('UPDATE firewall_rule SET enabled = 0');
    expect((await api('DELETE', GONE)).status).toBe(204);
  });

  describe('on the pages', () => {
    test('an interface that is there offers no deletion, and refuses it', async () => {
      expect(await show('/interfaces')).not.toContain('Delete ens224');
      expect(await show('/interfaces/ens224')).not.toContain('Delete interface');
      const page = await show('/interfaces/ens224/delete');
      expect(wordsOf(page)).toContain('ens224 is in this machine, and only an interface that is gone can be deleted');
      expect(page).toMatch(/aria-disabled="true"[^>]*>Delete interface/);
      expect((await post('/interfaces/ens224/delete', { revision: '3' })).status).toBe(409);
    });

    test('one that is gone says so wherever it is shown, and is deleted after the question', async () => {
      await lab();
      await takeOut();
      const list = await show('/interfaces');
      expect(wordsOf(list)).toMatch(/ens224 access access desired: 192\.168\.10\.2\/24 none Gone /);
      expect(list).toContain('href="/ui/management/interfaces/ens224/delete"');
      expect(wordsOf(await show('/interfaces?show=problems'))).toContain('ens224');
      const page = await show('/interfaces/ens224');
      expect(wordsOf(page)).toContain('ens224 is no longer in this machine. Its settings are kept');
      expect(page).toContain('Delete interface');
      const question = await show('/interfaces/ens224/delete');
      expect(wordsOf(question)).toContain('Deleting it moves nothing else');
      expect(question).toContain('name="revision" value="4"');
      expect((await post('/interfaces/ens224/delete', { revision: '2' })).status).toBe(412);
      const { status, headers, cookies } = await post('/interfaces/ens224/delete', { revision: '4' });
      expect([status, headers.location]).toEqual([303, `${UI}/interfaces`]);
      expect(decodeURIComponent(cookies.join())).toContain('ens224 is deleted');
      expect(wordsOf(await show('/interfaces'))).not.toContain('ens224');
    });

    test('its question links to what still needs it, and offers no button', async () => {
      await furnish();
      const page = await show('/interfaces/ens224/delete');
      for (const subject of SUBJECTS) expect(wordsOf(page)).toContain(`${subject}.`);
      expect(page).toMatch(/aria-disabled="true"[^>]*>Delete interface/);
      expect(page).toMatch(/href="\/ui\/management\/firewall\/rules\/\w+"/);
      expect((await post('/interfaces/ens224/delete', { revision: '4' })).status).toBe(409);
    });

    test('a VLAN says that its trunk is gone', async () => {
      await takeOut('ens256');
      expect(wordsOf(await show('/vlans/vlan_a'))).toContain('stands on ens256, which is no longer in this machine');
      expect(wordsOf(await show('/vlans'))).toMatch(/ens256\.20 .* Gone /);
      expect(wordsOf(await show('/interfaces/ens256/delete'))).toContain('VLAN ens256.20.');
    });

    test('a viewer sees that it is gone and is offered no deletion', async () => {
      await takeOut();
      expect(await show('/interfaces', scene.viewer)).not.toContain('ens224/delete');
      const page = await show('/interfaces/ens224', scene.viewer);
      expect(wordsOf(page)).toContain('ens224 is no longer in this machine');
      expect(page).not.toContain('Delete interface');
    });
  });
});

describe('static after dhcp', () => {
  const MANAGEMENT = `${PHYSICAL}/ens192`;
  const [first, ...others] = LINKS as [ObservedLink, ...ObservedLink[]];
  const lend = (...ipv4_cidrs: string[]): void => {
    scene.links = [{ ...first, ipv4_cidrs, ipv4_gateway: '10.10.0.1' }, ...others];
  };
  const SHOWN = { enabled: 'true', enabled_was: 'true', access_management_ui_enabled_was: 'false' };
  const FORM = {
    ...SHOWN,
    ipv6_enabled_was: 'false',
    role: 'management',
    mode: 'access',
    mtu: '1500',
    ipv4_method: 'static',
    ipv4_method_was: 'dhcp',
    ipv4_cidr: '',
    ipv4_gateway: '',
    ipv6_cidr: '',
    ipv6_gateway: '',
    revision: '4',
  };

  beforeEach(() => save('PATCH', '/interfaces/physical/ens192', { ipv4_method: 'dhcp' }));

  test('keeps what the link has now, with its gateway, and says so; a dry run says the same', async () => {
    await save('PATCH', '/ntp/settings', { enabled: true, listen_interfaces: ['ens192'] });
    lend('10.10.0.77/24');
    const dry = await api('PATCH', `${MANAGEMENT}?dry_run=true`, { ipv4_method: 'static' });
    const { status, body } = await api('PATCH', MANAGEMENT, { ipv4_method: 'static' });
    expect({ ...body, updated_at: '' }).toEqual({ ...dry.body, updated_at: '' });
    expect([dry.status, status]).toEqual([200, 200]);
    expect(body).toMatchObject({ ipv4_method: 'static', ipv4_cidr: '10.10.0.77/24', ipv4_gateway: '10.10.0.1' });
    expect(body.impact.changed).toEqual([
      { property: 'ipv4_method', from: 'dhcp', to: 'static' },
      { property: 'ipv4_cidr', from: '', to: '10.10.0.77/24' },
      { property: 'ipv4_gateway', from: '', to: '10.10.0.1' },
    ]);
    expect(body.impact.notes[0]).toContain(
      'ens192 keeps 10.10.0.77/24 and the gateway 10.10.0.1, which the link has now',
    );
    expect((await api('GET', '/api/v1/ntp/settings')).body.listen_addresses).toEqual(['10.10.0.77']);
  });

  test('is refused at the address where DHCP gave none, and nothing is saved', async () => {
    lend();
    const { status, body } = await refusedTwice((query) => api('PATCH', MANAGEMENT + query, { ipv4_method: 'static' }));
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: '/ipv4_cidr', detail: expect.stringContaining('DHCP gave no address') }]);
  });

  test('is refused where DHCP gave none by the form as well, which takes none for no IPv4 address', async () => {
    lend();
    await save('PATCH', '/interfaces/physical/ens192', { ipv6_cidr: 'fd00:10::2/64' });
    const { revision } = (await api('GET', MANAGEMENT)).body;
    const form = {
      ...FORM,
      ipv6_enabled_was: 'true',
      ipv6_enabled: 'true',
      ipv6_cidr: 'fd00:10::2/64',
      revision: `${revision}`,
    };
    expect((await post('/interfaces/ens192', form)).status).toBe(422);
    expect((await post('/interfaces/ens192', { ...form, ipv4_cidr: 'none' })).status).toBe(303);
    expect((await api('GET', MANAGEMENT)).body).toMatchObject({ ipv4_method: 'static', ipv4_cidr: '' });
    await save('PATCH', '/interfaces/physical/ens192', { ipv4_cidr: '10.10.0.2/24' });
  });

  test('of an adapter that has the name by now is not taken', async () => {
    const swapped = LINKS.map(({ name, ...link }) => ({
      ...link,
      name: name === 'ens192' ? 'ens224' : name === 'ens224' ? 'ens192' : name,
    }));
    scene.links = swapped.map((link) => (link.name === 'ens192' ? { ...link, ipv4_cidrs: ['10.99.0.7/24'] } : link));
    const { body } = await api('PATCH', `${MANAGEMENT}?dry_run=true`, { ipv4_method: 'static' });
    expect(JSON.stringify(body)).not.toContain('10.99.0.7');
  });

  test('by the form with empty fields keeps it too', async () => {
    lend('10.10.0.77/24');
    const checked = await post('/interfaces/ens192', { ...FORM, dry_run: 'true' });
    expect(checked.status).toBe(200);
    expect(wordsOf(checked.text)).toContain('ens192 keeps 10.10.0.77/24 and the gateway 10.10.0.1');
    expect((await post('/interfaces/ens192', FORM)).status).toBe(303);
    expect((await api('GET', MANAGEMENT)).body).toMatchObject({
      ipv4_method: 'static',
      ipv4_cidr: '10.10.0.77/24',
      ipv4_gateway: '10.10.0.1',
    });
  });

  test('by the form without an address comes back with the fault at its field', async () => {
    lend();
    const { status, text } = await post('/interfaces/ens192', FORM);
    expect(status).toBe(422);
    expect(text).toContain('id="ipv4_cidr-error"');
    expect(text).toContain('name="ipv4_method_was" value="dhcp"');
  });

  test('by the form of a static interface an empty field still clears the address', async () => {
    const lab = { role: 'access', ipv4_cidr: '192.168.10.2/24' };
    await save('PATCH', '/interfaces/physical/ens224', lab);
    const form = { ...FORM, role: 'access', ipv4_method_was: 'static' };
    expect((await post('/interfaces/ens224', form)).status).toBe(303);
    expect((await api('GET', GONE)).body.ipv4_cidr).toBe('');
  });
});

test('a VLAN that a rule of the firewall names is not deleted while the rule is on', async () => {
  await save('PATCH', '/interfaces/physical/ens224', { mode: 'trunk' });
  const vlan = { parent_interface: 'ens224', vlan_id: 77, ipv4_cidr: '172.16.77.2/24', role: 'access', enabled: true };
  const { id } = await save('POST', '/vlans', vlan);
  const drop = { name: 'no telnet', action: 'drop', direction: 'input', protocol: 'tcp', ports: '23' };
  const rule = await save('POST', '/firewall/rules', { ...drop, interface: 'ens224.77' });
  const { status, body } = await refusedTwice((query) => api('DELETE', `/api/v1/vlans/${id}${query}`));
  expect([status, body.error_code]).toEqual([409, 'dependents_refuse']);
  expect(body.blockers).toEqual([
    {
      subject: 'Firewall rule no telnet',
      reason: 'It applies to ens224.77, which would be deleted.',
      page: `/ui/management/firewall/rules/${rule.id}`,
      unblock: 'Give the rule another interface, disable it, or delete it.',
    },
  ]);
  await save('PATCH', `/firewall/rules/${rule.id}`, { enabled: false });
  expect((await api('DELETE', `/api/v1/vlans/${id}`)).status).toBe(204);
});
