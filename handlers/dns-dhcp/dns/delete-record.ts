// Deletes a DNS record.
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { deleteRecord } from '../../../shared/services/dns-dhcp/dns/record-store.ts';

export const operation = defineOperation({
  id: 'deleteDnsRecord',
  method: 'DELETE',
  path: '/api/v1/dns/records/{record_id}',
  plane: 'api',
  access: { scope: 'write:dns' },
  effect: 'desired-state',
  tag: 'DNS',
  summary: 'Delete a record',
  description:
    'Saves desired state only; the host follows at the next reviewed apply. A record that the appliance keeps for a service or a DHCP reservation is refused with 409: change those instead. A record of another owner can be deleted; the part that keeps it may create it again. Aliases of the name stay and are answered without an address.',
  params: idParam('record_id', 'Id of the record.'),
  answers: { 204: { description: 'The record is gone from the desired state.' } },
  problems: ['resource_not_found', 'state_conflict', 'revision_stale', 'malformed_precondition'],
  audit: ['dns.record.delete'],
  async run({ tx, params, request, audit }) {
    const { id, fqdn, type, value, owner } = await deleteRecord(tx, params.record_id, request.if_match);
    const detail = { fqdn, type, value, owner };
    audit({ action: 'dns.record.delete', resource_type: 'dns_record', resource_id: id, detail });
    return { status: 204 };
  },
});
