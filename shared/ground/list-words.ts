// Words of a list, and what is done with the rows whose boxes are checked: for its page, its file and its form.

/** What is done with chosen rows. */
export interface ListVerb {
  value: string;
  /** On the button: `Revoke`. */
  label: string;
  /** `revoked` */
  was: string;
  /** The way out of the question; without it, nothing is asked. */
  keep?: string;
  /** It can't be taken back. */
  bad?: true;
}

export const ENABLE: ListVerb = { value: 'enable', label: 'Enable', was: 'enabled' };
export const DISABLE: ListVerb = { value: 'disable', label: 'Disable', was: 'disabled' };
export const DELETE: ListVerb = { value: 'delete', label: 'Delete', was: 'deleted', keep: 'Keep', bad: true };
export const REVOKE: ListVerb = { value: 'revoke', label: 'Revoke', was: 'revoked', keep: 'Keep', bad: true };

export interface ListWords {
  /** As in ids of operations: `NtpSources`. */
  component: string;
  noun: string;
  nouns: string;
  /** Default: enable, disable, delete. */
  verbs?: readonly ListVerb[];
}

export const verbsOfList = ({ verbs = [ENABLE, DISABLE, DELETE] }: ListWords): readonly ListVerb[] => verbs;
