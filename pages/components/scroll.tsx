// Regions that scroll by themselves are named and can be reached with Tab, so that a keyboard can scroll them.
import type { ComponentChildren } from 'preact';

interface ScrollProps {
  class: 'scroll' | 'canvas' | 'diff' | 'code-block';
  /** Name of the region; or labelledBy, the id of an element that names it. */
  label?: string | undefined;
  labelledBy?: string | undefined;
  children: ComponentChildren;
}

export function Scroll({ class: look, label, labelledBy, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take the focus to be scrolled by keys
    <section class={look} aria-label={label} aria-labelledby={labelledBy} tabIndex={0}>
      {children}
    </section>
  );
}
