// A link to another page, for those readers only who may open that page; the others read its words.
import { type ComponentChildren, createContext } from 'preact';
import { ButtonLink } from './button.tsx';

/** Whether who reads the page that is being rendered may open another one. */
export const MayOpen = createContext<(href: string) => boolean>(() => true);

export function PageLink({ href, children }: { href: string; children: ComponentChildren }) {
  return <MayOpen.Consumer>{(may) => (may(href) ? <a href={href}>{children}</a> : children)}</MayOpen.Consumer>;
}

/** The same as a button. */
export function PageButton({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <MayOpen.Consumer>
      {(may) => (may(href) ? <ButtonLink href={href}>{children}</ButtonLink> : <span class="muted">{children}</span>)}
    </MayOpen.Consumer>
  );
}
