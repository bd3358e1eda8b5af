// Renews the certificates of daemons: a new one makes its unit pending, and comes to the host by a plan.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';

export const scheduled = defineScheduled({
  id: 'renewDaemonCertificates',
  every: 600,
  description:
    'Makes the certificates that daemons are to serve with, and makes them anew in the last third of their life. A plan brings them to the host.',
  async run(services) {
    const [{ ensureDaemonCertificates }, { UNITS }] = await Promise.all([
      import('../../shared/appliance/apply/daemon-certificates.ts'),
      import('../../shared/appliance/units.ts'),
    ]);
    const made = await ensureDaemonCertificates(services, UNITS);
    if (made.length > 0) services.logger.info('certificates of daemons made', { made });
  },
});
