// A certificate of a client for tests that show it to nobody: made here, by no other program.
import { systemEntropy } from '../../shared/ground/clock.ts';
import { makeRoot } from '../../shared/platform/certificate-authority/make.ts';

/** Self-signed, valid for a year from now; as PEM. */
export async function clientPem(common_name: string): Promise<string> {
  const now = Date.now();
  const validity = { not_before: new Date(now - 3_600_000), not_after: new Date(now + 365 * 86_400_000) };
  const wanted = { common_name, organization: '', key_algorithm: 'ecdsa-p256', path_length: 0, ...validity } as const;
  return (await makeRoot(wanted, systemEntropy)).pem;
}
