// What the boot listener, the management listener and the log tell of a machine and of what it asked for.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BootScene } from '../../setup/boot-scene.ts';

let scene: BootScene;

beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
});
afterAll(() => scene.house.close());
beforeEach(() => scene.write('DELETE FROM boot_attempt'));

describe('a console that is not known', () => {
  test('is asked who it is once', async () => {
    expect((await scene.boot('/boot/menu.ipxe')).body).toContain('/boot/menu.ipxe?mac=$');
  });

  test.each([
    'mac=&firmware=',
    'mac=00-50-56-01-02-03&firmware=arm',
    'mac=00-50-56-01-02-03',
    'firmware=efi',
    'mac=x&firmware=efi',
  ])('and says %s goes to its disk, and not on asking', async (query) => {
    const { statusCode, body } = await scene.boot(`/boot/menu.ipxe?${query}`);
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^#!ipxe\n/);
    expect(body).not.toContain('chain');
    expect(body).toContain('sanboot --no-describe --drive 0x80');
  });
});

describe('what the log has of whoever fetched a Kickstart', () => {
  const logged = () =>
    JSON.parse(scene.log.filter((line) => line.includes('"message":"kickstart"')).at(-1)!).extra.user_agent;

  test.each<[string, (capability: string) => string, string]>([
    ['product and version', () => 'iPXE/1.0.0+git-20190125.36a4c85-5.1', 'iPXE/1.0.0+git-20190125.36a4c85-5.1'],
    ['the first of several', (secret) => `Python-urllib/3.11 (${secret}) x/${secret}`, 'Python-urllib/3.11'],
    ['no word that could be the capability', (secret) => secret, 'unknown'],
    ['no part of one, in front', (secret) => `${secret}/1`, 'unknown'],
    ['no part of one, behind', (secret) => `x/${secret}`, 'unknown'],
    ['nothing of other spellings', () => 'a b/c', 'unknown'],
  ])('is %s', async (_what, agent, expected) => {
    const { path } = await scene.ready();
    const capability = /([^/]+)\.cfg$/.exec(path)![1]!;
    await scene.boot(path, { headers: { 'user-agent': agent(capability) } });
    expect(logged()).toBe(expected);
  });
});

test.each([
  ['as a machine asks', (path: string) => path],
  ['as through a proxy', (path: string) => `http://10.10.0.5:8081${path}`],
  ['behind other segments', (path: string) => `/x${path}`],
])('the management listener tells nothing below /boot/ again, %s', async (_how, spelled) => {
  const { claim, path } = await scene.ready();
  for (const asked of [path, `/boot/attempts/${claim}/boot.cfg`]) {
    const { status, text } = await scene.house.send('GET', spelled(asked));
    expect(status).toBe(404);
    expect(text).toMatch(/"instance":"[^"]*\/boot\/"/);
    for (const secret of [claim, /([^/]+)\.cfg$/.exec(path)![1]!]) {
      expect(text).not.toContain(secret);
      expect(scene.log.join('\n')).not.toContain(secret);
    }
  }
});
