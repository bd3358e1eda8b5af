// What happened, in order: grouped lines with their instant, a state, words and how long it took.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';
import { exact } from './time.tsx';

export type EventState = 'done' | 'failed' | 'running' | 'later' | 'note' | 'warning';
export interface EventLine {
  key: string;
  /** RFC 3339; null for a heading or something yet to come. */
  at: string | null;
  state: EventState;
  text: ComponentChildren;
  /** How long it took, or what is left. */
  took?: string;
  /** A heading for the lines that follow. */
  group?: boolean;
  /** Below the words: how far it is. */
  below?: ComponentChildren;
}

const LOOKS: Record<EventState, { look: string; icon: IconName | null; word: string }> = {
  done: { look: 'ok', icon: 'check', word: 'done' },
  failed: { look: 'bad', icon: 'stop', word: 'failed' },
  running: { look: 'now', icon: 'clock', word: 'running' },
  later: { look: 'later', icon: null, word: 'still to come' },
  warning: { look: 'now', icon: 'warn', word: 'look at this' },
  note: { look: '', icon: 'info', word: 'note' },
};

export function Events({ lines }: { lines: readonly EventLine[] }) {
  return (
    <ol class="events">
      {lines.map(({ key, at, state, text, took, group, below }) => {
        const { look, icon, word } = LOOKS[state];
        return (
          <li key={key} class={[group && 'group', state === 'later' && 'later'].filter(Boolean).join(' ') || undefined}>
            {at === null ? (
              <span />
            ) : (
              <time datetime={at} title={exact(at)}>
                {at.slice(11).replace(/Z$/, '').slice(0, 10)}
              </time>
            )}
            <span class={look}>
              {icon && <Icon name={icon} />}
              <span class="vh">{word}: </span>
            </span>
            <span>
              {text}
              {below}
            </span>
            <span class={state === 'running' ? 'now' : 'muted'}>{took}</span>
          </li>
        );
      })}
    </ol>
  );
}
