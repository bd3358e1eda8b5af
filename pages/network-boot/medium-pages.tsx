// The pages of installer media: fields, facts and words.

import { join } from 'node:path';
import type { ComponentChildren } from 'preact';
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { IMPORT_FOLDER, listImports } from '../../shared/services/network-boot/esxi-media/import-folder.ts';
import { mediumLoss } from '../../shared/services/network-boot/esxi-media/losses.ts';
import { UPLOADED } from '../../shared/services/network-boot/esxi-media/medium-store.ts';
import { receivedBytes } from '../../shared/services/network-boot/esxi-media/upload.ts';
import type { EsxiHost } from '../../shared/services/network-boot/hosts.ts';
import { type BootMedium, bootMedia } from '../../shared/services/network-boot/media.ts';
import { Note } from '../components/block.tsx';
import { byteWords } from '../components/byte-words.ts';
import { CodeBlock, FirstOf, More } from '../components/code.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { RowWord } from '../units/row-words.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';
import { ImageDrop } from './image-drop.tsx';

export const MEDIA = { href: `${NETWORK_BOOT.href}/media`, label: 'Installer media' };

interface Around {
  /** Hosts that install from it. */
  hosts: EsxiHost[];
  /** What lies in the import folder. */
  imports: string[];
  /** Where that is on the appliance. */
  folder: string;
  /** What of its files is missing, of a medium that is ready. */
  loss: string | null;
  /** Of a medium whose image is sent: bytes that are here. */
  received: number;
}

const WORDS: Readonly<Record<BootMedium['state'], readonly [StateKind, string]>> = {
  receiving: ['pending', 'Waits for its image'],
  unpacking: ['pending', 'Is being unpacked'],
  ready: ['ok', 'Ready'],
  failed: ['bad', 'Refused'],
};

export interface MediumStateProps extends Pick<BootMedium, 'state'> {
  /** What is missing of its files. */
  loss: string | null;
}

export function MediumState({ state, loss }: MediumStateProps) {
  const [kind, words] = loss === null ? WORDS[state] : (['bad', 'Files are missing'] as const);
  return <State kind={kind}>{words}</State>;
}

const CREATE = `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "ESXi 9.1", "size_bytes": 722534400}' $GROUNDCREW/api/v1/network-boot/media
# then each piece of at most 4 MiB, in order; N counts from 0:`;

const pieces = (
  id: string,
): string => `dd if=esxi.iso bs=4M skip=$N count=1 | curl -T - -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/octet-stream' \\
  "$GROUNDCREW/api/v1/network-boot/media/${id}/content?offset=$((N * 4194304))"`;

/** What of a medium's files is not there; null as well for one that is not ready. */
export const lossOf = async ({ host }: Pick<Services, 'host'>, { id, state }: BootMedium): Promise<string | null> =>
  state === 'ready' ? mediumLoss(host, id) : null;

/** What happens to one that is not ready, and what to do. */
const PROGRESS: Partial<Record<BootMedium['state'], (medium: BootMedium) => ComponentChildren>> = {
  unpacking: () => (
    <Note>
      A job unpacks it: <a href={pagePath('jobs')}>Jobs</a> shows how far it is. Hosts can be given it when it is ready.
    </Note>
  ),
  failed: ({ fault }) => <Note icon="warn">It can’t be used: {fault} Delete it, and add the right image.</Note>,
};

export const MEDIUM_PAGES: ItemPages<BootMedium, Around> = {
  collection: bootMedia,
  component: 'BootMedium',
  noun: 'medium',
  what: 'network boot',
  home: MEDIA,
  above: [NETWORK_BOOT],
  base: MEDIA.href,
  adding: 'A job unpacks the image at once; hosts can be given it when it is ready.',
  blank: ({ imports }) => ({ name: '', path: imports.length === 1 ? imports[0] : '', enabled: true, description: '' }),
  async load(db, medium, _asked, services) {
    const { data } = services.settings;
    const folder = join(data, IMPORT_FOLDER);
    if (!medium) return { hosts: [], imports: await listImports(data), folder, loss: null, received: 0 };
    const { items } = await listItems(db, esxiHosts, { filters: { media_id: medium.id }, limit: PAGE_DEFAULT });
    const received = medium.state === 'receiving' ? await receivedBytes(services.host, medium.id) : 0;
    return { hosts: items, imports: [], folder, loss: await lossOf(services, medium), received };
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
    commonGroup('medium', 'A disabled medium is kept, but no host can be given it.'),
  ],
  before: ({ loss, received: received_bytes }, medium, { csrf, user }) => {
    const drop = (of: { id: string; size_bytes: number; received_bytes: number } | null) =>
      user.scopes.includes('write:pxe') && <ImageDrop to={MEDIA.href} csrf={csrf} medium={of} />;
    if (medium === null) {
      return (
        <>
          {drop(null)}
          <More summary="Upload an image from a shell">
            <CodeBlock label="Upload over the API">{`${CREATE}\n${pieces('$ID')}`}</CodeBlock>
          </More>
        </>
      );
    }
    if (medium.state === 'receiving') {
      const { id, size_bytes } = medium;
      return (
        <>
          {drop({ id, size_bytes, received_bytes })}
          <More summary="Send its image from a shell, piece by piece">
            <CodeBlock label="Upload over the API">{pieces(id)}</CodeBlock>
          </More>
        </>
      );
    }
    if (loss !== null) return <Note icon="warn">Hosts can’t install from it: {loss}</Note>;
    return PROGRESS[medium.state]?.(medium);
  },
  state: (medium, { loss }, standings) =>
    medium.state === 'ready' && loss === null ? (
      <RowWord standings={standings} of="medium" row={medium} />
    ) : (
      <MediumState state={medium.state} loss={loss} />
    ),
  facts: ({ state, source, product, size_bytes, file_count, content_digest, loaders }, { hosts, loss }) => [
    ...(state === 'ready' && loss === null
      ? [{ label: 'Image', value: <MediumState state={state} loss={loss} /> }]
      : []),
    { label: 'Product', value: product || <span class="muted">not known yet</span> },
    { label: 'Taken from', value: source === UPLOADED ? 'an upload' : <code>{source}</code> },
    { label: 'Size', value: `${byteWords(size_bytes)}${file_count > 0 ? `, ${file_count} files` : ''}` },
    {
      label: 'Content',
      value: content_digest ? (
        <code title={content_digest}>{content_digest.slice(0, 12)}</code>
      ) : (
        <span class="muted">none yet</span>
      ),
    },
    { label: 'Starts', value: <Codes items={firmwares(loaders)} none="nothing yet" /> },
    { label: 'Hosts', value: <Hosts hosts={hosts} /> },
  ],
  deleting: () =>
    'Its files on the appliance are gone with it, at once and without an apply. The image that it was taken from stays.',
  needed: (_item, { hosts }) =>
    hosts.length > 0 ? `Needed by ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}` : undefined,
};

const firmwares = ({ efi, bios }: BootMedium['loaders']): string[] => [
  ...(efi ? [`UEFI: ${efi}`] : []),
  ...(bios ? [`BIOS: ${bios}`] : []),
];

function Hosts({ hosts }: { hosts: readonly EsxiHost[] }) {
  if (hosts.length === 0) return <span class="muted">none</span>;
  const items = hosts.map(({ id, hostname }) => (
    <a key={id} class="line mono" href={itemHref(`${NETWORK_BOOT.href}/hosts`, id)}>
      {hostname}
    </a>
  ));
  return <FirstOf most={8} items={items} />;
}
