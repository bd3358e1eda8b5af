// How much a tar of ours may ask of its reader, and what can be wrong with it: one closed list, a sentence for each.

export const TAR_LIMITS = {
  /** Bytes of the whole file, and of one member. */
  file: 256 * 1024 * 1024,
  member: 64 * 1024 * 1024,
  members: 200,
} as const;

/** Fault → what is wrong ({}: the member's name). */
export const TAR_FAULTS = {
  not_tar: 'The file is no tar archive.',
  too_large: `The archive has more than ${TAR_LIMITS.file / 1024 / 1024} MiB.`,
  members_too_many: `The archive has more than ${TAR_LIMITS.members} members.`,
  member_too_large: `The member {} has more than ${TAR_LIMITS.member / 1024 / 1024} MiB.`,
  member_kind: 'The archive holds something that is no plain file: a link, a folder, a device or a sparse file.',
  member_name: 'A member has a name that this format does not have.',
  member_order: 'The member {} is there twice, or out of order.',
  header: 'The archive was packed again by another program, or is damaged near {}.',
  damaged: 'The archive is damaged near {}.',
  cut_off: 'The archive ends too early.',
  trailing_data: 'Something follows the end of the archive.',
} as const;
export type TarFaultCode = keyof typeof TAR_FAULTS;

export class TarFault extends Error {
  override name = 'TarFault';
  readonly fault: TarFaultCode;

  /** @param about a name that was checked already: it is shown */
  constructor(fault: TarFaultCode, about = '') {
    super(TAR_FAULTS[fault].replace('{}', about || 'its start'));
    this.fault = fault;
  }
}
