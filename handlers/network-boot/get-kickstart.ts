// One Kickstart, without its text.
import { getOperation } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';

export const operation = getOperation(kickstarts, {
  id: 'getKickstartDetails',
  summary: 'Get a Kickstart',
  description: 'What is known of it, with the entity tag that If-Match takes. The text is never read back.',
});
