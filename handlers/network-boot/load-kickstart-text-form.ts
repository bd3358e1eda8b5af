// Fills the form of a Kickstart with its saved text, for a user who entered the own password again. The audit event is
// committed before the text is sent; the answer is not stored.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { loadSavedText } from '../../shared/services/network-boot/load-preview.ts';

const KICKSTART = pageRoute('kickstart');

export const operation = defineForm(
  {
    id: 'loadKickstartTextForm',
    path: `${KICKSTART}/text`,
    access: { session: 'write:pxe' },
    effect: 'immediate',
    tag: 'Network boot',
    summary: 'Load the saved text of a Kickstart into its form',
    description: 'Changes nothing but the audit log.',
    params: idParam('kickstart_id', 'Id of the Kickstart.'),
    problems: ['resource_not_found', 'state_conflict', 'too_many_attempts'],
    audit: ['network-boot.kickstart.reveal'],
    // It changes nothing that is applied.
    guarded: false,
    async run({ tx, services, params, audit }) {
      const { kickstart, text } = await loadSavedText(tx, services.keys, params.kickstart_id);
      const { id, name, text_revision } = kickstart;
      audit({
        action: 'network-boot.kickstart.reveal',
        resource_type: 'network_boot_kickstart',
        resource_id: id,
        detail: { name, text_revision },
      });
      return { body: { text } };
    },
  },
  {
    page: KICKSTART,
    done: () => ({ location: KICKSTART }),
    secret: 'all',
    confirms: { resource_type: 'network_boot_kickstart' },
    shows: true,
  },
);
