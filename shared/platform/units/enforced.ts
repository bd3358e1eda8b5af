// Which settings documents an apply makes true on the host. For the others saving is all that happens yet: pages and
// operations say so, and the packet filter opens nothing for them.

export const ENFORCED: ReadonlySet<string> = new Set([
  ...['firewall', 'dns-dhcp', 'dhcp', 'ntp', 'network-boot'],
  'private-cloud-services',
]);
