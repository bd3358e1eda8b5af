// Confirms the host key of another machine, after the own password: from then on that machine is given a vault's value.
import * as v from 'valibot';
import { type SeenHost, seeTerminalHost } from '../../../shared/appliance/terminal-hosts.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { confirmHostKey } from '../../../shared/services/web-terminal/host-keys.ts';
import { serverText } from '../../../shared/vcf/connection/target.ts';

const PAGE = pagePath('web-terminal-shell');

export const operation = defineForm(
  {
    id: 'confirmTerminalHostKeyForm',
    path: `${PAGE}/confirm-host-key`,
    access: { session: 'write:terminal' },
    effect: 'immediate',
    tag: 'Web terminal',
    summary: 'Confirm the host key of another machine',
    description:
      'Changes application state immediately. It asks for the own password again. The machine is checked again: it has to show this very key. From then on a terminal to it that is shown another one is ended before anything is sent.',
    body: v.strictObject({
      target: v.pipe(v.string(), v.maxLength(128)),
      sha256: v.pipe(v.string(), v.regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'Not the fingerprint of a host key.')),
    }),
    problems: [
      ...(['resource_not_found', 'insufficient_scope', 'target_refused', 'remote_name_unknown'] as const),
      ...(['remote_unreachable', 'remote_timeout', 'remote_answer_unusable', 'host_key_changed'] as const),
    ],
    audit: ['terminal.host_key.trust'],
    async prepare({ services, actor, body }) {
      const seen = await seeTerminalHost(services, actor, body.target);
      if (seen.sha256 === body.sha256) return seen;
      const { host, port, sha256 } = seen;
      throw new Problem(
        'host_key_changed',
        `${serverText({ host, port })} now shows a host key with ${sha256}, and not the one that you compared, ${body.sha256}. Nothing was confirmed.`,
      );
    },
    async run({ tx, services, actor, audit, prepared }) {
      const { host, port, sha256, algorithm, confirmed } = prepared as SeenHost;
      await confirmHostKey(tx, services.clock, { host, port }, { sha256, algorithm, confirmed_by: actor.name });
      const detail = { target: serverText({ host, port }), sha256, algorithm, former: confirmed };
      audit({ action: 'terminal.host_key.trust', resource_type: 'terminal_host', resource_id: null, detail });
      return { body: { sha256 } };
    },
  },
  {
    page: PAGE,
    confirms: { resource_type: 'terminal_host' },
    fetch: true,
    decode: (fields) => ({ target: fields.text('target'), sha256: fields.text('sha256') }),
    done: () => ({ location: PAGE }),
  },
);
