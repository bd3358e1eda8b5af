// The public home: what a guest of the network needs, and nothing about how the appliance is run.

import { type PublicRoot, publicRoot } from '../../shared/appliance/overview/public-root.ts';
import { type PublicDns, publicDns } from '../../shared/appliance/overview/public-services.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

export const page = definePlainPage({
  id: 'publicHomePage',
  path: pagePath('public'),
  plane: 'public',
  load: async ({ services }) => ({
    hostname: services.settings.hostname,
    dns: await publicDns(services),
    root: await publicRoot(services),
  }),
  title: ({ hostname }) => `Services of ${hostname}`,
  view: ({ data: { hostname, dns, root } }) => (
    <>
      <h1>Services of {hostname}</h1>
      {dns && <Dns dns={dns} />}
      {root && <Root of={root} />}
      {!dns && !root && <Empty>No service is offered to this network yet.</Empty>}
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

function Root({ of: { root } }: { of: PublicRoot }) {
  return (
    <section>
      <h2>Root certificate</h2>
      <FactsList
        facts={[
          { label: 'Subject', value: root.subject },
          { label: 'SHA-256', value: <code class="wrap">{root.sha256}</code> },
        ]}
      />
      <div class="actions">
        <ButtonLink href={pagePath('public-root')}>Download it, and how to trust it</ButtonLink>
      </div>
    </section>
  );
}
