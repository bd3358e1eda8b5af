// Which machine is meant, and whether the appliance connects to it: spellings, addresses, names that answer otherwise
// the second time.
import { describe, expect, test } from '@jest/globals';
import { parseCidr } from '../../../../shared/ground/addresses/address.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { dialledAddress, refusingRule, type TargetPolicy } from '../../../../shared/vcf/connection/address-rules.ts';
import { authorityText, parseServer, serverText, urlText } from '../../../../shared/vcf/connection/target.ts';
import { permittedAddress, resolveTarget } from '../../../../shared/vcf/connection/target-policy.ts';

const cidrs = (...texts: string[]) => texts.map((text) => parseCidr(text)!);
const POLICY: TargetPolicy = {
  own: cidrs('10.10.0.5/24', 'fd00:10::5/64', '192.168.7.1/31', '172.17.0.1/16'),
  ports: [8443],
  allowed: [],
};

function thrown(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
}

describe('a server is read from', () => {
  test.each<[typed: string, server: string, url: string]>([
    ['vc01.lab.example', 'vc01.lab.example', 'https://vc01.lab.example'],
    ['  VC01.Lab.Example  ', 'vc01.lab.example', 'https://vc01.lab.example'],
    ['vc01.lab.example.', 'vc01.lab.example', 'https://vc01.lab.example'],
    ['vc01.lab.example:443', 'vc01.lab.example', 'https://vc01.lab.example'],
    ['vc01.lab.example:8443', 'vc01.lab.example:8443', 'https://vc01.lab.example:8443'],
    ['vc01', 'vc01', 'https://vc01'],
    ['https://vc01.lab.example', 'vc01.lab.example', 'https://vc01.lab.example'],
    ['HTTPS://vc01.lab.example:8443/', 'vc01.lab.example:8443', 'https://vc01.lab.example:8443'],
    ['10.10.0.9', '10.10.0.9', 'https://10.10.0.9'],
    ['10.10.0.9:65535', '10.10.0.9:65535', 'https://10.10.0.9:65535'],
    ['2001:DB8::0:1', '2001:db8::1', 'https://[2001:db8::1]'],
    ['[2001:db8::1]', '2001:db8::1', 'https://[2001:db8::1]'],
    ['[2001:db8::1]:8443', '[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['https://[2001:db8::1]/', '2001:db8::1', 'https://[2001:db8::1]'],
    ['bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ['vc01。lab。example', 'vc01.lab.example', 'https://vc01.lab.example'],
  ])('%s', (typed, server, url) => {
    const target = parseServer(typed);
    expect([serverText(target), urlText(target), `https://${authorityText(target)}`]).toEqual([server, url, url]);
    expect(parseServer(server)).toEqual(target);
    expect(parseServer(url)).toEqual(target);
  });

  test('the default port of its caller', () => {
    expect(parseServer('esx01.lab.example', { default_port: 9443 })).toEqual({ host: 'esx01.lab.example', port: 9443 });
  });

  test.each<[what: string, typed: string]>([
    ['nothing', '  '],
    ['a user', 'root@vc01.lab.example'],
    ['a user and a password', 'https://root:secret@vc01.lab.example/'],
    ['an at sign behind the host', 'vc01.lab.example:443@127.0.0.1'],
    ['a path', 'https://vc01.lab.example/sdk'],
    ['a path without a scheme', 'vc01.lab.example/'],
    ['a query', 'https://vc01.lab.example?x'],
    ['a fragment', 'https://vc01.lab.example#x'],
    ['another scheme', 'http://vc01.lab.example'],
    ['a file', 'file:///etc/passwd'],
    ['a scheme without slashes', 'https:vc01.lab.example'],
    ['a backslash', 'https:\\\\vc01.lab.example'],
    ['a backslash as path', 'vc01.lab.example\\@127.0.0.1'],
    ['a blank inside', 'vc01 .lab.example'],
    ['a line break', 'vc01.lab.example\r\nHost: x'],
    ['a NUL', 'vc01.lab.example\0.test'],
    ['a zero-width space', 'local\u200bhost'],
    ['a soft hyphen', 'local\u00adhost'],
    ['a writing direction', 'vc01\u202e.example'],
    ['a zone id', 'fe80::1%eth0'],
    ['a zone id in brackets', '[fe80::1%25eth0]:443'],
    ['percent escapes', '%31%32%37.0.0.1'],
    ['a decimal IPv4 address', '2130706433'],
    ['a decimal IPv4 address with a port', '2130706433:443'],
    ['a decimal IPv4 address and a dot', '2130706433.'],
    ['a hexadecimal IPv4 address', '0x7f000001'],
    ['a hexadecimal IPv4 address in parts', '0x7f.0x0.0x0.0x1'],
    ['a hexadecimal last part', '127.0.0.0x1'],
    ['an octal IPv4 address', '0177.0.0.1'],
    ['an octal IPv4 address as one number', '017700000001'],
    ['leading zeros', '127.000.000.001'],
    ['a short IPv4 address', '127.1'],
    ['a short IPv4 address of three parts', '127.0.1'],
    ['one number', '0'],
    ['five numbers', '127.0.0.1.1'],
    ['a number beyond its byte', '127.0.0.256'],
    ['a trailing dot on an IPv4 address', '127.0.0.1.'],
    ['a name that ends in a number', 'vc01.127'],
    ['digits in circles', '①②⑦.⓪.⓪.①'],
    ['full-width digits', '１２７.０.０.１'],
    ['an ideographic full stop in an address', '127。0。0。1'],
    ['Arabic digits', '١٢٧.٠.٠.١'],
    ['a character that maps to a slash', 'vc01℀.example'],
    ['a hollow xn-- label', 'xn--localhost-.example'],
    ['an underscore', 'vc_01.example'],
    ['a wildcard', '*.example'],
    ['an empty label', 'vc01..example'],
    ['two trailing dots', 'localhost..'],
    ['a leading hyphen', '-vc01.example'],
    ['a label that is too long', `${'a'.repeat(64)}.example`],
    ['a name that is too long', `${'a.'.repeat(130)}example`],
    ['text that is too long', 'a'.repeat(400)],
    ['port 0', 'vc01.lab.example:0'],
    ['port 65536', 'vc01.lab.example:65536'],
    ['an empty port', 'vc01.lab.example:'],
    ['a port with a zero before it', 'vc01.lab.example:0443'],
    ['a port with a sign', 'vc01.lab.example:+443'],
    ['a port in words', 'vc01.lab.example:https'],
    ['a mapped IPv6 address', '::ffff:127.0.0.1'],
    ['a mapped IPv6 address in hexadecimal', '[::ffff:7f00:1]:443'],
    ['a mapped IPv6 address at length', '0:0:0:0:0:ffff:7f00:1'],
    ['an IPv4 address in brackets', '[127.0.0.1]'],
    ['a name in brackets', '[vc01.lab.example]'],
    ['brackets that stay open', '[2001:db8::1'],
    ['something behind the brackets', '[2001:db8::1]x'],
    ['IPv6 with too many groups', '1:2:3:4:5:6:7:8:9'],
    ['IPv6 with an octal tail', '::ffff:0177.0.0.1'],
  ])('no text with %s', (_what, typed) => {
    const problem = thrown(() => parseServer(typed, { pointer: '/target' }));
    expect(problem).toMatchObject({ code: 'request_validation_failed', members: { errors: [{ pointer: '/target' }] } });
    // A password may have been pasted into the wrong field.
    expect(problem.message).not.toContain('secret');
  });
});

/** Address as a resolver gives it → the rule that refuses it; null: dialled. */
const TARGETS: readonly (readonly [address: string, rule: string | null])[] = [
  ['127.0.0.1', 'loopback'],
  ['127.0.0.2', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.0.0.1', 'unspecified'],
  ['0.255.255.255', 'unspecified'],
  ['::', 'unspecified'],
  ['169.254.0.1', 'link-local'],
  ['169.254.255.255', 'link-local'],
  ['fe80::1', 'link-local'],
  ['febf:ffff::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['169.254.170.23', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:ec2::23', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['fd00:42::42', 'metadata'],
  ['fe80::a9fe:a9fe', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast'],
  ['ff02::1', 'multicast'],
  ['ff0e::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['10.10.0.255', 'broadcast'],
  ['10.10.0.0', 'broadcast'],
  ['172.17.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.254', 'reserved'],
  ['10.10.0.5', 'own-address'],
  ['fd00:10::5', 'own-address'],
  ['192.168.7.1', 'own-address'],
  ['172.17.0.1', 'own-address'],
  // IPv4-mapped, as a resolver writes it: judged and dialled as IPv4.
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['::ffff:0.0.0.0', 'unspecified'],
  ['::ffff:10.10.0.5', 'own-address'],
  ['::FFFF:224.0.0.1', 'multicast'],
  // IPv4-compatible.
  ['::127.0.0.1', 'loopback'],
  ['::7f00:1', 'loopback'],
  ['::169.254.169.254', 'metadata'],
  ['::2', 'unspecified'],
  ['::10.10.0.5', 'own-address'],
  // IPv4-translated.
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['::ffff:0:a9fe:a9fe', 'metadata'],
  // NAT64.
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b::10.10.0.5', 'own-address'],
  ['64:ff9b::255.255.255.255', 'broadcast'],
  ['64:ff9b:1::7f00:1', 'transition'],
  ['64:ff9b:1:a0a:0:900::', 'transition'],
  // 6to4.
  ['2002:7f00:1::', 'loopback'],
  ['2002:7f00:1::1', 'loopback'],
  ['2002:a9fe:a9fe::1', 'metadata'],
  ['2002:a0a:5::1', 'own-address'],
  ['2002:0:0::1', 'unspecified'],
  // Teredo: server, and client turned over (127.0.0.1 → 80ff:fffe).
  ['2001:0:7f00:1::', 'loopback'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'loopback'],
  ['2001:0:4136:e378:8000:63bf:5601:5601', 'metadata'],
  // ISATAP.
  ['2001:db8::5efe:127.0.0.1', 'loopback'],
  ['2001:db8::200:5efe:a9fe:a9fe', 'metadata'],
  // What is no address at all.
  ['', 'unspecified'],
  ['0x7f.1', 'unspecified'],
  ['2130706433', 'unspecified'],
  ['::ffff:1:2:3:4:5:6:7', 'unspecified'],
  ['0:0:0:0:0:ffff:7f00:1', 'unspecified'],
  // Ordinary machines of a lab.
  ['10.10.0.9', null],
  ['10.10.1.255', null],
  ['172.16.0.1', null],
  ['192.168.7.0', null],
  ['100.64.0.1', null],
  ['192.0.2.10', null],
  ['198.51.100.10', null],
  ['203.0.113.10', null],
  ['8.8.8.8', null],
  ['223.255.255.255', null],
  ['fd00:10::9', null],
  ['fd00:ec3::254', null],
  ['2001:db8::1', null],
  ['2606:4700::1111', null],
  ['::ffff:10.10.0.9', null],
  ['64:ff9b::10.10.0.9', null],
  ['2002:a0a:9::1', null],
  ['2001:db8::5efe:10.10.0.9', null],
];

describe('of the addresses of a name', () => {
  const target = { host: 'vc01.lab.example', port: 443 };

  test('the table is long enough to mean something', () => {
    expect(TARGETS.filter(([, rule]) => rule !== null).length).toBeGreaterThanOrEqual(60);
    expect(new Set(TARGETS.map(([address]) => address)).size).toBe(TARGETS.length);
  });

  test.each(TARGETS)('%s is refused as %s', async (address, rule) => {
    const dialled = dialledAddress(address);
    if (dialled) expect(refusingRule(dialled, 443, POLICY)).toBe(rule);
    const resolved = resolveTarget(target, POLICY, async () => [{ address }]);
    if (rule === null) expect(await resolved).toEqual({ address: dialled!.text, family: dialled!.family });
    else await expect(resolved).rejects.toMatchObject({ code: 'target_refused' });
    // Beside a permitted one it counts as well: which of them is dialled must not be chance.
    const beside = resolveTarget(target, POLICY, async () => [{ address: '10.10.0.9' }, { address }]);
    if (rule === null) expect(await beside).toEqual({ address: '10.10.0.9', family: 4 });
    else await expect(beside).rejects.toMatchObject({ code: 'target_refused' });
  });

  test.each(
    TARGETS.filter(([address]) => dialledAddress(address) && !/ffff:.*\.|ffff:[0-9a-f]+:[0-9a-f]+$/i.test(address)),
  )('the literal %s is held to the same rules (%s)', async (address, rule) => {
    const resolved = resolveTarget({ host: dialledAddress(address)!.text, port: 443 }, POLICY, async () => {
      throw new Error('a literal is not looked up');
    });
    if (rule === null) expect((await resolved).address).toBe(dialledAddress(address)!.text);
    else await expect(resolved).rejects.toMatchObject({ code: 'target_refused' });
  });

  test('the refusal says which rule, where it leads, and what lifts it', async () => {
    const lookup = async () => [{ address: '127.0.0.1' }];
    const refused = await resolveTarget(target, POLICY, lookup).catch((error: Problem) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect((refused as Problem).message).toBe(
      'No connection is made to vc01.lab.example (127.0.0.1): it is a loopback address. If it is meant, add its network to Permitted networks in the settings of remote machines (allowed_networks in the API).',
    );
    const own = await resolveTarget(target, POLICY, async () => [{ address: '10.10.0.5' }]).catch(String);
    expect(own).toContain(
      'If it is meant, add that one address to Permitted networks in the settings of remote machines (allowed_networks in the API).',
    );
  });
});

describe('an exception of the settings', () => {
  const lifted = (allowed: string, address: string, port = 443) =>
    refusingRule(dialledAddress(address)!, port, { ...POLICY, allowed: cidrs(allowed) });

  test.each<[allowed: string, address: string, rule: string | null]>([
    ['127.0.0.0/8', '127.0.0.1', null],
    ['127.0.0.1/32', '127.0.0.1', null],
    ['127.0.0.1/32', '127.0.0.2', 'loopback'],
    ['169.254.0.0/16', '169.254.7.7', null],
    // A network is no wish for what a cloud or the appliance itself has in it; one address is.
    ['169.254.0.0/16', '169.254.169.254', 'metadata'],
    ['169.254.169.254/32', '169.254.169.254', null],
    ['10.0.0.0/8', '10.10.0.5', 'own-address'],
    ['10.10.0.5/32', '10.10.0.5', null],
    ['fd00::/8', 'fd00:10::5', 'own-address'],
    ['fd00:10::5/128', 'fd00:10::5', null],
    ['fd00::/8', 'fd00:ec2::254', 'metadata'],
    // It holds for the address that is dialled, not for one that it stands for.
    ['127.0.0.0/8', '::ffff:127.0.0.1', null],
    ['127.0.0.0/8', '64:ff9b::127.0.0.1', 'loopback'],
    ['127.0.0.0/8', '2002:7f00:1::1', 'loopback'],
    ['127.0.0.0/8', '::127.0.0.1', 'loopback'],
    ['64:ff9b::/96', '64:ff9b::127.0.0.1', null],
    ['64:ff9b::/96', '64:ff9b::169.254.169.254', 'metadata'],
    ['64:ff9b:1::/48', '64:ff9b:1::a0a:9', null],
    ['10.0.0.0/8', '127.0.0.1', 'loopback'],
  ])('for %s: %s is refused as %s', (allowed, address, rule) => expect(lifted(allowed, address)).toBe(rule));

  test.each<[allowed: string, address: string, rule: string | null]>([
    ['127.0.0.0/8', '127.0.0.1', 'own-address'],
    ['127.0.0.0/8', '127.9.9.9', 'own-address'],
    ['::/64', '::1', 'own-address'],
    ['127.0.0.1/32', '127.0.0.1', null],
    ['::1/128', '::1', null],
    ['127.0.0.1/32', '127.0.0.2', 'own-address'],
    ['127.0.0.0/8', '10.10.0.9', null],
  ])('for %s leaves the appliance’s own listener alone: at its port, %s is refused as %s', (allowed, address, rule) =>
    expect(lifted(allowed, address, 8443)).toBe(rule),
  );
});

describe('a lookup', () => {
  const target = { host: 'rebind.lab.example', port: 443 };

  test('is made once, and what it answered first is what is dialled', async () => {
    const answers = [[{ address: '10.10.0.9' }], [{ address: '127.0.0.1' }]];
    let asked = 0;
    const lookup = async () => answers[Math.min(asked++, 1)]!;
    expect(await resolveTarget(target, POLICY, lookup)).toEqual({ address: '10.10.0.9', family: 4 });
    expect(asked).toBe(1);
    await expect(resolveTarget(target, POLICY, lookup)).rejects.toMatchObject({ code: 'target_refused' });
  });

  test.each<[what: string, lookup: () => Promise<{ address: string }[]>, code: string]>([
    ['that finds nothing', async () => [], 'remote_name_unknown'],
    [
      'that knows no such name',
      () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
      'remote_name_unknown',
    ],
    [
      'without name servers',
      () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })),
      'remote_name_unknown',
    ],
    [
      'with more addresses than a machine has',
      async () => Array(65).fill({ address: '10.10.0.9' }),
      'remote_name_unknown',
    ],
    ['that takes too long', () => new Promise(() => undefined), 'remote_timeout'],
  ])('%s is a problem with a way out', async (_what, lookup, code) => {
    await expect(resolveTarget(target, POLICY, lookup, 40)).rejects.toMatchObject({ code });
  });

  test('of a name that the machine itself knows as loopback leads nowhere', async () => {
    await expect(resolveTarget({ host: 'localhost', port: 443 }, POLICY)).rejects.toMatchObject({
      code: 'target_refused',
    });
  });

  test('an address of an earlier step is held against the policy of now', () => {
    const now = { ...POLICY, own: [...POLICY.own, ...cidrs('10.10.0.9/24')] };
    expect(permittedAddress(target, '10.10.0.9', POLICY)).toEqual({ address: '10.10.0.9', family: 4 });
    expect(thrown(() => permittedAddress(target, '10.10.0.9', now))).toMatchObject({ code: 'target_refused' });
  });
});
