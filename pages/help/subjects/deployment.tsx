// Help: the way from names to a service manager with its depot, and the connections to other machines.
import { See, type Subject } from '../subject.tsx';

export const deployment: Subject = {
  id: 'deployment',
  title: 'VCF deployments',
  intro: 'Names, the SDDC Manager appliance and the depot of a new cloud, ready before its installer starts.',
  paragraphs: [
    {
      id: 'names',
      title: 'Names and addresses',
      text: (
        <>
          <p>
            The deployment helper gives a VCF 9.1 (17) or VVF 9.1 (6) deployment its names. Choose catalog, prefix,
            suffix, managed domain, and a first address of IPv4, IPv6 or both. The preview shows every name with its
            address, what is skipped and why, and what an installer would trip over.
          </p>
          <p>
            <i>Create</i> gives exactly the addresses that you confirmed, or none: when the free addresses have changed
            since, you get a new preview (409). <i>Delete</i> takes only what the helper generated and says why the rest
            stays. After the apply, <i>Check</i> asks the applied name service for each name, forward and reverse. The
            names can be exported as a hosts file, CSV or installer JSON.
          </p>
          <p>
            Automation (<code>write:dns</code>): <code>GET /api/v1/vcf-helper/generated-fqdns/preview</code>, and below{' '}
            <code>/api/v1/vcf-helper/generated-fqdns</code> <code>POST</code>, <code>POST …/delete</code> and{' '}
            <code>GET …/check</code>.
          </p>
        </>
      ),
    },
    {
      id: 'order',
      title: 'From an OVA to a service manager with its depot',
      text: (
        <ol>
          <li>
            <See at="trust#certificate-authority">Certificate authority</See>: make the root.
          </li>
          <li>
            <See at="offline-depot#set-up">Offline depot</See>: set it up, apply, fill it.
          </li>
          <li>
            <See at="deployment#sddc-manager">Deploy SDDC Manager</See> from its OVA in the depot.
          </li>
          <li>
            <See at="deployment#depot">Configure the depot</See> of any VCF Installer or SDDC Manager 9.x that is there
            already.
          </li>
        </ol>
      ),
    },
    {
      id: 'wizards',
      title: 'How the wizards connect',
      text: (
        <>
          <p>
            Every wizard goes through Credential, Server, TLS fingerprint and Login, in this order, with script and
            without. No password is asked for before the fingerprint is confirmed. A login speaks TLS only, to the
            address that was checked, and only to the certificate that somebody confirmed.
          </p>
          <p>
            What a login found is kept in memory for an hour, without values. What is typed for a job (passwords of the
            hypervisor, of the OVF, of the depot) is in memory only: 30 minutes until the job begins, and then to its
            end. After a restart a job goes on by itself where it waits or has a stored login. Otherwise it ends with
            that cause, and its page asks for what is needed once more.
          </p>
        </>
      ),
    },
    {
      id: 'sddc-manager',
      title: 'Deploying SDDC Manager',
      text: (
        <>
          <p>
            After the steps of every wizard come Appliance, Placement, Properties, After the start, and Review. The form
            is what the OVF says. Before anything is queued these are checked: the OVA is whole, the name is free, the
            datastore is large enough and one host sees all of it, the hosts that take the disks can be reached and show
            the certificate that vCenter has of them, clocks agree, the time servers answer, and the name servers that
            the appliance will ask know its name both ways.
          </p>
          <p>
            If the manifest is signed (<code>.cert</code>), the signature is verified, and a wrong one refuses the OVA.
            No root is trusted: compare the signer and the fingerprint on the page with the vendor's. An expired
            certificate is shown and refuses nothing.
          </p>
          <p>
            The job holds every byte against the manifest, streams the disks, switches the machine on, waits up to 90
            minutes for its API, and then adds DNS records, trust and depot where you chose that. Whatever fails before
            the import is complete is taken back. Afterwards the machine is left as it is, and the job says so.
          </p>
          <p>
            Nobody can have compared the certificate of a new appliance. The one that it shows once it is ready is
            taken, logged with its SHA-256, and pinned from then on. Trust and depot are set up over it with the
            password of <code>admin@local</code>.
          </p>
        </>
      ),
    },
    {
      id: 'depot',
      title: 'Configuring the depot of an appliance',
      text: (
        <p>
          This wizard points a VCF Installer or SDDC Manager 9.x at the offline depot, and follows its synchronisation
          for up to an hour.
        </p>
      ),
    },
    {
      id: 'trust',
      title: 'Making an appliance trust a certificate',
      text: (
        <p>
          A VCF appliance is made to trust a certificate: the root of this appliance, or another. The wizard reads what
          is trusted there, shows the certificate with its fingerprint, and adds it.
        </p>
      ),
    },
    {
      id: 'remote-machines',
      title: 'Remote machines',
      text: (
        <p>
          The appliance connects to nobody at its own addresses, loopback, link-local or reserved addresses, or where a
          cloud keeps its metadata. An administrator can lift that for single networks in{' '}
          <i>Settings, Remote machines, Permitted networks</i>. Whoever may name a machine in a task can then make the
          appliance connect there, behind every firewall: name single addresses, and take them out again.
        </p>
      ),
    },
  ],
};
