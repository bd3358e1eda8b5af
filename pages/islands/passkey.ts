// Asks the browser for a passkey, to make one or to use one, and sends its answer with the form that asked.

const FORM = 'form[data-passkey]';

export function offerPasskeys(): void {
  document.addEventListener('submit', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>(FORM);
    if (!form) return;
    event.preventDefault();
    void ask(form);
  });
  for (const form of document.querySelectorAll<HTMLFormElement>(FORM)) uncover(form);
}

const part = (form: HTMLFormElement, name: string) => form.querySelector<HTMLElement>(`[data-passkey-${name}]`);

function uncover(form: HTMLFormElement): void {
  const without = part(form, 'without');
  if (!window.PublicKeyCredential) {
    if (without) without.textContent = 'This browser has no passkeys, or not over this connection.';
    return;
  }
  without?.remove();
  part(form, 'with')?.removeAttribute('hidden');
}

async function ask(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  if (button?.disabled) return;
  if (button) button.disabled = true;
  try {
    const options = JSON.parse(form.dataset.options ?? '{}') as Options;
    const answer = form.dataset.passkey === 'create' ? await created(options) : await used(options);
    form.querySelector<HTMLInputElement>('input[name="credential"]')!.value = JSON.stringify(answer);
    form.submit();
  } catch (error) {
    if (button) button.disabled = false;
    say(form, error as Error);
  }
}

function say(form: HTMLFormElement, { name }: Error): void {
  const place = part(form, 'says');
  if (!place) return;
  place.textContent =
    name === 'InvalidStateError'
      ? 'This device has a passkey for this account already.'
      : 'No passkey came: it was cancelled, took too long, or this device has none for this name.';
  place.hidden = false;
}

interface Known {
  id: string;
  type: PublicKeyCredentialType;
  transports?: AuthenticatorTransport[];
}

interface Options {
  challenge: string;
  user?: { id: string; name: string; displayName: string };
  allowCredentials?: Known[];
  excludeCredentials?: Known[];
  [name: string]: unknown;
}

const known = (list: Known[] = []): PublicKeyCredentialDescriptor[] =>
  list.map(({ id, ...rest }) => ({ ...rest, id: bytes(id) }));

async function created({ challenge, user, excludeCredentials, ...rest }: Options): Promise<unknown> {
  const publicKey = {
    ...rest,
    challenge: bytes(challenge),
    user: { ...user!, id: bytes(user!.id) },
    excludeCredentials: known(excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject, getTransports } = made.response as AuthenticatorAttestationResponse;
  const transports = getTransports.call(made.response);
  return common(made, {
    clientDataJSON: text(clientDataJSON),
    attestationObject: text(attestationObject),
    transports,
  });
}

async function used({ challenge, allowCredentials, ...rest }: Options): Promise<unknown> {
  const publicKey = { ...rest, challenge: bytes(challenge), allowCredentials: known(allowCredentials) };
  const made = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature } = made.response as AuthenticatorAssertionResponse;
  return common(made, {
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
  });
}

const common = ({ id, rawId, type }: PublicKeyCredential, response: Record<string, unknown>) => ({
  id,
  rawId: text(rawId),
  type,
  response,
  clientExtensionResults: {},
});

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
