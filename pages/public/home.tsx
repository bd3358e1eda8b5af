// The public home: what is offered at the interface that was called, with lines to copy, and nothing about how the appliance
// is run.
import type { ComponentChildren } from 'preact';
import { calledAt } from '../../shared/appliance/overview/called-at.ts';
import { type PublicRoot, publicRoot } from '../../shared/appliance/overview/public-root.ts';
import { type Offered, offeredAt, type ServiceKey } from '../../shared/appliance/overview/public-services.ts';
import { type PublicSettings, readPublicSettings } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { type ClientLines, depotLines, depotUrls, dnsLines, ntpLines, rootLines } from './client-lines.ts';
import { SERVICE_WORDS } from './service-words.ts';

interface Data {
  hostname: string;
  offered: Offered[];
  root: PublicRoot | null;
  settings: PublicSettings;
}

export const page = definePlainPage({
  id: 'publicHomePage',
  path: pagePath('public'),
  plane: 'public',
  async load({ services, db, request }): Promise<Data> {
    const called = await calledAt(services, request.connection);
    return {
      hostname: services.settings.hostname,
      offered: await offeredAt(services, called),
      root: await publicRoot(services, called),
      settings: await readPublicSettings(db),
    };
  },
  title: ({ hostname }) => `Services of ${hostname}`,
  view: ({ data }) => <Home {...data} />,
});

/** What a guest does with each; of the others there is nothing to set. */
const SHOWN: { [K in ServiceKey]?: (props: { of: Offered; root: PublicRoot | null }) => ComponentChildren } = {
  dns: Dns,
  ntp: Ntp,
  certificates: Root,
  directory: Directory,
  'offline-depot': Depot,
};

function Home({ hostname, offered, root, settings }: Data) {
  const shown = offered.flatMap((of) => {
    const Shown = SHOWN[of.service];
    return Shown ? [<Shown key={of.service} of={of} root={root} />] : [];
  });
  const passwords = settings.directory_passwords && offered.some(({ service }) => service === 'directory');
  return (
    <>
      <h1>Services of {hostname}</h1>
      {shown.length === 0 ? (
        <Empty>No service is offered to this network yet.</Empty>
      ) : (
        <div class="trusting">{shown}</div>
      )}
      {(settings.certificate_requests || passwords || settings.status) && (
        <div class="actions">
          {passwords && <ButtonLink href={pagePath('public-directory-password')}>Change your password</ButtonLink>}
          {settings.certificate_requests && (
            <ButtonLink href={pagePath('public-requests')}>Ask for a certificate</ButtonLink>
          )}
          {settings.status && <ButtonLink href={pagePath('public-status')}>Which of them answer</ButtonLink>}
        </div>
      )}
    </>
  );
}

interface ServiceProps {
  service: ServiceKey;
  says: string;
  facts: Fact[];
  lines: readonly ClientLines[];
  children?: ComponentChildren;
}

function Service({ service, says, facts, lines, children }: ServiceProps) {
  return (
    <section>
      <h2>{SERVICE_WORDS[service]}</h2>
      <FactsList facts={facts} />
      <p class="muted">{says}</p>
      {lines.map(({ on, lines: all }) => (
        <div key={on}>
          <p>{on}</p>
          <CodeBlock label={`${SERVICE_WORDS[service]} on ${on}`}>{all.join('\n')}</CodeBlock>
        </div>
      ))}
      {children}
    </section>
  );
}

const codes = (items: readonly string[]) =>
  items.map((item) => (
    <code key={item} class="line">
      {item}
    </code>
  ));
const serversOf = (at: readonly string[]): Fact => ({
  label: at.length === 1 ? 'Server' : 'Servers',
  value: codes(at),
});
const named = (hostname: string): Fact[] =>
  hostname === '' ? [] : [{ label: 'Name', value: <code class="wrap">{hostname}</code> }];

function Dns({ of }: { of: Offered }) {
  const { at, domain } = of;
  const search = domain === '' ? [] : [{ label: 'Search domain', value: <code>{domain}</code> }];
  return (
    <Service
      service="dns"
      says="Set these on a machine that does not get them by DHCP."
      facts={[serversOf(at), ...search]}
      lines={dnsLines(of)}
    />
  );
}

function Ntp({ of }: { of: Offered }) {
  const says = of.nts
    ? 'Over NTS the client must know the name, and trust the root certificate.'
    : 'Set these on a machine that does not get them by DHCP.';
  return <Service service="ntp" says={says} facts={[serversOf(of.at), ...named(of.hostname)]} lines={ntpLines(of)} />;
}

function Depot({ of }: { of: Offered }) {
  return (
    <Service
      service="offline-depot"
      says={
        of.login
          ? 'It asks for a user name and a password: whoever runs the appliance has them. The client must trust the root certificate.'
          : 'It asks for no password. The client must trust the root certificate.'
      }
      facts={[{ label: 'URL', value: codes(depotUrls(of)) }]}
      lines={depotLines(of)}
    />
  );
}

function Directory({ of }: { of: Offered }) {
  return (
    <Service
      service="directory"
      says="Whoever runs the appliance has the values for each product. The client must trust the root certificate."
      facts={[{ label: of.at.length === 1 ? 'URL' : 'URLs', value: codes(of.at) }, ...named(of.hostname)]}
      lines={[]}
    />
  );
}

function Root({ root }: { root: PublicRoot | null }) {
  if (!root) return null;
  return (
    <Service
      service="certificates"
      says="Compare the SHA-256 before you trust it."
      facts={[
        { label: 'Subject', value: root.root.subject },
        { label: 'SHA-256', value: <code class="wrap">{root.root.sha256}</code> },
      ]}
      lines={rootLines(root)}
    >
      <div class="actions">
        <ButtonLink href={pagePath('public-root')}>Download it, and how to trust it</ButtonLink>
      </div>
    </Service>
  );
}
