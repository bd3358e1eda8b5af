// What each service needs of the packet filter, as data: which ports, for whom, and why. Nothing else is opened.

/** A settings document, as saved. */
export type Document = Readonly<Record<string, unknown>>;

export interface PortNeed {
  protocol: 'tcp' | 'udp';
  ports(settings: Document): number[];
  /** What it is for: `The directory, in the clear.` */
  why: string;
  /** Member that holds the networks of clients. */
  clients?: string;
  /** Who may come where that member is empty: everybody, unless it says the appliance's own networks alone. */
  unnamed?: 'own';
  when?(settings: Document): boolean;
  /** Document that has to be enforced as well, because the port answers nobody without it. */
  awaits?: string;
}

export interface ServiceNeeds {
  /** Row of `unit_settings`. */
  key: string;
  label: string;
  needs: readonly PortNeed[];
}

const fixed =
  (...ports: number[]) =>
  () =>
    ports;
const member =
  (name: string) =>
  (settings: Document): number[] =>
    typeof settings[name] === 'number' ? [settings[name]] : [];
const switched =
  (name: string) =>
  (settings: Document): boolean =>
    settings[name] === true;

/** Services that choose interfaces. Those that do not (DHCP, storage, the UI itself) are in openings.ts. */
export const SERVICE_NEEDS: readonly ServiceNeeds[] = [
  {
    key: 'dns-dhcp',
    label: 'DNS',
    needs: [
      {
        protocol: 'udp',
        ports: fixed(53),
        why: 'Questions to the name service.',
        clients: 'allowed_clients',
        unnamed: 'own',
      },
      {
        protocol: 'tcp',
        ports: fixed(53),
        why: 'Questions whose answers are too long for UDP (RFC 7766).',
        clients: 'allowed_clients',
        unnamed: 'own',
      },
    ],
  },
  {
    key: 'ntp',
    label: 'NTP',
    needs: [
      { protocol: 'udp', ports: fixed(123), why: 'Questions to the time service.', clients: 'allowed_clients' },
      {
        protocol: 'tcp',
        ports: fixed(4460),
        why: 'Keys for Network Time Security (RFC 8915).',
        clients: 'allowed_clients',
        when: switched('nts_enabled'),
        // A server of keys needs a certificate.
        awaits: 'certificate-authority',
      },
    ],
  },
  {
    key: 'certificate-authority',
    label: 'Certificate portal',
    needs: [
      { protocol: 'tcp', ports: fixed(80, 443), why: 'The portal with the root certificate and the revocation list.' },
    ],
  },
  {
    key: 'kms',
    label: 'Key management',
    needs: [{ protocol: 'tcp', ports: member('port'), why: 'KMIP for vCenter.' }],
  },
  {
    key: 'ldap',
    label: 'LDAP',
    needs: [
      {
        protocol: 'tcp',
        ports: member('ldaps_port'),
        why: 'The directory over TLS.',
        when: switched('ldaps_enabled'),
      },
      {
        protocol: 'tcp',
        ports: member('ldap_port'),
        why: 'The directory in the clear.',
        when: switched('ldap_enabled'),
      },
    ],
  },
  {
    key: 'oidc',
    label: 'OpenID Connect',
    needs: [{ protocol: 'tcp', ports: member('port'), why: 'Sign-in for browsers and tokens for programs.' }],
  },
  {
    key: 'private-cloud-services',
    label: 'Offline depot',
    needs: [{ protocol: 'tcp', ports: member('port'), why: 'Software for VMware Cloud Foundation.' }],
  },
  {
    key: 'network-boot',
    label: 'Network boot',
    needs: [
      { protocol: 'tcp', ports: member('http_port'), why: 'Boot files over HTTP.' },
      // The transfer itself runs from a port that the server chooses: it is its connection, so its answers come back.
      {
        protocol: 'udp',
        ports: fixed(69),
        why: 'The first boot program over TFTP.',
        when: switched('tftp_enabled'),
      },
    ],
  },
];

export const MANAGEMENT_UI = 'management-ui';
/** What people call what answers. */
export const LABELS: Record<string, string> = {
  ...Object.fromEntries(SERVICE_NEEDS.map(({ key, label }) => [key, label])),
  [MANAGEMENT_UI]: 'Management UI',
  'public-pages': 'Public pages',
  'own-addresses': 'Own addresses',
  dhcp: 'DHCP',
  storage: 'Datastore',
};
/** What people call what is open; `name`: that of a datastore. */
export const openingLabel = (service: string, name?: string): string =>
  [LABELS[service] ?? service, name].filter((part) => part !== undefined).join(' ');

/** Documents without interfaces of their own that decide what is opened all the same. */
export const OTHER_KEYS = ['dhcp', 'storage', 'firewall'] as const;

/** Ports of NFS by version: 4.1 needs one; 3 also asks the port mapper, and mounts by a protocol of its own. */
export const NFS_PORTS: Readonly<Record<string, readonly { protocol: 'tcp' | 'udp'; ports: number[] }[]>> = {
  '4.1': [{ protocol: 'tcp', ports: [2049] }],
  '3': [
    { protocol: 'tcp', ports: [111, 2049, 20_048] },
    { protocol: 'udp', ports: [111] },
  ],
};
