// Ports that are opened for services without interfaces of their own.

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
