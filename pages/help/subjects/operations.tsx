// Help: work that goes on by itself, the record of changes, and the web terminal.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { See, type Subject } from '../subject.tsx';

export const operations: Subject = {
  id: 'operations',
  title: 'Jobs and audit log',
  intro: 'Work that goes on by itself, and the record of who changed what.',
  paragraphs: [
    {
      id: 'jobs',
      title: 'Jobs',
      text: (
        <p>
          A job is work that takes longer than an answer: an apply, an upload, a deployment. It survives a restart. A
          job that needs a password which nobody stored ends with that cause, and its page asks for it once more.
          Stopping a job may need the scope that starting it needs; the page says which.
        </p>
      ),
    },
    {
      id: 'audit-log',
      title: 'Audit log',
      text: (
        <>
          <p>
            Every change is recorded in the same step: who, what, when, from which address, and the request id that the
            log of the service has too. Secrets are never part of an event. The events are chained.{' '}
            <code>groundcrew audit verify</code> on the shell walks the chain and ends with exit code 1 when an event
            was changed or removed. It prints the newest hash: keep that in another place to notice a cut-off end.
          </p>
          <p>
            The filter of the page is also that of its CSV file. Failed sign-ins, a wrong own password, and refused
            boots, imports and deployments are events as well. Other refusals are only in the log of the service.
          </p>
        </>
      ),
    },
    {
      id: 'health',
      title: 'Health',
      text: (
        <>
          <p>
            <i>Health</i> shows what needs you, each service with what it last answered, certificates by their end, and
            a few numbers of the last day or of thirty days. They are kept in a file of fixed size beside the database;
            an archive does not carry it. A chart has a gap where the service did not run.
          </p>
          <p>
            Something needs you when a service does not answer as applied, somebody changed the host, the last apply
            failed or was rolled back by itself, an apply waits for confirmation, a job failed within a day, a
            certificate is about to expire, a disk, a storage volume, a datastore with a size limit or a DHCP scope is
            nearly full, the clock follows none of its sources or is off, archives are too old, keys of the KMIP server
            are in no verified archive, many sign-ins fail, a receiver of alerts takes no message, or nothing was
            sampled for five minutes. From when on a number counts is in the{' '}
            <See at="operations#alerts">rules of alerts</See>. <code>GET /api/v1/health</code> answers conditions,
            services and certificates as JSON, to a token with <code>read:metrics</code>.
          </p>
        </>
      ),
    },
    {
      id: 'alerts',
      title: 'Alerts',
      text: (
        <>
          <p>
            What needs you on the page Health becomes an alert when it has lasted for a minute, and the alert closes by
            itself when it has been gone for two. What comes back within an hour has to be gone for twice as long each
            time, so that something that flaps does not fill a mailbox. <i>Acknowledge</i> says that you take it on: it
            is no longer sent, and stays open until its condition ends. One that becomes critical afterwards is open
            again.
          </p>
          <p>
            <i>Rules</i> has the thresholds, these times, a reminder of what nobody acknowledged, and which conditions
            are told at all. What can't be looked at, such as a disk that hangs, closes nothing. Closed alerts are kept
            for 90 days, 1000 at most.
          </p>
        </>
      ),
    },
    {
      id: 'alert-receivers',
      title: 'Receivers of alerts',
      text: (
        <>
          <p>
            A receiver is a webhook, a mail server or a syslog server, always over TLS. Nothing is sent until you have
            compared and confirmed its certificate. When the certificate is renewed, confirm the new one: until then
            messages wait. Addresses follow the rules of <See at="deployment#remote-machines">remote machines</See>. A
            receiver gets one message when an alert opens and one when it closes, in order. A message that fails is sent
            again after 30 seconds, then after twice as long each time, up to an hour. After 16 attempts it is given up,
            and the page of the receiver says why. A receiver that hangs delays neither another one nor an apply.
          </p>
          <p>
            A message of a webhook is JSON. <code>X-Groundcrew-Signature</code> is <code>v1=</code> and the hexadecimal
            HMAC-SHA256 of <code>X-Groundcrew-Timestamp</code>, a dot and the body, under the signing secret that the
            receiver's page makes and shows once. Refuse what is older than five minutes. A message can come twice:{' '}
            <code>X-Groundcrew-Delivery</code> is the same then. Redirects are not followed. The URL of a chat often is
            a secret itself: only who may change receivers sees more of it than its server, and receivers are in
            encrypted archives alone.
          </p>
          <pre>{`printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$SECRET"`}</pre>
          <p>
            Mail begins with TLS, or goes over to it by STARTTLS before a login or a mail. A server that offers neither
            gets nothing. Syslog is RFC 5424 in the frames of RFC 5425. It has no acknowledgement: a message counts as
            taken when the server ends the connection in good order. <i>Send a test</i> shows the result. Receivers are
            in every archive, their secrets in encrypted ones alone; without them, make or enter them again.
          </p>
        </>
      ),
    },
    {
      id: 'metrics',
      title: 'Metrics',
      text: (
        <>
          <p>
            <code>GET /metrics</code> answers numbers for Prometheus and everything that reads its formats: requests,
            pending changes, drift and probes of each service, applies, jobs, certificates that end, archives, leases
            and pools, names, the clock, disks and the process. It needs an API token with <code>read:metrics</code>,
            which opens nothing else. Put the token into the configuration of the scraper:
          </p>
          <pre>{`scrape_configs:
  - job_name: groundcrew
    scheme: https
    authorization: { credentials_file: /etc/prometheus/groundcrew.token }
    tls_config: { ca_file: /etc/prometheus/groundcrew.pem }
    static_configs: [{ targets: [gc01.lab.example:443] }]`}</pre>
          <p>
            Groundcrew’s own counters restart with it, those of a daemon with the daemon. Values from daemons are
            sampled every 30 seconds, so that a scrape starts no program. Labels never hold user names, addresses or
            paths, so requests from outside cannot add series. DHCP scopes appear by name. To count DNS queries, let
            clients read query statistics in the settings of DNS.
          </p>
        </>
      ),
    },
    {
      id: 'archives',
      title: 'Archives',
      text: (
        <>
          <p>
            An archive is everything that is saved, in one file (<code>read:archives</code>, <code>write:archives</code>
            , for administrators only). Encrypted, it is a file of age version 1: <code>age --decrypt</code> opens it on
            any machine, with the passphrase or with the identity of a recipient. A passphrase is not kept: without it
            nobody opens the archive.
          </p>
          <p>
            Not encrypted, it leaves out whatever holds a secret: vaults, certificates, Kickstarts, hosts, and users of
            the depot. An encrypted one carries the accounts of the appliance too, with the hashes of their passwords;
            only an appliance that <See at="operations#first-start">starts from it</See> takes them over. Never in an
            archive: API tokens, keys files, the audit log, and the bytes of media and depots.
          </p>
          <p>
            <i>Compare and restore</i> opens an archive that was made here or uploaded, and shows what differs from what
            is saved, unit by unit. You choose collections and a mode, look at a dry run, and type a word and your own
            password to restore. All of it is saved in one step or nothing is; a copy of the database is kept before,
            and other changes are refused meanwhile. Then review and apply it. A restore that would leave no management
            listener is refused: leave the network out.
          </p>
          <p>
            <i>Upload</i> sends a file of up to 64 MiB in pieces, with script: a broken upload goes on where it stopped,
            on the page of its archive, for whoever began it, within a day. Without script its form takes 3.9 MiB.{' '}
            <code>groundcrew archive restore FILE</code> takes larger ones too, on the shell.
          </p>
          <p>
            An archive of schema 2, which is plain JSON of at most 16 MiB, is compared and restored in the same way:
            interfaces, VLANs, DNS, DHCP, time sources, datastores and ESXi hosts, and members of settings that have
            their like here. What has no place here is listed with its count, on the page, over the API and on the
            shell. ESXi hosts come switched off, without Kickstart, image and address.
          </p>
          <p>
            <code>groundcrew archive create</code> makes one on the shell, of any size, in a file that you name.
          </p>
        </>
      ),
    },
    {
      id: 'public-pages',
      title: 'Public pages',
      text: (
        <>
          <p>
            Where <code>GROUNDCREW_PUBLIC_LISTEN</code> is set, <code>{pagePath('public')}</code> shows guests what is
            in force at the interface that they call, with lines to copy. What is only saved, and what listens
            elsewhere, is not there. Over loopback, as a proxy on the appliance comes, everything in force is shown.
          </p>
          <p>
            Three things are off until the settings of the public pages switch them on. Certificate requests: an account
            that may ask for certificates signs in there, asks, and fetches what was issued. Its session opens no
            management page, and is ended with the others of the account. Status: which of the services answered when
            they were last asked, as a page and as JSON for a monitor. Passwords of the directory: people change their
            own with the one that they have.
          </p>
        </>
      ),
    },
    {
      id: 'first-start',
      title: 'Starting from an archive',
      text: (
        <>
          <p>
            A new appliance offers it on its overview, to whoever signed in with the password of the first start:{' '}
            <i>Start from an archive</i> takes the file, what opens it, and your own password. All that the archive has
            is saved in one step. Sign in again, review the plan and apply it: the machine is what the former one was.
            On the shell it is <code>groundcrew archive restore FILE --first-start</code>, also in an empty data folder,
            before the service was ever started.
          </p>
          <p>
            The accounts of an encrypted archive take the place of those that are here, with their passwords; sessions
            and tokens of here end. An archive without an enabled admin is refused. An archive without secrets has no
            accounts: yours stays, and vaults, certificates and keys are made anew. Keys of the archive are sealed under
            the key of this appliance.
          </p>
          <p>
            Interfaces are found by MAC address, then by name. On a machine with other adapters leave out the network,
            and what stands in the way. First start is over as soon as anything is saved beside the interfaces over
            which you manage the appliance, or a second account is made: then <i>Compare and restore</i> is the way.
          </p>
        </>
      ),
    },
    {
      id: 'archive-schedule',
      title: 'Schedule of archives',
      text: (
        <>
          <p>
            The clock makes an archive daily or weekly, at a time of day in UTC, for the recipients that you name, and
            copies it to every target in use. Keep the identity of a recipient away from this appliance: without it
            nobody opens the copies, the appliance included. A run that was missed is made up once.
          </p>
          <p>
            A target is a folder of this appliance (below <code>copies</code> in its data folder, or below{' '}
            <code>/srv/datastores</code> where a volume is mounted), an SFTP server or an S3 bucket. The host key of an
            SFTP server is looked at, compared and confirmed; one that shows another key gets nothing. Loopback
            addresses and addresses of this appliance need an exception, see{' '}
            <See at="deployment#remote-machines">remote machines</See>.
          </p>
          <p>
            A copy is called verified once it was read back and had the same SHA-256. Only then are older ones deleted
            there: those that this appliance verified, at most 20 in a run, and never the newest. The overview says when
            a target has no verified copy that is younger than two periods. An archive carries schedule and targets; an
            appliance that restores them copies to the same targets.
          </p>
        </>
      ),
    },
    {
      id: 'factory-reset',
      title: 'Factory reset',
      text: (
        <>
          <p>
            <i>Factory reset</i> on the page of the archives saves the state of a new appliance, after its name and your
            own password; a dry run shows what would go. Everything that an archive would have goes, but for the
            interfaces over which you manage the appliance, so that it stays reachable. So do all accounts but yours,
            all sessions and API tokens, jobs and plans. The host keeps what is in force until you review and apply the
            plan, which shows what it takes away.
          </p>
          <p>
            What stays: the audit log, with the reset as its newest event; archives and snapshots in the data folder;
            the keys files; files of the depot and data on datastores; keys of the KMIP server, with providers and
            clients. Files of installer media go within hours. A snapshot of before holds all that went:{' '}
            <code>groundcrew data restore</code> brings it back. Delete the snapshots when the machine leaves your
            hands.
          </p>
          <p>
            <code>groundcrew data reset --confirm NAME</code> does it on the shell. There every account goes, and{' '}
            <code>admin</code> gets a new password, as at a first start.
          </p>
        </>
      ),
    },
    {
      id: 'log',
      title: 'Logs',
      text: (
        <>
          <p>
            <i>Logs</i> shows the lines of the service, of what runs as root for it, and of the daemons that it owns,
            newest first, out of the journal of the machine. Filter by source, level, time, request and text; a text is
            no pattern. The request id is that of a problem and of the audit log. <i>Follow</i> reads the page anew
            every five seconds. One answer looks at 6,000 lines at most; <i>Search further back</i> goes on. Text and
            JSON lines export up to 10,000 lines of the filter.
          </p>
          <p>
            Lines may name people, machines and what they looked for, so that only administrators read them, and tokens
            with <code>read:logs</code>: <code>GET /api/v1/logs</code>. What looks like a password, a token or a key is
            masked; do not rely on it before you pass a log on. In a rehearsal there are only the lines of the service
            since it started.
          </p>
          <p>
            On the machine, <code>journalctl -u groundcrew</code> has one JSON line for each change, refusal and
            failure, with the request id and never with a body or a query. Successful reads appear with{' '}
            <code>GROUNDCREW_LOG_LEVEL=debug</code>, see <See at="settings#variables">service settings</See>.
          </p>
        </>
      ),
    },
    {
      id: 'problems',
      title: 'Error pages',
      text: (
        <p>
          Each refusal links to the page of its kind: why, what to do, an example. Quote the request id when you ask
          somebody for help.
        </p>
      ),
    },
    {
      id: 'web-terminal',
      title: 'Web terminal',
      text: (
        <>
          <p>
            A shell of the appliance’s operating system in the browser, at the addresses of the management UI on the
            interfaces that you choose. It is off until you switch it on and apply it. It has no TCP port of its own.
          </p>
          <p>
            It needs the Debian package <code>openssh-server</code>, and an account of the operating system in the group{' '}
            <code>groundcrew-terminal</code>: <code>adduser NAME groundcrew-terminal</code>. Only an administrator of
            Groundcrew can open it, over HTTPS. It asks for your own password, and then for the password of the account.
            It never signs in as root; use <code>sudo</code> there.
          </p>
          <p>
            After a reload the page comes back to its shell within a minute. A terminal ends after the idle time without
            input, after its longest time, when you sign out, when your role changes, and when an apply switches it off
            or takes its interface away. <kbd>Shift</kbd>+<kbd>F6</kbd> leaves it by keyboard: every other key, Tab too,
            belongs to the shell.
          </p>
          <p>
            What you paste is shown first where it has several lines or hidden characters. The audit log has who opened
            a terminal from where, for which account, how long and how many bytes; never what was typed or printed.
          </p>
          <p>
            Where a terminal of yours is open in another browser, for the same account, you may take it over after your
            own password: it goes on here, and the other browser says so.
          </p>
          <p>
            Another machine: choose an entry of a vault with an address such as <code>ssh://esx01.lab.example</code>.
            Look at the host key of the machine first, compare it, and confirm it with your own password. The appliance
            opens the password of the entry for that connection alone; the browser never has it. The audit log names the
            entry and the machine, never the password. The rules for addresses of{' '}
            <See at="deployment#remote-machines">remote machines</See> hold here too, and so do all limits.
          </p>
          <p>
            <a href={pagePath('terminal-hosts')}>Confirmed host keys</a> lists the machines that were confirmed, by whom
            and when. A key that is forgotten there has to be compared and confirmed again.
          </p>
          <p>
            <a href={pagePath('terminal-files')}>Files of other machines</a>: the same entries open the files of a
            machine over SFTP, after your own password. The connection takes the place of a terminal, and has its
            limits. A download has at most 64 GiB and breaks off where the machine gives less than it said; one that the
            browser pauses for a minute ends. An upload has at most 16 GiB, or 2 MB in a browser without scripts; the
            file is in its place once all of it is there. The audit log has each path and its bytes before the first
            byte moves, and how it ended; never what is in a file. No recording has it either.
          </p>
          <p>
            Terminals can be recorded: it is a choice in the settings, and comes into force with an apply. The page says
            so before it asks for a password. What is printed is kept, what is typed is not; but a shell echoes what is
            typed into it, save passwords. A recording is sealed on the appliance, in no archive, and deleted after the
            days that its user was told. It ends, and its terminal with it, at 32 MB; once all recordings fill their
            megabytes, no terminal opens until some are deleted. After a crash, what came before is there, and the page
            says that the end is missing.
          </p>
          <p>
            <a href={pagePath('terminal-recordings')}>Recordings</a> are for administrators. A replay, an export and a
            deletion need your own password. Each of them, and each deletion, is written to the audit log. An export is
            an asciicast v2 file, which <code>asciinema play</code> shows; it is not sealed any more.
          </p>
        </>
      ),
    },
  ],
};
