// Help: interfaces, VLANs, what follows an edit of one, the packet filter, the appliance's own name.
import { See, type Subject } from '../subject.tsx';

export const network: Subject = {
  id: 'network',
  title: 'Network',
  intro: 'Interfaces and VLANs, what follows when one changes, and what reaches the appliance.',
  paragraphs: [
    {
      id: 'interfaces',
      title: 'Interfaces',
      text: (
        <>
          <p>
            Physical interfaces are found, not created. Each has a role (<i>management</i>, <i>access</i>, <i>route</i>{' '}
            or <i>unused</i>) and a mode: <i>access</i> has addresses of its own, <i>trunk</i> carries VLANs and has
            none. The application answers on management interfaces, and on access interfaces where you allow it. An edit
            that would leave no such address is refused.
          </p>
          <p>
            When you change an interface from DHCP to a static method without giving an address, the address and gateway
            that the link has now are kept. An interface whose adapter was taken out stays in the desired state, marked
            as gone, until somebody deletes it. What still needs it refuses that.
          </p>
        </>
      ),
    },
    {
      id: 'vlans',
      title: 'VLANs',
      text: (
        <p>
          A VLAN is a tagged link on a trunk, with a number from 1 to 4094 and at least one address. Its name is that of
          its parent with the number: <code>ens256.30</code>. Everything that holds for the edit of an interface holds
          for that of a VLAN. An interface that has VLANs can't stop being a trunk.
        </p>
      ),
    },
    {
      id: 'following',
      title: 'What follows an edit',
      text: (
        <>
          <p>
            Everything that depends on an address <See at="glossary#follow">follows</See> an edit: DNS records, DHCP
            scopes and reservations, listen addresses, datastores, allowed networks. It is saved together with the edit,
            or the edit is <See at="glossary#refuse">refused</See> and nothing is saved. A refusal names what stands in
            the way, and the smallest change that would help.
          </p>
          <p>
            The edit page shows the <See at="glossary#impact">impact</See> before you save: what is rewritten, what
            moves to another address, what is no longer selected, what blocks. In the API, <code>?dry_run=true</code>{' '}
            answers the same <code>impact</code> and saves nothing.
          </p>
        </>
      ),
    },
    {
      id: 'firewall',
      title: 'Firewall',
      text: (
        <>
          <p>
            The packet filter is one nftables table of its own. It is made from the roles of interfaces and the needs of
            enabled services, plus your own rules, which come first in the order of their positions. It is on by
            default, and in force from the first reviewed apply on. What no service needs is closed:{' '}
            <b>SSH needs a rule</b>.
          </p>
          <p>
            DNS is open to the appliance's own networks, or to the networks that its settings name. A plan that would
            shut its reviewer, or everybody, out of the management application is refused. A rule that is not enabled is
            kept but not applied.
          </p>
        </>
      ),
    },
    {
      id: 'own-name',
      title: "The appliance's name and resolvers",
      text: (
        <p>
          <i>Settings</i> holds the host name of the appliance and up to three name servers that it asks itself, in this
          order. The appliance's own name service may be one of them. Each service has settings on its own page. Where
          the appliance may connect to is a page of its own: <See at="deployment#remote-machines">remote machines</See>.
        </p>
      ),
    },
  ],
};
