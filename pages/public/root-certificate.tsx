// The root certificate for guests of the network: what it is, where to fetch it, and how each kind of machine comes to trust
// it. From what is in force alone, and without a script.
import { Fragment } from 'preact';
import { calledAt } from '../../shared/appliance/overview/called-at.ts';
import { type PublicRoot, publicFile, publicRoot } from '../../shared/appliance/overview/public-root.ts';
import { readPublicSettings } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePlainPage } from '../layout/define-page.tsx';

export const page = definePlainPage({
  id: 'publicRootCertificatePage',
  path: pagePath('public-root'),
  plane: 'public',
  async load({ services, db, request }) {
    const offered = await publicRoot(services, await calledAt(services, request.connection));
    const { certificate_requests: asks } = await readPublicSettings(db);
    return { hostname: services.settings.hostname, offered, asks };
  },
  title: () => 'Root certificate',
  view: ({ data: { hostname, offered, asks } }) => (
    <>
      <h1>Root certificate of {hostname}</h1>
      {offered ? <Root of={offered} /> : <Empty>No root certificate is offered to this network yet.</Empty>}
      {asks && (
        <div class="actions">
          <ButtonLink href={pagePath('public-requests')}>Ask for a certificate</ButtonLink>
        </div>
      )}
    </>
  ),
});

