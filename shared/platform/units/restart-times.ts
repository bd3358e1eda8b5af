// How long a daemon does not answer while it restarts, as plans tell it: one table, with what was measured and how. What
// a plan says is more than what was measured, since systemd and a slower machine take their time as well. Measured with
// `npm run bench -- interruption` on two cores, with the real daemons in network namespaces: the longest silence that a
// client saw that does not ask again.

export interface RestartTime {
  /** Milliseconds: the longest silence of all rounds. */
  measured: number;
  /** The change of the benchmark that it was measured with. */
  with: string;
  /** Seconds that a plan tells. */
  told: number;
}

export const RESTART_TIMES = {
  // Questions over UDP are kept meanwhile, so that nothing is lost.
  names: { measured: 38, with: 'DNS: a TXT record is added', told: 0.2 },
  addresses: { measured: 40, with: 'DHCP: a TXT record of DNS is added', told: 0.2 },
  time: { measured: 38, with: 'NTP: the number of sources that agree changes', told: 0.5 },
} as const satisfies Record<string, RestartTime>;

/** Seconds that dnsmasq takes to read one address: 0.32 s for a reload of 100,000. */
export const SECONDS_PER_ADDRESS = 3.4e-6;

/** What becomes of a question in that time. A DHCP client repeats it after some four seconds (RFC 2131, 4.1). */
export const ASK_AGAIN = 'clients ask again by themselves';
