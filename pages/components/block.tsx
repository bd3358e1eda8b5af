// What keeps a change from being saved or applied, each with its way out; notes and the answer after a save.
import type { ComponentChildren } from 'preact';
import type { Blocker } from '../../shared/ground/problems.ts';
import { More } from './code.tsx';
import { Icon, type IconName } from './icons.tsx';
import { PageButton } from './page-link.tsx';
import { State } from './state-word.tsx';

export interface BlockProps {
  title: ComponentChildren;
  children: ComponentChildren;
  /** The smallest edits that unblock, as buttons. */
  actions?: ComponentChildren;
  /** 2 where nothing but the page's own heading stands above it. */
  level?: 2 | 3;
}

export function Block({ title, children, actions, level = 3 }: BlockProps) {
  const Heading = `h${level}` as const;
  return (
    <div class="block">
      <Heading>
        <State kind="bad">{title}</State>
      </Heading>
      <p>{children}</p>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** Blocks that are open; the others are behind a line that counts them. */
const MOST_OPEN = 5;

/** Blockers as the domain names them; every one links to the page where its way out is. */
export function Blockers({ blockers }: { blockers: readonly Blocker[] }) {
  const more = blockers.slice(MOST_OPEN);
  return (
    <>
      {blockers.slice(0, MOST_OPEN).map(blocked)}
      {more.length > 0 && <More summary={`and ${more.length} more`}>{more.map(blocked)}</More>}
    </>
  );
}

const blocked = ({ subject, reason, page, unblock }: Blocker) => (
  <Block key={`${subject} ${reason}`} title={subject} actions={<PageButton href={page}>{unblock}</PageButton>}>
    {reason}
  </Block>
);

export function Note({ icon = 'info', children }: { icon?: IconName; children: ComponentChildren }) {
  return (
    <p class="note">
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

export interface FlashMessage {
  kind: 'ok' | 'bad';
  text: string;
}

/** The answer to the last form, on top of the page that it led to. */
export function Flash({ flash }: { flash: FlashMessage }) {
  return (
    <p class={flash.kind === 'ok' ? 'flash' : 'flash flash-bad'} role="status">
      <Icon name={flash.kind === 'ok' ? 'check' : 'stop'} />
      <span>{flash.text}</span>
    </p>
  );
}
