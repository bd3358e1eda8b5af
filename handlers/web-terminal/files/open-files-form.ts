// Opens the files of another machine over SFTP, for the user's own password.
import * as v from 'valibot';
import { type OpenedVisit, openVisit } from '../../../shared/appliance/terminal-files.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { visitCookieHeader } from '../../../shared/services/web-terminal/remote-files/key.ts';

const PAGE = pagePath('terminal-files');

export const operation = defineForm(
  {
    id: 'openTerminalFilesForm',
    path: PAGE,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Open the files of another machine',
    description:
      'Changes nothing here but the audit log. For an administrator, at an address that the web terminal was applied for. It asks for the own password again. The host key of the machine has to be confirmed; the value of the entry of a vault is opened for this connection alone, and never reaches the browser. The connection takes the place of a terminal, and ends as one does.',
    body: v.strictObject({ target: v.pipe(v.string(), v.minLength(1, 'Choose a machine.'), v.maxLength(128)) }),
    problems: [
      ...(['resource_not_found', 'insufficient_scope', 'state_conflict', 'target_refused'] as const),
      ...(['remote_name_unknown', 'remote_unreachable', 'remote_timeout', 'remote_answer_unusable'] as const),
      ...(['remote_login_refused', 'remote_refused', 'host_key_changed', 'trust_missing'] as const),
      'vault_value_unreadable',
    ],
    audit: ['terminal.files.open', 'terminal.files.refuse', 'vault.entry.use'],
    prepare: ({ services, actor, request, body }) => openVisit(services, actor, request, body.target),
    async run({ prepared, request: { secure } }) {
      const { visit, key } = prepared as OpenedVisit;
      const cookie = visitCookieHeader(visit.id, key, { secure, seconds: visit.facts.terms.total_ms / 1000 });
      // It is in the audit log since before the first answer of the other machine was shown.
      return { body: { visit_id: visit.id }, cookies: [cookie], unchanged: true };
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'terminal' },
    decode: (fields) => ({ target: fields.text('target') }),
    done: ({ body }) => ({ location: pagePath('terminal-visit', (body as { visit_id: string }).visit_id) }),
  },
);
