// Help: the certificate authority, and the services of identity that are saved so far.
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
            certificates when they need one, renewed in the last third of their life. This takes effect at once, without
            an apply.
          </p>
          <p>
            Whoever trusts the root trusts the services of the appliance. The page gives the root as a file, with its
            SHA-256 to compare, and the commands for common systems. A VCF Installer or SDDC Manager is made to trust it
            by <See at="deployment#trust">a wizard</See>.
          </p>
          <p>
            With custody off nothing is issued or renewed; what was issued stays in use. Subject, key and validity of
            the root take effect when a root is made. The portal and the revocation list are saved and not enforced yet.
          </p>
        </>
      ),
    },
    {
      id: 'kms',
      title: 'Key management',
      text: (
        <p>
          A KMIP server that vCenter takes as a standard key provider, so that virtual machines and vSAN can be
          encrypted. Its settings are saved and follow their interfaces. It is not enforced yet: no keys are kept and no
          clients are trusted.
        </p>
      ),
    },
    {
      id: 'ldap',
      title: 'LDAP',
      text: (
        <p>
          A directory in which vCenter, NSX and SDDC Manager look up users and groups. LDAPS is encrypted from the first
          byte; plain LDAP sends passwords readable, unless the client asks for TLS. Its settings are saved. It is not
          enforced yet, and holds no users and groups.
        </p>
      ),
    },
    {
      id: 'oidc',
      title: 'OpenID Connect',
      text: (
        <p>
          An identity provider for vCenter and SDDC Manager. Clients remember the issuer, so decide on it before the
          first one is set up; left empty it is made from host name and port with the path <code>/identity</code>. Its
          settings are saved. It is not enforced yet, and holds no clients and signing keys.
        </p>
      ),
    },
  ],
};
