// Ends the connection to the files of another machine.
import { askerOf } from '../../../shared/appliance/terminal-files.ts';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { visitsOf } from '../../../shared/services/web-terminal/remote-files/visits.ts';

export const operation = defineForm(
  {
    id: 'closeTerminalFilesForm',
    path: `${pageRoute('terminal-visit')}/close`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    // It ends access.
    guarded: false,
    tag: 'Web terminal',
    summary: 'Close the files of another machine',
    description:
      'Changes nothing here but the audit log: the connection ends, and what is on its way with it. Not locked while an apply or a restore runs.',
    params: idParam('visit_id', 'Id of the connection.'),
    problems: ['resource_not_found'],
    audit: ['terminal.files.close'],
    async prepare({ services, actor, request, params }) {
      const visits = visitsOf(services);
      visits.find(params.visit_id, actor.credential_id).end('closed', askerOf(actor, request));
      await visits.settled();
    },
    run: async () => ({ unchanged: true }),
  },
  {
    page: pageRoute('terminal-visit'),
    done: () => ({ location: pagePath('terminal-files'), flash: 'The connection is closed.' }),
  },
);
