// Whose lines are shown: the service, what of it runs as root, and the daemons that units own. The units of systemd are a
// fixed table, so that nobody reads the log of another program of the machine.

interface Source {
  label: string;
  /** Names of systemd units; `*` stands for an instance. */
  units: readonly string[];
}

export const SOURCES = {
  service: { label: 'Management service', units: ['groundcrew.service'] },
  'root-step': {
    label: 'Root step',
    units: [
      'groundcrew-enforce@*.service',
      'groundcrew-check@*.service',
      'groundcrew-rollback.service',
      'groundcrew-watchdog.service',
      'groundcrew-certificate.service',
    ],
  },
  network: { label: 'Network (systemd-networkd)', units: ['systemd-networkd.service'] },
  firewall: { label: 'Firewall (nftables)', units: ['groundcrew-nftables.service'] },
  'dns-dhcp': { label: 'DNS and DHCP (dnsmasq)', units: ['groundcrew-dnsmasq.service'] },
  ntp: { label: 'NTP (chronyd)', units: ['groundcrew-chronyd.service'] },
  ldap: { label: 'LDAP (slapd)', units: ['groundcrew-slapd.service'] },
  storage: {
    label: 'Storage (NFS server and disks)',
    units: [
      'nfs-server.service',
      'nfs-mountd.service',
      'groundcrew-datastore-limits.service',
      'groundcrew-disk@*.service',
    ],
  },
  'web-terminal': {
    label: 'Web terminal (sshd)',
    units: ['groundcrew-terminal@*.service', 'groundcrew-terminal.socket', 'groundcrew-terminal-key.service'],
  },
} as const satisfies Record<string, Source>;

export type SourceId = keyof typeof SOURCES;
export const SOURCE_IDS = Object.keys(SOURCES) as [SourceId, ...SourceId[]];

const PATTERNS = SOURCE_IDS.flatMap((id) =>
  SOURCES[id].units.map(
    (unit) => [id, new RegExp(`^${unit.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)] as const,
  ),
);

/** `groundcrew-enforce@3.service` → `root-step`; null for a unit of no source. */
export const sourceOfUnit = (unit: string): SourceId | null =>
  PATTERNS.find(([, pattern]) => pattern.test(unit))?.[0] ?? null;
