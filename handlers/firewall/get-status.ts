// The rules of the packet filter with their reasons and counters.
import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { firewallStatus, firewallStatusSchema } from '../../shared/services/firewall/status.ts';

export const operation = defineOperation({
  id: 'getFirewallStatus',
  method: 'GET',
  path: '/api/v1/firewall/status',
  access: { scope: 'read:firewall' },
  tag: 'Firewall',
  summary: 'Get the status of the firewall',
  description:
    'Every rule that the saved state makes, in the order in which they are asked: what always passes, the operator’s rules, and what each service needs on the interfaces that it listens on. Where the host enforces, the kernel is asked whether it has the same rules, and how many packets met each; an apply that changes the firewall starts the counters again.',
  answers: {
    200: {
      description: 'The rules that are to be in force, and whether the kernel has them.',
      schema: firewallStatusSchema,
    },
  },
  async run({ db, services }) {
    return { body: await firewallStatus(services.host, db, surroundingsOf(services.settings)) };
  },
});
