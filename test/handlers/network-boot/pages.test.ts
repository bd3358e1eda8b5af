// The pages of network boot: boots that wait and the field for their codes, Kickstarts, and what a host installs.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BootScene, CANARIES, LISTENER, MACHINE, TEXT } from '../../setup/boot-scene.ts';
import { type Credentials, PASSWORD } from '../../setup/house.ts';

const UI = '/ui/management/network-boot';
const WAITING = `${UI}/waiting`;
let scene: BootScene;
let viewer: Credentials;

beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
  viewer = await scene.house.actor('viewer');
});
afterAll(() => scene.house.close());
beforeEach(async () => {
  await scene.write('DELETE FROM boot_attempt');
  await scene.write('DELETE FROM sign_in_throttle');
});

const get = (path: string, session: Credentials = scene.admin) => scene.house.send('GET', path, { session });
const post = (path: string, form: Record<string, string>, session: Credentials = scene.admin) =>
  scene.house.send('POST', path, { session, form });
const words = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

/** What the field of a Kickstart's text holds. */
const areaOf = (html: string): string => {
  const [, held = ''] = /<textarea[^>]*id="text"[^>]*>([^<]*)<\/textarea>/.exec(html) ?? [];
  return held.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
};

describe('waiting to boot', () => {
  test('says who waits, since when and how long, and never the code', async () => {
    expect(words((await get(WAITING)).text)).toContain('No host waits.');
    const { code } = await scene.start();
    const { status, text } = await get(WAITING);
    expect(status).toBe(200);
    for (const fact of [
      'esx01.lab.example',
      '00:50:56:01:02:03',
      'The choice came from 127.0.0.1.',
      'UEFI',
      'ESXi 9.0.1',
      'Waits for its code',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).toMatch(/class="ring".*aria-label="(?:10:00|9:59) left"/);
    expect(text).toMatch(/<text [^>]*data-until="(?:600|599)">/);
    expect(text).toMatch(/data-live="attempts"/);
    expect(words(text)).toContain('5 tries left for its code.');
    for (const spelling of [code, code.replace('-', '')]) expect(text).not.toContain(spelling);
    expect(text).not.toMatch(/ style=/);
  });

  test('a code finds its host and authorizes it', async () => {
    const { code } = await scene.start();
    const sent = await post(WAITING, { boot_code: ` ${code.toLowerCase()} ` });
    expect([sent.status, sent.headers.location]).toEqual([303, WAITING]);
    expect(decodeURIComponent(sent.cookies.join())).toContain('esx01.lab.example is authorized for one boot');
    expect((await scene.last()).state).toBe('issued');
    const { text } = await get(WAITING);
    expect(words(text)).toContain('Authorized, waits for the retrieval');
  });

  test('a wrong one is refused at the field, is not filled in again, and counts against no host', async () => {
    await scene.start();
    const { status, text } = await post(WAITING, { boot_code: 'ABCD-EFGH' });
    expect(status).toBe(409);
    expect(text).toMatch(
      /id="boot_code"[^>]*aria-describedby="boot_code-error boot_code-help"[^>]*aria-invalid="true"/,
    );
    expect(text).toContain('id="boot_code-error"');
    expect(text).not.toContain('value="ABCD-EFGH"');
    expect(words(text)).toContain('No console that waits shows this code.');
    expect(words(text)).toContain('5 tries left');
    expect(await scene.last()).toMatchObject({ state: 'pending', wrong_codes: 0 });
  });

  test.each(['ABCD-EFGI', 'ABCD', 'ABCD-EFGH-JKLM', '1234-5678'])(
    '%s, which can be no code, is told so',
    async (typed) => {
      await scene.start();
      for (let n = 0; n < 8; n++) {
        const { status, text } = await post(WAITING, { boot_code: typed });
        expect(status).toBe(409);
        expect(words(text)).toContain('codes have eight letters');
      }
      expect((await scene.last()).wrong_codes).toBe(0);
    },
  );

  test('whoever types many wrong ones waits, at most a minute, and no boot ends by it', async () => {
    const { code } = await scene.start();
    const before = await scene.house.lastAudit();
    let tries = 0;
    let longest = 0;
    // An attempt's ten minutes, with a try as soon as one is let through.
    while (scene.clocks.wall < 599_000 && tries < 100) {
      const { status, headers } = await post(WAITING, {
        boot_code: code.replace(/^./, (l) => (l === 'A' ? 'B' : 'A')),
      });
      if (status === 409) tries += 1;
      if (status !== 429) continue;
      const seconds = Number(headers['retry-after']);
      longest = Math.max(longest, seconds);
      for (const clock of ['wall', 'uptime'] as const) scene.clocks[clock] += Math.min(seconds, 600) * 1000;
    }
    expect([tries, longest]).toEqual([16, 60]);
    expect(await scene.house.audited(before)).toEqual(Array(tries).fill('network-boot.attempt.wrong-code'));
    Object.assign(scene.clocks, { wall: 590_000, uptime: 590_000 });
    expect(await scene.last()).toMatchObject({ state: 'pending', wrong_codes: 0 });
    // The right code has to wait, too; somebody else's, and that of the host's own operation, have not.
    const refused = await post(WAITING, { boot_code: code });
    expect([refused.status, words(refused.text)]).toEqual([
      429,
      expect.stringContaining('Too many codes that match no'),
    ]);
    expect(refused.text).toContain('id="boot_code-error"');
    const other = await scene.house.actor('admin');
    // The clocks stay there: one that is set back ends the sessions.
    expect((await post(WAITING, { boot_code: code }, other)).status).toBe(303);
  });

  test('forty that are sent at once are five', async () => {
    await scene.start();
    const sent = await Promise.all(Array.from({ length: 40 }, () => post(WAITING, { boot_code: 'ABCD-EFGH' })));
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  test('a choice from another address is named where it took another’s place', async () => {
    const choose = (remote: string) =>
      scene.house.appliance.answerBoot(
        scene.house.event('GET', `/boot/start.ipxe?mac=${MACHINE.mac}&firmware=efi`, {
          headers: { host: LISTENER },
          over: { local: '10.10.0.5', remote },
        }),
      );
    for (const remote of ['10.10.0.21', '10.10.0.21', '10.10.0.99']) {
      await choose(remote);
      await new Promise((done) => setTimeout(done, 2));
    }
    const text = words((await get(WAITING)).text);
    expect(text).toContain('The host chose again; the later attempt took its place');
    expect(text).toContain('A later choice took its place; it came from 10.10.0.99, another address');
  });

  test('an empty field is refused at the field and counts against nobody', async () => {
    await scene.start();
    for (const form of [{}, { boot_code: '  ' }]) {
      const { status, text } = await post(WAITING, form);
      expect(status).toBe(422);
      expect(text).toContain('id="boot_code-error"');
    }
    expect((await scene.last()).wrong_codes).toBe(0);
  });

  test('the browser takes every spelling of a code, and tells what can not be one', async () => {
    const [, pattern = ''] = / pattern="([^"]+)"/.exec((await get(WAITING)).text) ?? [];
    const reads = new RegExp(`^(?:${pattern})$`, 'v');
    const { code } = await scene.start();
    for (const typed of [
      code,
      code.toLowerCase(),
      code.replace('-', ''),
      ` ${code.replace('-', ' - ')} `,
      code.replace('-', '–'),
    ]) {
      expect([typed, reads.test(typed)]).toEqual([typed, true]);
    }
    for (const typed of ['', 'ABCD-EFG', 'ABCD-EFGI', 'ABCD-EFGHJ', 'ABCD-EFG1']) {
      expect([typed, reads.test(typed)]).toEqual([typed, false]);
    }
  });

  test('what differs is shown side by side, and the refusal says it, too', async () => {
    const { code } = await scene.start();
    const path = `/esxi-hosts/${scene.host_id}`;
    await scene.call('PATCH', path, { hostname: 'esx01b.lab.example' });
    const shown = words((await get(WAITING)).text);
    expect(shown).toContain('Can’t be authorized: saved and applied differ');
    expect(shown).toContain('Host name esx01.lab.example esx01b.lab.example');
    const { status, text } = await post(WAITING, { boot_code: code });
    expect(status).toBe(409);
    expect(words(text)).toContain('The saved host differs from the applied one in: Host name.');
    expect(words((await get(`${UI}/hosts/${scene.host_id}`)).text)).toContain('Saved, not applied');
    await scene.call('PATCH', path, { hostname: 'esx01.lab.example' });
    expect(words((await get(`${UI}/hosts/${scene.host_id}`)).text)).not.toContain('Saved, not applied');
  });

  test('how attempts ended is said with the reason', async () => {
    const { path } = await scene.ready();
    await scene.boot(path);
    const misused = await scene.ready();
    await scene.boot(misused.path, { host: '10.10.0.9:8081' });
    await scene.start();
    await post(`${WAITING}/${(await scene.last()).id}/revoke`, {});
    const text = words((await get(WAITING)).text);
    const alarm = (await scene.attempts()).find(({ ended_reason }) => ended_reason === 'mismatch')!;
    expect((await get(WAITING)).text).toContain(`href="/ui/management/audit-log?resource_id=${alarm.id}"`);
    for (const reason of [
      'consumed Kickstart handed out once; the next network boot goes to the local disk',
      'burnt Its authorization was shown with another MAC address, revision or listener',
      'burnt Revoked by an operator',
    ]) {
      expect(text).toContain(reason);
    }
  });

  test('a boot that has ended is not revoked again', async () => {
    await scene.start();
    const { id } = await scene.last();
    expect((await post(`${WAITING}/${id}/revoke`, {})).status).toBe(303);
    const again = await post(`${WAITING}/${id}/revoke`, {});
    expect(again.status).toBe(409);
    expect(words(again.text)).toContain('This boot attempt has ended already: it is burnt.');
  });

  test('a reader sees it and can do nothing', async () => {
    const { code } = await scene.start();
    const { status, text } = await get(WAITING, viewer);
    expect(status).toBe(200);
    expect(text).not.toContain('/revoke');
    expect(words(text)).toContain('Your role may only read network boot.');
    expect((await post(WAITING, { boot_code: code }, viewer)).status).toBe(403);
    expect((await scene.last()).state).toBe('pending');
  });

  test('a form without its CSRF token does nothing', async () => {
    const { code } = await scene.start();
    const session = { ...scene.admin, csrf: 'x'.repeat(43) };
    for (const [path, form] of [
      [WAITING, { boot_code: code }],
      [`${WAITING}/${(await scene.last()).id}/revoke`, {}],
      [`${UI}/kickstarts/new`, { name: 'x', text: TEXT }],
    ] as [string, Record<string, string>][]) {
      expect((await post(path, form, session)).status).toBe(403);
    }
    expect((await scene.last()).state).toBe('pending');
  });
});

describe('Kickstarts', () => {
  const PATH = `${UI}/kickstarts`;

  test('are listed, shown redacted, and their text stays when none is sent', async () => {
    const list = await get(PATH);
    expect(list.status).toBe(200);
    for (const fact of ['Lab hosts', 'root_password', '>9<']) expect(list.text).toContain(fact);
    const { text } = await get(`${PATH}/${scene.kickstart_id}`);
    const [, empty] = /<textarea[^>]*id="text"[^>]*>([^<]*)<\/textarea>/.exec(text) ?? [];
    expect(empty).toBe('');
    expect(text).toContain('4  rootpw [variable root_password]');
    expect(text).toContain('9  [script hidden]');
    expect(text).not.toMatch(/Canary| style=/);
    const { body: before } = await scene.call('GET', `/kickstarts/${scene.kickstart_id}`);
    const form = {
      name: 'Lab hosts',
      text: '',
      description: 'kept',
      enabled: 'true',
      revision: String(before.revision),
    };
    const saved = await post(`${PATH}/${scene.kickstart_id}`, form);
    expect([saved.status, saved.headers.location]).toEqual([303, `${PATH}/${scene.kickstart_id}`]);
    const { body: after } = await scene.call('GET', `/kickstarts/${scene.kickstart_id}`);
    expect(after).toMatchObject({ description: 'kept', text_revision: before.text_revision });
    const stale = await post(`${PATH}/${scene.kickstart_id}`, { ...form, text: `${TEXT}# ${CANARIES.text}\n` });
    expect(stale.status).toBe(412);
    expect(areaOf(stale.text)).toContain(CANARIES.text);
  });

  test('a refused one keeps its text, and what it lacks is on no line', async () => {
    const typed = `vmaccepteula\nrootpw plain\n# ${CANARIES.text}\n`;
    const { status, text } = await post(`${PATH}/new`, { name: 'New', text: typed, enabled: 'true' });
    expect([status, areaOf(text)]).toEqual([422, typed]);
    expect(words(text)).toContain('Text: One of install, upgrade and installorupgrade is missing.');
    expect(words(text)).not.toContain('Line 1: One of');
    expect(words(text)).toMatch(/Text checked: 1 error, 1 warning.*Warning\. Line 2: The password is in the text/);
  });

  test('Check says what a text is worth and how a host would get it, and saves nothing', async () => {
    const before = await scene.house.lastAudit();
    const form = { name: 'Checked', text: TEXT, enabled: 'true', preview_host: scene.host_id, dry_run: 'true' };
    const { status, text } = await post(`${PATH}/new`, form);
    expect([status, areaOf(text)]).toEqual([200, TEXT]);
    expect(words(text)).toContain('Text checked: no fault');
    const shown = /id="preview".*?<pre[^>]*>(.*?)<\/pre>/s.exec(text)?.[1] ?? '';
    expect(words(shown)).toContain('[variable root_password]');
    expect(shown).not.toMatch(/Canary/);
    expect(await scene.house.audited(before)).toEqual([]);
  });

  test('the saved text is loaded into the form for the own password, and that is recorded', async () => {
    const path = `${PATH}/${scene.kickstart_id}`;
    const before = await scene.house.lastAudit();
    const wrong = await post(`${path}/text`, { own_password: 'not this one' });
    expect([wrong.status, areaOf(wrong.text)]).toEqual([422, '']);
    expect(wrong.text).toContain('id="own_password-error"');
    const right = await post(`${path}/text`, { own_password: PASSWORD });
    expect([right.status, areaOf(right.text)]).toEqual([200, TEXT]);
    expect(right.text).not.toContain(PASSWORD);
    expect(await scene.house.audited(before)).toEqual(Array(2).fill('network-boot.kickstart.reveal'));
    expect((await post(`${path}/text`, { own_password: PASSWORD }, viewer)).status).toBe(403);
  });

  test('one whose text can not be opened has a page that says so, and is written anew', async () => {
    const { body } = await scene.call('POST', '/kickstarts', { name: 'Other keys', text: TEXT });
    const path = `${PATH}/${body.id}`;
    await scene.write("UPDATE network_boot_kickstart SET text_sealed = 's1.AAAA' WHERE id = ?", [body.id]);
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(words(text)).toContain('The saved text can’t be opened');
    const form = { name: 'Other keys', text: `${TEXT}# anew\n`, enabled: 'true', revision: '1' };
    expect((await post(path, form)).status).toBe(303);
    expect(words((await get(path)).text)).not.toContain('can’t be opened');
    expect((await post(`${path}/delete`, { revision: '2' })).status).toBe(303);
  });

  test('faults are told by line, and the text is filled in again', async () => {
    const text = `vmaccepteula\ninstall --disk = ${CANARIES.text}\nrootpw ${CANARIES.variable} {{ vault.x }}\n`;
    const refused = await post(`${PATH}/new`, { name: 'Edge hosts', text, enabled: 'true' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="Edge hosts"');
    expect(words(refused.text)).toContain('Not saved: 2 fields need correction');
    for (const line of ['Line 2:', 'Line 3:']) expect(words(refused.text)).toContain(line);
    expect(refused.text).toMatch(/id="text"[^>]*aria-describedby="text-error text-help"/);
    expect(areaOf(refused.text)).toMatch(/Canary/);
    expect(refused.text.replace(/<textarea.*?<\/textarea>/s, '')).not.toMatch(/Canary/);
  });

  test('one that hosts have is not deleted; another is', async () => {
    const page = await get(`${PATH}/${scene.kickstart_id}/delete`);
    expect(words(page.text)).toContain('Needed by 1 host');
    const { body } = await scene.call('POST', '/kickstarts', { name: 'Spare', text: TEXT });
    const gone = await post(`${PATH}/${body.id}/delete`, { revision: '1' });
    expect([gone.status, gone.headers.location]).toEqual([303, PATH]);
    expect((await get(`${PATH}/${body.id}`)).status).toBe(404);
  });
});

describe('the hosts', () => {
  test('are listed with what they install, and whoever waits is counted', async () => {
    expect(words((await get(UI)).text)).toContain('ESXi 9.0.1, Lab hosts');
    expect((await get(UI)).text).toMatch(/Waiting to boot<\/a>/);
    await scene.start();
    expect((await get(UI)).text).toMatch(/Waiting to boot<span class="count">1<\/span><\/a>/);
  });

  test('that are not in use are not said to wait for an apply', async () => {
    const id = await scene.addHost('esx21.lab.example', '00:50:56:01:02:21', '');
    await scene.call('PATCH', `/esxi-hosts/${id}`, { enabled: false });
    const text = words((await get(`${UI}/hosts/${id}`)).text);
    expect(text).toContain('Disabled: the host can’t boot from here.');
    expect(text).not.toContain('Not applied yet');
  });
});

describe('a host', () => {
  test('is given Kickstart, medium and variables, whose values are not shown again', async () => {
    const id = await scene.addHost('esx20.lab.example', '00:50:56:01:02:20', '10.10.0.40');
    const path = `${UI}/hosts/${id}`;
    expect(words((await get(path)).text)).toContain('Not applied yet');
    const form = {
      hostname: 'esx20.lab.example',
      mac_address: '00:50:56:01:02:20',
      ip_address: '10.10.0.40',
      kickstart_id: scene.kickstart_id,
      media_id: scene.media_id,
      enabled: 'true',
      revision: '1',
    };
    const without = await post(path, { ...form, variables: '' });
    expect(without.status).toBe(422);
    expect(words(without.text)).toContain('The Kickstart uses root_password, which has no value.');
    expect(without.text).toContain(`<option value="${scene.kickstart_id}" selected`);
    const variables = `root_password = ${CANARIES.variable}\nold=x`;
    const bad = await post(path, { ...form, variables: `${variables}\nNo=${CANARIES.variable}` });
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('id="variables-error"');
    expect(bad.text).not.toContain(CANARIES.variable);
    expect((await post(path, { ...form, variables })).status).toBe(303);
    expect((await scene.call('GET', `/esxi-hosts/${id}`)).body.variable_names).toEqual(['old', 'root_password']);
    expect((await post(path, { ...form, variables: 'old=', revision: '2' })).status).toBe(303);
    const { text } = await get(path);
    expect(words(text)).toContain('Saved: root_password .');
    expect(text).not.toContain(CANARIES.variable);
  });

  test('says what became of its last boot', async () => {
    const path = `${UI}/hosts/${scene.host_id}`;
    expect(words((await get(path)).text)).toMatch(/Last boot none/);
    const { path: kickstart } = await scene.ready(MACHINE);
    expect(words((await get(path)).text)).toMatch(/Last boot waits now/);
    await scene.boot(kickstart);
    expect(words((await get(path)).text)).toMatch(/Last boot consumed/);
  });
});
