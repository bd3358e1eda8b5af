// What the pages share that order work on the disk of a volume: the disk as it is now, and the typed name.
import type { ComponentChildren } from 'preact';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { type ListedDisk, listDisks } from '../../shared/services/storage/disk-list.ts';
import { volumeParam } from '../../shared/services/storage/save-order.ts';
import { type StorageVolume, storageVolumes } from '../../shared/services/storage/volumes.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FactsList } from '../components/facts.tsx';
import { FieldGroup, Form, FormActions, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { DiskContent } from './disk-words.tsx';
import { STORAGE, VOLUMES } from './storage-words.tsx';

export interface Data {
  volume: StorageVolume;
  /** Null: it is away. */
  disk: ListedDisk | null;
}

interface OrderPage {
  work: 'format' | 'grow';
  title(name: string): string;
  says(data: Data): ComponentChildren;
  fields?(data: Data, typed: Typed): ComponentChildren;
  button: string;
  note: string;
}

export const orderPage = (of: OrderPage): Operation =>
  definePage({
    id: `${of.work}StorageVolumePage`,
    path: pageRoute(`storage-volume-${of.work}`),
    current: STORAGE.href,
    access: { session: 'write:storage' },
    params: volumeParam,
    async load({ db, params }): Promise<Data> {
      const volume = await findItem(db, storageVolumes, params[storageVolumes.param]!);
      const disk = (await listDisks(db)).find(({ ids }) => ids.includes(volume.device)) ?? null;
      return { volume, disk };
    },
    title: ({ volume }) => of.title(volume.name),
    view: (props) => <View {...props} of={of} />,
  });

function View({ data, state, outcome, of }: ViewProps<Data> & { of: OrderPage }) {
  const { volume, disk } = data;
  const { id, name, revision } = volume;
  const typed = typedInto(`${of.work}StorageVolumeForm`, outcome);
  const href = itemHref(VOLUMES, id);
  return (
    <>
      <PageHead title={of.title(name)} trail={[STORAGE, { href, label: <code>{name}</code> }]} />
      <Refused typed={typed} labels={{ confirm: 'Name of the volume', filesystem: 'Filesystem' }} />
      {of.says(data)}
      <FactsList facts={factsOf(volume, disk)} />
      <Form action={`${href}/${of.work}`} csrf={state.csrf} revision={revision} label={of.title(name)}>
        <FieldGroup legend="Order">
          {of.fields?.(data, typed)}
          <TextField
            name="confirm"
            label="Name of the volume"
            help={`Type ${name} to say that this disk is meant.`}
            value={typed.text('confirm', '')}
            error={typed.of('confirm')}
            mono
            required
            autocomplete="off"
          />
        </FieldGroup>
        <FormActions note={of.note}>
          <Button kind="bad">{of.button}</Button>
          <ButtonLink href={href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function factsOf({ device, mount_path }: StorageVolume, disk: ListedDisk | null) {
  const common = [
    { label: 'Device', value: <code>{device}</code> },
    { label: 'Mounted at', value: <code>{mount_path}</code> },
  ];
  if (disk === null) return [...common, { label: 'Disk', value: 'It is away: no disk of this machine has this name.' }];
  return [
    ...common,
    { label: 'Disk', value: <code>{disk.name}</code> },
    { label: 'Size', value: byteWords(disk.bytes) },
    { label: 'Model', value: disk.model || 'not told' },
    { label: 'Serial number', value: <Codes items={disk.serial === '' ? [] : [disk.serial]} /> },
    { label: 'Carries', value: <DiskContent disk={disk} /> },
  ];
}
