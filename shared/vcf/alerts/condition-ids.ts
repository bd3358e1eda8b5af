// The fixed table of what can need somebody.

export const CONDITIONS = {
  unit_failing: 'A service does not answer as applied.',
  unit_drifted: 'Somebody changed the host since the last apply.',
  apply_failed: 'The last apply failed, or was rolled back by itself.',
  window_open: 'An apply waits for its confirmation.',
  job_failed: 'The last job of a kind failed, within a day.',
  certificate_ending: 'A certificate expires within the days of the rules, 14 by default, or has expired.',
  disk_full: 'A disk is used beyond the share of the rules, nine tenths by default, and less than 20 GiB are free.',
  datastore_full:
    'A storage volume, or a datastore with a size limit, is used beyond the share of the rules for disks.',
  pool_full: 'A DHCP scope has leased the share of the rules, nine tenths by default, of the addresses in its ranges.',
  clock_unsynchronised: 'The clock follows no time source, though sources are in force.',
  clock_offset: 'The clock is off by more than the rules permit, a second by default.',
  not_sampled: 'Daemons, leases and disks were not looked at for five minutes.',
  archives_overdue: 'Scheduled archives are missing or too old.',
  keys_unprotected: 'Keys of the KMIP server are in no verified archive.',
  sign_ins_refused: 'Within a quarter of an hour more sign-ins failed than the rules permit, 50 by default.',
  receiver_failing: 'A receiver of alerts takes no message.',
} as const;
export type ConditionId = keyof typeof CONDITIONS;
export const CONDITION_IDS = Object.keys(CONDITIONS) as [ConditionId];

/** `critical`: something does not work, or is about to be lost. */
export const SEVERITIES = ['critical', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];
