// A folder of another machine, or one of its files. All of it works without scripts, but for large uploads.
import * as v from 'valibot';
import { enterVisit } from '../../../shared/appliance/terminal-files.ts';
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { Problem } from '../../../shared/ground/problems.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { type Entry, type Folder, readFolder } from '../../../shared/services/web-terminal/remote-files/folder.ts';
import {
  childOf,
  folderOf,
  nameOf,
  requirePath,
  shownName,
} from '../../../shared/services/web-terminal/remote-files/names.ts';
import type { Facts, Sftp } from '../../../shared/services/web-terminal/remote-files/sftp.ts';
import type { FileVisit } from '../../../shared/services/web-terminal/remote-files/visit.ts';
import { Note } from '../../components/block.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { byteWords } from '../../components/byte-words.ts';
import { FactsList } from '../../components/facts.tsx';
import { Form } from '../../components/form.tsx';
import { DataTable } from '../../components/table.tsx';
import { ExactInstant } from '../../components/time.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { TERMINAL } from '../recording-words.ts';
import { UploadParts } from './upload-parts.tsx';

type Found = { folder: Folder } | { file: Facts } | { refused: string };

interface Data {
  id: string;
  server: string;
  account: string;
  path: string;
  found: Found;
}

export const FILES_OF_OTHERS = { href: pagePath('terminal-files'), label: 'Files of other machines' };

export const page = definePage({
  id: 'terminalVisitPage',
  path: pageRoute('terminal-visit'),
  current: TERMINAL.href,
  access: { session: 'write:terminal' },
  params: idParam('visit_id', 'Id of the connection.'),
  query: v.object({ path: v.optional(v.string()) }),
  async load({ services, actor, request, params, query, outcome }): Promise<Data> {
    const { visit } = await enterVisit(services, actor, request, params.visit_id);
    const { sftp, account, home } = visit.facts;
    // A form that was refused comes back to its folder.
    const path = requirePath(query.path ?? outcome?.values.get('folder') ?? home);
    return { id: visit.id, server: sftp.server, account, path, found: await look(visit, sftp, path) };
  },
  title: () => 'Files of another machine',
  view: View,
});

async function look(visit: FileVisit, sftp: Sftp, path: string): Promise<Found> {
  try {
    const facts = await sftp.facts(path, { follow: true });
    if (facts === null) return { refused: 'There is no such file or folder.' };
    return facts.kind === 'folder' ? { folder: await readFolder(sftp, path) } : { file: facts };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { refused: visit.over ? `${error.message} The connection has ended: open it again.` : error.message };
  }
}

const at = (id: string, path: string) => `${pagePath('terminal-visit', id)}?${new URLSearchParams({ path })}`;
const download = (id: string, path: string) =>
  `${pagePath('terminal-visit', id)}/content?${new URLSearchParams({ path })}`;

function View({ data, state, outcome }: ViewProps<Data>) {
  const { id, server, account, path, found } = data;
  return (
    <>
      <PageHead title={`Files of ${server}`} trail={[TERMINAL, FILES_OF_OTHERS]} here={server}>
        <Form
          action={`${pagePath('terminal-visit', id)}/close`}
          csrf={state.csrf}
          look="stack"
          label="Close the connection"
        >
          <Button>Close the connection</Button>
        </Form>
      </PageHead>
      <p>
        As <code>{account}</code> in <Way id={id} path={path} />
      </p>
      {'refused' in found && <Note>{found.refused}</Note>}
      {'file' in found && <File id={id} path={path} facts={found.file} />}
      {'folder' in found && (
        <>
          <Rows id={id} path={path} folder={found.folder} />
          <UploadParts id={id} folder={path} csrf={state.csrf} outcome={outcome} />
        </>
      )}
    </>
  );
}

/** Each folder on the way, as links. */
function Way({ id, path }: Pick<Data, 'id' | 'path'>) {
  const names = path.split('/').filter(Boolean);
  return (
    <span class="mono wrap">
      <a href={at(id, '/')} aria-label="The root folder">
        /
      </a>
      {names.map((name, index) => {
        const here = `/${names.slice(0, index + 1).join('/')}`;
        const last = index === names.length - 1;
        return (
          <span key={here}>
            {last ? <b>{shownName(name)}</b> : <a href={at(id, here)}>{shownName(name)}</a>}
            {!last && '/'}
          </span>
        );
      })}
    </span>
  );
}

const KINDS: Record<Facts['kind'], string> = { folder: 'Folder', file: 'File', link: 'Link', other: 'Other' };
const changed = (seconds: number | null) => {
  const date = seconds === null ? null : new Date(seconds * 1000);
  return date === null || Number.isNaN(date.getTime()) ? '—' : <ExactInstant at={date.toISOString()} />;
};

function File({ id, path, facts }: Pick<Data, 'id' | 'path'> & { facts: Facts }) {
  return (
    <>
      <FactsList
        facts={[
          { label: 'Name', value: <code class="wrap">{shownName(nameOf(path))}</code> },
          { label: 'Kind', value: KINDS[facts.kind] },
          { label: 'Size', value: facts.bytes === null ? '—' : byteWords(facts.bytes) },
          { label: 'Changed', value: changed(facts.changed) },
        ]}
      />
      <div class="actions">
        {facts.kind === 'file' && <ButtonLink href={download(id, path)}>Download</ButtonLink>}
        <ButtonLink href={at(id, folderOf(path))}>Its folder</ButtonLink>
      </div>
      {facts.kind !== 'file' && <Note>Only plain files can be downloaded.</Note>}
    </>
  );
}

function Rows({ id, path, folder }: Pick<Data, 'id' | 'path'> & { folder: Folder }) {
  const { entries, more, odd } = folder;
  return (
    <>
      {path !== '/' && (
        <p>
          <a href={at(id, folderOf(path))}>The folder above</a>
        </p>
      )}
      <DataTable<Entry>
        caption="Files of this folder"
        columns={[
          {
            key: 'name',
            label: 'Name',
            cell: ({ name }) => (
              <a class="mono wrap" href={at(id, childOf(path, name))}>
                {shownName(name)}
              </a>
            ),
          },
          { key: 'kind', label: 'Kind', cell: ({ kind }) => KINDS[kind] },
          {
            key: 'size',
            label: 'Size',
            look: 'number',
            cell: ({ kind, bytes }) => (kind !== 'file' || bytes === null ? '—' : byteWords(bytes)),
          },
          { key: 'changed', label: 'Changed', look: 'nowrap', cell: ({ changed: when }) => changed(when) },
        ]}
        rows={entries}
        rowKey={({ name }) => name}
        actions={({ name, kind }) =>
          kind === 'file' && (
            <ButtonLink kind="row" href={download(id, childOf(path, name))} label={`Download ${shownName(name)}`}>
              Download
            </ButtonLink>
          )
        }
        empty="This folder is empty."
      />
      {more && (
        <Note>There are more files; the first {entries.length} are shown. Use the terminal for the others.</Note>
      )}
      {odd > 0 && <Note>{odd} names are left out: no file can have them, or they are too long.</Note>}
    </>
  );
}
