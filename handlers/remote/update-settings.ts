// Changes the settings of connections to remote machines.
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import {
  remoteSettingsSchema,
  remoteSettingsUpdateSchema,
  saveRemoteSettings,
} from '../../shared/vcf/connection/settings.ts';

const SCOPE = 'write:vaults';

export const operation = defineOperation({
  id: 'updateRemoteSettings',
  method: 'PATCH',
  path: '/api/v1/remote/settings',
  // Who may lift these rules reaches what only administrators reach.
  access: { scope: SCOPE },
  effect: 'immediate',
  tag: 'Remote machines',
  summary: 'Update the settings of connections to remote machines',
  description:
    'Changes application state immediately. For administrators only: it needs write:vaults. The next connection follows the new settings; a machine that was confirmed before is held against them again. Omitted properties keep their value; values equal to the saved ones change nothing and keep the revision. Without an exception no connection is made to loopback, link-local, multicast, broadcast and reserved addresses, to addresses of the appliance itself, to metadata services of clouds, and to IPv6 forms of any of these; every address of a name has to be permitted. A network in `allowed_networks` lifts these rules for the addresses in it, as they are dialled; an address of the appliance itself and a metadata service need an entry for that one address (`/32`, `/128`).',
  body: remoteSettingsUpdateSchema,
  answers: { 200: { description: 'The settings as saved now.', schema: remoteSettingsSchema, tagged: true } },
  problems: ['revision_stale', 'malformed_precondition'],
  audit: ['remote.settings.update'],
  async run({ services, tx, actor, body, request, audit }) {
    // Whatever scope a form asks of its session.
    if (!actor.scopes.has(SCOPE)) {
      throw missingScope(actor, SCOPE, `Exceptions are for administrators: this needs ${SCOPE}.`);
    }
    const { saved, changed } = await saveRemoteSettings(tx, services, body, request.if_match);
    const { revision, allowed_networks } = saved;
    const detail = { changed: changed ? ['allowed_networks'] : [], ...(changed && { allowed_networks }) };
    audit({ action: 'remote.settings.update', resource_type: 'remote_settings', resource_id: null, detail });
    return { body: saved, revision };
  },
});
