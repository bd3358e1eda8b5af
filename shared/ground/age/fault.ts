// What can be wrong with an age file, or with what should open it: one closed list, a sentence for people for each.

/** log₂ of the work of a passphrase that is accepted at most: a gigabyte of memory for seconds. */
export const LOG_N_MOST = 20;

export const AGE_FAULTS = {
  not_age: 'The file is no age file.',
  armored: 'The file is an age file in its text form; decode it first, or encrypt again without -a.',
  version: 'The file is of a version of age that this program does not read.',
  needs_passphrase: 'The file was encrypted with a passphrase.',
  needs_identity: 'The file was encrypted for recipients; the identity (private key) of one of them opens it.',
  wrong_passphrase: 'The passphrase does not open the file.',
  wrong_identity: 'The file was not encrypted for this identity.',
  work_too_high: `The passphrase of the file asks for more work than 2^${LOG_N_MOST}, which this program does not do.`,
  passphrase_not_alone: 'The file can be opened in another way beside its passphrase, which age does not allow.',
  damaged: 'The file is damaged or cut off.',
  cut_off: 'The file ends too early.',
  identity_malformed: 'This is no identity of age: AGE-SECRET-KEY-1 and 58 more characters.',
  recipient_malformed: 'This is no recipient of age: age1 and 58 more characters.',
} as const;
export type AgeFaultCode = keyof typeof AGE_FAULTS;

export class AgeFault extends Error {
  override name = 'AgeFault';
  readonly fault: AgeFaultCode;

  constructor(fault: AgeFaultCode) {
    super(AGE_FAULTS[fault]);
    this.fault = fault;
  }
}
