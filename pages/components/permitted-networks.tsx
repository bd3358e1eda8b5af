// The way from an address that is blocked to the field that permits it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PERMITTED_NETWORKS } from '../../shared/vcf/connection/address-rules.ts';
import { ButtonLink } from './button.tsx';

/** A link to the field, for `target_refused`; nothing for any other refusal. */
export function permittedNetworks(code: unknown) {
  if (code !== 'target_refused') return null;
  return <ButtonLink href={`${pagePath('remote-settings')}#allowed_networks`}>{PERMITTED_NETWORKS}</ButtonLink>;
}
