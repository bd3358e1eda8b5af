// A record of a confirm window that was damaged: its copy speaks for it, a checksum tells, and where neither can be read the
// watchdog and the start of the machine put back what was kept, without the service.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keep, keptFolder } from '../../shared/appliance/apply/kept.ts';
import { windowIn } from '../../shared/appliance/apply/window/confirm-window.ts';
import { hashNonce } from '../../shared/appliance/apply/window/record.ts';
import {
  DamagedWindow,
  readWindow,
  windowCopy,
  windowFile,
  writeWindow,
} from '../../shared/appliance/apply/window/record-file.ts';
import { companion } from '../../shared/ground/machine/companion.ts';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';

const FILE = '/etc/groundcrew/chrony/chrony.conf';
const PLAN = 'plan_a';
let data: string;
let folder: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-damaged-'));
  folder = join(data, 'apply');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** A plan of one unit that is in force, with its way back kept, in a window of a minute. */
async function armed() {
  const host = rehearsalHost(data);
  await host.write({ path: FILE, content: 'old', mode: 0o644 });
  const window = windowIn({ host, folder, startWatchdog: async () => undefined });
  await window.arm({
    plan_id: PLAN,
    nonce_sha256: hashNonce('nonce'),
    units: ['ntp'],
    timeout_seconds: 60,
    arrived_at: '',
    listeners: [],
  });
  const change = { before: null, after: new Map(), written: [FILE], removed: [] };
  await keep(keptFolder(folder, PLAN, 'ntp'), host, new Map(), { earlier: null, change });
  await window.whileOpen(PLAN, () => host.write({ path: FILE, content: 'new', mode: 0o644 }), 'ntp');
  await window.enforced(PLAN);
  return { window, content: () => host.read(FILE) };
}

const damage = (content: string) => {
  for (const file of [windowFile(folder), windowCopy(folder, PLAN)]) writeFileSync(file, content);
};

/** Runs the watchdog to its end. */
function watchdog(...mode: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [
    companion('watchdog', import.meta.resolve('../../shared/appliance/apply/window/watchdog.ts')),
    data,
    'rehearsal',
    ...mode,
  ]);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })));
}

describe('the record', () => {
  test('that was changed by as much as a digit is not believed; its copy is', async () => {
    await armed();
    const file = windowFile(folder);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"timeout_seconds":60', '"timeout_seconds":61'));
    expect(await readWindow(folder)).toMatchObject({ state: 'armed', timeout_seconds: 60 });
    rmSync(windowCopy(folder, PLAN));
    await expect(readWindow(folder)).rejects.toBeInstanceOf(DamagedWindow);
  });

  test('that is gone is read from its copy while the window is open', async () => {
    const { window } = await armed();
    rmSync(windowFile(folder));
    expect((await window.confirm(PLAN, 'nonce', 'alice')).state).toBe('confirmed');
    rmSync(windowCopy(folder, PLAN));
    // Both are written before the confirmation is answered.
    expect((await readWindow(folder))?.state).toBe('confirmed');
  });

  test('of an earlier release, without a checksum, is read', async () => {
    await armed();
    const { format: _format, sha256: _sum, ...early } = JSON.parse(readFileSync(windowFile(folder), 'utf8'));
    damage(JSON.stringify(early));
    expect(await readWindow(folder)).toEqual(early);
  });

  test.each([
    ['cut off', '{"format":1,"sha'],
    ['of wrong types', '{"plan_id":"plan_a","state":"armed","units":["ntp"],"touched":[],"boot_id":1}'],
    ['of a later release', '{"format":2,"sha256":"","plan_id":"plan_a"}'],
  ])('%s is damaged, and says nothing', async (_how, content) => {
    await armed();
    damage(content);
    await expect(readWindow(folder)).rejects.toBeInstanceOf(DamagedWindow);
  });

  test('is written where a folder took its place', async () => {
    await armed();
    const record = (await readWindow(folder))!;
    rmSync(windowFile(folder));
    mkdirSync(join(windowFile(folder), 'in the way'), { recursive: true });
    expect(await readWindow(folder)).toEqual(record);
    await writeWindow(folder, record);
    expect(JSON.parse(readFileSync(windowFile(folder), 'utf8'))).toMatchObject(record);
  });
});

describe('neither the record nor its copy can be read', () => {
  test('and the watchdog, started anew, puts back what was kept at once: nobody could confirm it', async () => {
    const { content } = await armed();
    damage('{');
    expect(await watchdog()).toEqual({ code: 0, said: '' });
    expect([await content(), await readWindow(folder)]).toEqual([
      'old',
      expect.objectContaining({
        plan_id: PLAN,
        state: 'reverted',
        ended: expect.objectContaining({ by: 'the watchdog' }),
      }),
    ]);
  });

  test('and the start of the machine puts the files back', async () => {
    const { content } = await armed();
    damage('');
    expect(await watchdog('boot')).toEqual({ code: 0, said: '' });
    expect([await content(), (await readWindow(folder))?.ended?.cause]).toEqual(['old', 'restart']);
  });

  test('and nothing tells whose it was: the machine starts all the same, and the service decides', async () => {
    const { content } = await armed();
    rmSync(windowCopy(folder, PLAN));
    writeFileSync(windowFile(folder), '{');
    const { code, said } = await watchdog('boot');
    expect([code, said, await content()]).toEqual([1, expect.stringContaining('is damaged'), 'new']);
  });

  test('and it is cleared: what was kept goes back, and what was found is set aside', async () => {
    const { window, content } = await armed();
    damage('{');
    expect(await window.clear(null, 'alice')).toMatchObject({ plan_id: PLAN, state: 'reverted' });
    expect([await content(), existsSync(join(folder, 'cleared-window.json'))]).toEqual(['old', true]);
    await expect(window.clear(null, 'alice')).rejects.toMatchObject({ code: 'state_conflict' });
  });
});
