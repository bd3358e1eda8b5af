// The button that deletes a VLAN, on the page that asks for confirmation.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteVlan } from './delete-vlan.ts';

export const operation = defineForm(
  { of: deleteVlan, path: '/ui/management/vlans/{vlan_id}/delete', access: { session: 'write:vlans' } },
  {
    page: '/ui/management/vlans/{vlan_id}/delete',
    decode: () => undefined,
    done: () => ({
      location: '/ui/management/vlans',
      flash: 'The VLAN is deleted. The host follows at the next apply.',
    }),
  },
);
