// Reads the host's links anew.

import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { interfaceRefresh } from '../../shared/platform/interfaces/interface-resource.ts';

export const operation = defineOperation({
  id: 'refreshInterfaces',
  method: 'POST',
  path: '/api/v1/interfaces/refresh',
  access: { scope: 'write:interfaces' },
  effect: 'immediate',
  tag: 'Interfaces',
  summary: 'Read the interfaces of the host',
  description:
    'Changes application state immediately. Reads the links of the host and brings the observed part of the interfaces up to date; what is desired of them and their revisions stay as they are. New links appear as unused interfaces. An adapter is known by its MAC address: under a new name it keeps its settings and VLANs. One that is gone stays, with `present` false, until it is deleted. Settings that name a renamed link, and listener addresses that DHCP or a router gave, follow in the same transaction; nothing is refused.',
  answers: { 200: { description: 'What differs from the rows that were saved before.', schema: interfaceRefresh } },
  audit: ['network.interface.refresh'],
  prepare: ({ services }) => services.host.links(),
  async run({ services, tx, prepared, audit }) {
    const found = await refreshInterfaces(tx, services, prepared as ObservedLink[]);
    audit({ action: 'network.interface.refresh', resource_type: 'interface', resource_id: null, detail: { ...found } });
    return { body: found };
  },
});
