// Adding a passkey: its name and the own password, then the browser makes it.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { PASSKEY_NAMES, relyingParty } from '../../shared/kernel/access/second-factor/relying-party.ts';
import { PasskeyAsk } from '../access/passkey-ask.tsx';
import { Note } from '../components/block.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { ACCOUNT_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { Added, type AddedFactor, BeginFactor, FACTORS_TRAIL, resultOf } from './adding.tsx';

const PATH = `${pagePath('second-factors')}/passkeys`;

interface Where {
  /** Name that a passkey would be bound to; null: none can be made here. */
  rp_id: string | null;
  hostname: string;
}

interface Begun {
  registration_id: string;
  options: Record<string, unknown>;
}

export const page = definePage({
  id: 'addPasskeyPage',
  path: PATH,
  current: ACCOUNT_PATH,
  access: { session: 'any' },
  load: async ({ services, request }): Promise<Where> => ({
    rp_id: relyingParty(services.settings, request)?.rp_id ?? null,
    hostname: services.settings.hostname,
  }),
  title: () => 'Add a passkey',
  view: AddPasskey,
});

function AddPasskey({ data, state, outcome }: ViewProps<Where>) {
  return (
    <>
      <PageHead
        title="Add a passkey"
        intro="A key in your device, your password manager, or on your key ring."
        trail={FACTORS_TRAIL}
      />
      <Step data={data} state={state} outcome={outcome} />
    </>
  );
}

function Step({ data: { rp_id, hostname }, state, outcome }: ViewProps<Where>) {
  const added = resultOf<AddedFactor>(outcome, 'confirmOwnPasskeyForm');
  if (added) return <Added added={added} />;
  if (rp_id === null) return <Note icon="info">{PASSKEY_NAMES(hostname)} An authenticator app works everywhere.</Note>;
  const begun = resultOf<Begun>(outcome, 'beginOwnPasskeyForm');
  if (begun) {
    return (
      <PasskeyAsk
        does="create"
        options={begun.options}
        action={`${PATH}/${encodeURIComponent(begun.registration_id)}/confirm`}
        csrf={state.csrf}
      >
        Ask the browser for the passkey
      </PasskeyAsk>
    );
  }
  return (
    <>
      <Note icon="info">
        It works under the name <code>{rp_id}</code> alone. The page needs its script for passkeys.
      </Note>
      <Refused typed={typedInto('confirmOwnPasskeyForm', outcome)} labels={{ credential: 'Passkey' }} />
      <BeginFactor
        form="beginOwnPasskeyForm"
        action={PATH}
        csrf={state.csrf}
        outcome={outcome}
        name="Passkey"
        help="What you call it: the device or the key."
        note="The browser asks for it on the next page, within five minutes."
        button="Go on"
      />
    </>
  );
}
