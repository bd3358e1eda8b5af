// How long a daemon does not answer while it restarts, as plans tell it: one table, with what was measured and how. What
// a plan says is more than what was measured, since systemd and a slower machine take their time as well. Measured on two
// cores with the real daemons in network namespaces, by a client that does not ask again: `npm run bench -- interruption`
// on a machine of its own, and test/system/restarts.test.ts beside other tests, which is slower.

export interface RestartTime {
  /** Milliseconds on a machine of its own: the longest silence; where questions wait, the longest wait. */
  alone: number;
  /** The same beside other tests. */
  busy: number;
  /** What was changed meanwhile. */
  by: string;
  /** Seconds that a plan tells. */
  told: number;
}

export const RESTART_TIMES = {
  // Questions over UDP are kept meanwhile, so that nothing is lost.
  names: { alone: 45, busy: 48, by: 'a TXT record', told: 0.2 },
  addresses: { alone: 40, busy: 62, by: 'a TXT record, a lease time', told: 0.2 },
  time: { alone: 35, busy: 44, by: 'the number of sources that agree', told: 0.5 },
} as const satisfies Record<string, RestartTime>;

/** Seconds that dnsmasq takes to read one address: 0.32 s for a reload of 100,000. */
export const SECONDS_PER_ADDRESS = 3.4e-6;

/** What becomes of a question in that time. A DHCP client repeats it after some four seconds (RFC 2131, 4.1). */
export const ASK_AGAIN = 'clients ask again by themselves';