/** `AA:BB:…`, broken after four bytes where a line ends, to be read aloud. */
function Fingerprint({ of }: { of: string }) {
  const groups = of.match(/(?:[0-9A-F]{2}:?){1,4}/g) ?? [of];
  return (
    <code class="print">
      {groups.map((group) => (
        <Fragment key={group}>
          {group}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function Root({ of }: { of: PublicRoot }) {
  const { root, next, revocation } = of;
  return (
    <div class="trusting">
      <p>A machine that trusts this certificate trusts the services of this network that were issued one by it.</p>
      <FactsList
        facts={[
          { label: 'Subject', value: root.subject },
          { label: 'SHA-256', value: <Fingerprint of={root.sha256} /> },
          { label: 'Valid from', value: <ExactInstant at={root.not_before} /> },
          { label: 'Valid until', value: <ExactInstant at={root.not_after} /> },
        ]}
      />
      <p>
        <strong>Compare the SHA-256 before you trust it.</strong> Have it read to you by whoever runs the appliance:
        this page may have come from somebody else.
      </p>
      <div class="actions">
        <ButtonLink kind="primary" href={publicFile(of, 'crt')}>
          Download for Windows, macOS and browsers (.crt)
        </ButtonLink>
        <ButtonLink href={publicFile(of, 'pem')}>Download as PEM</ButtonLink>
        <ButtonLink href={publicFile(of, 'p7b')}>Download as PKCS #7</ButtonLink>
        {revocation && <ButtonLink href={publicFile(of, 'crl')}>Revocation list</ButtonLink>}
      </div>
      {next && (
        <>
          <h2>Next root certificate</h2>
          <p>It takes over later. Trust it in the same way now, and nothing changes for you then.</p>
          <FactsList
            facts={[
              { label: 'Subject', value: next.subject },
              { label: 'SHA-256', value: <Fingerprint of={next.sha256} /> },
              { label: 'PEM', value: <code class="wrap">{publicFile(of, 'pem', next.id)}</code> },
            ]}
          />
        </>
      )}
      {WAYS.map(({ on, says, lines }) => (
        <section key={on}>
          <h2>{on}</h2>
          {says && <p>{says}</p>}
          {lines && <CodeBlock label={`On ${on}`}>{lines(of).join('\n')}</CodeBlock>}
        </section>
      ))}
    </div>
  );
}

interface Way {
  on: string;
  says?: string;
  lines?(of: PublicRoot): string[];
}

const FILE = 'groundcrew-root-ca';
const fetched = (of: PublicRoot, to: string): string => `curl -fsS -o ${to} ${publicFile(of, 'pem')}`;
/** What it prints has to be the SHA-256 above. */
const shown = (file: string): string => `openssl x509 -in ${file} -noout -fingerprint -sha256`;

const WAYS: readonly Way[] = [
  {
    on: 'Debian and Ubuntu',
    says: 'As root:',
    lines: (of) => [
      fetched(of, `/usr/local/share/ca-certificates/${FILE}.crt`),
      shown(`/usr/local/share/ca-certificates/${FILE}.crt`),
      'update-ca-certificates',
    ],
  },
  {
    on: 'RHEL, Rocky Linux and Fedora',
    says: 'As root:',
    lines: (of) => [
      fetched(of, `/etc/pki/ca-trust/source/anchors/${FILE}.pem`),
      shown(`/etc/pki/ca-trust/source/anchors/${FILE}.pem`),
      'update-ca-trust',
    ],
  },
  {
    on: 'Chrome and Chromium on Linux',
    says: 'They do not ask the system. As the user, with the package libnss3-tools (on RHEL: nss-tools); then start the browser anew:',
    lines: (of) => [
      fetched(of, `/tmp/${FILE}.pem`),
      shown(`/tmp/${FILE}.pem`),
      'mkdir -p "$HOME/.pki/nssdb"',
      `certutil -d "sql:$HOME/.pki/nssdb" -A -t C,, -n ${FILE} -i /tmp/${FILE}.pem`,
    ],
  },
  {
    on: 'Windows',
    says: 'In PowerShell, as an administrator. Chrome and Edge take it from there. For a domain: a group policy, under Public Key Policies, Trusted Root Certification Authorities.',
    lines: (of) => [
      `Invoke-WebRequest -UseBasicParsing ${publicFile(of, 'crt')} -OutFile ${FILE}.crt`,
      `(Get-PfxCertificate ${FILE}.crt).GetCertHashString('SHA256')`,
      `certutil -addstore -f Root ${FILE}.crt`,
    ],
  },
  {
    on: 'macOS',
    says: 'In a terminal:',
    lines: (of) => [
      fetched(of, `/tmp/${FILE}.pem`),
      shown(`/tmp/${FILE}.pem`),
      `sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain /tmp/${FILE}.pem`,
    ],
  },
  {
    on: 'Firefox',
    says: 'Firefox on Linux has trust of its own: Settings, Privacy & Security, View Certificates, Authorities, Import. Choose the PEM file, and let it identify websites. For many machines, as root, a policy:',
    lines: () => [
      'mkdir -p /etc/firefox/policies',
      `echo '{"policies": {"Certificates": {"Install": ["/usr/local/share/ca-certificates/${FILE}.crt"]}}}' > /etc/firefox/policies/policies.json`,
    ],
  },
  {
    on: 'ESX',
    says: 'A host that is in vCenter gets it from there. Without vCenter, in the shell of the host:',
    lines: (of) => [
      `wget -O /tmp/${FILE}.pem ${publicFile(of, 'pem')}`,
      shown(`/tmp/${FILE}.pem`),
      `esxcli system security certificatestore add --filename=/tmp/${FILE}.pem`,
    ],
  },
  {
    on: 'vCenter',
    says: 'In the vSphere Client: Administration, Certificate Management, Trusted Root, Add. Or in the shell of the vCenter Server:',
    lines: (of) => [
      fetched(of, `/tmp/${FILE}.pem`),
      shown(`/tmp/${FILE}.pem`),
      `/usr/lib/vmware-vmafd/bin/dir-cli trustedcert publish --cert /tmp/${FILE}.pem`,
    ],
  },
  {
    on: 'SDDC Manager',
    says: 'By its API, with a token of an administrator in TOKEN, and jq to write the certificate as JSON:',
    lines: (of) => [
      fetched(of, `/tmp/${FILE}.pem`),
      shown(`/tmp/${FILE}.pem`),
      `jq -Rs '{certificate: ., certificateUsageType: "TRUSTED_FOR_OUTBOUND"}' /tmp/${FILE}.pem |`,
      '  curl -fsS https://sddc-manager.example/v1/sddc-manager/trusted-certificates -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d @-',
    ],
  },
];
