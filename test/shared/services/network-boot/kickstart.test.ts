// Kickstart texts: what is wrong with them, by line; the text of one host; and what may be shown.
import { describe, expect, test } from '@jest/globals';
import { previewKickstart } from '../../../../shared/services/network-boot/kickstart-preview.ts';
import {
  hostValues,
  missingFor,
  renderKickstart,
  TEXT_MOST,
  textFaults,
  usesOf,
  VAULT_VALUES_MOST,
} from '../../../../shared/services/network-boot/kickstart-text.ts';
import { canonicalText, textRevision } from '../../../../shared/services/network-boot/revision.ts';

const GOOD = ['vmaccepteula', 'install --firstdisk=local', 'rootpw --iscrypted $6$x', 'reboot', ''].join('\n');
const HOST = { hostname: 'esx01.lab.example', mac_address: '00:50:56:01:02:03', ip_address: '10.10.0.21' };
const withLine = (line: string) => GOOD.replace('reboot', line);
const found = (text: string) => textFaults(text).map(({ line, severity }) => `${line} ${severity}`);

describe('a fault names its line', () => {
  const cases: [string, string, string[]][] = [
    ['a whole text', GOOD, []],
    ['an empty text', ' \n', ['0 error']],
    ['too many bytes', `${GOOD}${'#\n'.repeat(TEXT_MOST / 2)}`, ['0 error']],
    [
      'too many bytes, and another fault',
      `${withLine('teleport')}${'#\n'.repeat(TEXT_MOST / 2)}`,
      ['0 error', '4 warning'],
    ],
    ['no vmaccepteula', GOOD.replace('vmaccepteula', '# none'), ['0 error']],
    ['no install', GOOD.replace('install --firstdisk=local', '# none'), ['0 error']],
    ['install and upgrade', withLine('upgrade --firstdisk'), ['4 error']],
    ['an upgrade without a password', 'vmaccepteula\nupgrade --firstdisk\n', []],
    ['an installation without a password', 'vmaccepteula\ninstall --firstdisk\n', ['2 error']],
    ['a password that is in an included file', 'vmaccepteula\ninstall --firstdisk\ninclude /tmp/pw\n', []],
    ['rootpw with nothing behind it', withLine('rootpw --iscrypted'), ['4 error']],
    ['spaces around the equals sign', withLine('network --ip = 10.0.0.1'), ['4 error']],
    ['a value after a space', withLine('network --ip= 10.0.0.1'), ['4 error']],
    ['a command that is not known', withLine('teleport --now'), ['4 warning']],
    ['a command named like a method of objects', withLine('constructor'), ['4 warning']],
    ['a section that is none', withLine('%packages'), ['4 error']],
    ['a control character', withLine('reboot \u0007'), ['4 error']],
    ['a marker of another kind of field', withLine('network --ip={{ host.gateway }}'), ['4 error']],
    ['a marker of a variable with a bad name', withLine('network --ip={{ var.Ip }}'), ['4 error']],
    ['a marker of a vault', withLine('network --hostname={{ vault.lab-1.esx01.root }}'), []],
    ['a marker of a vault without a key', withLine('network --hostname={{ vault.lab }}'), ['4 error']],
    ['a marker of a vault that ends with a dot', withLine('network --hostname={{ vault.lab.a. }}'), ['4 error']],
    ['a marker of a vault with a name that none has', withLine('network --hostname={{ vault.La.b }}'), ['4 error']],
    ['a marker of a vault with spaces', withLine('network --hostname={{ vault.lab. root }}'), ['4 error']],
    [
      'more values of vaults than a text may have',
      `${GOOD}${Array.from({ length: VAULT_VALUES_MOST + 1 }, (_each, n) => `# {{ vault.a.k${n} }}\n# {{ vault.a.k0 }}\n`).join('')}`,
      [`${GOOD.split('\n').length + 2 * VAULT_VALUES_MOST} error`],
    ],
    ['half of a marker', withLine('rootpw {{ var.root_password'), ['4 error']],
    ['braces of a script', `${GOOD}%post\nawk '{{ print }}'\n`, []],
    ['anything in a script', `${GOOD}%firstboot --interpreter=busybox\nteleport --now = x\n`, []],
  ];
  test.each(cases)('%s', (_name, text, faults) => {
    expect(found(text)).toEqual(faults);
  });

  test('and never quotes the line', () => {
    for (const [, text] of cases) {
      for (const { detail } of textFaults(text)) expect(detail).not.toMatch(/\$6\$x|teleport|10\.0\.0\.1/);
    }
  });
});

