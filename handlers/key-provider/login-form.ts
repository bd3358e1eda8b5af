// Registering at a vCenter: logs in, and reads which key providers it has.
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { entryForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = entryForm(KEY_PROVIDER_TASK, async (services, { trusted, credential }) => {
  // Loaded when somebody logs in: a page before that does without.
  const [{ requireKms }, { visitVsphere }, { keyManagerOf, listKeyProviders }] = await Promise.all([
    import('../../shared/vcf/key-provider/local.ts'),
    import('../../shared/vcf/deployment/visit.ts'),
    import('../../shared/vcf/vsphere/key-providers.ts'),
  ]);
  await requireKms(services);
  return visitVsphere(services, trusted, credential, async (session, signal) => {
    const found = await listKeyProviders(await keyManagerOf(session, signal), signal);
    const { name: title, version } = session.about;
    return { appliance: { title, version }, more: { key_provider: { found } } };
  });
});
