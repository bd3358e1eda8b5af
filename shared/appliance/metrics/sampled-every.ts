/** Seconds between two looks at daemons, leases and disks. */
export const SAMPLED_EVERY = 30;
