// Metrics, for Prometheus and everything that reads its formats.
import { exposition, formatOf, MEDIA } from '../../shared/ground/metrics/exposition.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getMetrics',
  method: 'GET',
  path: '/metrics',
  access: { scope: 'read:metrics' },
  tag: 'Service',
  summary: 'Metrics',
  description:
    'Numbers of the appliance: requests, units with what is pending, drift and probes, applies, jobs, expiry of certificates, archives, DHCP leases and pools, DNS queries, clock synchronisation, disks and the process. In OpenMetrics 1.0 if the request accepts it, else in the text format of Prometheus. Counters of the service begin again when it starts, those of a daemon when that starts. Values from daemons are sampled every 30 seconds; a scrape runs no program. Labels are of a bounded set: no user, no address and no path is one.',
  answers: {
    200: { description: 'A line for each number, below the help and the type of its family.', media: 'text/plain' },
  },
  async run({ services, request }) {
    const { gather } = await import('../../shared/appliance/metrics/gather.ts');
    const format = formatOf(request.headers.accept);
    const text = exposition(await gather(services), format);
    return { text, headers: { 'content-type': MEDIA[format], 'cache-control': 'no-store' } };
  },
});
