// Signs revocation lists anew every day, so that one is always there that holds.
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import { refreshLists } from '../../shared/platform/certificate-authority/revoke.ts';

export const scheduled = defineScheduled({
  id: 'signRevocationLists',
  every: 300,
  description: 'Signs the revocation list of each root certificate that has its key, once it is a day old.',
  async run(services) {
    const signed = await refreshLists(services);
    if (signed.length > 0) services.logger.info('revocation lists signed', { signed });
  },
});
