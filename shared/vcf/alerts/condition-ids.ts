// The fixed table of what can need somebody.

export const CONDITIONS = {
  unit_failing: 'A service does not answer as applied.',
  unit_drifted: 'Somebody changed the host since the last apply.',
  apply_failed: 'The last apply failed or was rolled back.',
  window_open: 'An apply waits for its confirmation.',
  job_failed: 'The last job of a kind failed, within a day.',
  certificate_ending: 'A certificate has expired, or does within the days of the rules.',
  disk_full: 'A disk is fuller than the rules permit, and less than 20 GiB are free.',
  datastore_full: 'A storage volume or a limited datastore is fuller than the rules permit.',
  volume_missing: 'The disk of a storage volume is away, or not mounted.',
  pool_full: 'A DHCP pool is fuller than the rules permit.',
  clock_unsynchronised: 'The clock follows no time source, though sources are in force.',
  clock_offset: 'The clock is off by more than the rules permit.',
  not_sampled: 'Nothing was measured for five minutes.',
  archives_overdue: 'Scheduled archives are missing or too old.',
  keys_unprotected: 'Keys of the KMIP server are in no verified archive.',
  sign_ins_refused: 'More sign-ins failed within a quarter of an hour than the rules permit.',
  receiver_failing: 'A receiver of alerts takes no message.',
} as const;
export type ConditionId = keyof typeof CONDITIONS;
export const CONDITION_IDS = Object.keys(CONDITIONS) as [ConditionId];

/** `critical`: something does not work, or is about to be lost. */
export const SEVERITIES = ['critical', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];
