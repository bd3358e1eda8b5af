// The fixed table of what can need somebody.

export const CONDITIONS = {
  unit_failing: 'A service does not answer as applied.',
  unit_drifted: 'Somebody changed the host since the last apply.',
  apply_failed: 'The last apply failed, or was rolled back by itself.',
  window_open: 'An apply waits for its confirmation.',
  certificate_ending: 'A certificate expires within 14 days, or has expired.',
  disk_full: 'Less than a tenth of a disk is free, and less than 20 GiB.',
  datastore_full: 'A storage volume, or a datastore with a size limit, is nine tenths full.',
  pool_full: 'A DHCP scope has leased nine tenths of the addresses in its ranges.',
  clock_unsynchronised: 'The clock follows no time source, though sources are in force.',
  not_sampled: 'Daemons, leases and disks were not looked at for five minutes.',
  archives_overdue: 'Scheduled archives are missing or too old.',
  keys_unprotected: 'Keys of the KMIP server are in no verified archive.',
} as const;
export type ConditionId = keyof typeof CONDITIONS;

/** `critical`: something does not work, or is about to be lost. */
export const SEVERITIES = ['critical', 'warning'] as const;
