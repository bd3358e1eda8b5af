// The certificate of the management UI as facts: what a plan compares.
import { type Facts, factsOf } from '../../platform/units/facts.ts';
import type { Described, ManagementTlsDesired } from './desired.ts';
import type { Source } from './settings.ts';

export type ManagementTlsFacts = {
  /** Whether it is another one than the service's own. */
  replaced: boolean;
  source: Source;
  certificate: Described;
};

export const managementTls = factsOf<ManagementTlsFacts>();

export function facts({ source, described }: Pick<ManagementTlsDesired, 'source' | 'described'>): Facts {
  const { facts: found, add } = managementTls.list();
  add('replaced', source !== 'self_signed');
  if (source === 'self_signed') return found;
  add('source', source);
  if (described) add('certificate', described);
  return found;
}
