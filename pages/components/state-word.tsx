// A state is an icon and a word, never a colour alone; a change is what was and what it becomes.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

export type StateKind = 'ok' | 'warn' | 'bad' | 'off' | 'pending';
const ICON_OF: Record<StateKind, IconName> = { ok: 'check', warn: 'warn', bad: 'stop', off: 'off', pending: 'pending' };

export function State({ kind, icon, children }: { kind: StateKind; icon?: IconName; children: ComponentChildren }) {
  return (
    <span class={`st st-${kind}`}>
      <Icon name={icon ?? ICON_OF[kind]} />
      <span>{children}</span>
    </span>
  );
}

/** The switch of an account: what an apply enforces has a state (`state-words.tsx`). */
export function Enabled({ enabled }: { enabled: boolean }) {
  return enabled ? <State kind="ok">Enabled</State> : <State kind="off">Disabled</State>;
}

/** What is in force, struck out, above what is desired; one of the two alone when the other is null. */
export function Change({ from, to }: { from: string | null; to: string | null }) {
  if (from === to) return from === null ? null : <code>{from}</code>;
  return (
    <>
      {from !== null && (
        <code class="was">
          <span class="vh">in force: </span>
          {from}
        </code>
      )}
      {from !== null && to !== null && <br />}
      {to !== null && (
        <>
          <span class="vh">desired: </span>
          <code class="becomes">{to}</code>
        </>
      )}
    </>
  );
}

export function Count({ of }: { of: number }) {
  return <span class="count">{of}</span>;
}
