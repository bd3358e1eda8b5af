// Offline depot of another appliance: logs in, and reads which depot it has now.
import { visitAppliance } from '../../shared/vcf/remote/appliance-visit.ts';
import { entryForm, shownAppliance } from '../../shared/vcf/remote/wizard-operations.ts';
import { inspectDepot } from '../../shared/vcf/remote-depot/inspect.ts';
import { requireDepot } from '../../shared/vcf/remote-depot/local.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';

export const operation = entryForm(
  DEPOT_TASK,
  async (services, { trusted, credential }) => {
    const endpoint = await requireDepot(services);
    return visitAppliance(services, trusted, { credential }, async (session, appliance, signal) => ({
      appliance: shownAppliance(appliance),
      more: { depot: await inspectDepot(session, appliance, endpoint, signal) },
    }));
  },
  ({ appliance, more }) => ({ appliance, depot: more.depot }),
);
