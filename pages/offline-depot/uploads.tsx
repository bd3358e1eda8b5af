// OVAs of the service manager: what is in the depot, what is being uploaded, and where the next one is dropped.

import type { ComponentChildren } from 'preact';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { ReadContext } from '../../shared/kernel/operation/operation.ts';
import { originOf } from '../../shared/kernel/operation/problem-document.ts';
import { PIECE_MOST } from '../../shared/platform/uploads/pieces.ts';
import { type ApplianceFacts, applianceFacts } from '../../shared/services/offline-depot/appliances/appliance-facts.ts';
import { type ApplianceFile, listAppliances } from '../../shared/services/offline-depot/appliances/appliances.ts';
import { type UploadView, uploadView } from '../../shared/services/offline-depot/uploads/upload.ts';
import { listUploads, type UploadPace, uploadPaces } from '../../shared/services/offline-depot/uploads/upload-store.ts';
import { Button, ButtonLink, PostButton } from '../components/button.tsx';
import { bytesOf, byteWords } from '../components/byte-words.ts';
import { CodeBlock, FileName, More } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { Form, TextField } from '../components/form.tsx';
import { Progress } from '../components/progress.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';
import { List } from '../units/listing.tsx';
import { uploadRecipe } from './upload-recipe.ts';

export const DEPOT_PAGE = pagePath('offline-depot');

type Upload = UploadView & { pace: UploadPace | null };

export interface DepotUploadsData {
  appliances: (ApplianceFile & ApplianceFacts)[];
  uploads: Upload[];
  /** For the recipe: as the reader reaches the appliance. */
  origin: string;
}

const UNREAD: ApplianceFacts = { ova: null, fault: null };
/** OVAs whose descriptors are read for the list. */
const READ_MOST = 20;

/** One statement, and one more while a job completes an upload. */
export async function loadDepotUploads({
  db,
  services,
  request,
}: Pick<ReadContext<unknown, unknown>, 'db' | 'services' | 'request'>): Promise<DepotUploadsData> {
  const files = await listAppliances(services);
  const appliances = await Promise.all(
    files.map(async (file, at) => ({
      ...file,
      // One that is gone meanwhile is not shown the next time.
      ...(at < READ_MOST ? await applianceFacts(services, file).catch(() => UNREAD) : UNREAD),
    })),
  );
  const { items } = await listUploads(db, { limit: 100 });
  const paces = items.some(({ state }) => state === 'completing') ? await uploadPaces(db) : new Map();
  const uploads = await Promise.all(
    items.map(async (row) => ({
      ...(await uploadView(services.host, row)),
      pace: (row.job_id !== null && paces.get(row.job_id)) || null,
    })),
  );
  return { appliances, uploads, origin: originOf(services, request) };
}

export interface DepotUploadsProps {
  data: DepotUploadsData;
  state: ShellState;
}

/** A part of the page of the depot. */
export function DepotUploads({ data: { appliances, uploads, origin }, state }: DepotUploadsProps) {
  const writes = state.user.scopes.includes('write:depot');
  const open = uploads.filter((upload) => upload.state !== 'done');
  return (
    <List title="Service-manager appliances">
      {writes && <Drop csrf={state.csrf} />}
      <div
        data-live="appliances"
        id="appliances"
        data-done={uploads.some((upload) => upload.state === 'completing') ? undefined : 'true'}
      >
        {open.length > 0 && <Uploads uploads={open} state={state} writes={writes} />}
        {uploads
          .filter((upload) => upload.state === 'done')
          .map((upload) => (
            <Marker key={upload.upload_id} upload={upload} />
          ))}
        <Appliances appliances={appliances} state={state} writes={writes} />
      </div>
      {writes && (
        <More summary="Upload an OVA from a shell">
          <CodeBlock label="Upload over the API">{uploadRecipe(origin)}</CodeBlock>
          <p class="muted">
            The token needs the scope <code>write:depot</code>. After a break, set <code>id</code> to the upload that is
            listed here and run it from <code>at=0</code> on: what has come is not kept twice.
          </p>
        </More>
      )}
    </List>
  );
}

