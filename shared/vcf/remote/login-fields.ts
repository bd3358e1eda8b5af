// The typed login of a job on a remote machine: the fields that a failed job needs again, and their values.
import type { ContinuationField } from '../../kernel/jobs/kind.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';

export const LOGIN_FIELDS: readonly ContinuationField[] = [
  { name: 'username', label: 'User name', kind: 'text' },
  {
    name: 'password',
    label: 'Password',
    kind: 'password',
    help: 'Goes to the server of this job only, over a connection that is pinned to the certificate that was confirmed.',
  },
];

/** As it was typed; null when it was not, or is gone. */
export function typedLogin({ secrets }: JobRun): ApplianceCredential | null {
  return secrets && { username: secrets.username ?? '', password: secrets.password ?? '' };
}
