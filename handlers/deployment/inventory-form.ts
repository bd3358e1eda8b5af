// Deployment: logs in to vCenter or the ESX host, and reads where the appliance could go.

import { visitVsphere } from '../../shared/vcf/deployment/visit.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { entryForm } from '../../shared/vcf/remote/wizard-operations.ts';
import { readInventory } from '../../shared/vcf/vsphere/inventory.ts';

export const operation = entryForm(DEPLOY_TASK, (services, ready) =>
  visitVsphere(services, ready.trusted, ready.credential, async (session, signal) => {
    const inventory = await readInventory(session, { signal });
    return {
      appliance: { title: session.about.name, version: session.about.version },
      more: { deployment: { inventory, checks: null } },
    };
  }),
);
