// Help: the certificate authority, and the services of identity that are saved so far.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { See, type Subject } from '../subject.tsx';

export const trust: Subject = {
  id: 'trust',
  title: 'Trust and identity',
  intro: 'The root certificate of the lab, key management, directory and sign-in.',
  paragraphs: [
    {
      id: 'certificate-authority',
      title: 'Certificate authority',
      text: (
        <>
          <p>
            Make the root once, from what its settings say. Its key never leaves the appliance: it is sealed under the
            keys of the <See at="vaults#key">vaults</See> and rotates with them. Services of the appliance get
            certificates when they need one, made anew in the last third of their life. Another one is shown once a plan
            brought it: until then the former one stays in use. The plan shows which key it is, never the key, and names
            machines that this appliance told about the former one and that have to trust the new one.
          </p>
          <p>
            Whoever trusts the root trusts the services of the appliance. The page gives the root as a file, with its
            SHA-256 to compare, and the commands for common systems. A VCF Installer or SDDC Manager is made to trust it
            by <See at="deployment#trust">a wizard</See>.
          </p>
          <p>
            With custody off nothing is issued or renewed; what was issued stays in use. Subject, key and validity of
            the root take effect when a root is made.
          </p>
        </>
      ),
    },
    {
      id: 'portal',
      title: 'The portal',
      text: (
        <>
          <p>
            Choose interfaces for the portal and apply. At port 80 of their addresses it hands out the root, the
            revocation lists and answers of OCSP over plain HTTP, and nothing else: <code>/ca/root.crt</code>,{' '}
            <code>/ca/root.pem</code>, <code>/ca/root.crl</code> and <code>/ca/ocsp</code>. Network boot may have port
            80 of the same interface: what is below <code>/ca/</code>, or asked by the portal’s host name, is the
            portal’s, and all else network boot’s. The offline depot can’t have that port there. While the portal is in
            force, the console of the machine shows the root’s SHA-256 above its sign-in.
          </p>
          <p>
            With a host name, certificates that are issued from then on name the portal, so that a program can ask what
            was revoked. A certificate keeps that name for as long as it is valid: the review of another host name says
            how many name the old one. What was revoked is told at once, without an apply.
          </p>
          <p>
            Where the public pages are on, <code>{pagePath('public-root')}</code> shows guests the root with its SHA-256
            and how to trust it.
          </p>
        </>
      ),
    },
    {
      id: 'certificates',
      title: 'Certificates for other machines',
      text: (
        <>
          <p>
            A machine makes its key and a signing request; the request is pasted or uploaded, and shown before anything
            is signed. The certificate is for the names that you leave in, and for nothing else that the request asks
            for. The profile says what it may be used for. VMware is for vCenter, ESX, NSX and SDDC Manager.
          </p>
          <p>
            Where a machine can’t make a request, its key is made here. It is given once, as a PKCS #12 file under a
            passphrase, and not kept. Download a certificate as PEM, DER or PKCS #7 from its page at any time.
          </p>
          <p>
            Revoking names a certificate in the revocation list, which is signed anew at once and every day. Only a hold
            can be taken back. Issuing anew makes another certificate for the same key and names; the old one stays
            valid until it ends or is revoked.
          </p>
          <p>
            The page of a certificate lists the machines that this appliance told to trust it or its root, and what
            issuing it anew does to each. Whoever trusts it besides is not known there.
          </p>
        </>
      ),
    },
    {
      id: 'certificate-requests',
      title: 'Requests and profiles',
      text: (
        <p>
          Whoever may ask but not issue sends a request, in a browser or with a token that has the scope{' '}
          <code>write:ca-requests</code> alone. It waits until somebody who may write the authority approves or refuses
          it. A profile lists the names that it is issued for; a name beside them is refused at once. An empty list
          allows every name. Where it was switched on, people also ask on the{' '}
          <See at="operations#public-pages">public pages</See>.
        </p>
      ),
    },
    {
      id: 'roots',
      title: 'Root certificates from and for elsewhere',
      text: (
        <>
          <p>
            A root that the lab trusts already, or a subordinate authority, is imported with its key as PKCS #12 or PEM.
            The root is exported with its key after your own password, as PKCS #12 under a passphrase. Keep that file
            where nothing else is: whoever has both can issue what everybody here trusts.
          </p>
          <p>
            To change the root, make the next one and have every machine trust it beside the present one. Then let it
            take over. What the former one signed stays valid until it ends. Path length 1 lets a subordinate authority
            such as VMCA be below a root; it is chosen before the root is made.
          </p>
        </>
      ),
    },
    {
      id: 'kms',
      title: 'Key management',
      text: (
        <>
          <p>
            A KMIP server (1.0 to 1.4) that vCenter takes as a standard key provider, so that virtual machines and vSAN
            can be encrypted. Add a provider, let the certificate of its vCenter in, choose interfaces, and apply. Keys,
            providers and clients take effect at once; only where the server answers waits for an apply.
          </p>
          <p>
            A client is known by its exact certificate, whoever signed it: upload vCenter’s own, sign its request, or
            make a pair for it. Each asks for your own password, since a client gets every key of its provider; with an
            API token it is the password of its user. A certificate that ended, was revoked or removed opens nothing,
            and what was removed or revoked stays so through every restore and factory reset, until somebody adds it
            anew; a certificate on hold, until the hold is taken back. The vCenters of one provider share its keys, and
            no other provider sees them. Certificates that end within 30 days are told on the overview.
          </p>
          <p>
            A key is on the disk before its name is told. It is sealed under the keys of the{' '}
            <See at="vaults#key">vaults</See>, and no page, answer or log has it. A destroyed key is kept for 30 days
            and can be brought back from its page with your own password; until then the overview tells of it. Who was
            given a key stands on its page as long as the key does; the first time is written before the key leaves.
            Without user name and password in vCenter: the certificate decides.
          </p>
          <p>
            Register at vCenter, on the page of key management, does both sides of it: it makes the KMIP server a key
            provider of the vCenter, has it trust our certificate, signs its request and lets it in, and waits until it
            is connected. Its name there ends with the id of the job, so that nothing that somebody registered by hand
            is taken for its own. If it fails, what was done is taken back; the job names what could not be. The steps
            by hand are below the providers on that page.
          </p>
        </>
      ),
    },
    {
      id: 'kms-copies',
      title: 'Never lose a key',
      text: (
        <p>
          A key that is lost is a virtual machine that is lost. Keys travel in encrypted archives alone: let the{' '}
          <See at="operations#archive-schedule">schedule of archives</See> make copies elsewhere, and keep the key file
          that opens them apart. A warning stays until a verified copy has every key. A restore adds keys, providers and
          clients that are missing; it changes and removes none, and a factory reset leaves them too. Read who is let in
          before you restore an archive of somebody else: the comparison names each client, and a restore with one needs
          your own password. A key whose material was erased after its 30 days stays erased; only an appliance without a
          record of that gets it back from an older archive.
        </p>
      ),
    },
    {
      id: 'ldap',
      title: 'LDAP',
      text: (
        <>
          <p>
            A directory in which vCenter, NSX and VCF look users and groups up. LDAPS is encrypted from the first byte.
            On the other port clients ask for TLS (StartTLS) before they sign in; without it they are refused, unless
            you allow it. Its certificate is issued by the certificate authority of the appliance: give products the
            root certificate, so that they notice nothing when the directory’s own is renewed.
          </p>
          <p>
            Each organization is a tree below its suffix, which is the base DN that products are given. Users are below{' '}
            <code>ou=people</code> (<code>inetOrgPerson</code>), groups below <code>ou=groups</code> (
            <code>groupOfUniqueNames</code>, with <code>uniqueMember</code>), and <code>memberOf</code> names the groups
            of an entry, also through groups in groups. A product signs in as a bind account, which reads its
            organization, no password, and nothing of another organization. Products remember users and groups by{' '}
            <code>entryUUID</code>, which stays the same whatever becomes of the directory.
          </p>
          <p>
            A password that you set is accepted from the next apply on; only its hash is kept. One that is made for you
            is shown once. Wrong passwords lock an account as the settings say; its page unlocks it at once. A disabled
            user stays in the directory and can’t sign in.
          </p>
          <p>
            People change their own passwords at <code>{pagePath('public-directory-password')}</code>, once the{' '}
            <See at="operations#public-pages">public pages</See> offer it. Such a password is accepted at once, and
            every later apply, a rebuilt tree and an encrypted archive keep it. It does not replace a password that you
            have set and not applied yet.
          </p>
          <p>
            Whoever is root on the appliance can change entries in slapd. The comparison with the host tells which ones
            differ. Values of users, members of groups, and users and groups that were added there can be kept: each
            becomes an ordinary edit, and a new entry keeps its entryUUID. Passwords are never taken over. The next
            apply of LDAP overwrites everything else that was changed there, takes away entries that nobody saved here,
            and adds those that are missing.
          </p>
          <p>
            The page of an organization downloads its users and groups as CSV, without passwords, and imports such
            files: all of it or nothing, and nobody is deleted. It also makes test users, whose names depend on a seed.
            The page of clients says what is typed into each product, as it is in force.
          </p>
          <p>
            Set at VCF Automation, on the page of the directory, does it for one organization of release 9.x: that of
            the login, <code>user@organization</code>. The product trusts our root and tests the directory before its
            settings are written; then a group gets a role there, and one of its users signs in. If that fails, the
            settings that were there come back, all but their bind password, which nobody can read.
          </p>
        </>
      ),
    },
    {
      id: 'management-tls',
      title: 'The certificate of the management UI',
      text: (
        <>
          <p>
            A new appliance makes a self-signed certificate. Under Management TLS choose one that its certificate
            authority issues, or upload one with its key as PKCS #12 or PEM. Name the hosts under which browsers come
            here: an issued certificate is for them and for the addresses of the management UI, and an uploaded one has
            to have them all.
          </p>
          <p>
            The change is applied like any other. The plan shows both certificates with their fingerprints. No port
            closes, and open connections keep the certificate they have. Then{' '}
            <See at="apply#confirm-window">confirm</See> over a new connection: your browser asks whether you trust the
            new certificate, unless it trusts what signed it. Without a confirmation the former one comes back.
          </p>
          <p>
            An issued certificate is made anew in the last third of its life, and waits for a plan; the plan names the
            machines that this appliance told about the former one. Nobody renews an uploaded one. The key lies sealed
            in the database and, once applied, in a file that the service alone reads, so that no key of the vaults is
            needed to show it. If the certificate or its key is damaged, the service shows the one that it was started
            with, and the page Management TLS says so. An archive has an uploaded certificate and its key only where it
            is encrypted. An uploaded one that is neither the source nor in force can be removed; an earlier plan brings
            no former upload back.
          </p>
        </>
      ),
    },
    {
      id: 'oidc',
      title: 'OpenID Connect',
      text: (
        <>
          <p>
            An identity provider: vCenter, VCF, Harbor, Grafana and others let people sign in here. Clients remember the
            issuer, so decide on it before the first one is set up; left empty it is made from host name and port with
            the path <code>/identity</code>. The settings take effect when they are applied; a plan that changes the
            issuer names the clients that break.
          </p>
          <p>
            Each product is a client. Its page has every value to paste, and says when it was last given tokens and for
            whom. The secret is shown once; a new one can be made while the former one is taken for some hours more. Who
            signs in are the users of this appliance, whose role is their only group, or the users of one organization
            of the directory, with the groups that they have there. A wrong password counts in the directory’s own lock.
            Who is disabled is out with the next use of any token. <i>Sessions</i> lists who is signed in, and ends one
            or all of a person; they also end with a new password. Clients keep sessions of their own: end those in the
            product. Nobody gets into this management UI by it.
          </p>
          <p>
            Clients, secrets and signing keys need no apply. The key that signs is replaced after 90 days, or when you
            say so: the next one is published long before it signs, and the former one for a day after. Only encrypted
            archives have clients and keys.
          </p>
          <p>
            vCenter 8 lets nobody in whom it does not know yet. Provisioning, on the page of a client, pushes users and
            groups by SCIM. Enter the base URL and the token from the product. Then look at the certificate of its
            server, compare it and confirm it; before that nothing is sent. The groups that you name are pushed with
            their members; if you name none, all groups of the client; if the client has no list of groups either, all
            users. Only differences are sent. What was not made from here is left alone, and the list says which names
            are taken. Users who left are deactivated or removed there; groups that left are deleted. A change is pushed
            within five minutes, or at once with <i>Push now</i>. After a failure the next try waits longer each time.
            Deleting the target changes nothing there.
          </p>
        </>
      ),
    },
  ],
};