describe('the text of one host', () => {
  const values = hostValues(HOST, { root_password: 'p w', dash: 'a-b' });

  test('has values for its markers, however they are spaced', () => {
    const text =
      '{{host.hostname}} {{ host.short_name }} {{  host.domain}} {{ host.mac_address }} {{ var.root_password }}';
    expect(renderKickstart(text, values)).toBe('esx01.lab.example esx01 lab.example 00:50:56:01:02:03 p w');
  });

  test('takes a value as it is: a marker in it is not read again', () => {
    const nested = hostValues(HOST, { a: '{{ var.b }}', b: 'secret' });
    expect(renderKickstart('{{ var.a }}$& $1', nested)).toBe('{{ var.b }}$& $1');
  });

  test.each(['a\nreboot', 'a\rb', 'a\u0000b', 'a\u0085b', 'a\u2028b', 'a\tb'])('refuses %j as a value', (value) => {
    const bad = hostValues(HOST, { a: value });
    expect(() => renderKickstart('x\n{{ var.a }}', bad)).toThrow(/line 2 holds a control character/);
  });

  test('has values of vaults by their whole names', () => {
    const vault_values = { 'lab.esx01.root': 's3cret', 'lab.esx01': '{{ var.dash }}' };
    const text = '{{vault.lab.esx01.root}} {{ vault.lab.esx01 }}';
    expect(renderKickstart(text, { ...values, vault_values })).toBe('s3cret {{ var.dash }}');
    const broken = { ...values, vault_values: { 'lab.a': 'x\nreboot' } };
    expect(() => renderKickstart('{{ vault.lab.a }}', broken)).toThrow(/^A value for line 1 holds a control character/);
  });

  const WITHOUT = [
    '{{ var.unknown }}',
    '{{ var.constructor }}',
    '{{ host.gateway }}',
    '{{ vault.a }}',
    '{{ vault.a.b }}',
  ];
  test.each(WITHOUT)('is not made without a value for %s', (marker) => {
    expect(() => renderKickstart(`x\n\n${marker}`, values)).toThrow(/^Line 3/);
  });

  test('asks for what the host has to have', () => {
    const markers = '{{ var.b }} {{ host.ip_address }} {{ var.a }} {{ host.domain }} {{ var.b }}';
    const uses = usesOf(`${markers} {{ vault.lab.b }} {{ vault.lab.a }} {{vault.lab.b}}`);
    const vault_values = ['lab.a', 'lab.b'];
    expect(uses).toEqual({ host_fields: ['domain', 'ip_address'], variables: ['a', 'b'], vault_values });
    expect(missingFor(uses, { hostname: 'esx01', ip_address: '', variable_names: ['a'] })).toEqual({
      fields: ['domain', 'ip_address'],
      variables: ['b'],
    });
  });
});

describe('a revision', () => {
  test('is the SHA-256 of the full text in its one form', () => {
    const text = canonicalText('\uFEFFvmaccepteula\r\nreboot\r');
    expect(text).toBe('vmaccepteula\nreboot\n');
    expect(textRevision('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(textRevision(text)).toBe(textRevision(canonicalText('vmaccepteula\nreboot')));
  });
});

describe('a preview', () => {
  const shown = (text: string) => previewKickstart(text, hostValues(HOST, {})).map(({ text: line }) => line);

  test.each([
    ['rootpw hunter2', 'rootpw [hidden]'],
    ['rootpw --iscrypted $6$abc', 'rootpw --iscrypted [hidden]'],
    ['rootpw {{ var.root }}', 'rootpw [variable root]'],
    ['rootpw {{ vault.lab.esx01.root }}', 'rootpw [vault lab.esx01.root]'],
    ['network --hostname={{vault.lab-1.a}}x', 'network --hostname=[hidden]'],
    ['serialnum --esx=AAAAA-BBBBB', 'serialnum [hidden]'],
    ['install --firstdisk=local,usb --overwritevmfs', 'install --firstdisk=local,usb --overwritevmfs'],
    ['install --disk=naa.60003ff44dc75adc', 'install --disk=[hidden]'],
    ['network --bootproto=static --ip={{ host.ip_address }}', 'network --bootproto=static --ip=10.10.0.21'],
    ['network --hostname=esx01 --device=vmnic0', 'network --hostname=[hidden] --device=vmnic0'],
    ['network --hostname={{ host.hostname }}', 'network --hostname=esx01.lab.example'],
    ['network --nameserver="10.0.0.1,10.0.0.2"', 'network --nameserver="10.0.0.1,10.0.0.2"'],
    ['include http://user:pw@host/x', 'include [hidden]'],
    ['# password is hunter2', '# [comment hidden]'],
    ['teleport hunter2', '[hidden]'],
    ['__proto__ hunter2', '[hidden]'],
    ['install --toString=x --hasOwnProperty', 'install [hidden] [hidden]'],
    ['', ''],
  ])('of %j is %j', (line, expected) => {
    expect(shown(line)[0]).toBe(expected);
  });

  test('shows nothing of scripts but where they begin', () => {
    expect(shown('reboot\n%post --interpreter=busybox --x=y\necho hunter2\n\n%firstboot\ncurl -u a:b\n')).toEqual([
      'reboot',
      '%post --interpreter=busybox [hidden]',
      '[script hidden]',
      '',
      '%firstboot',
      '[script hidden]',
    ]);
  });
});
