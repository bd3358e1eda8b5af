// The public home: what a guest of the network needs, and nothing about how the appliance is run.

import { type PublicDns, publicDns } from '../../shared/appliance/overview/public-services.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

export const page = definePlainPage({
  id: 'publicHomePage',
  path: pagePath('public'),
  plane: 'public',
  load: async ({ services }) => ({ hostname: services.settings.hostname, dns: await publicDns(services) }),
  title: ({ hostname }) => `Services of ${hostname}`,
  view: ({ data: { hostname, dns } }) => (
    <>
      <h1>Services of {hostname}</h1>
      {dns ? <Dns dns={dns} /> : <Empty>No service is offered to this network yet.</Empty>}
    </>
  ),
});

function Dns({ dns }: { dns: PublicDns }) {
  return (
    <section>
      <h2>Name service (DNS)</h2>
      <FactsList
        facts={[
          {
            label: dns.addresses.length === 1 ? 'Server' : 'Servers',
            value: dns.addresses.map((address) => (
              <code key={address} class="line">
                {address}
              </code>
            )),
          },
          ...(dns.search_domain === '' ? [] : [{ label: 'Search domain', value: <code>{dns.search_domain}</code> }]),
        ]}
      />
      <p class="muted">Set these on a machine that does not get them by DHCP.</p>
    </section>
  );
}
