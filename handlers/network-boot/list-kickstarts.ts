// Lists the Kickstarts.
import { listOperation } from '../../shared/units/collection-operations.ts';
import { kickstarts } from '../../shared/units/network-boot/kickstarts.ts';

export const operation = listOperation(kickstarts, {
  id: 'listKickstarts',
  summary: 'List Kickstarts',
  description: 'By name, without their texts.',
});
