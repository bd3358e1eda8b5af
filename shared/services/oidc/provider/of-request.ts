// What the request that is answered now is about, as the library has it so far.
import Provider, { type Account, type KoaContextWithOIDC } from 'oidc-provider';
import { plainAddress } from '../../../ground/addresses/source.ts';
import type { Seen } from '../sessions/sessions.ts';
import type { Ending } from '../sessions/signing-in.ts';
import { isProbeSubject } from './probe-client.ts';

/** An account, as the provider makes it. */
export type Known = Account & Pick<Seen, 'source' | 'organization'> & { username: string };

const now = () => Provider.ctx as Partial<KoaContextWithOIDC> | undefined;

/** Client that a request names, before the library has looked at it. */
export function askingNow(): string | undefined {
  const ctx = now();
  const named = ctx?.query?.client_id;
  return ctx?.oidc?.client?.clientId ?? (typeof named === 'string' ? named : undefined);
}

/** The code that a request redeems. */
export function redeemingNow(): string | undefined {
  const { code } = (now()?.oidc?.body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

export function seenNow(): Seen | null {
  const ctx = now();
  const account = ctx?.oidc?.account as Known | undefined;
  if (!account) return null;
  const { username: user_name, source, organization } = account;
  return { user_name, source, organization, source_address: plainAddress(ctx?.req?.socket.remoteAddress ?? '') };
}

/** Who comes back from the sign-in page, and is a session from now on for so many seconds; null: nobody does. */
export function signingInNow(lasts: number): Ending | null {
  const oidc = now()?.oidc;
  const { Interaction: found } = (oidc?.entities ?? {}) as {
    Interaction?: { result?: { login?: { accountId?: string } } };
  };
  const subject = found?.result?.login?.accountId;
  const { uid } = (oidc?.session ?? {}) as { uid?: string };
  // The probe is nobody, whose sessions no list has.
  if (subject === undefined || uid === undefined || isProbeSubject(subject)) return null;
  return { uid, subject, lasts };
}
