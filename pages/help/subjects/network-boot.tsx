// Help: hosts that start the ESX installer from the appliance, and who can read what on the way.
import { See, type Subject } from '../subject.tsx';

export const networkBoot: Subject = {
  id: 'network-boot',
  title: 'Network boot',
  intro: 'Hosts without an operating system that start the ESX installer from here.',
  paragraphs: [
    {
      id: 'way',
      title: 'From power-on to installer',
      text: (
        <>
          <ol>
            <li>
              The host asks for an address. A DHCP scope of the appliance points it to the chosen boot listener, else to
              the listener on the scope's own interface, else, through its router, to the only one that there is. The
              plan names each scope that has none.
            </li>
            <li>
              It loads a first boot program (Debian's iPXE, package <code>ipxe</code>) over TFTP or HTTP, and shows a
              menu: the installation of this host as it was applied, and the local disk, which starts after ten seconds
              without a choice.
            </li>
            <li>
              Somebody chooses an entry on the console. A code appears there, good for ten minutes. The host waits on
              the page <i>Waiting to boot</i>.
            </li>
            <li>
              An operator types the code here. That allows <b>one</b> retrieval of the Kickstart, for one boot.
            </li>
            <li>The installer runs. At the next network boot the host starts from its own disk.</li>
          </ol>
          <p>
            An authorized boot is ended by an operator, by its own console or by an apply, and by nobody else. An empty
            UEFI boot URL means the appliance's own program; <code>none</code> turns UEFI HTTP boot off. An attempt that
            was open in a database put back from a copy is open again for what is left of its ten minutes.
          </p>
        </>
      ),
    },
    {
      id: 'hosts',
      title: 'Hosts',
      text: (
        <p>
          A host is told apart by its MAC address alone. It has a medium, a Kickstart, and variables that the Kickstart
          may use. Network boot enforces what was applied, not what is saved: apply after an edit.
        </p>
      ),
    },
    {
      id: 'media',
      title: 'Media',
      text: (
        <p>
          Media are ESX installer images, unpacked on the appliance. Copy an image into the folder <code>import</code>{' '}
          below the data folder, or upload it in pieces by the API; the page shows the commands for this appliance.
        </p>
      ),
    },
    {
      id: 'kickstarts',
      title: 'Kickstarts and their secrets',
      text: (
        <>
          <p>
            A Kickstart is kept encrypted and handed out once for each boot that an operator authorized by the code on
            the console. Put passwords into variables of the host, or into a <See at="vaults#values">vault</See>: the
            revision of a text is an unkeyed SHA-256, which would confirm a guess.
          </p>
          <p>
            An administrator can save <code>{'{{ vault.<vault>.<key> }}'}</code> in a text. The value is looked up when
            the text is handed out, and each use is recorded first. If a value is missing, nothing is handed out and the
            attempt ends.
          </p>
          <p>
            Only an administrator (<code>read:vaults</code>) can give such a Kickstart to a host, enable that host, or
            change its MAC address, medium or variables. While there is such a host, only an administrator can choose
            another interface or boot URL for network boot.
          </p>
        </>
      ),
    },
    {
      id: 'trust',
      title: 'Whom you trust in the boot network',
      text: (
        <>
          <p>
            Firmware speaks plain HTTP. Whoever can read along in the boot network sees the address and the text of a
            Kickstart. Whoever can send there can choose for any host, end a choice that waits for its code, or use up
            the 12 choices that a host has in ten minutes. Whoever may authorize boots releases the values of vaults in
            the text, and can read them from within the boot network.
          </p>
          <p>
            <b>Keep the boot network a segment that you trust.</b>
          </p>
        </>
      ),
    },
  ],
};
