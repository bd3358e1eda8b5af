// The form that deletes an installer medium.
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as deleteMedium } from './delete-medium.ts';

const PAGE = '/ui/management/network-boot/media/{medium_id}/delete';

export const operation = defineForm(
  { of: deleteMedium, path: PAGE, access: { session: 'write:pxe' } },
  {
    page: PAGE,
    decode: () => undefined,
    done: () => ({ location: '/ui/management/network-boot/media', flash: 'The installer medium is deleted.' }),
  },
);
