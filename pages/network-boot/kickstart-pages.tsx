// The pages of Kickstarts: fields, facts and words. Of the saved text what may be shown stands below.
import type { ComponentChildren } from 'preact';
import { esxiHosts } from '../../shared/appliance/esxi-hosts.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import type { EsxiHost } from '../../shared/services/network-boot/hosts.ts';
import { faultWords, HOST_FIELDS } from '../../shared/services/network-boot/kickstart-text.ts';
import { type Kickstart, kickstarts } from '../../shared/services/network-boot/kickstarts.ts';
import { loadPreview, type Preview } from '../../shared/services/network-boot/load-preview.ts';
import { Note } from '../components/block.tsx';
import { CodeBlock, FirstOf, More } from '../components/code.tsx';
import { commonGroup, type ItemPages, itemHref } from '../units/item-pages.tsx';
import { Codes } from '../units/listing.tsx';
import { RowWord } from '../units/row-words.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';
import { LoadText, type Look, loadedIn, lookAtForm, numbered, PREVIEW_HOST, TextCheck } from './kickstart-check.tsx';

export const KICKSTARTS = { href: `${NETWORK_BOOT.href}/kickstarts`, label: 'Kickstarts' };

interface Around extends Look {
  /** Hosts that install with it. */
  hosts: EsxiHost[];
  /** Null: the saved text can't be opened, as after a restore without the keys that it was sealed with. */
  preview: Preview | null;
  /** The saved text, for who has just asked for it. */
  loaded: string | null;
}

const NO_TEXT: Preview = { kickstart_id: '', text_revision: '', lines: [], warnings: [] };

const EXAMPLE = `vmaccepteula
install --firstdisk --overwritevmfs
rootpw --iscrypted {{ var.root_password_hash }}
network --bootproto=static --ip={{ host.ip_address }} …
reboot`;

export const KICKSTART_PAGES: ItemPages<Kickstart, Around> = {
  collection: kickstarts,
  component: 'Kickstart',
  noun: 'Kickstart',
  what: 'network boot',
  home: KICKSTARTS,
  above: [NETWORK_BOOT],
  base: KICKSTARTS.href,
  blank: { name: '', text: '', enabled: true, description: '', preview_host: '' },
  values: ({ name, enabled, description }, { loaded }) => ({
    name,
    text: loaded ?? '',
    enabled,
    description,
    preview_host: '',
  }),
  checks: true,
  writtenOnly: ({ text_revision }) => [['Text', 'text', { mark: text_revision }]],
  async load(db, kickstart, { outcome, actor }, { keys }) {
    const look = await lookAtForm(db, keys, actor, kickstart, outcome);
    const filters: Record<string, string> = kickstart ? { kickstart_id: kickstart.id } : {};
    const { items: hosts } = await listItems(db, esxiHosts, { filters, limit: PAGE_DEFAULT });
    const preview = kickstart ? await loadPreview(db, keys, kickstart.id).catch(() => null) : NO_TEXT;
    return { ...look, hosts, preview, loaded: loadedIn(outcome) };
  },
  groups: ({ hosts }, kickstart) => [
    {
      legend: 'Kickstart',
      fields: [
        { name: 'name', label: 'Name', kind: 'text', required: true, maxlength: 64, placeholder: 'Management hosts' },
        {
          name: 'text',
          label: 'Text',
          kind: 'area',
          rows: 16,
          unsaved: true,
          required: kickstart === null,
          placeholder: kickstart === null ? EXAMPLE : 'the saved text stays',
          help: <TextHelp kickstart={kickstart} />,
        },
      ],
    },
    commonGroup('Kickstart', 'A disabled Kickstart is kept, but no host can be given it.'),
    {
      legend: 'Preview',
      fields: [
        {
          name: PREVIEW_HOST,
          label: 'As host',
          kind: 'choice',
          unsaved: true,
          options: [
            { value: '', label: 'none: fields stay markers' },
            ...hosts.map(({ id, hostname }) => ({ value: id, label: hostname })),
          ],
          help: 'Check shows the text as this host would get it, without secrets. It is not saved with the Kickstart.',
        },
      ],
    },
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="kickstart" row={row} />,
  facts: ({ text_revision, text_lines, variables, host_fields, vault_values }, { hosts }) => [
    {
      label: 'Revision',
      value: <code title={text_revision}>{text_revision.slice(0, 12)}</code>,
    },
    { label: 'Lines', value: text_lines },
    { label: 'Fields of the host', value: <Codes items={host_fields} /> },
    { label: 'Variables', value: <Codes items={variables} /> },
    ...(vault_values.length > 0 ? [{ label: 'Values of vaults', value: <FromVaults names={vault_values} /> }] : []),
    { label: 'Hosts', value: <Hosts hosts={hosts} /> },
  ],
  before: ({ preview, looked, asked }, kickstart, state) => (
    <>
      {preview === null && (
        <Note icon="warn">
          The saved text can’t be opened: it is damaged, or the keys file of the appliance is another one. Write it
          anew, and hosts can install with it again.
        </Note>
      )}
      {preview?.warnings.map((warning) => (
        <Note key={faultWords(warning)} icon="warn">
          Saved text, {faultWords(warning)}
        </Note>
      ))}
      <TextCheck looked={looked} />
      {kickstart !== null && preview !== null && <LoadText kickstart={kickstart} asked={asked} state={state} />}
    </>
  ),
  below: (kickstart, { preview }) =>
    preview !== null && (
      <section class="below" aria-labelledby="saved-text">
        <div class="fighead">
          <h2 id="saved-text">Saved text, redacted</h2>
          <span class="muted">Only words that can’t be secret</span>
        </div>
        <CodeBlock label={`Redacted text of ${kickstart.name}`}>{numbered(preview.lines)}</CodeBlock>
      </section>
    ),
  deleting: () => 'Its text is deleted, and hosts can no longer install with it.',
  needed: (_item, { hosts }) =>
    hosts.length > 0 ? `Needed by ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}` : undefined,
};

function TextHelp({ kickstart }: { kickstart: Kickstart | null }): ComponentChildren {
  return (
    <>
      {kickstart !== null && (
        <>Leave it empty to keep the saved text of {kickstart.text_lines} lines, or write it anew. </>
      )}
      It is encrypted when it is saved, and shown again only for your password. Markers:{' '}
      <code>{'{{ host.hostname }}'}</code>, <code>{'{{ var.name }}'}</code> and, for administrators,{' '}
      <code>{'{{ vault.name.key }}'}</code>.
      <More summary="Fields of the host">
        <Codes items={HOST_FIELDS.map((field) => `{{ host.${field} }}`)} />
      </More>
    </>
  );
}

function FromVaults({ names }: { names: readonly string[] }) {
  return (
    <>
      <Codes items={names} />
      <span class="line muted">
        Looked up and recorded when the text is handed out: a new value in a vault is no drift, and needs no apply.
      </span>
    </>
  );
}

function Hosts({ hosts }: { hosts: readonly EsxiHost[] }) {
  if (hosts.length === 0) return <span class="muted">none</span>;
  const items = hosts.map(({ id, hostname }) => (
    <a key={id} class="line mono" href={itemHref(`${NETWORK_BOOT.href}/hosts`, id)}>
      {hostname}
    </a>
  ));
  return <FirstOf most={8} items={items} />;
}
