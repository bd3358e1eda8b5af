// The confirmed steps of the dialog: create, delete, done.
import type { ComponentChildren } from 'preact';
import { dialogHref, GENERATED, HELPER, INPUTS, type Inputs } from '../../shared/vcf/names/dialog-address.ts';
import { type Previewed, partition, shortfallWords } from '../../shared/vcf/names/generate.ts';
import type { Preview } from '../../shared/vcf/names/schemas.ts';
import { Button, ButtonLink, PostButton } from '../components/button.tsx';
import { errorOf } from '../components/error-summary.tsx';
import { HiddenField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { mayOnlyRead } from '../layout/form-state.tsx';
import type { ShellState } from '../layout/state.ts';
import type { Open } from './vcf-helper.tsx';

const CREATE_FORM = 'create-names';

interface FooterProps {
  open: Open;
  state: ShellState;
  writes: boolean;
}

export function Footer({ open, state, writes }: FooterProps) {
  const { previewed, inputs, deleting } = open;
  const preview = previewed?.preview ?? null;
  const pending = state.pending.some(({ id }) => id === 'dns-dhcp');
  return (
    <footer>
      <div class="sheet-said">{preview && <Said open={open} preview={preview} state={state} writes={writes} />}</div>
      {preview && !deleting && <DeleteButton preview={preview} inputs={inputs} />}
      {pending && state.user.scopes.includes('write:apply') && (
        <PostButton action={APPLY_PATH} csrf={state.csrf} fields={{ units: 'dns-dhcp' }}>
          Review DNS and DHCP
        </PostButton>
      )}
      {preview?.complete ? (
        <ButtonLink kind="primary" href={HELPER}>
          Done
        </ButtonLink>
      ) : (
        preview &&
        preview.to_create > 0 && (
          <Button kind="primary" form={CREATE_FORM} unavailable={writes ? undefined : mayOnlyRead('DNS')}>
            {`Create ${countOf(preview)} records`}
          </Button>
        )
      )}
    </footer>
  );
}

const countOf = ({ to_create, networks }: Preview): number => to_create * networks.length;

/** What is to be confirmed, or why there is nothing to confirm. */
function Said({ open, preview, state, writes }: FooterProps & { preview: Preview }): ComponentChildren {
  const { rows, networks, to_create, complete, domain } = preview;
  if (complete) return <State kind="ok">Every name has an address.</State>;
  const short = networks.filter(({ shortfall }) => shortfall > 0);
  if (short.length > 0)
    return (
      <State kind="bad">
        {short.map((network) => shortfallWords(network, network.family === 'ipv4' ? 'A' : 'AAAA')).join(' ')} Nothing
        can be created.
      </State>
    );
  const missing = rows.filter(({ state: each }) => each === 'missing').length;
  if (missing > 0) return <span>{`Type a first address to give one to the ${missing} missing names.`}</span>;
  if (to_create === 0) return <span>Nothing to create: names that have other records are never overwritten.</span>;
  if (!writes) return null;
  const error = errorOf(open.errors, 'confirm');
  return (
    <form method="post" action={GENERATED} id={CREATE_FORM} aria-label="Create" data-in-place>
      <HiddenField name="csrf" value={state.csrf} />
      <Hidden inputs={open.inputs} />
      <HiddenField name="digest" value={preview.digest} />
      <label>
        <input
          type="checkbox"
          id="confirm"
          name="confirm"
          value="on"
          required
          aria-invalid={error === undefined ? undefined : 'true'}
        />
        <span>
          Create {countOf(preview)}{' '}
          {networks.map(({ family }, at) => (
            <span key={family}>
              {at > 0 && ' and '}
              <code>{family === 'ipv4' ? 'A' : 'AAAA'}</code>
            </span>
          ))}{' '}
          records in <code>{domain}</code>
          {besides(preview)}
        </span>
      </label>
    </form>
  );
}

function besides({ rows }: Preview): string {
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  const [existing, occupied] = [count('existing'), count('occupied')];
  const words = [
    ...(existing > 0 ? [existing === 1 ? '1 name exists' : `${existing} names exist`] : []),
    ...(occupied > 0 ? [occupied === 1 ? '1 is skipped' : `${occupied} are skipped`] : []),
  ];
  return words.length === 0 ? '' : `; ${words.join(', ')}`;
}

function Hidden({ inputs }: { inputs: Inputs }) {
  return (
    <>
      {INPUTS.map((name) => (
        <HiddenField key={name} name={name} value={inputs[name]} />
      ))}
    </>
  );
}

function DeleteButton({ preview: { rows }, inputs }: { preview: Preview; inputs: Inputs }) {
  const any = rows.some(({ state }) => state === 'existing');
  if (!any) {
    return (
      <Button kind="bad" unavailable="none of the names has an address">
        Delete generated…
      </Button>
    );
  }
  return (
    <ButtonLink kind="bad" href={dialogHref(inputs, { confirm: 'delete' })}>
      Delete generated…
    </ButtonLink>
  );
}

interface DeletionProps {
  previewed: Previewed;
  inputs: Inputs;
  csrf: string;
  writes: boolean;
}

/** The bar that confirms a deletion: how many, of what, and what stays and why. */
export function Deletion({ previewed: { request, facts, preview }, inputs, csrf, writes }: DeletionProps) {
  const { preserved } = partition(request.names, facts);
  const { deletable } = preview;
  const records = deletable === 1 ? '1 generated record' : `${deletable} generated records`;
  const { catalog, prefix, suffix, domain } = request;
  return (
    <section class="confirm" aria-label="Confirm the deletion" role="alert">
      <p>
        <b>{deletable === 0 ? 'None of these records was generated.' : `Delete ${records}?`}</b>{' '}
        {deletable > 0 && (
          <>
            Only what the helper generated, and only the names of {catalog.label} as{' '}
            <code>
              {prefix}*{suffix}.{domain}
            </code>
            .
          </>
        )}
        {preserved.length > 0 && (
          <span class="line">
            Preserved:{' '}
            {preserved.map(({ fqdn, reason }, at) => (
              <span key={fqdn}>
                {at > 0 && '; '}
                <code>{fqdn.slice(0, fqdn.indexOf('.'))}</code>, {reason}
              </span>
            ))}
            .
          </span>
        )}
      </p>
      <ButtonLink href={dialogHref(inputs)}>{deletable === 0 ? 'Back' : 'Keep them'}</ButtonLink>
      {deletable > 0 && (
        <form class="inline" method="post" action={`${GENERATED}/delete`} aria-label="Delete" data-in-place>
          <HiddenField name="csrf" value={csrf} />
          <Hidden inputs={inputs} />
          <HiddenField name="confirm" value="on" />
          <Button kind="bad" unavailable={writes ? undefined : mayOnlyRead('DNS')}>
            {deletable === 1 ? 'Delete 1 record' : `Delete ${deletable} records`}
          </Button>
        </form>
      )}
    </section>
  );
}
