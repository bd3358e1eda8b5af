// Creates a Kickstart.
import { createOperation } from '../../shared/platform/units/collection-operations.ts';
import { kickstarts } from '../../shared/services/network-boot/kickstarts.ts';

export const operation = createOperation(kickstarts, {
  id: 'createKickstart',
  summary: 'Create a Kickstart',
  description:
    'The text is encrypted at rest and never read back. Faults name their line and never quote it. Line ends become line feeds, with one at the end; the revision is the SHA-256 of that.',
});
