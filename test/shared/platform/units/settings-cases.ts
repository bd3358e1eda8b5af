// What each member of each settings document accepts, in which canonical form, and what it refuses where.

/** `[sent, saved]`; one value where both are the same. */
export type Accepted = readonly [sent: unknown, saved: unknown];
/** `[sent, where the fault is pointed at below the member]`. */
export type Refused = readonly [sent: unknown, below: string];

export interface MemberCase {
  accepts: readonly Accepted[];
  refuses: readonly Refused[];
  /** What is sent along, where a member alone would be refused for another reason. */
  beside?: Record<string, unknown>;
}

const same = (value: unknown): Accepted => [value, value];
const at = (value: unknown, below = ''): Refused => [value, below];

const FLAG: MemberCase = { accepts: [same(true), same(false)], refuses: [at('true'), at(1), at(null)] };
/** The switch of a service that has to listen somewhere. */
const SWITCH: MemberCase = { ...FLAG, beside: { listen_interfaces: ['ens192'] } };
const NAME: MemberCase = {
  accepts: [[' GC01.Lab.Example. ', 'gc01.lab.example'], same('')],
  refuses: [at('a b'), at('a..b'), at('_x.lab.test'), at('10.0.0.1'), at('*.lab.test'), at(`${'a'.repeat(64)}.test`)],
};
const LISTEN: MemberCase = {
  accepts: [same(['ens192', 'ens256.20']), same([])],
  refuses: [at(['ens192', 'ens999'], '/1'), at(['ens192', 'ens192']), at(['eth0;'], '/0'), at('ens192')],
};
const NETWORKS: MemberCase = {
  accepts: [
    [
      ['10.10.0.0/24', ' FD00:10::/64 ', '10.0.0.9'],
      ['10.10.0.0/24', 'fd00:10::/64', '10.0.0.9/32'],
    ],
    same([]),
  ],
  refuses: [
    at(['10.10.0.5/24'], '/0'),
    at(['0.0.0.0/0'], '/0'),
    at(['10.10.0.0/24', 'all'], '/1'),
    at(['10.0.0.1', '10.0.0.1/32']),
    at(Array.from({ length: 65 }, (_, n) => `10.${n}.0.0/16`)),
  ],
};
const between = (minimum: number, maximum: number): MemberCase => ({
  accepts: [same(minimum), same(maximum)],
  refuses: [at(minimum - 1), at(maximum + 1), at(minimum + 0.5), at(String(minimum))],
});
const PORT = between(1, 65_535);
const SERVICE = { enabled: SWITCH, hostname: NAME, listen_interfaces: LISTEN };

