// Which names a deployment has, and what is refused of what was typed, at its field.
import { describe, expect, test } from '@jest/globals';
import { CATALOGS, catalogOf } from '../../../../shared/ground/catalogs/index.ts';
import { type GenerateInput, readRequest } from '../../../../shared/vcf/names/request.ts';

const V4: GenerateInput = { catalog: 'vvf-9.1', domain: 'lab.test', start_ipv4_cidr: '10.0.0.20/24' };

describe('the catalog', () => {
  test('has the 17 components of VCF 9.1 and the 6 of VVF 9.1', () => {
    expect(CATALOGS.map(({ id, components }) => [id, components.length])).toEqual([
      ['vcf-9.1', 17],
      ['vvf-9.1', 6],
    ]);
    const [vcf, vvf] = CATALOGS;
    expect(vcf.components.map(({ host }) => host).join(' ')).toBe(
      'vc01 nsx01 nsx02 nsx03 nsx04 ops01 ops02 ops03 collector auto-vip auto-platform sddcm vsp01 fleetlcm shared01 vidb license',
    );
    expect(vvf!.components.map(({ host }) => host).join(' ')).toBe('vc01 ops01 vsp01 fleetlcm shared01 license');
    expect(vcf.components).toEqual(expect.arrayContaining([...vvf!.components]));
  });
  test.each(['vcf-9.1', 'VCF-9.1', ' VCF 9.1 '])('is found as %j', (text) => {
    expect(catalogOf(text)?.id).toBe('vcf-9.1');
  });
});

describe('names', () => {
  test('are prefix, host name of the catalog and suffix in the domain, all in lower case', () => {
    const { request } = readRequest({ ...V4, prefix: 'M01-', suffix: '-A', domain: 'Lab.TEST.' }, { start: 'needed' });
    expect(request?.names[0]).toEqual({ host: 'vc01', label: 'vCenter', fqdn: 'm01-vc01-a.lab.test' });
  });
  const BAD: [string, Partial<GenerateInput>, string, RegExp][] = [
    ['an unknown catalog', { catalog: 'vcf-5.2' }, '/catalog', /VCF 9\.1, VVF 9\.1/],
    ['a prefix with a dot', { prefix: 'a.b' }, '/prefix', /Letters, digits and hyphens only/],
    ['a prefix with an underscore', { prefix: 'a_' }, '/prefix', /Letters, digits and hyphens only/],
    ['a prefix that begins with a hyphen', { prefix: '-a' }, '/prefix', /begin with a hyphen/],
    ['a suffix that ends with a hyphen', { suffix: 'a-' }, '/suffix', /end with a hyphen/],
    ['a prefix with a dot at its end', { prefix: 'm01.' }, '/prefix', /Letters, digits and hyphens only/],
    [
      'a letter that only lower case makes ASCII',
      { prefix: '\u212a01-' },
      '/prefix',
      /Letters, digits and hyphens only/,
    ],
    ['a zone in which no machine can have a name', { domain: '_msdcs.lab.test' }, '/domain', /underscore/],
    ['a reverse zone', { domain: '10.in-addr.arpa' }, '/domain', /only PTR records/],
    ['a suffix of another script', { suffix: 'ü' }, '/suffix', /Letters, digits and hyphens only/],
    [
      'a prefix that makes a label too long',
      { prefix: 'p'.repeat(56) },
      '/prefix',
      /label of 64 characters.*at most 63/,
    ],
    ['a suffix that makes a label too long', { suffix: 's'.repeat(56) }, '/suffix', /label of 64 characters/],
    ['no domain', { domain: '' }, '/domain', /Choose one/],
    ['no first address', { start_ipv4_cidr: '' }, '/start_ipv4_cidr', /either family/],
    ['an address without prefix length', { start_ipv4_cidr: '10.0.0.20' }, '/start_ipv4_cidr', /prefix length/],
    ['leading zeros', { start_ipv4_cidr: '10.0.0.020/24' }, '/start_ipv4_cidr', /prefix length/],
    [
      'IPv6 in the field of IPv4',
      { start_ipv4_cidr: 'fd00::20/64' },
      '/start_ipv4_cidr',
      /belongs into the field for IPv6/,
    ],
    ['IPv4 in the field of IPv6', { start_ipv6_cidr: '10.0.0.20/24' }, '/start_ipv6_cidr', /field for IPv4/],
    ['a multicast address', { start_ipv4_cidr: '239.0.0.1/24' }, '/start_ipv4_cidr', /one machine/],
    [
      'a network that reaches loopback',
      { start_ipv4_cidr: '126.255.255.250/1' },
      '/start_ipv4_cidr',
      /127\.0\.0\.0\/8/,
    ],
    [
      'a network that reaches multicast',
      { start_ipv4_cidr: '223.255.255.250/2' },
      '/start_ipv4_cidr',
      /224\.0\.0\.0\/3/,
    ],
    ['a network that reaches link-local', { start_ipv6_cidr: 'fe00::1/8' }, '/start_ipv6_cidr', /fe80::\/10/],
    ['a link-local address', { start_ipv6_cidr: 'fe80::20/64' }, '/start_ipv6_cidr', /link-local/],
    ['a /31, which is network and broadcast only', { start_ipv4_cidr: '10.0.0.20/31' }, '/start_ipv4_cidr', /\/24/],
    ['a /32', { start_ipv4_cidr: '10.0.0.20/32' }, '/start_ipv4_cidr', /no address to give/],
    ['a /128', { start_ipv6_cidr: 'fd00::20/128' }, '/start_ipv6_cidr', /no address to give/],
  ];
  test.each(BAD)('are refused for %s', (_what, part, pointer, detail) => {
    const { request, errors } = readRequest({ ...V4, ...part }, { start: 'needed' });
    expect(request).toBeNull();
    expect(errors).toContainEqual({ pointer, detail: expect.stringMatching(detail) });
  });
  test('below home.arpa are taken: it is a zone for machines (RFC 8375)', () => {
    expect(readRequest({ ...V4, domain: 'lab.home.arpa' }, { start: 'needed' }).errors).toEqual([]);
  });
  test('of 63 characters in a label are taken', () => {
    expect(readRequest({ ...V4, prefix: 'p'.repeat(55) }, { start: 'needed' }).errors).toEqual([]);
  });
});
