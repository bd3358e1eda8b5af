// Kickstarts, and what hosts install: texts and values that are written and never read back.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BootScene, CANARIES, MEDIUM, TEXT } from '../../setup/boot-scene.ts';

let scene: BootScene;

beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
});
afterAll(() => scene.house.close());

/** Audit events that the work writes. */
async function audited(work: () => Promise<unknown>): Promise<string[]> {
  const before = await scene.house.lastAudit();
  await work();
  return scene.house.audited(before);
}

describe('Kickstarts and what hosts install', () => {
  test('a text is written, never read back, and its revision is the SHA-256 of it', async () => {
    const { body, text } = await scene.call('GET', `/kickstarts/${scene.kickstart_id}`);
    expect(body).toMatchObject({
      text_lines: 9,
      host_fields: ['hostname', 'ip_address'],
      variables: ['root_password'],
      text_revision: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^text$|sealed/)]));
    expect(text).not.toMatch(/Canary/);
  });

  test('faults name their lines and quote nothing', async () => {
    const text = `vmaccepteula\ninstall --disk = ${CANARIES.text}\nrootpw {{ vault.x }}\n`;
    const { status, body, text: raw } = await scene.call('POST', '/kickstarts', { name: 'Bad', text });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { pointer: '/text', detail: expect.stringMatching(/^Line 2: .*spaces/) },
      { pointer: '/text', detail: expect.stringMatching(/^Line 3: .*vaults/) },
    ]);
    expect(raw).not.toContain(CANARIES.text);
    const looked = await scene.call('POST', '/kickstarts/validate', { text: `${text}teleport\n` });
    expect(looked.body).toMatchObject({
      valid: false,
      faults: [
        { line: 2, severity: 'error' },
        { line: 3, severity: 'error' },
        { line: 4, severity: 'warning' },
      ],
    });
  });

  test('a password that stands in the text is a warning, which its page shows, and never quoted', async () => {
    const text = TEXT.replace('{{ var.root_password }}', CANARIES.text);
    const { body } = await scene.call('POST', '/kickstarts', { name: 'Literal', text });
    const looked = await scene.call('POST', '/kickstarts/validate', { text });
    const faults = [{ line: 4, severity: 'warning', detail: expect.stringContaining('use --iscrypted') }];
    expect(looked.body).toMatchObject({ valid: true, faults });
    const preview = await scene.call('GET', `/kickstarts/${body.id}/preview`);
    expect(preview.body.warnings).toEqual(faults);
    const path = `/ui/management/network-boot/kickstarts/${body.id}`;
    const page = await scene.house.send('GET', path, { session: scene.admin });
    expect(page.text.replaceAll(/<[^>]*>/g, '')).toContain('Line 4: The password is in the text itself');
    for (const heard of [looked, preview, page]) expect(heard.text).not.toContain(CANARIES.text);
    for (const rootpw of ['rootpw --iscrypted $6$x', 'rootpw {{ var.root_password }}']) {
      const { faults } = (
        await scene.call('POST', '/kickstarts/validate', { text: text.replace(/^rootpw.*/m, rootpw) })
      ).body;
      expect(faults).toEqual([]);
    }
  });

  test('the form shows every fault of the text at its field', async () => {
    const form = { name: 'Faulty', text: 'install --x = y\nrootpw\n', enabled: 'on' };
    const path = '/ui/management/network-boot/kickstarts/new';
    const { status, text } = await scene.house.send('POST', path, { session: scene.admin, form });
    const [, at = ''] = /id="text-error">(.*?)<\/p>/.exec(text) ?? [];
    expect([status, at.match(/Line \d+/g)]).toEqual([422, ['Line 1', 'Line 2']]);
    expect(at).toContain('vmaccepteula is missing');
  });

  test('the same text again changes nothing', async () => {
    const before = (await scene.call('GET', `/kickstarts/${scene.kickstart_id}`)).body;
    const { body } = await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, {
      text: TEXT.replaceAll('\n', '\r\n'),
    });
    expect(body).toEqual(before);
  });

  test('a text may not ask for more than its hosts have', async () => {
    const text = `${TEXT.replace('reboot', 'network --vlanid={{ var.vlan }}')}`;
    const { status, body } = await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { text });
    expect([status, body.error_code]).toEqual([409, 'state_conflict']);
    expect(body.blockers).toEqual([
      expect.objectContaining({ subject: 'ESXi host esx01.lab.example', reason: 'It lacks the variable vlan.' }),
      ...body.blockers.slice(1),
    ]);
  });

  test('all hosts are looked at, and those that are not named are counted', async () => {
    const { body } = await scene.call('POST', '/kickstarts', { name: 'Many', text: TEXT });
    await scene.write(
      `INSERT INTO network_boot_host (id, hostname, mac_address, ip_address, kickstart_id, variable_names, created_at, updated_at)
       WITH RECURSIVE n(value) AS (SELECT 100 UNION ALL SELECT value + 1 FROM n WHERE value < 160)
       SELECT 'host_many' || value, 'many' || value, 'many' || value, 'x', ?,
         iif(value = 160, '["root_password"]', '["root_password", "vlan"]'), '', '' FROM n`,
      [body.id],
    );
    const path = `/kickstarts/${body.id}`;
    const one = await scene.call('PATCH', path, { text: `${TEXT}echo {{ var.vlan }}\n` });
    expect([one.status, one.body.blockers]).toEqual([409, [expect.objectContaining({ subject: 'ESXi host many160' })]]);
    const many = await scene.call('PATCH', path, { text: `${TEXT}echo {{ var.other }}\n` });
    expect([many.status, many.body.blockers.length, many.body.detail]).toEqual([
      409,
      50,
      expect.stringMatching(/50 of them are named here, 11 more are not\.$/),
    ]);
    await scene.write("DELETE FROM network_boot_host WHERE id LIKE 'host_many%'");
  });

  test('a host may not have a Kickstart whose values it lacks', async () => {
    const id = await scene.addHost('esx09', '00:50:56:01:02:09', '');
    const { body } = await scene.call('PATCH', `/esxi-hosts/${id}`, { kickstart_id: scene.kickstart_id });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/ip_address', '/variables']);
    const media = await scene.call('PATCH', `/esxi-hosts/${id}`, { media_id: 'medium_none' });
    expect(media.body.errors).toEqual([{ pointer: '/media_id', detail: 'There is no such installer medium.' }]);
    await scene.write(MEDIUM.replace("'ready'", "'unpacking'"), ['medium_half', 'Half']);
    const half = await scene.call('PATCH', `/esxi-hosts/${id}`, { media_id: 'medium_half' });
    expect(half.body.errors).toEqual([{ pointer: '/media_id', detail: 'This installer medium is not ready.' }]);
  });

  test('a Kickstart that hosts have is neither deleted nor disabled', async () => {
    for (const answer of [
      await scene.call('DELETE', `/kickstarts/${scene.kickstart_id}`),
      await scene.call('PATCH', `/kickstarts/${scene.kickstart_id}`, { enabled: false }),
    ]) {
      expect([answer.status, answer.body.error_code]).toEqual([409, 'still_referenced']);
      expect(answer.body.blockers[0].subject).toBe('ESXi host esx01.lab.example');
    }
  });

  test('variables are set and removed one by one, and named alone', async () => {
    const id = await scene.addHost('esx10', '00:50:56:01:02:0a', '');
    const names = async (variables: unknown) =>
      (await scene.call('PATCH', `/esxi-hosts/${id}`, { variables })).body.variable_names;
    expect(await names({ b: CANARIES.variable, a: 'x' })).toEqual(['a', 'b']);
    const { body, text } = await scene.call('GET', `/esxi-hosts/${id}`);
    expect(text).not.toContain(CANARIES.variable);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining([expect.stringMatching(/sealed|digest|^variables$/)]));
    expect(await names({ c: 'y', a: null })).toEqual(['b', 'c']);
    const { revision } = (await scene.call('GET', `/esxi-hosts/${id}`)).body;
    await names({ c: 'y' });
    expect((await scene.call('GET', `/esxi-hosts/${id}`)).body.revision).toBe(revision);
    const events = await audited(() => names({ c: CANARIES.variable }));
    expect(events).toEqual(['network-boot.host.update']);
    const row = await scene.house.services.store.one<{ detail: string }>(
      'SELECT detail FROM audit_event ORDER BY seq DESC LIMIT 1',
    );
    expect(JSON.parse(row!.detail)).toMatchObject({ changed: ['variables'], variable_names: ['b', 'c'] });
    expect(row!.detail).not.toMatch(/Canary|s1\./);
  });

  test('what another keys file sealed is refused with the way out, and that way works', async () => {
    const id = await scene.addHost('esx11', '00:50:56:01:02:0b', '');
    await scene.call('PATCH', `/esxi-hosts/${id}`, { variables: { a: 'x', b: 'y' } });
    const { body: made } = await scene.call('POST', '/kickstarts', { name: 'Other keys', text: TEXT });
    // As another key would have sealed them.
    await scene.write("UPDATE network_boot_host SET variables_sealed = 's1.AAAA' WHERE id = ?", [id]);
    await scene.write("UPDATE network_boot_kickstart SET text_sealed = 's1.AAAA' WHERE id = ?", [made.id]);
    const preview = await scene.call('GET', `/kickstarts/${made.id}/preview`);
    expect([preview.status, preview.body.error_code]).toEqual([409, 'state_conflict']);
    expect(preview.body.detail).toMatch(/keys file.*Write it anew/);
    const some = await scene.call('PATCH', `/esxi-hosts/${id}`, { variables: { a: 'z' } });
    expect([some.status, some.body.errors[0].pointer]).toEqual([409, '/variables']);
    expect(some.body.detail).toMatch(/Send b as well/);
    const all = await scene.call('PATCH', `/esxi-hosts/${id}`, { variables: { a: 'x', b: null } });
    expect([all.status, all.body.variable_names]).toEqual([200, ['a']]);
    // The same text, which could not be opened, is sealed again.
    expect((await scene.call('PATCH', `/kickstarts/${made.id}`, { text: TEXT })).body.revision).toBe(2);
    expect((await scene.call('GET', `/kickstarts/${made.id}/preview`)).status).toBe(200);
  });

  test.each<[unknown, string]>([
    [{ Upper: 'x' }, '/variables/Upper'],
    [{ a: 'x\ny' }, '/variables/a'],
    [{ a: '' }, '/variables/a'],
    [{ a: 'x'.repeat(1025) }, '/variables/a'],
    [{ a: 1 }, '/variables/a'],
    ['a=b', '/variables'],
  ])('variables %j are refused at their name', async (variables, pointer) => {
    const { status, body } = await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
