// Registering at a vCenter: logs in, and reads which key providers it has.
import { visitVsphere } from '../../shared/vcf/deployment/visit.ts';
import { requireKms } from '../../shared/vcf/key-provider/local.ts';
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { entryForm } from '../../shared/vcf/remote/wizard-operations.ts';
import { keyManagerOf, listKeyProviders } from '../../shared/vcf/vsphere/key-providers.ts';

export const operation = entryForm(KEY_PROVIDER_TASK, async (services, { trusted, credential }) => {
  await requireKms(services);
  return visitVsphere(services, trusted, credential, async (session, signal) => {
    const found = await listKeyProviders(await keyManagerOf(session, signal), signal);
    const { name: title, version } = session.about;
    return { appliance: { title, version }, more: { key_provider: { found } } };
  });
});
