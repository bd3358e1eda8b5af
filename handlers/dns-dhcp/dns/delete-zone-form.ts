// The button that deletes a zone.
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteZone } from './delete-zone.ts';

export const operation = defineForm(
  { of: deleteZone, path: '/ui/management/dns/zones/{zone_id}/delete', access: { session: 'write:dns' } },
  {
    page: '/ui/management/dns/zones/{zone_id}',
    decode: () => undefined,
    done: () => ({ location: '/ui/management/dns', flash: 'The zone is deleted. The host follows at the next apply.' }),
  },
);
