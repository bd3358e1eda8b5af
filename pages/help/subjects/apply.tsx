// Help: plans, the confirm window, drift, and the way back.
import { See, type Subject } from '../subject.tsx';

export const apply: Subject = {
  id: 'apply',
  title: 'Review and apply',
  intro: 'How saved changes reach the host, and how they come back when something goes wrong.',
  paragraphs: [
    {
      id: 'review',
      title: 'The plan and its review',
      text: (
        <>
          <p>
            A plan takes all changed units, or those that you choose. Changed units that name the same interface or
            address come along, each with its reason. The review shows every line of every file, the risk, the expected
            interruption and what the real program said to its new configuration.
          </p>
          <p>
            A daemon follows most changes while it runs, and nobody notices. Where it has to restart, the review says
            how long: questions for names wait for dnsmasq and are answered late, those for an address or for the time
            are lost in that moment, and their clients ask again by themselves.
          </p>
          <p>
            What is applied is what was reviewed: the files are rendered again and compared with the plan first. A plan
            that no longer matches the saved state is refused; review the changes again. Saving is locked while an apply
            runs. If a unit fails, its previous files are restored, and the units after it are not touched.
          </p>
        </>
      ),
    },
    {
      id: 'confirm-window',
      title: 'The confirm window',
      text: (
        <>
          <p>
            Some plans affect your own connection: your interface, its trunk, network or gateway, a management address,
            the packet filter, and always the first apply of the network. Such a plan is in force for a while only, 120
            seconds unless you choose 30 to 600. You may ask for it with any other plan.
          </p>
          <p>
            It stays when somebody signed in confirms it <b>over the new way</b>: at an address that holds from then on,
            over a connection that was opened after the change. The strip on top leads there. Sessions belong to one
            address, so sign in again at the new one.
          </p>
          <p>
            Otherwise everything goes back: at the deadline, on <i>Roll back now</i>, after a restart of the machine, or
            when a unit fails. <i>More time</i> extends the window, up to 60 minutes in all.
          </p>
          <p>
            Until then other changes answer 423, which names the window and the two ways to end it. What ends access
            still works: disabling a user, revoking a token, setting a password, signing out. So does every{' '}
            <code>dry_run</code>. Confirming and putting back work on a full disk too. Over loopback and in rehearsal no
            plan needs confirming.
          </p>
        </>
      ),
    },
    {
      id: 'damaged-window',
      title: 'A damaged record of the window',
      text: (
        <p>
          When the record of the window is damaged, nobody can confirm. The page of the plan puts the plan back. The
          page <i>Appliance apply</i> clears the record with a reason that goes into the audit log (
          <code>POST /api/v1/apply/window/clear</code>), which puts a waiting plan back as well. Without either, it goes
          back when its time is over.
        </p>
      ),
    },
    {
      id: 'restore',
      title: 'Bringing an applied state back',
      text: (
        <p>
          The history of plans brings the state of an applied plan back (
          <code>POST /api/v1/apply/plans/&#123;plan_id&#125;/restore</code>). It becomes desired state again, by the
          same rules as an edit, and a new plan to review. The host stays as it is until then. The saved rows of the
          last 50 applied plans are kept. Those of network boot are not, because they hold secrets: network boot stays
          as it is.
        </p>
      ),
    },
    {
      id: 'drift',
      title: 'Drift',
      text: (
        <>
          <p>
            Every five minutes, after each apply, and with <b>Compare now</b> the host is compared with what was
            applied. A difference is shown, recorded in the audit log once, and stays until somebody decides: apply the
            unit again (<code>reapply</code>), or, for the network and the directory, adopt it as desired state. What of
            the directory is no setting and no row here is named, and an apply puts it back. A review shows the lines
            that were changed by hand. They are overwritten only where that is chosen (<code>overwrite_drift</code>);
            leave the unit out to keep them. A change of the host that came after the review is never overwritten:
            review again.
          </p>
          <p>
            File modes, files that somebody added, and addresses that the appliance does not manage are not compared.
          </p>
        </>
      ),
    },
    {
      id: 'units',
      title: 'What each unit does to the host',
      text: (
        <ul>
          <li>
            <b>Network</b> (systemd-networkd): addresses, gateways, MTU, state, 802.1Q VLANs, and forwarding between
            interfaces of role <i>route</i> and nobody else. networkd reads the files in a namespace of its own first;
            afterwards the kernel is read back and compared.
          </li>
          <li>
            <b>Firewall</b> (nftables, one table of its own): see <See at="network#firewall">firewall</See>.
          </li>
          <li>
            <b>DNS and DHCP</b> (dnsmasq) and <b>NTP</b> (chrony): see <See at="services#dns">services</See>.
          </li>
          <li>
            <b>Offline depot</b>: an HTTPS listener of the service itself, see{' '}
            <See at="offline-depot#set-up">offline depot</See>.
          </li>
          <li>
            <b>Network boot</b>: first boot programs over TFTP or HTTP, the menu, media and Kickstarts, all as they were
            applied, see <See at="network-boot#way">network boot</See>.
          </li>
        </ul>
      ),
    },
    {
      id: 'automation',
      title: 'Applying by the API',
      text: (
        <>
          <p>
            <code>POST /api/v1/apply/plans</code> makes a plan, with <code>units</code> for a selection. A submit that
            is repeated with the same <code>Idempotency-Key</code> gets the same job. <code>confirm_timeout</code> asks
            for a confirm window.
          </p>
          <p>
            The older routes <code>POST /api/v1/dns/apply</code>, <code>/dhcp/apply</code> and{' '}
            <code>/firewall/apply</code> apply nothing. They answer what the reviewed workflow would do, always with{' '}
            <code>applied: false</code>, <code>reloaded: false</code> and <code>dry_run: true</code>, and{' '}
            <code>warnings</code> that lead to it.
          </p>
        </>
      ),
    },
  ],
};
