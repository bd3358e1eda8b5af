// Rules of the firewall, and what they come to.
import type { Scenarios, Scene } from './scenario.ts';

const fresh = async (scene: Scene) => ({ name: `rule ${scene.next()}` });
const PORTS = { action: 'accept', protocol: 'tcp', ports: '22' };

async function rule(scene: Scene) {
  const { body } = await scene.api('POST', '/api/v1/firewall/rules', { ...(await fresh(scene)), ...PORTS });
  return { rule_id: body.id as string, name: body.name as string, revision: String(body.revision) };
}

export const FIREWALL: Scenarios = {
  createFirewallRule: {
    given: fresh,
    audit: ['firewall.rule.create'],
  },
  createFirewallRuleForm: {
    given: fresh,
    send: ({ name }) => ({ form: { name: name!, ...PORTS, direction: 'input', enabled: 'on' } }),
    audit: ['firewall.rule.create'],
  },
  getFirewallRule: { given: rule },
  updateFirewallRule: { given: rule, audit: ['firewall.rule.update'] },
  updateFirewallRuleForm: {
    given: rule,
    send: ({ name, revision }) => ({
      form: { name: name!, ...PORTS, position: '20', direction: 'input', enabled: 'on', revision: revision! },
    }),
    audit: ['firewall.rule.update'],
  },
  deleteFirewallRule: { given: rule, audit: ['firewall.rule.delete'] },
  deleteFirewallRuleForm: {
    given: rule,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['firewall.rule.delete'],
  },
  // One more than other lists: interfaces, what services need, and the rules.
  getFirewallStatus: { statements: 4 },

  firewallRulePage: { given: rule },
  deleteFirewallRulePage: { given: rule },
};
