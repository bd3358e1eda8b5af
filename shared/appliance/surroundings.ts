// What the units are told of the service and of one another, whoever asks for their desired state.
import type { Settings } from '../kernel/operation/services.ts';
import type { Surroundings } from '../platform/units/unit.ts';
import { bootScopes } from '../services/dns-dhcp/refresh-rows.ts';
import { SERVICE_DEPENDENTS } from './dependents.ts';
import { ENFORCED } from './manifests.ts';
import { loadShared } from './refresh/load-snapshot.ts';

/** `operator`: address that a review is asked for from. */
export const surroundingsOf = (
  {
    management_port,
    management_tls = false,
    management_names = [],
    management_certificate = null,
    public_listen,
  }: Pick<
    Settings,
    'management_port' | 'management_tls' | 'management_names' | 'management_certificate' | 'public_listen'
  >,
  operator: string | null = null,
): Surroundings => ({
  management_port,
  management_tls,
  management_names,
  management_certificate,
  public_listen,
  operator,
  listeners: SERVICE_DEPENDENTS,
  enforced: ENFORCED,
  bound: loadShared,
  bootScopes,
});
