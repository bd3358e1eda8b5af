// Forgets a physical interface that is no longer in the machine.

import { removePhysical } from '../../shared/appliance/edits/edits.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { physicalInterface, physicalView } from '../../shared/platform/interfaces/interface-resource.ts';

export const operation = defineOperation({
  id: 'deletePhysicalInterface',
  method: 'DELETE',
  path: '/api/v1/interfaces/physical/{name}',
  access: { scope: 'write:interfaces' },
  effect: 'desired-state',
  tag: 'Interfaces',
  summary: 'Delete a physical interface that is gone',
  description:
    'Saves desired state only; the host follows at the next reviewed apply, which removes what was configured for the interface. Only an interface whose `present` is false can be deleted; one that is in the machine, or came back since the last refresh, is refused with `state_conflict`. Refused as well while VLANs stand on it, and while an enabled firewall rule, DHCP scope, datastore or service still needs it; a service that listens on other interfaces too goes on there. An adapter that comes back later is a new interface: unused, unless no other one is saved. With dry_run the answer is the interface with the impact of its deletion.',
  params: idParam('name', 'Name of the interface.'),
  answers: {
    204: { description: 'The interface is gone from the desired state.' },
    200: {
      description: 'With dry_run: the interface as it is, and what its deletion would change.',
      schema: physicalInterface,
    },
  },
  problems: [
    'resource_not_found',
    'state_conflict',
    'still_referenced',
    'dependents_refuse',
    'revision_stale',
    'malformed_precondition',
  ],
  audit: ['network.interface.delete'],
  // Where the host can't be read, what was last observed counts.
  prepare: ({ services }) => services.host.links().catch(() => []),
  async run({ services, tx, params, prepared, request, audit }) {
    const links = prepared as readonly ObservedLink[];
    const { row, impact } = await removePhysical(tx, services, params.name, request.if_match, links);
    const { name, mac_address, role, ipv4_cidr, ipv6_cidr } = row;
    const detail = { mac_address, role, ipv4_cidr, ipv6_cidr, refreshed_units: impact.refreshed_units };
    audit({ action: 'network.interface.delete', resource_type: 'interface', resource_id: name, detail });
    if (request.dry_run) return { status: 200, body: physicalView(row, impact) };
    return { status: 204 };
  },
});
