// From the form of the sign-in to a WebSocket that has not shown its ticket yet, as the page does it.
import { openTerminal, type TerminalClient } from './terminal-client.ts';
import type { Walk } from './walking.ts';

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

export interface WayIn {
  /** Empty: refused, as `refused` says. */
  ticket: string;
  refused: Record<string, unknown>;
  /** The status with which the WebSocket was refused. */
  opened: number | TerminalClient;
}

export async function wayIn({ origin, user, password, account, remote }: Walk): Promise<WayIn> {
  const signed = await fetch(`${origin}/ui/management/sign-in`, form({ name: user, username: user, password }));
  const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0]!;
  const page = await (await fetch(`${origin}/ui/management/web-terminal/shell`, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const post = (step: string, fields: Record<string, string>) =>
    fetch(
      `${origin}/ui/management/web-terminal/shell/${step}`,
      form({ csrf, ...fields }, { cookie, origin, accept: 'application/json' }),
    );
  const target = remote ? (/value="(entry_[a-z0-9]+\.[0-9a-f]+)"/.exec(page)?.[1] ?? 'none') : '';
  if (remote === 'confirm') {
    const { sha256 } = (await (await post('look-at-host-key', { target })).json()) as { sha256: string };
    await post('confirm-host-key', { target, sha256, own_password: password });
  }
  const asked = await post('ticket', { account, target, own_password: password });
  const { ticket = '', ...said } = (await asked.json()) as { ticket?: string };
  const url = `${origin.replace('http', 'ws')}/ui/management/web-terminal/socket`;
  const opened = await openTerminal(url, { headers: { cookie, origin }, rejectUnauthorized: false });
  return { ticket, refused: { refused: asked.status, ...said }, opened };
}
