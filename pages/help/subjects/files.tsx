// Help: lists as CSV files, and rows that are read from such files.
import { IMPORT_BYTES, IMPORT_ROWS_MOST } from '../../../shared/platform/units/import-rows.ts';
import { CodeBlock } from '../../components/code.tsx';
import { See, type Subject } from '../subject.tsx';

export const files: Subject = {
  id: 'files',
  title: 'Lists as files',
  intro: 'What a list is downloaded as, and how rows are read from such a file.',
  paragraphs: [
    {
      id: 'download',
      title: 'A list as CSV',
      text: (
        <p>
          <b>CSV</b> above a list has every row that the list shows by its search, filters and order, on all of its
          pages. What is only in force any more is not in it. Secrets are never in a file.
        </p>
      ),
    },
    {
      id: 'file',
      title: 'What a file looks like',
      text: (
        <>
          <p>
            The first line names the columns, in any order. They are those of the downloaded file; the page of the
            import lists them. What only the appliance sets is passed over. A column that is left out stays as it is, or
            has the default in a new row.
          </p>
          <CodeBlock label="Example of VLANs">{`parent_interface,vlan_id,role,ipv4_cidr
ens256,20,access,172.16.20.2/24
ens256,30,route,172.16.30.2/24`}</CodeBlock>
          <p>
            Commas, semicolons or tabs stand between cells. Spaces divide the items of a list. Yes and no are{' '}
            <code>true</code> and <code>false</code>. The file is UTF-8 and has at most{' '}
            {IMPORT_ROWS_MOST.toLocaleString('en')} rows and {IMPORT_BYTES / (1 << 20)} MiB.
          </p>
        </>
      ),
    },
    {
      id: 'preview',
      title: 'The preview',
      text: (
        <>
          <p>
            A preview saves nothing. It says of each row whether it is new, changes, is the same, stays or is refused:
            what changes with its value before and after, what is refused with line, column and reason. Refused rows can
            be downloaded as CSV.
          </p>
          <p>
            <i>Import</i> saves what the preview was of, all rows or none, and deletes nothing. When somebody changed a
            row meanwhile, nothing is saved: look at the preview again. Each row has its own event in the{' '}
            <See at="operations#audit-log">audit log</See>. The host follows at the next{' '}
            <See at="apply#review">reviewed apply</See>.
          </p>
        </>
      ),
    },
    {
      id: 'refused',
      title: 'What is refused',
      text: (
        <>
          <p>
            Each row is held against the rules of a single one: what its form refuses, the file is refused for. So are
            unknown columns, a missing key column, a row that is there twice, and a line with fewer or more cells than
            the first.
          </p>
          <p>
            Interfaces are found on the host: a file changes them and adds none. Clients of OpenID Connect and
            Kickstarts are not read from files, because their secrets and texts are in no file. What a zone reads
            besides is at <See at="services#import">DNS records</See>.
          </p>
        </>
      ),
    },
  ],
};
