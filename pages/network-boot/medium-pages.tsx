// The pages of installer media: fields, facts and words.
import { join } from 'node:path';
import { IMPORT_FOLDER, listImports } from '../../shared/network-boot/esxi-media/import-folder.ts';
import { UPLOADED } from '../../shared/network-boot/esxi-media/medium-store.ts';
import { PAGE_DEFAULT } from '../../shared/store/pagination.ts';
import { listItems } from '../../shared/units/collection-store.ts';
import { type EsxiHost, esxiHosts } from '../../shared/units/network-boot/hosts.ts';
import { type BootMedium, bootMedia } from '../../shared/units/network-boot/media.ts';
import { Note } from '../components/block.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { Codes, InUse } from '../units/listing.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';

export const MEDIA = { href: `${NETWORK_BOOT.href}/media`, label: 'Installer media' };

interface Around {
  /** Hosts that install from it. */
  hosts: EsxiHost[];
  /** What lies in the import folder. */
  imports: string[];
  /** Where that is on the appliance. */
  folder: string;
}

const WORDS: Readonly<Record<BootMedium['state'], readonly [StateKind, string]>> = {
  receiving: ['pending', 'Waits for its image'],
  unpacking: ['pending', 'Is being unpacked'],
  ready: ['ok', 'Ready'],
  failed: ['bad', 'Refused'],
};

export function MediumState({ state }: Pick<BootMedium, 'state'>) {
  const [kind, words] = WORDS[state];
  return <State kind={kind}>{words}</State>;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** `689 MiB` */
export function sizeWords(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}

const UPLOAD = `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "ESXi 9.1", "size_bytes": 722534400}' $GROUNDCREW/api/v1/network-boot/media
# then each piece of at most 4 MiB, in order:
dd if=esxi.iso bs=4M skip=$N count=1 | curl -T - -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/octet-stream' \\
  "$GROUNDCREW/api/v1/network-boot/media/$ID/content?offset=$((N * 4194304))"`;

export const MEDIUM_PAGES: ItemPages<BootMedium, Around> = {
  collection: bootMedia,
  component: 'BootMedium',
  noun: 'medium',
  what: 'network boot',
  home: MEDIA,
  above: [NETWORK_BOOT],
  base: MEDIA.href,
  blank: ({ imports }) => ({ name: '', path: imports.length === 1 ? imports[0] : '', enabled: true, description: '' }),
  async load(db, medium, _asked, { settings }) {
    const folder = join(settings.data, IMPORT_FOLDER);
    if (!medium) return { hosts: [], imports: await listImports(settings.data), folder };
    const { items } = await listItems(db, esxiHosts, { filters: { media_id: medium.id }, limit: PAGE_DEFAULT });
    return { hosts: items, imports: [], folder };
  },
  groups: ({ imports, folder }, medium) => [
    {
      legend: 'Medium',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', required: true, maxlength: 64, placeholder: 'ESXi 9.1' },
        ...(medium === null
          ? [
              {
                name: 'path',
                label: 'Image',
                kind: 'text' as const,
                mono: true,
                wide: true,
                required: true,
                placeholder: imports[0] ?? 'VMware-VMvisor-Installer-9.1.iso',
                help: (
                  <>
                    An ISO image, or a folder with its files, below <code>{folder}</code> on the appliance. There now:{' '}
                    <Codes items={imports} none="nothing" />
                  </>
                ),
              },
            ]
          : []),
      ],
    },
    commonGroup('medium', 'While it is not in use it is kept, but no host can be given it.'),
  ],
  before: (_extra, medium) => {
    if (medium === null) {
      return (
        <More summary="Upload an image from another machine">
          <CodeBlock label="Upload over the API">{UPLOAD}</CodeBlock>
        </More>
      );
    }
    return medium.state === 'failed' && <Note icon="warn">It can’t be used: {medium.fault}</Note>;
  },
  facts: ({ enabled, state, source, product, size_bytes, file_count, content_digest, loaders }, { hosts }) => [
    { label: 'State', value: <MediumState state={state} /> },
    { label: 'Saved as', value: <InUse enabled={enabled} enforced /> },
    { label: 'Product', value: product || <span class="muted">not known yet</span> },
    { label: 'Taken from', value: source === UPLOADED ? 'an upload' : <code>{source}</code> },
    { label: 'Size', value: `${sizeWords(size_bytes)}${file_count > 0 ? `, ${file_count} files` : ''}` },
    { label: 'Content', value: <code title={content_digest}>{content_digest.slice(0, 12) || 'none'}</code> },
    { label: 'Starts', value: <Codes items={firmwares(loaders)} none="nothing yet" /> },
    { label: 'Hosts', value: <Hosts hosts={hosts} /> },
  ],
  deleting: () => 'Its files on the appliance are gone with it. The image that it was taken from stays.',
  needed: (_item, { hosts }) =>
    hosts.length > 0 ? `Needed by ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}` : undefined,
};

const firmwares = ({ efi, bios }: BootMedium['loaders']): string[] => [
  ...(efi ? [`UEFI: ${efi}`] : []),
  ...(bios ? [`BIOS: ${bios}`] : []),
];

function Hosts({ hosts }: { hosts: readonly EsxiHost[] }) {
  if (hosts.length === 0) return <span class="muted">none</span>;
  return (
    <>
      {hosts.slice(0, 8).map(({ id, hostname }) => (
        <a key={id} class="line mono" href={itemHref(`${NETWORK_BOOT.href}/hosts`, id)}>
          {hostname}
        </a>
      ))}
      {hosts.length > 8 && ` and ${hosts.length - 8} more`}
    </>
  );
}