function Appliances({
  appliances,
  state,
  writes,
}: { writes: boolean; state: ShellState } & Pick<DepotUploadsData, 'appliances'>) {
  return (
    <DataTable
      caption="OVAs in the depot, newest version first"
      columns={[
        {
          key: 'file',
          label: 'File',
          cell: ({ file }) => (
            <span class="file-name">
              <FileName>{file}</FileName>
            </span>
          ),
        },
        { key: 'version', label: 'Version', look: 'code', cell: ({ version }) => version ?? <None /> },
        { key: 'size', label: 'Size', look: 'number', cell: ({ size_bytes }) => <Size of={size_bytes} /> },
        { key: 'product', label: 'Product', cell: ({ ova }) => (ova ? productOf(ova.product) : <None />) },
        { key: 'state', label: 'State', cell: (appliance) => <Standing {...appliance} /> },
        {
          key: 'changed',
          label: 'Changed',
          look: 'nowrap',
          cell: ({ modified_at }) => <Instant at={modified_at} now={state.now} />,
        },
      ]}
      rows={appliances}
      rowKey={({ file }) => file}
      {...(writes && {
        actions: ({ file }: ApplianceFile) => (
          <ButtonLink
            kind="row"
            href={`${DEPOT_PAGE}/appliances/${encodeURIComponent(file)}/delete`}
            label={`Delete ${file}`}
          >
            Delete
          </ButtonLink>
        ),
      })}
      empty={
        <Empty>
          There is no OVA of a service manager in the depot yet. One is deployed from here to vCenter or ESXi.
        </Empty>
      }
    />
  );
}

const Size = ({ of }: { of: number }) => <span class="nowrap">{byteWords(of)}</span>;
const None = () => <span class="muted">not known</span>;

const productOf = ({ name, version, full_version }: NonNullable<ApplianceFacts['ova']>['product']): string =>
  [name, full_version || version].filter(Boolean).join(' ');

function Standing({ ova, fault }: ApplianceFacts) {
  if (fault) {
    return (
      <>
        <State kind="bad">Can’t be deployed</State>
        <p class="muted file-fault">{fault.detail}</p>
      </>
    );
  }
  if (!ova) return <State kind="off">Not read</State>;
  return (
    <>
      <State kind="ok">Can be deployed</State>
      <Signed signature={ova.signature} />
    </>
  );
}

const CHAINS = {
  complete: 'The file holds the whole certificate chain.',
  'self-signed': 'The certificate is self-signed.',
  unknown: 'The certificate chain in the file is incomplete.',
} as const;
const SIGNED = {
  valid: 'Signed',
  expired: 'Signed; the certificate has expired',
  'not-yet-valid': 'Signed; the certificate is not valid yet',
} as const;

/** The appliance can't vouch for the signer: people compare the fingerprint. */
function Signed({ signature }: { signature: NonNullable<ApplianceFacts['ova']>['signature'] }) {
  if (!signature) return <p class="muted file-fault">Not signed</p>;
  const { subject, sha256, chain, validity, not_after } = signature;
  return (
    <More summary={SIGNED[validity]}>
      <p class="file-fault">
        Signed by {subject}. {CHAINS[chain]} Valid until <ExactInstant at={not_after} />. No root is trusted here:
        compare the certificate’s SHA-256 with that published by the vendor:
      </p>
      <code class="wrap">{sha256}</code>
    </More>
  );
}

function Uploads({ uploads, state, writes }: { uploads: Upload[]; state: ShellState; writes: boolean }) {
  return (
    <DataTable
      caption="Uploads that are not in the depot yet"
      columns={[
        {
          key: 'file',
          label: 'Upload',
          cell: (upload) => (
            <>
              <span class="file-name">{upload.name}</span>
              <span class="file-name muted">{upload.upload_id}</span>
              <Marker upload={upload} />
            </>
          ),
        },
        {
          key: 'standing',
          label: 'State',
          cell: (upload) => <UploadStanding upload={upload} csrf={writes ? state.csrf : null} />,
        },
        { key: 'by', label: 'Begun by', look: 'nowrap', cell: ({ created_by }) => created_by },
        {
          key: 'since',
          label: 'Begun',
          look: 'nowrap',
          cell: ({ created_at }) => <Instant at={created_at} now={state.now} />,
        },
      ]}
      rows={uploads}
      rowKey={({ upload_id }) => upload_id}
      {...(writes && { actions: (upload: Upload) => <UploadActions upload={upload} csrf={state.csrf} /> })}
      empty=""
    />
  );
}

/** What the script of the page reads of an upload. */
function Marker({ upload: { upload_id, name, size_bytes, received_bytes, state, pace, fault } }: { upload: Upload }) {
  return (
    <span
      hidden
      data-upload={upload_id}
      data-name={name}
      data-size={size_bytes}
      data-received={received_bytes}
      data-state={state}
      data-percent={pace?.percent ?? 0}
      data-fault={fault?.detail}
      data-fault-code={fault?.code}
    />
  );
}

const isWhole = ({ received_bytes, size_bytes }: Upload): boolean => received_bytes === size_bytes;

