// Help: credentials of the machines around, and the keys that seal them.
import { See, type Subject } from '../subject.tsx';

export const vaults: Subject = {
  id: 'vaults',
  title: 'Vaults',
  intro: 'Credentials of the machines around the appliance, and the keys that seal them.',
  paragraphs: [
    {
      id: 'values',
      title: 'What a vault holds, and who sees it',
      text: (
        <>
          <p>
            Vaults keep user names, web addresses and passwords, for administrators only (<code>read:vaults</code>,{' '}
            <code>write:vaults</code>). A value goes in and never comes out: no page, answer, log line, audit row or job
            holds it. What uses one (a login, a Kickstart, an import) opens it in the transaction that records the use.
          </p>
          <p>
            A person sees a value by <i>Reveal</i> on the page of the entry: with the own password again, recorded
            first, hidden after 15 seconds. A change takes effect with the next use, without an apply.
          </p>
          <p>
            <code>GET /api/v1/vaults/&#123;vault_id&#125;/credentials</code> lists what a login can choose: one choice
            for each http or https address of every entry that has a user name and a value. The login speaks TLS only,
            whatever the address says.
          </p>
        </>
      ),
    },
    {
      id: 'import',
      title: 'Importing passwords of VCF appliances',
      text: (
        <p>
          <i>Import passwords</i> logs in to a VCF Installer or an SDDC Manager by{' '}
          <See at="deployment#wizards">the steps of every wizard</See>, shows what it keeps, and saves what you choose
          into a vault.
        </p>
      ),
    },
    {
      id: 'key',
      title: 'The encryption key and its copy',
      text: (
        <>
          <p>
            Each value is sealed (AES-256-GCM) under a key of its own, and that under a key in <code>vault.keys</code>,
            beside <code>groundcrew.keys</code> in the data folder, readable by the service alone.
          </p>
          <ul>
            <li>
              <b>Copy</b> <code>vault.keys</code> after the first value is stored and after each rotation, to a place
              where no copy of the database goes. A copy of the database without it opens no value; the two together
              open all. To move the appliance, take the database, <code>groundcrew.keys</code> and{' '}
              <code>vault.keys</code> of the same time.
            </li>
            <li>
              <b>Lost</b>: while values are stored, the service does not start without the file.
            </li>
            <li>
              <b>Older than the database</b>: the copy lacks the keys of later rotations. The start logs a warning with
              the number of values and the ids of the keys, the pages say it, and those values answer 409 when used. Add
              what a later copy holds below <code>keys</code> to the file, which is read at each use, or store these
              values again. Keep the keys that are in it.
            </li>
          </ul>
        </>
      ),
    },
    {
      id: 'rotate',
      title: 'Rotating the key',
      text: (
        <>
          <p>
            Use <i>Encryption key, Rotate the key</i>, or <code>POST /api/v1/vaults/rotate-key</code> (a job), or{' '}
            <code>groundcrew vault rotate-key</code> as the user of the service, also while the service runs. A new key
            is made, the key of each value is sealed under it, and keys that nothing uses are forgotten. If it is
            killed, every value stays usable and the next run ends it. The audit log names the keys before they go (
            <code>vault.key.retiring</code>) and once they are gone (<code>vault.key.retire</code>).
          </p>
          <p>
            Rotate after a copy of the database went astray. After a copy of <code>vault.keys</code> did, change the
            passwords as well.
          </p>
        </>
      ),
    },
    {
      id: 'tampering',
      title: 'Somebody who can write to the database',
      text: (
        <p>
          Without the keys nobody can read, make or move a value: vault, entry and field are authenticated with it.
          Whoever can write to the database can bring back an older sealed state of the same entry whose key is still in
          the file, and change its user name and where it is sent.
        </p>
      ),
    },
  ],
};
