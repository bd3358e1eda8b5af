// Kickstarts, and what hosts install: texts and values that are written and never read back.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BootScene, CANARIES, MEDIUM, TEXT } from '../setup/boot-scene.ts';

let scene: BootScene;

beforeAll(async () => {
  scene = await BootScene.open();
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