/** `csrf`: null for a reader. */
function UploadStanding({ upload, csrf }: { upload: Upload; csrf: string | null }): ComponentChildren {
  const { name, state, pace, fault, received_bytes, size_bytes, job_id } = upload;
  if (state === 'completing') {
    return (
      <>
        <State kind="pending">
          <a href={pagePath('job', job_id!)}>Its bytes are compared</a>
        </State>
        <Progress
          label={`Comparing ${name}`}
          percent={pace?.percent ?? 0}
          figures={pace?.figures ?? { done_bytes: 0, total_bytes: size_bytes }}
        />
      </>
    );
  }
  if (fault) {
    return (
      <>
        <State kind="bad">All bytes are here, but it is not in the depot</State>
        <p class="muted file-fault">{fault.detail}</p>
        {csrf !== null && isOther(upload) && <OtherSum upload={upload} csrf={csrf} />}
      </>
    );
  }
  if (isWhole(upload)) return <State kind="pending">All bytes are here; complete it</State>;
  const percent = Math.floor((received_bytes / size_bytes) * 100);
  return (
    <>
      <State kind="pending">Waits for its bytes</State>
      <p class="muted">
        {percent} %, {bytesOf(received_bytes, size_bytes)}. Choose the same file again to go on.
      </p>
    </>
  );
}

/** Whether the SHA-256 that was said is what kept it out. */
const isOther = ({ fault, sha256 }: Upload): boolean => fault?.code === 'state_conflict' && sha256 !== null;

function OtherSum({ upload: { upload_id, name, sha256 }, csrf }: { upload: Upload; csrf: string }) {
  return (
    <Form action={`${DEPOT_PAGE}/uploads/${upload_id}/complete`} csrf={csrf} look="stack" label={`SHA-256 of ${name}`}>
      <TextField
        id={`sha256-${upload_id}`}
        name="sha256"
        label="The SHA-256 that was said"
        value={sha256 ?? ''}
        mono
        wide
        maxlength={64}
      />
      <div class="along-row">
        <Button label={`Compare again: ${name}`}>Compare again</Button>
      </div>
    </Form>
  );
}

function UploadActions({ upload, csrf }: { upload: Upload; csrf: string }) {
  const { upload_id, name, state, fault } = upload;
  if (state !== 'receiving') return null;
  const base = `${DEPOT_PAGE}/uploads/${upload_id}`;
  const exists = fault?.code === 'depot_file_exists';
  return (
    <>
      {isWhole(upload) && !isOther(upload) && (
        <PostButton
          kind="row"
          action={`${base}/complete`}
          csrf={csrf}
          {...(exists && { fields: { overwrite: 'true' } })}
          label={exists ? `Replace the file ${name}` : `Complete ${name}`}
        >
          {exists ? 'Replace the file' : 'Complete'}
        </PostButton>
      )}
      <PostButton kind="row" action={`${base}/delete`} csrf={csrf} label={`Remove the upload of ${name}`}>
        Remove
      </PostButton>
    </>
  );
}

/** Hidden until the script is here, which does all of it. */
function Drop({ csrf }: { csrf: string }) {
  return (
    <div class="upload" data-upload-to={`${DEPOT_PAGE}/uploads`} data-most={PIECE_MOST} data-csrf={csrf} hidden>
      <div class="upload-pick" data-part="pick">
        <div class="drop">
          <input type="file" id="upload-file" class="vh" accept=".ova" />
          <label class="btn btn-primary" for="upload-file">
            Upload an OVA…
          </label>
          <p class="muted">or drop one here. A broken upload goes on where it stopped, also after a restart.</p>
        </div>
        <TextField
          id="upload-sha256"
          name="sha256"
          label="SHA-256"
          value=""
          mono
          wide
          maxlength={64}
          placeholder="as published with the OVA; optional"
        />
      </div>
      <div class="upload-work" data-part="ask" hidden>
        <p role="alert" data-text="ask" tabindex={-1} />
        <div class="along-row">
          <button type="button" class="btn btn-primary" data-do="yes" />
          <button type="button" class="btn" data-do="other" hidden />
          <button type="button" class="btn" data-do="no" />
        </div>
      </div>
      <div class="upload-work" data-part="work" hidden>
        <p>
          <strong class="mono" data-text="name" /> <span class="st" data-text="state" role="status" />
        </p>
        <div class="told told-running">
          <progress max={1000} value={0} aria-label="Upload" />
          <p>
            <b class="share" data-text="share" />
            <span data-text="bytes" />
            <span data-text="rate" />
            <span data-text="left" />
          </p>
        </div>
        <p class="err" data-text="trouble" role="alert" tabindex={-1} hidden />
        <div class="along-row">
          <button type="button" class="btn" data-do="pause">
            Pause
          </button>
          <button type="button" class="btn btn-primary" data-do="resume" hidden>
            Go on
          </button>
          <button type="button" class="btn" data-do="drop">
            Remove
          </button>
          <button type="button" class="btn" data-do="again" hidden>
            Upload another
          </button>
        </div>
      </div>
    </div>
  );
}
