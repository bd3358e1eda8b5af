// What people see who sign in to a client: the sign-in, what went wrong with it, and signing out. Server-rendered, without script,
// outside the management UI: whoever signs in here has no business there.
import type { ComponentChildren } from 'preact';
import { Note } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/form.tsx';
import { rendered } from '../layout/define-page.tsx';
import { Document } from '../layout/document.tsx';
import type { Assets } from '../layout/state.ts';

export interface Frame {
  css: string;
  /** Name that browsers reach the provider by. */
  host: string;
}

export interface SignInProps {
  client: string;
  /** Host that the browser goes on to. */
  destination: string;
  /** Who signs in: `the appliance`, or an organization of the directory. */
  source: string;
  action: string;
  csrf: string;
  username: string;
  /** Accounts of this source may have a second factor. */
  takes_code: boolean;
  /** In a sentence; null: the first try. */
  refusal: string | null;
}

function page({ css, host }: Frame, title: string, children: ComponentChildren): string {
  const assets: Assets = { css, js: '' };
  return rendered(
    <Document title={title} theme="system" assets={assets} script={false}>
      <div class="plain">
        <header>
          <span class="brand">{host}</span>
        </header>
        <main id="main" tabIndex={-1} class="alone">
          <div>{children}</div>
        </main>
      </div>
    </Document>,
  );
}

export const signInPage = (frame: Frame, props: SignInProps): string =>
  page(
    frame,
    `Sign in to ${props.client}`,
    <>
      <h1>Sign in to {props.client}</h1>
      <p class="muted">
        With your account of {props.source}. You go on to <code>{props.destination}</code>, which receives your name and
        your groups, never your password.
      </p>
      {props.refusal !== null && (
        <div role="alert">
          <Note icon="warn">{props.refusal}</Note>
        </div>
      )}
      <form class="form stack" method="post" action={props.action}>
        <input type="hidden" name="csrf" value={props.csrf} />
        <TextField name="username" label="User name" value={props.username} autocomplete="username" mono required />
        <TextField name="password" label="Password" type="password" value="" autocomplete="current-password" required />
        {props.takes_code && (
          <TextField
            name="code"
            label="Code, if your account has a second factor"
            help="Of your authenticator, or a recovery code."
            value=""
            autocomplete="one-time-code"
            mono
          />
        )}
        <Button kind="primary">Sign in</Button>
      </form>
    </>,
  );

/** `code`: as the protocol has it, for whoever looks after the client. */
export const failedPage = (frame: Frame, says: string, code: string): string =>
  page(
    frame,
    'Sign-in not possible',
    <>
      <h1>Sign-in not possible</h1>
      <p>{says}</p>
      <p class="muted">
        Go back to where you came from and try again. If it comes back, tell whoever looks after it: <code>{code}</code>
      </p>
    </>,
  );

export const signOutPage = (frame: Frame, { action, xsrf, client }: SignOutForm): string =>
  page(
    frame,
    'Sign out',
    <>
      <h1>Sign out</h1>
      <p>
        {client === null ? 'You are signed in here.' : `${client} asks to sign you out.`} Signed out, you are asked for
        your password the next time.
      </p>
      <form class="form stack" method="post" action={action}>
        <input type="hidden" name="xsrf" value={xsrf} />
        <div class="actions">
          <Button kind="primary" name="logout" value="yes">
            Sign out everywhere
          </Button>
          <Button>Stay signed in</Button>
        </div>
      </form>
    </>,
  );

export interface SignOutForm {
  action: string;
  xsrf: string;
  client: string | null;
}

export const signedOutPage = (frame: Frame): string =>
  page(
    frame,
    'Signed out',
    <>
      <h1>Signed out</h1>
      <p>You can close this window.</p>
    </>,
  );
