// Help: installing on Debian, what runs as root, updating, and what to keep a copy of.
import { CodeBlock } from '../../components/code.tsx';
import { See, type Subject, Terms } from '../subject.tsx';

/** Packages that the installation refuses to work without, and the programs that are called from each. */
export const PROGRAMS: readonly (readonly [debian: string, programs: readonly string[]])[] = [
  ['chrony', ['chronyc', 'chronyd']],
  ['ldap-utils', ['ldapmodify', 'ldapsearch']],
  ['slapd', ['slapadd', 'slapcat', 'slapd']],
  ['dbus', ['dbus-daemon']],
  ['dnsmasq-base', ['dnsmasq']],
  ['iproute2', ['ip']],
  ['kmod', ['modprobe']],
  ['nftables', ['nft']],
  ['openssl', ['openssl']],
  ['systemd', ['busctl', 'journalctl', 'networkctl', 'systemctl', 'systemd-sysusers', 'systemd-tmpfiles']],
  ['util-linux', ['unshare']],
];

export const install: Subject = {
  id: 'install',
  title: 'Install and update',
  intro: 'Putting the appliance on Debian 12, what runs as root there, and what to copy.',
  paragraphs: [
    {
      id: 'debian',
      title: 'On Debian 12',
      text: (
        <>
          <CodeBlock label="Installing">{`npm ci && npm run build
sudo build/appliance/install.sh --management ens192=10.0.0.5/24,10.0.0.1`}</CodeBlock>
          <p>
            The script says each thing that it does. It refuses, with one line, what it can't work on: NetworkManager,
            firewalld, another DHCP or name server. <code>--management ens192=dhcp</code> asks for an address. The
            application is then at <code>https://&lt;address&gt;</code>, with a TLS key of the machine's own. The first
            password of <code>admin</code> is in <code>journalctl -u groundcrew</code>.
          </p>
          <p>
            Services of Debian whose work the appliance takes over are switched off: ifupdown, chrony, timesyncd,
            dnsmasq, slapd and nftables. SSH is closed from the first apply of the firewall on, until{' '}
            <See at="network#firewall">a rule</See> opens it.
          </p>
          <p>
            Network boot takes its first boot programs from Debian's package <code>ipxe</code>. Everything else works
            without it; whoever applies network boot without it is told.
          </p>
        </>
      ),
    },
    {
      id: 'update',
      title: 'Updating and removing',
      text: (
        <>
          <p>
            Run the same script again, from the newer checkout, to update: it replaces the programs and nothing else. It
            keeps the former programs in <code>/usr/lib/groundcrew.former</code> and asks the service for its health.
            When there is no answer within five minutes, it puts the former programs back, with{' '}
            <See at="install#snapshots">the database as it was</See> before the new ones changed it, and ends with an
            error.
          </p>
          <p>
            <code>install.sh --uninstall</code> removes the programs and the packet filter: nothing is filtered then. It
            enables Debian's services that it had switched off, and does not start them; ifupdown stays off, because
            systemd-networkd keeps the links. It keeps the data, the depot, the settings in <code>/etc/groundcrew</code>{' '}
            and the network as it is.
          </p>
        </>
      ),
    },
    {
      id: 'programs',
      title: 'Programs of Debian that it calls',
      text: (
        <>
          <p>Besides what every Debian 12 has. The script refuses to install without them:</p>
          <Terms
            rows={PROGRAMS.map(([debian, programs]) => [
              [debian],
              programs.map((program, at) => (
                <span key={program}>
                  {at > 0 && ', '}
                  <code>{program}</code>
                </span>
              )),
            ])}
          />
        </>
      ),
    },
    {
      id: 'root',
      title: 'What runs as root',
      text: (
        <>
          <p>
            The service runs as user <code>groundcrew</code> and can change nothing of the host. What a reviewed plan
            says is done by a root step behind a socket (<code>groundcrew-enforce@</code>). It reads the plan and the
            desired state itself, renders again, compares the digest, and writes and runs only what its own list allows:
            each file has one unit that writes it, a reader and a grammar, no free text reaches a file that a daemon
            reads, and each unit of systemd runs what it names and nothing else.
          </p>
          <p>
            A watchdog puts an unconfirmed plan back when the service is dead, and a unit early at boot does so after a
            restart of the machine. See <See at="apply#confirm-window">the confirm window</See>.
          </p>
        </>
      ),
    },
    {
      id: 'copies',
      title: 'What to keep a copy of',
      text: (
        <>
          <p>
            In the data folder (<code>/var/lib/groundcrew/data</code> on an installed appliance) lie the database,{' '}
            <code>groundcrew.keys</code> with the keys that the database must not hold, and <code>vault.keys</code> with
            those of the <See at="vaults#key">vaults</See>. Copy both key files apart from the database. The files of
            the depot can be downloaded again.
          </p>
          <p>To bring an appliance back, put the database and both key files of the same time into the data folder.</p>
        </>
      ),
    },
    {
      id: 'archives',
      title: 'Archives',
      text: (
        <>
          <p>
            An archive is one file with everything that is saved: interfaces, services, vaults, the certificate
            authority with its keys, and depot users. <code>groundcrew archive create</code> makes it and asks for a
            passphrase, or encrypts it for recipients of the program <code>age</code>, which opens it too.{' '}
            <code>--without-secrets</code> encrypts nothing and leaves out all that holds a secret. API tokens, the
            audit log, installer images and files of the depot are in no archive; accounts are in encrypted ones, for an
            appliance that <See at="operations#first-start">starts from it</See>.
          </p>
          <p>
            <code>groundcrew archive inspect</code> shows what differs between an archive and now, unit by unit.{' '}
            <code>groundcrew archive restore</code> saves it, all or some units, after a{' '}
            <See at="install#snapshots">snapshot</See> of the present database. Interfaces are found by MAC address,
            then by name. Review the plan afterwards: the host follows when it is applied. A root certificate that is
            here already forgets nothing: what it issued or revoked since stays so.
          </p>
        </>
      ),
    },
    {
      id: 'snapshots',
      title: 'Snapshots, and the way back',
      text: (
        <>
          <p>
            An update that changes the database copies it first, into the folder <code>snapshots</code> of the data
            folder; without room for the copy nothing is changed. <code>groundcrew data snapshot</code> makes one at any
            time, <code>groundcrew data list</code> names them. Of each occasion the newest five stay. A snapshot holds
            what the database holds and lies on the same disk: it is a way back, no copy against a broken disk.
          </p>
          <p>
            To go back, stop the service, run <code>groundcrew data restore</code> with the name, and start it again.
            What was saved since is then only in the snapshot that the command makes of the present database, the audit
            log too. The host stays as it was applied, until you review a plan. A former program works on the snapshot
            of its time, and names it when it refuses a newer database.
          </p>
        </>
      ),
    },
    {
      id: 'shell',
      title: 'On the shell',
      text: (
        <p>
          <code>groundcrew --help</code> lists the commands of the appliance's shell: tokens, passwords, the check of
          the audit log, the key of the vaults, the OpenAPI document. From a checkout:{' '}
          <code>npm run --silent groundcrew -- --help</code>.
        </p>
      ),
    },
  ],
};
