// How vCenter is told by hand.
export function VcenterSteps({ places, hostname }: { places: readonly string[]; hostname: string }) {
  const [first] = places;
  const where = hostname === '' ? first?.replace(/:\d+$/, '') : hostname;
  const port = first?.split(':').at(-1);
  return (
    <section class="below" aria-labelledby="vcenter">
      <h2 id="vcenter">In vCenter, by hand</h2>
      <ol>
        <li>
          Open the vCenter, then <b>Configure</b>, <b>Key Providers</b>, <b>Add</b>, <b>Add Standard Key Provider</b>.
        </li>
        <li>
          Address {where ? <code>{where}</code> : 'as applied'}, port {port ? <code>{port}</code> : 'as applied'}; no
          user name and no password: the certificate decides.
        </li>
        <li>
          Trust the certificate that the KMIP server shows, in the step “Make vCenter trust KMS”; its SHA-256 is shown
          above. Another one is made in the last third of its life, and whenever names, addresses or the root change,
          and shown once a plan brought it: the key stays, but a vCenter that pinned the certificate itself has to trust
          the new one. The review names those that were registered from here.
        </li>
        <li>
          In “Make KMS trust vCenter”, take one way: <b>vCenter Certificate</b>, and upload it here;{' '}
          <b>New Certificate Signing Request</b>, and have it signed here; or <b>KMS certificate and private key</b>,
          made here.
        </li>
        <li>Wait until the connection state is “Connected”, then set it as default.</li>
      </ol>
    </section>
  );
}
