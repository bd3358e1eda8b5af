// Help: the services that hosts of a lab ask first, and storage.
import { ROWS_MOST } from '../../../shared/services/dns-dhcp/dns/import/limits.ts';
import { BULK_MAX } from '../../../shared/services/dns-dhcp/schemas.ts';
import { CodeBlock } from '../../components/code.tsx';
import { See, type Subject } from '../subject.tsx';

export const services: Subject = {
  id: 'services',
  title: 'DNS, DHCP, NTP and storage',
  intro: 'Names, addresses and time for the lab, and datastores for its hosts.',
  paragraphs: [
    {
      id: 'dns',
      title: 'DNS',
      text: (
        <>
          <p>
            The name service (dnsmasq) answers for its own zones and forwards other names to upstream servers. Without
            an upstream server other names are refused. It answers clients of the appliance's own networks, unless you
            name other networks; <code>localnets</code> in that list stands for the own ones, <code>any</code> for
            everybody.
          </p>
          <p>
            Every record belongs to one of your zones. A reverse record follows each A and AAAA record. All records
            share one time to live. Records that a service or a deployment keeps have an{' '}
            <See at="glossary#owner">owner</See>: edit them where the owner is.
          </p>
        </>
      ),
    },
    {
      id: 'import',
      title: 'Importing records',
      text: (
        <>
          <p>
            <i>Import</i> of a zone is as that of <See at="files#preview">every list</See>. It also reads lines of a
            zone file (name, type, value) or of a hosts file (address, names), and a JSON list: up to{' '}
            {ROWS_MOST.toLocaleString('en')} records. Records that are there stay as they are. A job saves more than{' '}
            {BULK_MAX.toLocaleString('en')}, with one audit event for all. Until then their file waits for an hour.
          </p>
          <CodeBlock label="Lines that are read">{`vc01         A      10.20.10.11
vcenter      CNAME  vc01
10.20.10.21  esx01.lab.example esx01-mgmt`}</CodeBlock>
          <p>A name without a dot is completed with the zone. Times to live, comments and empty lines are skipped.</p>
        </>
      ),
    },
    {
      id: 'dhcp',
      title: 'DHCP',
      text: (
        <>
          <p>
            A scope serves one subnet on one interface: ranges of addresses, and the gateway, name servers, time servers
            and domain that clients are given. Settings of DHCP hold for all scopes. A scope follows its interface to
            another network. A gateway or servers that you leave empty follow the appliance: clients get its address,
            whichever it is, and servers only where that service listens on the interface. <code>none</code> gives none.
            An enabled scope counts for interface edits whether the service is on or off.
          </p>
          <p>
            The legacy binding is the one IPv4 subnet that clients of older releases know. Use scopes for new networks.
          </p>
        </>
      ),
    },
    {
      id: 'leases',
      title: 'Reservations and leases',
      text: (
        <p>
          A reservation gives a machine the same address each time, by the MAC address of its adapter. Leases show what
          the running service has given out (<code>GET /api/v1/dhcp/leases</code>). When a reservation is removed or
          moved and applied, its lease goes with it.
        </p>
      ),
    },
    {
      id: 'ntp',
      title: 'NTP',
      text: (
        <>
          <p>
            The time service (chrony) follows the sources that you name and gives their time to clients on UDP port 123.
            ESX hosts, vCenter and NSX refuse each other when their clocks disagree, so give them one source: this one.
          </p>
          <p>
            While no source answers, <i>Local stratum</i> lets an isolated lab still share one time. With <i>NTS</i>{' '}
            clients can tell that the answers are the appliance’s own: they ask by its host name, on TCP port 4460 for
            the keys, and have to trust the root certificate of the certificate authority. The certificate has the host
            name and the fixed addresses; an address by DHCP may change without a plan, so it is not for that. The
            certificate is made when a plan is, and made anew in the last third of its life: then NTP is pending, and a
            plan brings it to chronyd. Without a root certificate, plain NTP is served alone.
          </p>
        </>
      ),
    },
    {
      id: 'storage',
      title: 'Storage',
      text: (
        <>
          <p>
            Volumes name disks of the appliance; datastores are NFS exports on them, each on one interface. An apply
            mounts the volumes and exports the datastores, each with its path below /srv/datastores, over NFS 4.1 or 3
            and TCP. Hosts mount them at an address of the interface, which follows it. A datastore without clients is
            exported to nobody.
          </p>
          <p>
            A datastore may have a size limit, which hosts see as its capacity and which stops root, too, as whom ESX
            writes. Its volume has to carry XFS, and the appliance needs <code>xfsprogs</code>: on ext4 root writes
            beyond any limit, so there is none. The first limit on a volume mounts it anew, which stalls its hosts for
            some seconds. A datastore without a limit has as much as its volume.
          </p>
          <p>
            The page of storage names the hosts that use it now, and a plan that would cut some of them off names them.
            Over NFS 4.1 no server learns which datastore a host has mounted; those are named that it may mount where it
            is connected. Health tells when a volume or a limited datastore is nine tenths full.
          </p>
          <p>
            A volume is a whole disk that the appliance itself does not use. The page Disks says of each whether it can
            take one, or why not. One with XFS or ext4 is mounted as it is. A blank one is formatted by the next plan,
            once you have typed the name of its volume for it; the order ends with that plan, and a disk that carries
            anything by then stops it. Nothing is ever wiped: empty a used disk by hand. A virtual disk that grew is
            told as drift, and its filesystem grows by a plan. Never attach a copy of a disk that is a volume: both have
            the same filesystem UUID, and the volume is not mounted until the copy is gone or has a new UUID. While the
            disk of a volume is away, its datastores are not exported, and the others go on. When the disk is back,
            apply storage again: that mounts it. The ports of NFS 3 are open only while a datastore asks for that
            version.
          </p>
          <p>
            The appliance exports with Debian’s NFS server. Install <code>nfs-kernel-server</code>, and for formatting{' '}
            <code>xfsprogs</code> or <code>e2fsprogs</code>; then run the installer again.
          </p>
          <p>
            Other clients and more datastores need no restart of the server. A plan that takes a datastore, an address
            or a network of clients away is of high risk: hosts that have it mounted lose all paths to it.
          </p>
        </>
      ),
    },
  ],
};
