// What the pages share on which somebody adds an authenticator: its secret, and the recovery codes, each shown once.
import { QrCode } from '../components/qr-code.tsx';

export interface Begun {
  factor_id: string;
  secret: string;
  otpauth_uri: string;
}

/** In groups of four, as it is typed. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

export function AuthenticatorSecret({ begun: { secret, otpauth_uri } }: { begun: Begun }) {
  return (
    <section class="secret" aria-labelledby="secret-title">
      <h2 id="secret-title">Give this to your authenticator app</h2>
      <p>
        <b>Scan it, or type it, now.</b> It is stored sealed: nobody can show it again.
      </p>
      <QrCode text={otpauth_uri} label="QR code of the secret for an authenticator app" />
      <div class="secret-value">
        <code id="secret-value">{grouped(secret)}</code>
      </div>
      <p class="muted">
        Six digits, every 30 seconds, SHA-1. On this device, the app may open <a href={otpauth_uri}>this address</a>.
      </p>
    </section>
  );
}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section class="secret" aria-labelledby="codes-title">
      <h2 id="codes-title">Recovery codes</h2>
      <p>
        <b>Write them down, or print them, now.</b> Each signs you in once, in place of the second factor, when the
        phone or the key is lost. Only hashes are kept: nobody can show them again.
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
