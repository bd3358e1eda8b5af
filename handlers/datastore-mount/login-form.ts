// Mounting on hosts: logs in, and reads which hosts there are and what each has mounted.
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { entryForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = entryForm(MOUNT_TASK, async (services, { trusted, credential }) => {
  // Loaded when somebody logs in: a page before that does without.
  const [{ visitVsphere }, { nasHosts }] = await Promise.all([
    import('../../shared/vcf/deployment/visit.ts'),
    import('../../shared/vcf/vsphere/nas-datastores.ts'),
  ]);
  return visitVsphere(services, trusted, credential, async (session, signal) => {
    const { name: title, version } = session.about;
    return { appliance: { title, version }, more: { nas: { found: await nasHosts(session, signal) } } };
  });
});