export const CASES: Readonly<Record<string, Readonly<Record<string, MemberCase>>>> = {
  network: {
    hostname: NAME,
    dns_servers: {
      accepts: [
        [
          ['10.10.0.53', ' FD00::0053 '],
          ['10.10.0.53', 'fd00::53'],
        ],
        same([]),
      ],
      refuses: [
        at(['127.0.0.1'], '/0'),
        at(['10.0.0.1', 'fe80::1'], '/1'),
        at(['ns.lab.test'], '/0'),
        at(['fd00::1', 'fd00:0::1']),
        at(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']),
      ],
    },
  },
  firewall: { enabled: FLAG, log_denied: FLAG, allow_ping: FLAG, management_networks: NETWORKS },
  'dns-dhcp': {
    enabled: SWITCH,
    listen_interfaces: LISTEN,
    allowed_clients: NETWORKS,
    upstream_servers: {
      accepts: [
        [
          ['192.0.2.53#53', 'FD00::35#5353'],
          ['192.0.2.53', 'fd00::35#5353'],
        ],
        same([]),
      ],
      refuses: [at(['127.0.0.1'], '/0'), at(['192.0.2.1', '192.0.2.1#53'])],
    },
    ttl_seconds: between(0, 86_400),
    cache_size: between(0, 100_000),
    domain: { accepts: [['Lab.Test.', 'lab.test'], same('_tcp.lab.test'), same('')], refuses: [at('a b')] },
    log_queries: FLAG,
    statistics: FLAG,
  },
  dhcp: { enabled: FLAG, authoritative: FLAG, lease_time: between(120, 31_536_000) },
  ntp: {
    ...SERVICE,
    allowed_clients: NETWORKS,
    local_stratum: between(0, 15),
    nts_enabled: { ...FLAG, beside: { hostname: 'ntp.lab.test' } },
    minimum_sources: between(1, 8),
  },
  'certificate-authority': {
    enabled: FLAG,
    portal_hostname: NAME,
    listen_interfaces: LISTEN,
    organization: {
      accepts: [[' Lab ', 'Lab'], same('')],
      refuses: [at('x'.repeat(65)), at('a\nb')],
    },
    common_name: { accepts: [[' Lab Root ', 'Lab Root']], refuses: [at(''), at('x'.repeat(65)), at('a\u0000b')] },
    key_algorithm: { accepts: [same('rsa-4096'), same('ecdsa-p256')], refuses: [at('rsa-1024'), at('')] },
    path_length: between(0, 1),
    root_validity_days: { ...between(365, 9125), beside: { certificate_validity_days: 90 } },
    certificate_validity_days: between(1, 825),
    publish_crl: FLAG,
  },
  kms: { ...SERVICE, port: PORT },
  'management-tls': {
    source: {
      accepts: [same('issued'), same('self_signed')],
      // None was uploaded.
      refuses: [at('uploaded'), at('other'), at(null)],
      beside: { names: ['gc01.lab.example'] },
    },
    names: {
      accepts: [[[' GC01.Lab.Example. '], ['gc01.lab.example']], same([])],
      refuses: [
        at(['a b'], '/0'),
        at(['gc01.lab.example', '10.0.0.1'], '/1'),
        at(['a.test', 'A.test']),
        at(Array.from({ length: 17 }, (_, n) => `gc${n}.lab.example`)),
        at('gc01.lab.example'),
      ],
    },
  },
  ldap: {
    ...SERVICE,
    ldaps_enabled: FLAG,
    ldaps_port: PORT,
    ldap_enabled: FLAG,
    ldap_port: PORT,
    allow_plain_bind: { ...FLAG, beside: { ldap_enabled: true } },
    password_min_length: between(8, 128),
    password_history: between(0, 24),
    password_max_failures: between(0, 100),
    password_lockout_minutes: between(0, 10_080),
    password_max_age_days: between(0, 3_650),
  },
  oidc: {
    ...SERVICE,
    port: PORT,
    issuer: {
      accepts: [
        [' HTTPS://ID.Lab.Test:443/identity ', 'https://id.lab.test/identity'],
        ['https://id.lab.test/', 'https://id.lab.test'],
        ['https://[FD00::1]:8443', 'https://[fd00::1]:8443'],
        same(''),
      ],
      refuses: [
        'http://id.lab.test',
        'https://a@id.lab.test',
        'https://id.lab.test/?',
        'https://id.lab.test/#a',
        'id',
      ].map((url) => at(url)),
    },
    access_token_seconds: between(60, 3600),
    id_token_seconds: between(60, 3600),
    code_seconds: between(30, 300),
  },
  'private-cloud-services': {
    ...SERVICE,
    port: PORT,
    // That a name has to be one of a depot user is looked at with the depot.
    http_user: { accepts: [[' ', '']], refuses: [at('x'.repeat(65)), at('a\nb'), at('nobody')] },
    allow_unauthenticated_access: FLAG,
  },
  storage: { enabled: FLAG, hostname: NAME },
  'network-boot': {
    ...SERVICE,
    http_port: { ...PORT, refuses: [...PORT.refuses, at(69)] },
    tftp_enabled: FLAG,
    uefi_http_url: {
      accepts: [
        ['http://10.10.0.5:8081/boot/mboot.efi', 'http://10.10.0.5:8081/boot/mboot.efi'],
        ['http://[FD00:0::5]:80/x', 'http://[fd00::5]/x'],
        same(''),
      ],
      refuses: ['https://10.10.0.5/x', 'http://u:p@10.10.0.5/x', 'http://10.10.0.5/x#y', '10.10.0.5'].map((url) =>
        at(url),
      ),
    },
  },
  'web-terminal': {
    enabled: SWITCH,
    listen_interfaces: LISTEN,
    idle_minutes: between(1, 60),
    session_minutes: between(5, 480),
    sessions: between(1, 16),
    sessions_per_user: between(1, 4),
    recording: SWITCH,
    recording_days: between(1, 365),
    recording_megabytes: between(64, 16_384),
  },
};
