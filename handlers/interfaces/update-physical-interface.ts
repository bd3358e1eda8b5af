// Edits the desired state of a physical interface.

import { updatePhysical } from '../../shared/appliance/edits/edits.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { physicalInterface, physicalView } from '../../shared/platform/interfaces/interface-resource.ts';
import { physicalInterfaceUpdate } from '../../shared/platform/interfaces/interface-schema.ts';
import { leaseNow } from '../../shared/platform/interfaces/lease.ts';

export const operation = defineOperation({
  id: 'updatePhysicalInterface',
  method: 'PATCH',
  path: '/api/v1/interfaces/physical/{name}',
  access: { scope: 'write:interfaces' },
  effect: 'desired-state',
  tag: 'Interfaces',
  summary: 'Update a physical interface',
  description: `Saves desired state only; the host follows at the next reviewed apply. Omitted properties keep their saved value; an empty body and values equal to the saved ones change nothing, keep the revision, and are audited with an empty list of changes. Only the two CIDRs and the two gateways are cleared, with an empty string or null.

Choices: words are trimmed and case-insensitive. Switching to trunk clears role, both address families and the management flag. dhcp needs the management role and clears the IPv4 CIDR and gateway. static after dhcp, without ipv4_cidr, keeps the address that the link has now, and its gateway unless ipv4_gateway is sent: \`impact\` names both, and \`notes\` says so; where DHCP gave none that can be kept it is refused at ipv4_cidr. An empty ipv4_cidr means no IPv4 address. A gateway goes with its cleared CIDR. An IPv6 CIDR turns IPv6 on unless ipv6_enabled is sent with it. Changing management to access without naming access_management_ui_enabled turns that flag on. Networks of enabled interfaces must not overlap.

Refused with 409: leaving trunk mode while VLANs stand on the interface, an address that another interface has, and an edit that would leave no effective management UI listener. \`impact\` in the answer says what changed; with dry_run it says what would.`,
  params: idParam('name', 'Name of the interface.'),
  body: physicalInterfaceUpdate,
  answers: { 200: { description: 'The interface as saved now.', schema: physicalInterface, tagged: true } },
  problems: [
    'resource_not_found',
    'still_referenced',
    'already_exists',
    'state_conflict',
    'no_management_listener',
    'dependents_refuse',
    'revision_stale',
    'malformed_precondition',
  ],
  audit: ['network.interface.update'],
  prepare: ({ services, params, body }) => leaseNow(services.host, params.name, body),
  async run({ services, tx, params, body, prepared, request, audit }) {
    const link = prepared as ObservedLink | undefined;
    const { row, impact } = await updatePhysical(tx, services, params.name, body, request.if_match, { link });
    audit({
      action: 'network.interface.update',
      resource_type: 'interface',
      resource_id: row.name,
      detail: { changed: impact.changed, refreshed_units: impact.refreshed_units },
    });
    return { body: physicalView(row, impact), revision: row.revision };
  },
});
