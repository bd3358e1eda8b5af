// Forgets the host key of another machine.
import { requireTerminalAdmin } from '../../../shared/appliance/terminal-hosts.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import {
  findHostKey,
  forgetHostKey,
  HOST_KEYS_PATH,
  hostKeyParam,
} from '../../../shared/services/web-terminal/host-keys.ts';
import { serverText } from '../../../shared/vcf/connection/target.ts';

export const operation = defineOperation({
  id: 'deleteTerminalHostKey',
  method: 'DELETE',
  path: `${HOST_KEYS_PATH}/{host_key_id}`,
  access: { scope: 'write:terminal' },
  effect: 'immediate',
  tag: 'Web terminal',
  summary: 'Forget the host key of another machine',
  description:
    'Changes application state immediately. For administrators. No new terminal goes to the machine until somebody looks at its host key and confirms it again; those that are open stay. Connections to its files end.',
  params: hostKeyParam,
  answers: { 204: { description: 'It is forgotten.' } },
  problems: ['resource_not_found', 'insufficient_scope'],
  audit: ['terminal.host_key.forget'],
  async run({ tx, actor, params, audit }) {
    requireTerminalAdmin(actor);
    const { id, host, port, sha256, algorithm } = await findHostKey(tx, params.host_key_id);
    await forgetHostKey(tx, { host, port });
    const detail = { target: serverText({ host, port }), sha256, algorithm };
    audit({ action: 'terminal.host_key.forget', resource_type: 'terminal_host', resource_id: id, detail });
    return { status: 204 };
  },
});
