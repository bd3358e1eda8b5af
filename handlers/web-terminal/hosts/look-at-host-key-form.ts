// Shows the host key of another machine, for somebody to compare.
import * as v from 'valibot';
import { type SeenHost, seeTerminalHost } from '../../../shared/appliance/terminal-hosts.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { serverText } from '../../../shared/vcf/connection/target.ts';

const PAGE = pagePath('web-terminal-shell');

export const operation = defineForm(
  {
    id: 'lookAtTerminalHostKeyForm',
    path: `${PAGE}/look-at-host-key`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Look at the host key of another machine',
    description:
      'Changes nothing but the audit log: connects to the machine, and ends the connection when it has shown its host key. Nothing is sent to it. The answer has what was confirmed before, if anything was.',
    body: v.strictObject({ target: v.pipe(v.string(), v.maxLength(128)) }),
    problems: [
      ...(['resource_not_found', 'insufficient_scope', 'target_refused', 'remote_name_unknown'] as const),
      ...(['remote_unreachable', 'remote_timeout', 'remote_answer_unusable'] as const),
    ],
    audit: ['terminal.host_key.look'],
    prepare: ({ services, actor, body }) => seeTerminalHost(services, actor, body.target),
    async run({ audit, prepared }) {
      const { host, port, sha256, algorithm, confirmed } = prepared as SeenHost;
      const server = serverText({ host, port });
      const detail = { target: server, sha256, algorithm, confirmed };
      audit({ action: 'terminal.host_key.look', resource_type: 'terminal_host', resource_id: null, detail });
      return { body: { server, sha256, algorithm, confirmed } };
    },
  },
  {
    page: PAGE,
    fetch: true,
    decode: (fields) => ({ target: fields.text('target') }),
    done: () => ({ location: PAGE }),
  },
);
