// Text of files, logs and commands, as it is.
import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.tsx';

/** A block that scrolls by itself when a line is long; `label` names it for assistive technology. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <Scroll class="code-block" label={label}>
      <pre>{children}</pre>
    </Scroll>
  );
}

/** Something long that a person opens when he wants it. */
export function More({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details class="more">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
