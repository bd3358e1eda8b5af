// Lists the Kickstarts.
import { listOperation } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';

export const operation = listOperation(kickstarts, {
  id: 'listKickstarts',
  summary: 'List Kickstarts',
  description:
    'By name, without their texts. Kickstarts are not read from CSV: a new one needs its text, which is written and never read back.',
});
