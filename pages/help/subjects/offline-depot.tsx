// Help: the depot from which VMware Cloud Foundation takes its software where there is no way to the internet.
import { See, type Subject } from '../subject.tsx';

export const offlineDepot: Subject = {
  id: 'offline-depot',
  title: 'Offline depot',
  intro: 'A web server from which VCF takes its software where there is no way to the internet.',
  paragraphs: [
    {
      id: 'set-up',
      title: 'Setting it up',
      text: (
        <>
          <ol>
            <li>
              Make the root of the <See at="trust#certificate-authority">certificate authority</See>. The depot answers
              over HTTPS only, with a certificate of it.
            </li>
            <li>Add a depot user. That account opens the depot and nothing else: neither these pages nor the API.</li>
            <li>
              In the settings of the depot, choose interfaces, a host name and <b>that user</b>, and switch it on.
              Without a chosen user nobody has access, unless open access is on.
            </li>
            <li>Make the software depot ID, or type the one that you have.</li>
            <li>
              <See at="apply#review">Review and apply</See>.
            </li>
            <li>
              Give the address and the user to an installer, or let <See at="deployment#depot">a wizard</See> do it.
            </li>
          </ol>
          <p>
            It may have port 443 of an address where the management listener answers, if that speaks TLS: then the depot
            needs a host name of its own, and <See at="listeners#shared-port">answers at that name alone</See>.
          </p>
          <p>
            The publisher of the software knows the depot by its software depot ID, and issues activation codes for it.
            It is not secret.
          </p>
        </>
      ),
    },
    {
      id: 'content',
      title: 'What it serves, and from where',
      text: (
        <>
          <p>
            Files are kept in <code>/mnt/groundcrew-vcf-offline-depot</code>. The VCF Download Tool writes them there;
            OVAs may also be <See at="offline-depot#uploads">uploaded</See>. The depot serves <code>/PROD/…</code> with
            exact bytes and ranges. <code>PROD/vsan/hcl</code>, <code>umds-patch-store</code> and the two aliases below{' '}
            <code>/products/v1/bundles</code> need no login.
          </p>
          <p>
            A disk of its own may be mounted there. One that is mounted while the service runs is seen after{' '}
            <code>systemctl restart groundcrew</code>.
          </p>
          <p>
            Symbolic links, and files with a second hard link (as deduplicating tools make them), are not served:
            everybody gets 404, with a login too. The log names each such path once.
          </p>
        </>
      ),
    },
    {
      id: 'uploads',
      title: 'Uploads',
      text: (
        <p>
          A file arrives in pieces, and an upload that broke off goes on where it stopped. What is half there is never
          visible. At most 100 uploads wait for their pieces; one to which nothing came for a day is removed. A file has
          at most 1 TiB.
        </p>
      ),
    },
    {
      id: 'limits',
      title: 'Limits',
      text: (
        <>
          <p>Each of them bounds what one client can hold, whoever it is:</p>
          <ul>
            <li>
              <b>Connections</b> of a listener: 1,200 in all, 600 per address, 800 per IPv6 /64; more are closed at
              once. 200 are reserved for loopback and for addresses that logged in within the last 12 hours, 64 for
              each. A newcomer to a full listener finds a place as on the{' '}
              <See at="listeners#connections">other listeners</See>. A TLS handshake has 10 seconds. A connection ends
              when nothing moves on it for 90 seconds, or no request came for 75. Five hundred slow readers do not slow
              down the next client.
            </li>
            <li>
              <b>Requests</b> on a connection are answered in turn. More than 8 that wait for an answer end it. The
              headers of a request have 8 KiB.
            </li>
            <li>
              <b>Parts</b> of a file: 16 in one answer, together no longer than the file. For more than that the whole
              file is sent.
            </li>
            <li>
              <b>Memory</b> of a download: 64 KiB; the 32 fastest have 1 MiB.
            </li>
            <li>
              <b>Logins</b>: the first login of each client takes a password hash, one at a time for the whole depot;
              later ones are known. After 10 wrong logins an IPv4 address, or a /64 of IPv6, waits 2 seconds, then twice
              as long with each, up to 60. After 15 minutes without one it begins anew. The same wrong login again
              counts once. Sixty-four can wait in line, four of one network; who failed least goes first. Who finds no
              place is told to come back (429 with <code>Retry-After</code>).
            </li>
          </ul>
        </>
      ),
    },
  ],
};
