// The disks of the machine: what each of them is, and whether it can take a volume.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { type ListedDisk, listDisks } from '../../shared/services/storage/disk-list.ts';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { Empty } from '../components/empty.tsx';
import { DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { DiskContent, DiskFit } from './disk-words.tsx';
import { STORAGE, VOLUMES } from './storage-words.tsx';

export const page = definePage({
  id: 'storageDisksPage',
  path: pageRoute('storage-disks'),
  current: STORAGE.href,
  access: { session: 'read:storage' },
  load: ({ db }): Promise<ListedDisk[]> => listDisks(db),
  title: () => 'Disks',
  view: Disks,
});

function Disks({ data: disks, state }: ViewProps<ListedDisk[]>) {
  const writes = state.user.scopes.includes('write:storage');
  return (
    <>
      <PageHead
        title="Disks"
        trail={[STORAGE]}
        intro="Disks of this machine now. A volume takes a whole disk: blank, or with XFS or ext4. No disk is ever wiped."
      />
      <DataTable
        caption="Disks by the name that the kernel has for them"
        columns={[
          { key: 'name', label: 'Disk', look: 'code', cell: ({ name }) => name },
          { key: 'bytes', label: 'Size', look: 'number', cell: ({ bytes }) => byteWords(bytes) },
          { key: 'fit', label: 'For a volume', cell: (disk) => <DiskFit disk={disk} /> },
          { key: 'carries', label: 'Carries', cell: (disk) => <DiskContent disk={disk} /> },
          { key: 'model', label: 'Model', cell: ({ model }) => model || <span class="muted">not told</span> },
          {
            key: 'serial',
            label: 'Serial number',
            look: 'code',
            cell: ({ serial }) => serial || <span class="muted">none</span>,
          },
          { key: 'ids', label: 'Stable names', look: 'code', cell: ({ ids }) => <Codes items={ids} /> },
        ]}
        rows={disks}
        rowKey={({ name }) => name}
        actions={(disk) => writes && <Action disk={disk} />}
        empty={<Empty>No disk is seen. In a container there is none.</Empty>}
      />
    </>
  );
}

function Action({ disk: { name, ids, fit, volume } }: { disk: ListedDisk }) {
  if (volume !== null || fit === 'no') return null;
  return (
    <ButtonLink
      kind="row"
      icon="plus"
      href={`${VOLUMES}/new?device=${encodeURIComponent(ids[0]!)}`}
      label={`Add volume on ${name}`}
    >
      Add volume
    </ButtonLink>
  );
}
