// The files that loaders read and the scripts of the console.
import { describe, expect, test } from '@jest/globals';
import { renderBootConfig } from '../../../../../shared/services/network-boot/boot/boot-config.ts';
import {
  CONSOLE_REFUSALS,
  type ConsoleRefusal,
  identifyScript,
  issuedScript,
  menuScript,
  refusalScript,
  unidentifiedScript,
  waitingScript,
} from '../../../../../shared/services/network-boot/boot/console.ts';

describe('boot.cfg', () => {
  const urls = {
    prefix: 'http://10.10.0.5:8081/boot/media/m',
    kickstart: 'http://10.10.0.5:8081/boot/kickstarts/x.cfg',
  };

  test('keeps what the medium ships, with absolute addresses and one Kickstart', () => {
    const lines: [string, string][] = [
      ['bootstate', '0'],
      ['title', 'Loading ESXi installer'],
      ['timeout', '5'],
      ['prefix', ''],
      ['kernel', '/b.b00'],
      ['kernelopt', 'runweasel cdromBoot ks=cdrom:/KS.CFG systemMediaSize=min'],
      ['modules', '/jumpstrt.gz --- /useropts.gz'],
      ['build', '9.0.1-1'],
    ];
    expect(renderBootConfig(lines, urls)).toBe(
      [
        'bootstate=0',
        'title=Loading ESXi installer',
        'timeout=5',
        'prefix=http://10.10.0.5:8081/boot/media/m',
        'kernel=b.b00',
        'kernelopt=runweasel systemMediaSize=min ks=http://10.10.0.5:8081/boot/kickstarts/x.cfg',
        'modules=jumpstrt.gz --- useropts.gz',
        'build=9.0.1-1',
        '',
      ].join('\n'),
    );
  });

  test('names the Kickstart where the medium has no options', () => {
    expect(renderBootConfig([['kernel', 'b']], urls)).toBe(
      `prefix=${urls.prefix}\nkernel=b\nkernelopt=runweasel ks=${urls.kickstart}\n`,
    );
  });
});

describe('the console', () => {
  const menu = 'http://10.10.0.5:8081/boot/menu.ipxe?mac=m&firmware=efi';
  const facts = { title: 'esx01', start: 'http://s', menu, installed: false };
  const scripts = {
    identify: identifyScript('http://10.10.0.5:8081/boot/menu.ipxe'),
    unidentified: unidentifiedScript(),
    menu: menuScript({ ...facts, entry: 'Install ESXi: ESXi 9' }),
    nothing: menuScript({ ...facts, entry: null, reason: 'unknown' }),
    installed: menuScript({ ...facts, entry: 'Install', installed: true }),
    waiting: waitingScript({ code: 'ABCD-EFGH', hostname: 'esx01', left: 61, poll: 'http://p', menu }),
    issued: issuedScript({
      hostname: 'esx01',
      firmware: 'efi',
      folder: 'http://f/',
      loader: 'm',
      config: 'boot.cfg',
      menu,
    }),
    bios: issuedScript({
      hostname: 'esx01',
      firmware: 'pcbios',
      folder: 'http://f/',
      loader: 'm',
      config: 'boot.cfg',
      menu,
    }),
    ...Object.fromEntries(
      (Object.keys(CONSOLE_REFUSALS) as ConsoleRefusal[]).map((reason) => [reason, refusalScript(reason, menu)]),
    ),
  };
  const KNOWN = /^(?:#!ipxe|:\w+|menu|item|choose|goto|chain|echo|prompt|iseq|exit|set|sanboot)(?: |$)/;

  test.each(Object.entries(scripts))(
    '%s: every line is one of the commands that iPXE of 2019 has, and every label exists',
    (_name, text) => {
      const lines = text.trimEnd().split('\n');
      expect(lines[0]).toBe('#!ipxe');
      for (const line of lines) expect(line.match(KNOWN) ? '' : line).toBe('');
      const labels = new Set(lines.filter((line) => line.startsWith(':')));
      const items = [...text.matchAll(/^item (?:--key \w )(\w+)/gm)].map(([, label]) => label);
      const jumps = [...text.matchAll(/goto (\w+)/g)].map(([, label]) => label);
      for (const label of [...items, ...jumps]) expect(labels).toContain(`:${label}`);
    },
  );

  test.each(Object.entries(scripts))('%s: ends at the local disk, whatever fails', (_name, text) => {
    expect(text.trimEnd().split('\n').slice(-4)).toEqual([
      ':disk',
      'echo Starting from the local disk.',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of iPXE
      'iseq ${platform} pcbios && sanboot --no-describe --drive 0x80 ||',
      'exit 1',
    ]);
    for (const line of text.split('\n')) {
      if (/^(?:chain|choose)/.test(line)) expect(line).toMatch(/\|\|/);
    }
  });

  test('boots the local disk by itself after ten seconds', () => {
    expect(scripts.menu).toContain('choose --default disk --timeout 10000 ');
    expect(scripts.nothing).not.toContain(' install ');
  });

  test('boots the disk of a host that was installed from here after ten seconds as well, and shows the menu for a key', () => {
    expect(scripts.installed.split('\n')[2]).toBe(
      'prompt --key m --timeout 10000 Press m for the menu. && goto menu || goto disk',
    );
  });

  test('prints code, host and minutes at every poll', () => {
    expect(scripts.waiting).toMatch(/echo Host: +esx01\necho Boot code: ABCD-EFGH\necho Time left: 2 minutes\n/);
  });

  test('says in one line each what happened and what to do, and leads back', () => {
    for (const reason of Object.keys(CONSOLE_REFUSALS) as ConsoleRefusal[]) {
      const [what, then] = CONSOLE_REFUSALS[reason];
      const script = refusalScript(reason, menu);
      expect(script).toContain(`echo ${what}`.slice(0, 77));
      expect(script).toContain(`echo ${then}`.slice(0, 77));
      expect(script).toContain(`chain --replace --autofree ${menu} || goto disk`);
    }
  });

  test('takes no commands from names', () => {
    const bad = menuScript({
      ...facts,
      title: 'x\nshell',
      entry: 'a && shell $'.concat('{net0/mac} `x` "y" \\ ; | é'),
    });
    const item = bad.split('\n').find((line) => line.startsWith('item --key i'));
    expect(item).toMatch(/^item --key i install a +shell +net0\/mac +x +y/);
    expect(bad).not.toMatch(/^shell/m);
    expect(item).not.toMatch(/[&$`"\\;|{}]/);
  });
});
